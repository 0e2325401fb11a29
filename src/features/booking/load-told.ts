import { findHost } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import type { ToldBooking } from './mail.ts';
import { bookedUrl, bookingTokenPlace } from './rules/booking-address.ts';
import { tellAnswers } from './rules/check-answers.ts';
import { loadAppointment } from './store/appointments.ts';
import { type Booking, listSeries } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';
import { findHandleOf } from './store/handles.ts';

/**
 * A booking with all that its mails say; null where nobody can be written to about it. `together`: with the other times of
 * its series that became what it is at the same moment.
 */
export async function loadTold(
  app: Pick<App, 'db' | 'keyring' | 'config'>,
  booking: Booking,
  { beforeMs = null, together = false }: { beforeMs?: number | null; together?: boolean } = {},
): Promise<ToldBooking | null> {
  const { db, keyring, config } = app;
  const { id, userId, token, seriesId, eventTypeId } = booking;
  const host = await findHost(db, userId);
  if (host === null || token === null || booking.guestEmail === '') return null;
  const appointment = await loadAppointment(db, booking.appointmentId);
  const [type, series, handle] = await Promise.all([
    eventTypeId === null ? null : findType(db, eventTypeId),
    seriesId === null || !together ? [] : listSeries(db, seriesId),
    findHandleOf(db, userId),
  ]);
  const { startMs, endMs, location } = appointment;
  return {
    id,
    uid: booking.uid,
    sequence: booking.sequence,
    title: appointment.title,
    startMs,
    endMs,
    beforeMs,
    series: series
      .filter((one) => one.state === booking.state && momentOf(one) === momentOf(booking))
      .map((one) => ({
        uid: one.uid,
        sequence: one.sequence,
        startMs: one.startMs,
        endMs: one.startMs + endMs - startMs,
      })),
    location,
    joinUrl: appointment.joinUrl ?? (location.kind === 'link' ? location.url : null),
    host: {
      id: userId,
      name: host.company === null ? host.name : `${host.name}, ${host.company}`,
      email: host.email,
      zone: host.zone,
      locale: host.locale,
      timeFormat: host.timeFormat,
    },
    guest: {
      name: booking.guestName,
      email: booking.guestEmail,
      phone: booking.guestPhone,
      zone: booking.guestZone,
      locale: booking.language ?? host.locale,
    },
    guests: booking.guests,
    answers: tellAnswers(type?.settings.questions ?? [], booking.answers),
    reason: booking.reason,
    url: bookedUrl(config.publicUrl, keyring.open(token, bookingTokenPlace(id))),
    bookUrl: handle === null || type === null || type.secret ? null : `${config.publicUrl}/${handle}/${type.slug}`,
    isWritten: appointment.calendarId !== null,
  };
}

/** When it became what it is, epoch ms. */
const momentOf = ({ endedMs, confirmedMs, createdMs }: Booking) => endedMs ?? confirmedMs ?? createdMs;

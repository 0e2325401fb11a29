import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import type { PublicType } from './find-public-type.ts';
import { listHostsOf } from './list-hosts-of.ts';
import type { Booked, BookedDates } from './rules/booked-shape.ts';
import { bookingTokenPlace, linkPlace, linkUrl } from './rules/booking-address.ts';
import { changeUntilMs, isChangeable } from './rules/change-window.ts';
import { tellAnswers } from './rules/check-answers.ts';
import { joinNames } from './rules/join-names.ts';
import { sayAnswers } from './say-answers.ts';
import { type Appointment, loadAppointment } from './store/appointments.ts';
import { type Booking, listSeries } from './store/bookings.ts';
import { type EventType, findType } from './store/event-type-rows.ts';
import { findHandleOfType } from './store/handles.ts';
import { findUsableToken } from './store/links.ts';

/** A booking as its guest sees it, in their language; what is `known` of its event type and its series is not read again. */
export async function showBooked(
  app: Pick<App, 'clock' | 'config' | 'keyring'>,
  db: Database,
  booking: Booking,
  known: (Pick<PublicType, 'host' | 'type' | 'handle'> & { series: Booked['series'] }) | null = null,
  language: string | null = booking.language,
): Promise<Booked> {
  const appointment = await loadAppointment(db, booking.appointmentId);
  const isTeam = known === null ? null : known.type.teamId !== null;
  const [hosts, type, series] = await Promise.all([
    isTeam === false && known !== null ? [known.host] : listHostsOf(db, appointment.hostIds),
    known?.type ?? (booking.eventTypeId === null ? null : findType(db, booking.eventTypeId)),
    known === null ? findPlaceInSeries(db, booking) : known.series,
  ]);
  const handle =
    type === null || type.secret ? null : known === null ? await findHandleOfType(db, type.id) : known.handle;
  const bookUrl = await findBookUrl(app, db, booking, { type, handle });
  const { startMs, endMs, location, joinUrl } = appointment;
  const untilMs = changeUntilMs(startMs, booking.cancellation);
  const isCertain = booking.state === 'confirmed';
  return {
    uid: booking.uid,
    title: appointment.title,
    host: joinNames(hosts, language),
    book_url: bookUrl,
    start: startMs / 60_000,
    duration: (endMs - startMs) / 60_000,
    state: booking.state,
    sequence: booking.sequence,
    name: booking.guestName,
    email: booking.guestEmail,
    zone: booking.guestZone,
    language: booking.language,
    guests: booking.guests,
    answers: sayAnswers(tellAnswers(booking.asked, booking.answers), language ?? hosts[0]?.locale ?? 'en'),
    location: isCertain ? location : null,
    join_url: isCertain ? (joinUrl ?? linkOf(appointment)) : null,
    seats: appointment.seats,
    series,
    can_change: isChangeable(booking.state) && app.clock.nowMs() < untilMs,
    can_change_until: isChangeable(booking.state) ? untilMs : null,
    cancellation: booking.cancellation.text,
    reason: booking.reason,
    ended_by: booking.endedBy,
  };
}

async function findPlaceInSeries(db: Database, { id, seriesId }: Booking): Promise<Booked['series']> {
  if (seriesId === null) return null;
  const series = await listSeries(db, seriesId);
  return { count: series.length, number: series.findIndex((one) => one.id === id) + 1 };
}

const linkOf = ({ location }: Appointment) => (location.kind === 'link' ? location.url : null);

/** All dates that were booked together with a booking, as their guest sees them; empty where it was booked alone. */
export async function listDates(
  { db, keyring }: Pick<App, 'db' | 'keyring'>,
  { seriesId }: Booking,
): Promise<BookedDates> {
  const series = seriesId === null ? [] : await listSeries(db, seriesId);
  return series.flatMap(({ id, uid, state, startMs, endMs, token }) =>
    token === null
      ? []
      : [
          {
            uid,
            start: startMs / 60_000,
            duration: (endMs - startMs) / 60_000,
            state,
            token: keyring.open(token, bookingTokenPlace(id)),
          },
        ],
  );
}

/**
 * Where the guest of a booking can book again: its public page, or else the link that they booked by, while it can be used.
 * Null: nowhere. The link is theirs, and for nobody else.
 */
export async function findBookUrl(
  { config, keyring, clock }: Pick<App, 'config' | 'keyring' | 'clock'>,
  db: Database,
  { linkId }: Pick<Booking, 'linkId'>,
  { type, handle }: { type: EventType | null; handle: string | null },
): Promise<string | null> {
  if (type === null) return null;
  if (handle !== null && !type.secret) return `${config.publicUrl}/${handle}/${type.slug}`;
  const token = linkId === null ? null : await findUsableToken(db, linkId, clock.nowMs());
  return linkId === null || token === null ? null : linkUrl(config.publicUrl, keyring.open(token, linkPlace(linkId)));
}

import { findHost } from '#features/accounts/public.ts';
import type { BookingId } from '#kernel/ids.ts';
import { listSlots } from '#kernel/slots/list-slots.ts';
import { overlaps } from '#kernel/time/intervals.ts';
import type { App } from '#platform/app.ts';
import { listInTheWay } from './list-in-the-way.ts';
import { loadSlotQuestion } from './load-slot-question.ts';
import { loadAppointment } from './store/appointments.ts';
import { findBooking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';
import { keepPreventions } from './store/preventions.ts';

/**
 * Keeps which times of its day were not offered to whoever booked, only because another calendar than the one written to
 * is busy. Told of bookings and not of looks at the page: who booked was there, saw that day, and is no machine.
 */
export async function noteMasked(app: App, bookingId: BookingId): Promise<void> {
  const { db, clock } = app;
  const booking = await findBooking(db, bookingId);
  if (booking?.state !== 'confirmed' || booking.eventTypeId === null) return;
  const [type, host, appointment] = await Promise.all([
    findType(db, booking.eventTypeId),
    findHost(db, booking.userId),
    loadAppointment(db, booking.appointmentId),
  ]);
  const { calendarId, startMs, endMs } = appointment;
  if (type === null || host === null || calendarId === null || host.email === booking.guestEmail) return;
  const range = dayOf(startMs, host.zone);
  const durationMinutes = (endMs - startMs) / 60_000;
  const hosts = [{ userId: booking.userId, policy: type.settings.policy }];
  const asked = { type, link: null, range, durationMinutes, nowMs: clock.nowMs(), without: appointment.id, hosts };
  const { question } = await loadSlotQuestion(db, asked);
  const { bufferBeforeMs, bufferAfterMs, durationMs } = question;
  const around = (start: number) => ({ startMs: start - bufferBeforeMs, endMs: start + durationMs + bufferAfterMs });
  const whole = { startMs: around(range.startMs).startMs, endMs: around(range.endMs).endMs };
  const inTheWay = await listInTheWay(db, type, booking.userId, whole, clock.nowMs());
  const busy = inTheWay.filter((event) => event.calendarId === calendarId);
  const alone = { ...question, hosts: question.hosts.map((one) => ({ ...one, busy })) };
  const offered = new Set(listSlots(question));
  const masked = listSlots(alone).filter((start) => !offered.has(start));
  await keepPreventions(
    db,
    {
      kind: 'masked',
      hostId: booking.userId,
      eventTypeId: type.id,
      targetCalendarId: calendarId,
      nowMs: clock.nowMs(),
    },
    inTheWay.filter(
      (event) => event.calendarId !== calendarId && masked.some((start) => overlaps(event, around(start))),
    ),
  );
}

function dayOf(ms: number, zone: string) {
  const start = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).startOfDay();
  return { startMs: start.epochMilliseconds, endMs: start.add({ days: 1 }).epochMilliseconds };
}

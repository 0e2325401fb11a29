import type { AppointmentId, BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import type { Database } from '#platform/db.ts';
import type { BrowserNote } from '#platform/routes.ts';
import type { Made } from './rules/booking-endpoints.ts';
import { holdMs, loadWindowMs } from './rules/booking-load.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { isChangeable } from './rules/change-window.ts';
import { listDates } from './show-booked.ts';
import { loadAppointment } from './store/appointments.ts';
import { type Booking, findByToken } from './store/bookings.ts';
import type { EventType } from './store/event-type-rows.ts';
import { findLiveHold } from './store/taken-time.ts';

/** The booking that a guest's address leads to. *Errors*: AppError not-found. */
export async function findBooked(db: Database, token: string): Promise<Booking> {
  const booking = await findByToken(db, hashToken(token));
  if (booking === null) throw noSuchBooking();
  return booking;
}

/** Guests go back within minutes. A shared browser forgets the booking soon. */
const rememberedSeconds = 1_800;

/** Leaves the booking in the browser that made it, so that the page of the event type knows it after Back. */
export function rememberBooked(note: BrowserNote, { bookings: [first] }: Made): void {
  if (first !== undefined) note.leave(first.token, rememberedSeconds, 'booked');
}

/** The booking that this browser has just made of an event type, and all starts of its series; null where it is over or canceled. */
export async function findOwnBooked(
  app: Pick<App, 'db' | 'clock' | 'keyring'>,
  note: BrowserNote,
  { id }: Pick<EventType, 'id'>,
): Promise<{ path: string; startMinute: number; starts: readonly number[]; isWaiting: boolean } | null> {
  const token = note.read('booked');
  const booking = token === null ? null : await findByToken(app.db, hashToken(token));
  if (booking === null || booking.eventTypeId !== id) return null;
  const { startMs } = await loadAppointment(app.db, booking.appointmentId);
  const nowMs = app.clock.nowMs();
  const isRunOut = booking.state === 'awaiting-mail' && (booking.expiresMs ?? 0) <= nowMs;
  if (startMs <= nowMs || isRunOut || !isChangeable(booking.state)) return null;
  const startMinute = startMs / 60_000;
  const dates = await listDates(app, booking);
  return {
    path: `/booked/${token}`,
    startMinute,
    starts: [startMinute, ...dates.map(({ start }) => start)],
    isWaiting: booking.state === 'awaiting-mail',
  };
}

/** Leaves the reservation in the browser that made it, so that its other tabs offer and take over the time. */
export const rememberHeld = (note: BrowserNote, { holdId }: { holdId: string }): void =>
  note.leave(holdId, holdMs / 1_000, 'held');

/** The last reservation of this browser, while it stands, as a question about times leaves it out. */
export async function findOwnHeld(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  note: BrowserNote,
): Promise<{ without: AppointmentId | null; withoutHold: BookingId } | null> {
  const id = note.read('held');
  const hold = id === null ? null : await findLiveHold(db, { id, nowMs: clock.nowMs() });
  return hold && { without: hold.alone, withoutHold: hold.id };
}

/** The address of the last booking of this browser, where its guest has yet to confirm it before another booking. */
export async function findUnconfirmed(app: Pick<App, 'db' | 'clock'>, note: BrowserNote): Promise<string | null> {
  const token = note.read('booked');
  const booking = token === null ? null : await findByToken(app.db, hashToken(token));
  if (booking === null || booking.mailConfirmedMs !== null) return null;
  return booking.createdMs > app.clock.nowMs() - loadWindowMs ? booking.guestEmail : null;
}

import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { becomeConfirmed } from './become-confirmed.ts';
import { findBooked } from './find-booked.ts';
import { noteChange } from './note-change.ts';
import { lockAppointment, settleBlocks } from './store/appointments.ts';
import { type Booking, listAwaiting, updateBooking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';

/**
 * A guest shows to read the mail of their address: what waited for that counts from now on, all of that address, for one
 * mail an hour is all it gets.
 * *Errors*: AppError not-found, conflict (TOO_LATE) where what waited has been given up.
 */
export async function confirmMail(app: App, token: string): Promise<Booking> {
  const { id, guestEmail } = await findBooked(app.db, token);
  return inTransaction(app.db, async (tx) => {
    const nowMs = app.clock.nowMs();
    for (const booking of await listAwaiting(tx, guestEmail, nowMs)) await letThrough(app, tx, booking, nowMs);
    const known = await updateBooking(tx, id, ['pending', 'confirmed'], { mailConfirmedMs: nowMs });
    if (known === null) throw tooLate();
    return known;
  });
}

async function letThrough(app: App, tx: Tx, booking: Booking, nowMs: number): Promise<void> {
  const { id, eventTypeId, appointmentId } = booking;
  const type = eventTypeId === null ? null : await findType(tx, eventTypeId);
  if (type?.settings.confirmation !== true) {
    const confirmed = await becomeConfirmed(app, tx, booking, 'awaiting-mail', nowMs);
    if (confirmed === null) return;
    await updateBooking(tx, id, ['confirmed'], { mailConfirmedMs: nowMs });
    await noteChange(app, tx, confirmed, { what: 'confirmed', actor: 'guest' });
    return;
  }
  await lockAppointment(tx, appointmentId);
  const change = { state: 'pending', expiresMs: null, mailConfirmedMs: nowMs } as const;
  const requested = await updateBooking(tx, id, ['awaiting-mail'], change);
  if (requested === null) return;
  await settleBlocks(tx, requested.appointmentId);
  await noteChange(app, tx, requested, { what: 'requested', actor: 'guest' });
}

const tooLate = () =>
  new AppError('conflict', 'TOO_LATE', 'This booking has been given up meanwhile. Choose a time again.');

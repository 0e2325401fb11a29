import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { resumeRecipient } from '#platform/recipients.ts';
import { becomeConfirmed } from './become-confirmed.ts';
import { addressProved } from './events.ts';
import { findBooked } from './find-booked.ts';
import { isProof } from './is-proof.ts';
import { listProvedBy } from './list-proved-by.ts';
import { noteChange } from './note-change.ts';
import { loadWindowMs } from './rules/booking-load.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { lockAppointment, settleBlocks } from './store/appointments.ts';
import { type Booking, findBooking, markProved, updateBooking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';
import { findWithheldLinks, sendWithheldLinks } from './withheld-links.ts';

/**
 * A guest shows to read the mail of their address, by the secret that only the mail carries. All bookings of that address
 * with the same host or team that wait for it count from now on, whatever has become of the one that the mail was about.
 * Other hosts are not named in the mail: their bookings have mails of their own. Invitations that had to leave out a link are
 * sent again with it.
 * *Errors*: AppError not-found, forbidden (NOT_PROVED), conflict (TOO_LATE) where what waited has been given up.
 */
export async function confirmMail(app: App, token: string, proof: string): Promise<Booking> {
  const booking = await findBooked(app.db, token);
  if (!isProof(app, booking, proof)) throw notProved();
  const { id, guestEmail: email } = booking;
  return inTransaction(app.db, async (tx) => {
    const nowMs = app.clock.nowMs();
    const waiting = await listProvedBy(tx, booking, nowMs);
    const withheld = await findWithheldLinks(app, tx, booking);
    for (const one of waiting) await letThrough(app, tx, one, nowMs);
    await resumeRecipient(tx, email);
    await markProved(tx, booking, { sinceMs: nowMs - loadWindowMs, nowMs });
    await updateBooking(tx, id, ['pending', 'confirmed'], { mailConfirmedMs: nowMs });
    await sendWithheldLinks(app, tx, withheld);
    await app.news.announce(tx, addressProved, { email });
    const known = await findBooking(tx, id);
    if (known === null) throw noSuchBooking();
    const stands = known.state === 'pending' || known.state === 'confirmed';
    if (!stands && waiting.length === 0) throw tooLate();
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

const notProved = () =>
  new AppError('forbidden', 'NOT_PROVED', 'Only the link in the mail to this address confirms it.');

const tooLate = () =>
  new AppError('conflict', 'TOO_LATE', 'This booking has been given up meanwhile. Choose a time again.');

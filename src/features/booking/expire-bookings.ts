import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { endBooking } from './end-booking.ts';
import { noteChange } from './note-change.ts';
import { dropEmpty, lockAppointment, settleBlocks } from './store/appointments.ts';
import { trimAnswers } from './store/booking-answers.ts';
import { expireSeats, listExpiring, listUnanswered } from './store/bookings.ts';

const most = 200;
/** A request that is repeated later than this is another one. */
const answersKeptMs = 86_400_000;

/**
 * Gives back what was held or waited for a mail too long, and ends what its host has not answered when its time comes.
 * Nobody waits for this: what has run out makes way for others before.
 */
export async function expireBookings(app: App): Promise<void> {
  const nowMs = app.clock.nowMs();
  for (const id of await listExpiring(app.db, nowMs, most)) {
    await inTransaction(app.db, async (tx) => {
      await lockAppointment(tx, id);
      for (const booking of await expireSeats(tx, id, nowMs))
        await noteChange(app, tx, booking, { what: 'expired', actor: 'system', details: { from: 'awaiting-mail' } });
      const { live } = await settleBlocks(tx, id);
      if (!live) await dropEmpty(tx, [id]);
    });
  }
  for (const booking of await listUnanswered(app.db, nowMs, most)) {
    await inTransaction(app.db, (tx) =>
      endBooking(app, tx, booking, { from: ['pending'], to: 'expired', actor: 'system' }),
    );
  }
  await trimAnswers(app.db, nowMs - answersKeptMs);
}

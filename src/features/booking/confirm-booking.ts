import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { inTurn } from '#platform/in-turn.ts';
import { shareLook } from '#platform/share-look.ts';
import { becomeConfirmed } from './become-confirmed.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { listAnswered } from './list-answered.ts';
import { noteChange } from './note-change.ts';
import { answered } from './rules/booking-refusal.ts';
import type { Booking } from './store/bookings.ts';

/**
 * Confirms a booking, or all pending ones of its series. One of concurrent calls does so. *Errors*: AppError not-found,
 * conflict (TOO_LATE).
 */
export async function confirmBooking(
  app: App,
  { userId }: { userId: UserId },
  id: BookingId,
  { series = false }: { series?: boolean | undefined } = {},
): Promise<Booking> {
  const find = () => findOwnBooking(app.db, userId, id);
  const booking = await shareLook(app, `own ${userId} ${id}`, find);
  const demandUnanswered = async () => {
    if ((await find()).state !== 'pending') throw answered();
  };
  const confirm = async (tx: Tx) => {
    // the same moment, by which their guest is told once
    const nowMs = app.clock.nowMs();
    let own: Booking | null = null;
    for (const one of await listAnswered(tx, userId, booking, series)) {
      const confirmed = await becomeConfirmed(app, tx, one, 'pending', nowMs);
      if (confirmed === null) continue;
      await noteChange(app, tx, confirmed, { what: 'confirmed', actor: 'host', by: userId });
      if (confirmed.id === id) own = confirmed;
    }
    if (own === null) throw answered();
    return own;
  };
  return inTurn(app, `answer ${userId} ${id}`, demandUnanswered, () => inTransaction(app.db, confirm));
}

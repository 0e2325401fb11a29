import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { endBooking } from './end-booking.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { listAnswered } from './list-answered.ts';
import { answered } from './rules/booking-refusal.ts';
import type { Booking } from './store/bookings.ts';

/** The host says no. *Errors*: as `confirmBooking`. */
export async function declineBooking(
  app: App,
  { userId }: { userId: UserId },
  id: BookingId,
  { reason, series = false }: { reason?: string | undefined; series?: boolean | undefined },
): Promise<Booking> {
  const booking = await findOwnBooking(app.db, userId, id);
  return inTransaction(app.db, async (tx) => {
    const ending = {
      from: ['pending'],
      to: 'declined',
      actor: 'host',
      by: userId,
      reason,
      atMs: app.clock.nowMs(),
    } as const;
    let own: Booking | null = null;
    for (const one of await listAnswered(tx, userId, booking, series)) {
      const declined = await endBooking(app, tx, one, ending);
      if (declined?.id === id) own = declined;
    }
    if (own === null) throw answered();
    return own;
  });
}

import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { endBooking } from './end-booking.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { answered } from './rules/booking-refusal.ts';
import type { Booking } from './store/bookings.ts';

/** The host says no. *Errors*: as `confirmBooking`. */
export async function declineBooking(
  app: App,
  { userId }: { userId: UserId },
  id: BookingId,
  reason: string | undefined,
): Promise<Booking> {
  const booking = await findOwnBooking(app.db, userId, id);
  return inTransaction(app.db, async (tx) => {
    const declined = await endBooking(app, tx, booking, { from: ['pending'], to: 'declined', actor: 'host', reason });
    if (declined === null) throw answered();
    return declined;
  });
}

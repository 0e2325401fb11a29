import type { BookingId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { type Booking, findBooking } from './store/bookings.ts';

/** A booking of theirs. *Errors*: AppError not-found, also for somebody else's. */
export async function findOwnBooking(db: Database, userId: UserId, id: BookingId): Promise<Booking> {
  const booking = await findBooking(db, id);
  if (booking === null || booking.userId !== userId) throw noSuchBooking();
  return booking;
}

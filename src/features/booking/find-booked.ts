import { hashToken } from '#platform/crypto.ts';
import type { Database } from '#platform/db.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { type Booking, findByToken } from './store/bookings.ts';

/** The booking that a guest's address leads to. *Errors*: AppError not-found. */
export async function findBooked(db: Database, token: string): Promise<Booking> {
  const booking = await findByToken(db, hashToken(token));
  if (booking === null) throw noSuchBooking();
  return booking;
}

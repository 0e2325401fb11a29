import type { Database } from '#platform/db.ts';
import { proofMs } from './rules/booking-load.ts';
import { type Booking, listAwaiting } from './store/bookings.ts';

/** Bookings with the same host or team that the link of a booking's mail lets through at the moment. */
export async function listProvedBy(db: Database, booking: Booking, nowMs: number): Promise<Booking[]> {
  if (nowMs >= booking.createdMs + proofMs) return [];
  return listAwaiting(db, booking, nowMs);
}

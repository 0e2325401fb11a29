import type { Database } from '#platform/db.ts';
import { type Booking, listSeries } from './store/bookings.ts';

/** What one answer of a host is about: a booking, or all that waits of its series, by their times. */
export async function listAnswered(db: Database, booking: Booking, series: boolean): Promise<Booking[]> {
  if (!series || booking.seriesId === null) return [booking];
  return (await listSeries(db, booking.seriesId)).filter(({ state }) => state === 'pending');
}

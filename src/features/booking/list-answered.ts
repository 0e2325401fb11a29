import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { ownDates } from './find-own-booking.ts';
import { type Booking, listSeries } from './store/bookings.ts';

/** What one answer of a host is about: a booking, or all of its series that wait for this host, by their times. */
export async function listAnswered(
  db: Database,
  userId: UserId,
  booking: Booking,
  series: boolean,
): Promise<readonly Booking[]> {
  if (!series || booking.seriesId === null) return [booking];
  const waiting = (await listSeries(db, booking.seriesId)).filter(({ state }) => state === 'pending');
  return ownDates(db, userId, waiting);
}

import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { ownDates } from './find-own-booking.ts';
import { type Booking, listSeries } from './store/bookings.ts';

/** The bookings that one answer of a host covers: one, or all waiting dates of its series, in order of time. */
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

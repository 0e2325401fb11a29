import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { ownDates } from './find-own-booking.ts';
import { lockBookings } from './store/appointments.ts';
import { type Booking, listSeries } from './store/bookings.ts';

/** The bookings that one answer of a host covers: one, or all waiting dates of its series, in order of time and locked. */
export async function listAnswered(
  tx: Tx,
  userId: UserId,
  booking: Booking,
  series: boolean,
): Promise<readonly Pick<Booking, 'id' | 'appointmentId'>[]> {
  if (!series || booking.seriesId === null) return [booking];
  const waiting = (await listSeries(tx, booking.seriesId)).filter(({ state }) => state === 'pending');
  const own = await ownDates(tx, userId, waiting);
  await lockBookings(
    tx,
    own.map(({ id }) => id),
  );
  return own;
}

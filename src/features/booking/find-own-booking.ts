import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { type Booking, findBooking, type SeriesBooking } from './store/bookings.ts';
import { findStanding } from './store/team-bookings.ts';

type Need = 'see-bookings' | 'manage-bookings';

/**
 * A booking that is theirs: of which they are a host, or of a team in which they may do this. The one place that says so.
 * *Errors*: AppError not-found, also for somebody else's; forbidden (`FORBIDDEN`).
 */
export async function findOwnBooking(
  db: Database,
  userId: UserId,
  id: BookingId,
  need: Need = 'manage-bookings',
): Promise<Booking> {
  const booking = await findBooking(db, id);
  if (booking === null) throw noSuchBooking();
  if (booking.userId === userId) return booking;
  const { hostIds, teamId } = await findStanding(db, booking.appointmentId);
  if (hostIds.includes(userId)) return booking;
  if (teamId === null) throw noSuchBooking();
  try {
    await requirePermission(db, { userId }, teamId, need);
  } catch (error) {
    throw error instanceof AppError && error.kind === 'not-found' ? noSuchBooking() : error;
  }
  return booking;
}

/** The dates of a series that are theirs to change, as `findOwnBooking` says: another host of a pool may have some of them. */
export async function ownDates(
  db: Database,
  userId: UserId,
  series: readonly SeriesBooking[],
): Promise<readonly SeriesBooking[]> {
  const hosted = series.filter((one) => one.userId === userId || one.hostIds.includes(userId));
  const other = series.find((one) => !hosted.includes(one));
  if (other === undefined) return series;
  try {
    await findOwnBooking(db, userId, other.id);
    // all dates are of one event type, and so of one team
    return series;
  } catch (error) {
    if (error instanceof AppError && (error.kind === 'not-found' || error.kind === 'forbidden')) return hosted;
    throw error;
  }
}

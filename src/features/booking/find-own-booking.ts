import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { type Booking, findBooking } from './store/bookings.ts';
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

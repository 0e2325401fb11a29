import { AppError } from '#kernel/errors.ts';
import type { Database } from '#platform/db.ts';
import { isChangeable } from './rules/change-window.ts';
import type { Move } from './rules/moving.ts';
import { type Booking, findBooking } from './store/bookings.ts';

/**
 * Requires that a booking is unchanged since its mover saw it. The result holds for the transaction if that locks the
 * appointment.
 */
export async function demandAsSeen(db: Database, { id, appointmentId }: Booking, { sequence }: Move): Promise<Booking> {
  const now = await findBooking(db, id);
  if (now === null || now.sequence !== sequence || now.appointmentId !== appointmentId || !isChangeable(now.state)) {
    throw new AppError(
      'conflict',
      'CHANGED_MEANWHILE',
      'This booking was just changed. Reload the page and try again.',
      {
        fields: { sequence: String(now?.sequence ?? 0) },
      },
    );
  }
  return now;
}

import { AppError } from '#kernel/errors.ts';
import type { Tx } from '#platform/db.ts';
import { isChangeable } from './rules/change-window.ts';
import type { Move } from './rules/moving.ts';
import { type Booking, findBooking } from './store/bookings.ts';

/** What its mover saw is what stands; nobody changes it before the transaction ends, for they hold its appointment. */
export async function demandAsSeen(tx: Tx, { id, appointmentId }: Booking, { sequence }: Move): Promise<Booking> {
  const now = await findBooking(tx, id);
  if (now === null || now.sequence !== sequence || now.appointmentId !== appointmentId || !isChangeable(now.state)) {
    throw new AppError('conflict', 'CHANGED_MEANWHILE', 'This booking was changed meanwhile. Nothing was moved.', {
      fields: { sequence: String(now?.sequence ?? 0) },
    });
  }
  return now;
}

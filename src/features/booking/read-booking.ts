import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { findOwnBooking } from './find-own-booking.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import { showHostBookings } from './show-host-bookings.ts';
import { listHostRows } from './store/host-bookings.ts';

/** One booking as its host sees it. *Errors*: AppError not-found. */
export async function readBooking(app: App, { userId }: { userId: UserId }, id: BookingId): Promise<HostBooking> {
  const booking = await findOwnBooking(app.db, userId, id, 'see-bookings');
  const [row] = await listHostRows(app.db, { userId: booking.userId }, { id });
  if (row === undefined) throw new Error(`booking ${id} went while it was read`);
  const [shown] = await showHostBookings(app.db, [row]);
  return shown as HostBooking;
}

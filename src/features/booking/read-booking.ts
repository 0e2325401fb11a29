import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { findOwnBooking } from './find-own-booking.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import { showHostBooking } from './rules/host-booking-view.ts';
import { listHostRows } from './store/host-bookings.ts';

/** One booking as its host sees it. *Errors*: AppError not-found. */
export async function readBooking(app: App, { userId }: { userId: UserId }, id: BookingId): Promise<HostBooking> {
  await findOwnBooking(app.db, userId, id);
  const [row] = await listHostRows(app.db, userId, { id });
  if (row === undefined) throw new Error(`booking ${id} went while it was read`);
  return showHostBooking(row);
}

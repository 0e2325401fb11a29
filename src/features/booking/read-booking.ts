import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { readChanged } from './read-changed.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';

/** One booking as its host sees it. *Errors*: AppError not-found. */
export async function readBooking(app: App, { userId }: { userId: UserId }, id: BookingId): Promise<HostBooking> {
  const booking = await findOwnBooking(app.db, userId, id, 'see-bookings');
  return readChanged(app, booking);
}

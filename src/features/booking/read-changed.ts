import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { showHostBookings } from './show-host-bookings.ts';
import { findBooking } from './store/bookings.ts';
import { listHostRows } from './store/host-bookings.ts';

/**
 * A booking for the person who changed it, also where the change gave it to another host.
 * *Errors*: AppError not-found.
 */
export async function readChanged({ db }: App, id: BookingId): Promise<HostBooking> {
  const booking = await findBooking(db, id);
  if (booking === null) throw noSuchBooking();
  const [row] = await listHostRows(db, { userId: booking.userId }, { id });
  if (row === undefined) throw new Error(`booking ${id} went while it was read`);
  const [shown] = await showHostBookings(db, [row]);
  return shown as HostBooking;
}

import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { findOwnBooking } from './find-own-booking.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { showHostBookings } from './show-host-bookings.ts';
import { type Booking, findBooking } from './store/bookings.ts';
import { listHostRows } from './store/host-bookings.ts';

/** One booking as its host sees it. *Errors*: AppError not-found. */
export async function readBooking(app: App, { userId }: { userId: UserId }, id: BookingId): Promise<HostBooking> {
  return show(app, await findOwnBooking(app.db, userId, id, 'see-bookings'));
}

/** A booking for the person who changed it, also where the change gave it to another host. */
export async function readChanged(app: App, id: BookingId): Promise<HostBooking> {
  const booking = await findBooking(app.db, id);
  if (booking === null) throw noSuchBooking();
  return show(app, booking);
}

async function show({ db }: App, { id, userId }: Booking): Promise<HostBooking> {
  const [row] = await listHostRows(db, { userId }, { id });
  if (row === undefined) throw new Error(`booking ${id} went while it was read`);
  const [shown] = await showHostBookings(db, [row]);
  return shown as HostBooking;
}

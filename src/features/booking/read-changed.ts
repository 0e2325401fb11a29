import type { App } from '#platform/app.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { showHostBookings } from './show-host-bookings.ts';
import { type Booking, findBooking } from './store/bookings.ts';
import { listHostRows } from './store/host-bookings.ts';

/** A booking for the person who may see it, or who changed it: the change may have given it to another host. */
export async function readChanged({ db }: App, { id }: Pick<Booking, 'id'>): Promise<HostBooking> {
  const booking = await findBooking(db, id);
  if (booking === null) throw noSuchBooking();
  const [row] = await listHostRows(db, { userId: booking.userId }, { id });
  if (row === undefined) throw new Error(`booking ${id} went while it was read`);
  const [shown] = await showHostBookings(db, [row]);
  return shown as HostBooking;
}

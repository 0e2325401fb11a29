import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { bookingChanged, bookingsTopic } from './events.ts';
import type { BookingChange } from './rules/booking-states.ts';
import type { Booking } from './store/bookings.ts';

/** Tells of what was kept in the statement that did it. */
export async function tellChange(
  app: App,
  tx: Tx,
  { id, userId, sequence }: Booking,
  { what }: { what: BookingChange },
): Promise<void> {
  await app.news.announce(tx, bookingChanged, { bookingId: id, userId, what, sequence });
  await app.feed.publish(tx, userId, bookingsTopic);
}

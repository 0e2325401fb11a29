import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { bookingChanged, bookingsTopic } from './events.ts';
import type { BookingActor, BookingChange } from './rules/booking-states.ts';
import { insertAudit } from './store/booking-audit.ts';
import type { Booking } from './store/bookings.ts';

/** Keeps what happened to a booking, and tells whoever listens: mails, calendars and screens follow from it. */
export async function noteChange(
  app: App,
  tx: Tx,
  { id, userId, sequence }: Booking,
  { what, actor, details = {} }: { what: BookingChange; actor: BookingActor; details?: Record<string, unknown> },
): Promise<void> {
  await insertAudit(tx, {
    bookingId: id,
    atMs: app.clock.nowMs(),
    actor,
    kind: what,
    details: { sequence, ...details },
  });
  await app.news.announce(tx, bookingChanged, { bookingId: id, userId, what, sequence });
  await app.feed.publish(tx, userId, bookingsTopic);
}

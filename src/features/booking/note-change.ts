import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { BookingActor, BookingChange } from './rules/booking-states.ts';
import { type AuditEntry, insertAudit } from './store/booking-audit.ts';
import type { Booking } from './store/bookings.ts';
import { tellChange } from './tell-change.ts';

export interface Change {
  what: BookingChange;
  actor: BookingActor;
  /** The host or team member who did it. */
  by?: UserId | null;
  details?: Record<string, unknown>;
}

/** Records a change of a booking, and notifies the listeners: mails, calendars and screens follow from it. */
export async function noteChange(app: App, tx: Tx, booking: Booking, change: Change): Promise<void> {
  await insertAudit(tx, entryOf(app, booking, change));
  await tellChange(app, tx, booking, change);
}

/** The audit entry of a change. */
export const entryOf = (
  app: App,
  { id, sequence }: Pick<Booking, 'id' | 'sequence'>,
  { what, actor, by = null, details = {} }: Change,
): AuditEntry => ({
  bookingId: id,
  atMs: app.clock.nowMs(),
  actor,
  kind: what,
  details: { sequence, ...(by === null ? {} : { by }), ...details },
});

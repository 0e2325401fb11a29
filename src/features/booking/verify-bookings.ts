import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkLive } from './check-live.ts';
import { bookingsTopic } from './events.ts';
import { findConflicts } from './find-conflicts.ts';
import { findType } from './store/event-type-rows.ts';
import { listUnverifiedTypes, markVerified } from './store/watched.ts';

/** Each may take some seconds, where a calendar does not answer. */
const mostAtOnce = 15;

/**
 * Looks again at what was booked while its calendars could not be read: once they can, the booking is verified, and what
 * turns out to be in its way is asked about.
 */
export async function verifyBookings(app: App, signal: AbortSignal): Promise<void> {
  const nowMs = app.clock.nowMs();
  for (const { eventTypeId, userId, bookingIds } of await listUnverifiedTypes(app.db, { nowMs, limit: mostAtOnce })) {
    signal.throwIfAborted();
    const type = await findType(app.db, eventTypeId);
    if (type === null || !(await checkLive(app, { type }))) continue;
    await findConflicts(app, userId);
    await inTransaction(app.db, async (tx) => {
      await markVerified(tx, bookingIds);
      await app.feed.publish(tx, userId, bookingsTopic);
    });
  }
}

import { listStanding } from '#features/calendar/public.ts';
import { listUnsettled } from '#features/edits/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { askHost } from './ask-host.ts';
import { bookingsTopic } from './events.ts';
import { listOverlaps } from './list-overlaps.ts';
import { lockHosts } from './store/appointments.ts';
import { dropQuestions } from './store/questions.ts';
import { hasWatched, listWatched, type Watched } from './store/watched.ts';

/** Limit of appointments per person; the earliest are compared. */
const most = 500;

/**
 * Compares what takes a person's time with what is booked with them: asks about what is in the way by now, and no longer
 * about what is not.
 */
export async function findConflicts(app: App, userId: UserId): Promise<void> {
  const nowMs = app.clock.nowMs();
  if (!(await hasWatched(app.db, userId, nowMs))) return;
  await inTransaction(app.db, async (tx) => {
    // one look after the other: what was seen first is never written last
    await lockHosts(tx, [userId]);
    const watched = await withoutUnknown(tx, userId, await listWatched(tx, userId, { nowMs, limit: most }));
    const overlaps = await listOverlaps(tx, userId, watched, nowMs);
    const ids = watched.map(({ id }) => id);
    const isOver = await dropQuestions(tx, userId, ids, ['conflict', 'overbooked'], nowMs, overlaps);
    await askHost(app, tx, userId, overlaps);
    if (isOver) await app.feed.publish(tx, userId, bookingsTopic);
  });
}

/**
 * Leaves out appointments whose event was written a moment ago. Its stored id may still differ, and it would conflict
 * with itself. The check runs again once the outcome is stored.
 */
async function withoutUnknown(tx: Tx, userId: UserId, all: readonly Watched[]): Promise<Watched[]> {
  const items = all.flatMap(({ itemId, eventRef }) => (itemId === null || eventRef !== null ? [] : [itemId]));
  const standing = new Set((await listStanding(tx, userId, items)).map(({ itemId }) => itemId));
  const unsettled = await listUnsettled(tx, userId, items);
  return all.filter(
    ({ itemId, eventRef }) =>
      itemId === null || eventRef !== null || standing.has(itemId) || unsettled.get(itemId) === 'failed',
  );
}

import { unplanItems } from '#features/calendar/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { planningWanted, writingAt } from './events.ts';
import { noteRetry } from './note-retry.ts';
import { resyncOrigins } from './store/console.ts';

/** Has every mirror of these events checked and written again. Answers with how many, and the events that have any. */
export async function markResync(
  app: App,
  actor: Actor,
  itemIds: ItemId[],
): Promise<{ pending: number; queued: Set<ItemId> }> {
  return inTransaction(app.db, async (tx) => {
    const rows = itemIds.length === 0 ? [] : await resyncOrigins(tx, actor.userId, itemIds);
    const queued = new Set(rows.map((row) => row.originItemId));
    if (rows.length === 0) return { pending: 0, queued };
    await unplanItems(tx, [...queued]);
    await noteRetry(
      tx,
      actor,
      rows.map((row) => ({ id: row.id, originItemId: row.originItemId })),
      'Resync requested.',
    );
    const accounts = new Set(rows.map((row) => row.connectionId));
    await app.news.announceAll(tx, [...writingAt(accounts), newsOf(planningWanted, { userId: actor.userId })]);
    await app.feed.publish(tx, actor.userId, 'mirrors');
    return { pending: rows.length, queued };
  });
}

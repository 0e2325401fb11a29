import { unplanItems } from '#features/calendar/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { planningWanted, writingWanted } from './events.ts';
import { noteRetry } from './note-retry.ts';
import { resyncOrigin } from './store/console.ts';

/** Checks and writes again every mirror of an event; at most once a minute per event. Answers how many. */
export async function resyncEvent(app: App, actor: Actor, itemId: string): Promise<number> {
  await takeAllowance(
    app.db,
    { action: 'resync of an event', burst: 1, periodSeconds: 60 },
    `${actor.userId} ${itemId}`,
  );
  return inTransaction(app.db, async (tx) => {
    const rows = await resyncOrigin(tx, actor.userId, itemId);
    if (rows.length === 0) throw new AppError('not-found', 'NOT_FOUND', 'There is nothing mirrored of this event.');
    await unplanItems(tx, [itemId as ItemId]);
    await noteRetry(
      tx,
      actor,
      rows.map((row) => ({ id: row.id, originItemId: row.originItemId })),
      'Resync asked for',
    );
    for (const connectionId of new Set(rows.map((row) => row.connectionId))) {
      await app.news.announce(tx, writingWanted, { connectionId });
    }
    await app.news.announce(tx, planningWanted, { userId: actor.userId });
    await app.feed.publish(tx, actor.userId, 'mirrors');
    return rows.length;
  });
}

import { AppError } from '#kernel/errors.ts';
import type { ItemId, MirrorId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { Tx } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { unplanItems } from '#features/calendar/public.ts';
import { planningWanted, writingWanted } from './events.ts';
import { appendAudit } from './store/audit.ts';
import { hasMirror, resyncOrigin, retryMirror } from './store/console.ts';

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

/** Tries one failed mirror again now. */
export async function retryOne(app: App, actor: Actor, mirrorId: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const row = await retryMirror(tx, actor.userId, mirrorId);
    if (row === null) {
      if (!(await hasMirror(tx, actor.userId, mirrorId)))
        throw new AppError('not-found', 'NOT_FOUND', 'There is no such mirror.');
      throw new AppError('conflict', 'NOT_FAILED', 'This mirror has not failed; it is on its way or stands already.');
    }
    await noteRetry(tx, actor, [{ id: mirrorId as MirrorId, originItemId: row.originItemId }], 'Retry asked for');
    await app.news.announce(tx, writingWanted, { connectionId: row.connectionId });
    await app.feed.publish(tx, actor.userId, 'mirrors');
  });
}

async function noteRetry(
  tx: Tx,
  actor: Actor,
  rows: { id: MirrorId; originItemId: ItemId }[],
  message: string,
): Promise<void> {
  await appendAudit(
    tx,
    rows.map((row) => ({
      userId: actor.userId,
      mirrorId: row.id,
      originItemId: row.originItemId,
      type: 'mirror.retry' as const,
      actor: 'user' as const,
      status: 'pending' as const,
      message,
    })),
  );
}

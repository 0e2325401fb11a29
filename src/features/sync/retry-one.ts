import { AppError } from '#kernel/errors.ts';
import type { MirrorId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { writingWanted } from './events.ts';
import { noteRetry } from './note-retry.ts';
import { hasMirror, retryMirror } from './store/console.ts';

/** Tries one mirror again now that failed, or waits for its next attempt. */
export async function retryOne(app: App, actor: Actor, mirrorId: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const row = await retryMirror(tx, actor.userId, mirrorId);
    if (row === null) {
      if (!(await hasMirror(tx, actor.userId, mirrorId)))
        throw new AppError('not-found', 'NOT_FOUND', 'Mirror not found.');
      throw new AppError('conflict', 'NOT_FAILED', "This mirror hasn't failed. It's pending or up to date.");
    }
    await noteRetry(tx, actor, [{ id: mirrorId as MirrorId, originItemId: row.originItemId }], 'Retry requested.');
    await app.news.announce(tx, writingWanted, { connectionId: row.connectionId });
    await app.feed.publish(tx, actor.userId, 'mirrors');
  });
}

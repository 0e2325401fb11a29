import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { connectionLeaving } from './events.ts';
import { findConnection, updateStatus } from './store/connections.ts';

/** An account shall leave without a trace: sync removes every block it wrote there or from there, then the account. */
export async function disconnect(app: App, actor: Actor, accountId: string): Promise<void> {
  const connection = await findConnection(app.db, actor, accountId);
  if (connection === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such account.');
  await inTransaction(app.db, async (tx) => {
    await updateStatus(tx, connection.id, 'disconnecting', null);
    await app.news.announce(tx, connectionLeaving, { connectionId: connection.id, userId: actor.userId });
    await app.feed.publish(tx, actor.userId, 'accounts');
  });
}

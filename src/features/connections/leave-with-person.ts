import { finishLeaving, isLeaving } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { connectionLeaving } from './events.ts';
import { listConnections, updateStatus } from './store/connections.ts';

/**
 * One step of leaving with a person; sent again until it answers true. By state: every connection shall leave without a
 * trace, also one that was made a moment ago, and when none is left the account goes.
 */
export async function leaveWithPerson(app: App, userId: UserId): Promise<boolean> {
  if (!(await isLeaving(app.db, userId))) return true;
  const connections = await listConnections(app.db, userId);
  if (connections.length === 0) {
    return finishLeaving(app, userId);
  }
  await inTransaction(app.db, async (tx) => {
    for (const { id: connectionId } of connections) {
      // said again to one that is leaving already: the work of it may have been given up
      await updateStatus(tx, connectionId, 'disconnecting', null);
      await app.news.announce(tx, connectionLeaving, { connectionId, userId });
    }
  });
  return false;
}

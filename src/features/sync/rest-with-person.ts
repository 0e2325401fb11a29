import { listConnections } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { restFences } from './store/fences.ts';

/**
 * Somebody is suspended: a writer that is at work at this moment stops with what it has in hand, as its outcomes are taken
 * no longer, and none begins. `goOnWithPerson` ends it.
 */
export async function restWithPerson(tx: Tx, heard: { userId: string }): Promise<void> {
  const connections = await listConnections(tx, heard.userId as UserId);
  await restFences(
    tx,
    connections.map(({ id }) => id),
  );
}

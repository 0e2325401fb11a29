import { listConnections } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { followConnection } from './follow.ts';

/** Somebody is resumed: their accounts are read at once, what waited is written, and blocks are planned anew. */
export async function goOnWithPerson(app: App, userId: UserId): Promise<void> {
  for (const { id } of await listConnections(app.db, userId)) await followConnection(app, id, userId);
}

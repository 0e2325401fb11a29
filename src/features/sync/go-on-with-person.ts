import { listConnections } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { followConnection } from './follow.ts';

/** Resumes sync of a person: accounts are read at once, waiting rows are written, and blocks are planned again. */
export async function goOnWithPerson(app: App, userId: UserId): Promise<void> {
  for (const { id } of await listConnections(app.db, userId)) await followConnection(app, id, userId);
}

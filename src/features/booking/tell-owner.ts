import { listMemberIds } from '#features/teams/public.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { typesTopic } from './events.ts';
import type { TypeOwner } from './rules/type-hosts.ts';

/** The open screens of everybody whose event types these are look again. */
export async function tellOwner(app: Pick<App, 'feed'>, tx: Tx, { userId, teamId }: TypeOwner): Promise<void> {
  const readers = teamId === null ? [userId] : await listMemberIds(tx, teamId);
  await app.feed.publishToAll(tx, readers, typesTopic);
}

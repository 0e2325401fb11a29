import type { TeamId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { teamsTopic } from './events.ts';
import { listMemberIds } from './store/members.ts';

/** The open screens of everybody in a team look again. */
export async function tellMembers(app: Pick<App, 'feed'>, tx: Tx, teamId: TeamId): Promise<void> {
  await app.feed.publishToAll(tx, await listMemberIds(tx, teamId), teamsTopic);
}

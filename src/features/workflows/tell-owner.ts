import { listMemberIds } from '#features/teams/public.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import type { WorkflowOwner } from './rules/action.ts';

/** The open screens of whoever's workflows these are look again: a person, or everybody in the team. */
export async function tellOwner(
  { feed }: Pick<App, 'feed'>,
  db: Database,
  { userId, teamId }: WorkflowOwner,
  topic: string,
): Promise<void> {
  await feed.publishToAll(db, teamId === null ? [userId] : await listMemberIds(db, teamId), topic);
}

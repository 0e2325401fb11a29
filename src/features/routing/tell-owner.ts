import { listMemberIds } from '#features/teams/public.ts';
import type { Tx } from '#platform/db.ts';
import type { ListenerApp } from '#platform/news.ts';
import { routingTopic } from './events.ts';
import type { FormOwner } from './rules/form-owner.ts';

/** The open screens of everybody whose forms these are look again. */
export async function tellOwner(
  { feed }: Pick<ListenerApp, 'feed'>,
  tx: Tx,
  { userId, teamId }: FormOwner,
): Promise<void> {
  await feed.publishToAll(tx, teamId === null ? [userId] : await listMemberIds(tx, teamId), routingTopic);
}

import { listTeamsOf, ownerOf } from '#features/teams/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { passOnWorkflows } from './store/workflow-rows.ts';

/** Workflows go on for their teams while their maker can do nothing: the owners of the teams have them from here on. */
export async function passOnAll(tx: Tx, userId: UserId): Promise<void> {
  for (const { id, role } of await listTeamsOf(tx, userId))
    if (role !== 'owner') await passOnWorkflows(tx, id, userId, ownerOf(id));
}

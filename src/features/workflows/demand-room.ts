import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { countWorkflows } from './store/workflow-rows.ts';

const most = 100;

/** *Errors*: AppError conflict (`TOO_MANY`). */
export async function demandRoom(tx: Tx, userId: UserId): Promise<void> {
  if ((await countWorkflows(tx, userId)) >= most)
    throw new AppError('conflict', 'TOO_MANY', `There are ${most} workflows, which is the most. Delete one first.`);
}

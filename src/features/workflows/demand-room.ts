import { AppError } from '#kernel/errors.ts';
import type { Tx } from '#platform/db.ts';
import type { WorkflowOwner } from './rules/action.ts';
import { countWorkflows } from './store/workflow-rows.ts';

const most = 100;

/** *Errors*: AppError conflict (`TOO_MANY`). */
export async function demandRoom(tx: Tx, owner: WorkflowOwner): Promise<void> {
  if ((await countWorkflows(tx, owner)) >= most)
    throw new AppError('conflict', 'TOO_MANY', `There are ${most} workflows, which is the most. Delete one first.`);
}

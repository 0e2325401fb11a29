import { AppError } from '#kernel/errors.ts';
import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db.ts';
import { findWorkflows, type Workflow } from './store/workflow-rows.ts';

/** A workflow of theirs. *Errors*: AppError not-found, also for somebody else's. */
export async function loadWorkflow(db: Database, actor: Actor, id: WorkflowId): Promise<Workflow> {
  const workflow = (await findWorkflows(db, [id])).get(id);
  if (workflow === undefined || workflow.userId !== actor.userId)
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such workflow.');
  return workflow;
}

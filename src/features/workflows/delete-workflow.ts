import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { lockOwn } from './demand-own.ts';
import { workflowsTopic } from './events.ts';
import { loadWorkflow } from './load-workflow.ts';
import { replanJob } from './replan-job.ts';
import { lockWorkflows, markDeleted } from './store/workflow-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Nothing of it goes out any more; it can be taken back for 30 days. *Errors*: AppError not-found. */
export async function deleteWorkflow(app: App, actor: Actor, id: WorkflowId): Promise<void> {
  const owner = await loadWorkflow(app.db, actor, id);
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    await lockWorkflows(tx, owner, 'alone');
    await markDeleted(tx, id);
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await tellOwner(app, tx, owner, workflowsTopic);
  });
}

import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { lockOwn } from './demand-own.ts';
import { workflowsTopic } from './events.ts';
import { loadWorkflow } from './load-workflow.ts';
import { replanJob } from './replan-job.ts';
import { lockWorkflows, switchWorkflowRow } from './store/workflow-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Pauses a workflow, or goes on with it. *Errors*: AppError not-found. */
export async function switchWorkflow(app: App, actor: Actor, id: WorkflowId, active: boolean): Promise<void> {
  const owner = await loadWorkflow(app.db, actor, id);
  if (owner.active === active) return;
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    await lockWorkflows(tx, owner, 'alone');
    await switchWorkflowRow(tx, id, active);
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await tellOwner(app, tx, owner, workflowsTopic);
  });
}

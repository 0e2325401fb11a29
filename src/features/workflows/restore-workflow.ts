import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { lockOwn, noSuchWorkflow } from './demand-own.ts';
import { demandRoom } from './demand-room.ts';
import { workflowsTopic } from './events.ts';
import { replanJob } from './replan-job.ts';
import { findDeleted, lockWorkflows, unmarkDeleted } from './store/workflow-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Takes a deletion back. *Errors*: AppError not-found, conflict (`TOO_MANY`), forbidden (`PLAN_LIMIT`). */
export async function restoreWorkflow(app: App, actor: Actor, id: WorkflowId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const owner = await findDeleted(tx, id);
    if (owner === null) throw noSuchWorkflow();
    await lockOwn(tx, actor, owner);
    await lockWorkflows(tx, owner, 'alone');
    await demandRoom(app, tx, owner);
    await unmarkDeleted(tx, id);
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await tellOwner(app, tx, owner, workflowsTopic);
  });
}

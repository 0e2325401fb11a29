import { AppError } from '#kernel/errors.ts';
import type { RunId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { lockOwn } from './demand-own.ts';
import { runsTopic } from './events.ts';
import { loadWorkflow } from './load-workflow.ts';
import { sendJobs } from './send-jobs.ts';
import { findWorkflowOf, reviveRun } from './store/run-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Has what was given up begin anew. *Errors*: AppError not-found, conflict (`NOT_GIVEN_UP`). */
export async function retryRun(app: App, actor: Actor, id: RunId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const workflowId = await findWorkflowOf(tx, id);
    if (workflowId === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such run.');
    const owner = await loadWorkflow(tx, actor, workflowId);
    await lockOwn(tx, actor, owner);
    if (!(await reviveRun(tx, id, app.clock.nowMs())))
      throw new AppError('conflict', 'NOT_GIVEN_UP', 'This was not given up: it waits, or is over.');
    for (const job of sendJobs) await app.jobs.send(job, {}, { tx });
    await tellOwner(app, tx, owner, runsTopic);
  });
}

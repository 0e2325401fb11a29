import { AppError } from '#kernel/errors.ts';
import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { demandRoom } from './demand-room.ts';
import { workflowsTopic } from './events.ts';
import { replanJob } from './replan-job.ts';
import { lockWorkflows, unmarkDeleted } from './store/workflow-rows.ts';

/** Takes a deletion back. *Errors*: AppError not-found, conflict (`TOO_MANY`). */
export async function restoreWorkflow(app: App, { userId }: Actor, id: WorkflowId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockWorkflows(tx, userId, 'alone');
    await demandRoom(tx, userId);
    if (!(await unmarkDeleted(tx, userId, id)))
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such workflow.');
    await app.jobs.send(replanJob, { workflowId: id }, { tx, key: id });
    await app.feed.publish(tx, userId, workflowsTopic);
  });
}

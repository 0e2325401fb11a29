import * as z from 'zod/mini';
import type { WorkflowId } from '#kernel/ids.ts';
import { defineJob } from '#platform/jobs.ts';
import { replanWorkflow } from './replan-workflow.ts';
import { sendJobs } from './send-jobs.ts';

/** A workflow was changed, switched, deleted or brought back: what it planned follows. */
export const replanJob = defineJob({
  name: 'workflows.replan',
  payload: z.strictObject({ workflowId: z.string() }),
  policy: 'stately',
  async handle(app, { workflowId }, signal) {
    await replanWorkflow(app, workflowId as WorkflowId, signal);
    for (const job of sendJobs) await app.jobs.send(job, {});
  },
});

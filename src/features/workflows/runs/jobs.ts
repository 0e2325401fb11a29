import * as z from 'zod/mini';
import type { WorkflowId } from '#kernel/ids.ts';
import { defineJob } from '#platform/jobs.ts';
import { replanWorkflow } from './planning.ts';
import { type LaneName, sendDue } from './sending.ts';

const jobOf = <const Name extends string>(name: Name, lane: LaneName, concurrency: number) =>
  defineJob({
    name,
    payload: z.strictObject({}),
    concurrency,
    retryLimit: 0,
    handle: (app, _payload, signal) => sendDue(app, lane, signal),
  });

/**
 * Sends due runs, one job for each lane. The jobs have no key: a booking enqueues them in its transaction, and a key would make
 * it wait for others. A job without due runs ends at once.
 */
export const sendJobs = [
  jobOf('workflows.send-mails', 'mail', 2),
  // each waits for the slowest service of its runs
  jobOf('workflows.send-outside', 'outside', 8),
] as const;

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

import * as z from 'zod/mini';
import type { WorkflowId } from '#kernel/ids.ts';
import { defineJob } from '#platform/jobs.ts';
import { replanWorkflow } from './planning.ts';
import { type LaneName, sendDue } from './sending.ts';

const jobOf = <const Name extends string>(name: Name, lane: LaneName) =>
  defineJob({
    name,
    payload: z.strictObject({}),
    concurrency: 2,
    retryLimit: 0,
    handle: (app, _payload, signal) => sendDue(app, lane, signal),
  });

/**
 * What is due goes out, one job for each lane. Not by key: whoever books sends them in their transaction, and would wait for
 * others who do. Whoever comes when nothing is due any more is done at once.
 */
export const sendJobs = [jobOf('workflows.send-mails', 'mail'), jobOf('workflows.send-outside', 'outside')] as const;

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

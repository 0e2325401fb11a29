import * as z from 'zod/mini';
import { defineJob } from '#platform/jobs.ts';
import { type LaneName, sendDue } from './send-due.ts';

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

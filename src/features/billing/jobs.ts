import * as z from 'zod/mini';
import { accountLeaving } from '#features/accounts/events.ts';
import type { UserId } from '#kernel/ids.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { followWithin } from '#platform/news.ts';
import { sendNotices } from './mail.ts';
import { insertDepartures } from './store/intents.ts';
import { reconcile, refreshJob } from './stripe/customers.ts';

export const reconcileJob = defineJob({
  name: 'billing.reconcile',
  payload: z.strictObject({}),
  concurrency: 1,
  handle: (app) => reconcile(app),
});

export const noticeJob = defineJob({
  name: 'billing.notices',
  payload: z.strictObject({}),
  concurrency: 1,
  handle: (app, _payload, signal) => sendNotices(app, signal),
});

export const jobs = [refreshJob, reconcileJob, noticeJob];
export const schedules: readonly Schedule[] = [
  { job: reconcileJob, everyMs: 600_000, payload: {} },
  { job: noticeJob, everyMs: 3_600_000, payload: {} },
];

/** Written down with their leaving, so that it is done however soon they are gone. */
export const listeners = [
  followWithin(accountLeaving, async ({ jobs: queue }, tx, { userId }) => {
    const customers = await insertDepartures(tx, userId as UserId);
    if (customers.length > 0) await queue.send(reconcileJob, {}, { tx });
  }),
];

import * as z from 'zod/mini';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { confirmDays } from './rules.ts';
import { deleteWaiting } from './store.ts';
import { askSubscriber } from './subscriptions.ts';

/** Deletes addresses whose owners did not confirm. */
const forgetWaiting = defineJob({
  name: 'site.forget-waiting',
  payload: z.strictObject({}),
  async handle(app) {
    await deleteWaiting(app.db, confirmDays);
  },
});

export const jobs = [askSubscriber, forgetWaiting];
export const schedules: readonly Schedule[] = [{ job: forgetWaiting, everyMs: 3_600_000, payload: {} }];

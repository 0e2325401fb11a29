import * as z from 'zod/mini';
import { dayMs } from '#kernel/time/civil.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { restorableDays } from './rules/form-owner.ts';
import { dropForgotten } from './store/form-rows.ts';

const sweepJob = defineJob({
  name: 'routing.sweep',
  payload: z.strictObject({}),
  async handle(app) {
    await dropForgotten(app.db, app.clock.nowMs() - restorableDays * dayMs);
  },
});

export const jobs = [sweepJob];
export const schedules: readonly Schedule[] = [{ job: sweepJob, everyMs: 6 * 3_600_000, payload: {} }];

import * as z from 'zod/mini';
import { dayMs } from '#kernel/time/civil.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { trimDeliveries } from './store/deliveries.ts';

/** Time after which no run is retried. */
const keptMs = 90 * dayMs;

const trimJob = defineJob({
  name: 'workflows.trim-deliveries',
  payload: z.strictObject({}),
  handle: (app) => trimDeliveries(app.db, app.clock.nowMs() - keptMs),
});

export const jobs = [trimJob];
export const schedules: readonly Schedule[] = [{ job: trimJob, everyMs: dayMs, payload: {} }];

import * as z from 'zod/mini';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { writeExportFile } from './export-file.ts';
import { deleteExpired } from './store.ts';

export const makeJob = defineJob({
  name: 'takeout.make-export',
  payload: z.strictObject({ exportId: z.string() }),
  policy: 'stately',
  concurrency: 1,
  retryLimit: 3,
  handle: (app, { exportId }, signal, { isLast }) => writeExportFile(app, exportId, signal, isLast),
});

export const sweepJob = defineJob({
  name: 'takeout.sweep',
  payload: z.strictObject({}),
  async handle(app) {
    await deleteExpired(app.db);
  },
});

export const jobs = [makeJob, sweepJob];
export const schedules: readonly Schedule[] = [{ job: sweepJob, everyMs: 600_000, payload: {} }];

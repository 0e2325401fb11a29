import * as z from 'zod/mini';
import { trimErrors } from '#platform/error-book.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { watchEveryMs, watchSystem } from './health/health.ts';
import { resyncJob } from './integrations/integrations.ts';
import { countEverything } from './overview/overview.ts';
import { deleteOldAlerts } from './store/alerts.ts';
import { deleteOldProbes, deleteProcesses, getWatched } from './store/watched.ts';

const alone = { payload: z.strictObject({}), policy: 'stately', retryLimit: 0 } as const;

const watchJob = defineJob({ ...alone, name: 'admin.watch', handle: (app) => watchSystem(app, 'worker') });

const countJob = defineJob({
  ...alone,
  name: 'admin.count',
  handle: countEverything,
});

const trimJob = defineJob({
  ...alone,
  name: 'admin.trim',
  async handle({ db }) {
    const { logDays } = await getWatched(db);
    await trimErrors(db, logDays);
    await deleteOldAlerts(db, logDays);
    await deleteOldProbes(db);
    await deleteProcesses(db, null);
  },
});

export const jobs = [watchJob, countJob, trimJob, resyncJob];

export const schedules: Schedule[] = [
  { job: watchJob, everyMs: watchEveryMs, payload: {}, key: 'watch' },
  { job: countJob, everyMs: 60_000, payload: {}, key: 'count' },
  { job: trimJob, everyMs: 3_600_000, payload: {}, key: 'trim' },
];

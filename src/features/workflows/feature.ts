import type { Feature } from '#platform/feature.ts';
import { hooks } from './channels/hooks.ts';
import { jobs as channelJobs, schedules as channelSchedules } from './channels/jobs.ts';
import { routes as channelRoutes } from './channels/routes.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { routes } from './routes.ts';
import { measures } from './store/measures.ts';
import { skipDue } from './store/run-rows.ts';

export const workflows: Feature = {
  name: 'workflows',
  routes: [routes, channelRoutes],
  rawRoutes: hooks,
  jobs: [...jobs, ...channelJobs],
  schedules: [...schedules, ...channelSchedules],
  listeners,
  measures,
  async restored(tx, { nowMs, sendsWaiting }) {
    if (!sendsWaiting) await skipDue(tx, nowMs);
  },
};

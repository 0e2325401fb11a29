import { fillVisitKeeper } from '#features/booking/public.ts';
import type { Feature } from '#platform/feature.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { routes } from './routes.ts';
import { recordVisit, startVisits } from './visits.ts';

export const analytics: Feature = {
  name: 'analytics',
  routes: [routes],
  jobs,
  schedules,
  listeners,
  start: async (app) => {
    fillVisitKeeper(recordVisit);
    return startVisits(app);
  },
};

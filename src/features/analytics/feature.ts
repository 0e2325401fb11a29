import { fillVisitKeeper } from '#features/booking/public.ts';
import type { Feature } from '#platform/feature.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { keepVisit, openVisits } from './keep-visit.ts';
import { routes } from './routes.ts';

export const analytics: Feature = {
  name: 'analytics',
  routes: [routes],
  jobs,
  schedules,
  listeners,
  start: async (app) => {
    fillVisitKeeper(keepVisit);
    return openVisits(app);
  },
};

import { fillContactOwner } from '#features/booking/public.ts';
import type { Feature } from '#platform/feature.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { findOwner } from './owners.ts';
import { routes } from './routes.ts';
import { suggestionRoutes } from './suggestions/routes.ts';

export const contacts: Feature = {
  name: 'contacts',
  routes: [routes, suggestionRoutes],
  jobs,
  schedules,
  listeners,
  start: async () => {
    fillContactOwner(findOwner);
    return async () => fillContactOwner(null);
  },
};

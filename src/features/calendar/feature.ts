import type { Feature } from '#platform/feature.ts';
import { guestRoutes } from './guests/routes.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { keptRoutes } from './kept/routes.ts';
import { rawRoutes, routes } from './routes.ts';

export const calendar: Feature = {
  name: 'calendar',
  routes: [routes, guestRoutes, keptRoutes],
  rawRoutes,
  jobs,
  schedules,
  listeners,
};

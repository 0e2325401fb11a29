import type { Feature } from '#platform/feature.ts';
import { guestRoutes } from './guests/routes.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { rawRoutes, routes } from './routes.ts';

export const calendar: Feature = {
  name: 'calendar',
  routes: [routes, guestRoutes],
  rawRoutes,
  jobs,
  schedules,
  listeners,
};

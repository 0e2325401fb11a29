import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { rawRoutes, routes } from './routes.ts';
import { authenticate } from './sessions/authentication.ts';

export const accounts: Feature = {
  name: 'accounts',
  routes: [routes],
  rawRoutes,
  authenticate,
  jobs,
  schedules,
};

import type { Feature } from '#platform/feature.ts';
import { authenticate } from './authenticate.ts';
import { jobs, schedules } from './jobs.ts';
import { rawRoutes, routes } from './routes.ts';

export const accounts: Feature = {
  name: 'accounts',
  routes: [routes],
  rawRoutes,
  authenticate,
  jobs,
  schedules,
};

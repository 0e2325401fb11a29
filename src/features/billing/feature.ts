import type { Feature } from '#platform/feature.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { routes } from './routes.ts';
import { hooks } from './stripe/hooks.ts';

export const billing: Feature = {
  name: 'billing',
  routes: [routes],
  rawRoutes: hooks,
  jobs,
  schedules,
  listeners,
};

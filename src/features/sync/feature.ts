import type { Feature } from '#platform/feature.ts';
import { hooks } from './hooks.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { routes } from './routes.ts';
import { outdateFences } from './store/fences.ts';
import { measures } from './store/measures.ts';

export const sync: Feature = {
  name: 'sync',
  routes: [routes],
  rawRoutes: hooks,
  jobs,
  schedules,
  listeners,
  measures,
  restored: (tx) => outdateFences(tx),
};

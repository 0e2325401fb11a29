import type { Feature } from '#platform/feature.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { routes } from './routes.ts';

export const workflows: Feature = { name: 'workflows', routes: [routes], jobs, schedules, listeners };

import type { Feature } from '#platform/feature.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { routes } from './routes.ts';
import { pages } from './visit/routes.ts';

export const routing: Feature = { name: 'routing', routes: [routes], pages, jobs, schedules, listeners };

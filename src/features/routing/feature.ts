import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { routes } from './routes.ts';

export const routing: Feature = { name: 'routing', routes: [routes], jobs, schedules };

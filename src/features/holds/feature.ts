import type { Feature } from '#platform/feature.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { routes } from './routes.ts';

export const holds: Feature = { name: 'holds', routes: [routes], jobs, schedules, listeners };

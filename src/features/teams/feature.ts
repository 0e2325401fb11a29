import type { Feature } from '#platform/feature.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { rawRoutes, routes } from './routes.ts';

export const teams: Feature = { name: 'teams', routes: [routes], rawRoutes, jobs, schedules, listeners };

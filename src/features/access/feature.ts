import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { routes } from './routes.ts';

export const access: Feature = { name: 'access', routes: [routes], jobs, schedules };

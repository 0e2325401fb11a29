import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { routes } from './routes.ts';

export const takeout: Feature = { name: 'takeout', routes: [routes], jobs, schedules };

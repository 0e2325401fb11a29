import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { routes } from './routes.ts';

export const inbox: Feature = { name: 'inbox', routes: [routes], jobs, schedules };

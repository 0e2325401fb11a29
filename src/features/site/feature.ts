import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { files, pages } from './routes.ts';

export const site: Feature = { name: 'site', pages, rawRoutes: files, jobs, schedules };

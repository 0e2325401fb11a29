import type { Feature } from '#platform/feature.ts';
import { jobs, listeners } from './jobs.ts';
import { routes } from './routes.ts';
import { measures } from './store/measures.ts';

export const connections: Feature = { name: 'connections', routes: [routes], jobs, listeners, measures };

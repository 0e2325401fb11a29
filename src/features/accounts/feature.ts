import type { Feature } from '#platform/feature.ts';
import { authenticate } from './authenticate.ts';
import { schedules, sweepExpired } from './jobs.ts';
import { routes } from './routes.ts';

export const accounts: Feature = { name: 'accounts', routes: [routes], authenticate, jobs: [sweepExpired], schedules };

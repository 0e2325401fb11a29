import type { Feature } from '#platform/feature.ts';
import { routes } from './routes.ts';

export const meetings: Feature = { name: 'meetings', routes: [routes] };

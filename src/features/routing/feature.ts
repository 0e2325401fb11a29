import type { Feature } from '#platform/feature.ts';
import { routes } from './routes.ts';

export const routing: Feature = { name: 'routing', routes: [routes] };

import type { Feature } from '#platform/feature.ts';
import { routes } from './routes.ts';

export const availability: Feature = { name: 'availability', routes: [routes] };

import type { Feature } from '#platform/feature.ts';
import { routes } from './routes.ts';

export const access: Feature = { name: 'access', routes: [routes] };

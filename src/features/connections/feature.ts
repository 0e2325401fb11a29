import type { Feature } from '#platform/feature.ts';
import { routes } from './routes.ts';

export const connections: Feature = { name: 'connections', routes: [routes] };

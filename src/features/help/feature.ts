import type { Feature } from '#platform/feature.ts';
import { routes } from './routes.ts';

export const help: Feature = { name: 'help', routes: [routes] };

import { bindRoutes } from '#platform/routes.ts';
import { systemEndpoints } from './contract.ts';
import { readHealth } from './health.ts';

export const systemRoutes = bindRoutes(systemEndpoints, {
  readHealth: ({ app }) => readHealth(app),
});

import { bindRoutes } from '#platform/routes.ts';
import { systemEndpoints } from './contract.ts';
import { getHealth } from './health.ts';

export const systemRoutes = bindRoutes(systemEndpoints, {
  readHealth: ({ app }) => getHealth(app),
});

import { bindRoutes } from '#platform/routes.ts';
import { readHealth } from '../read-health.ts';
import { systemEndpoints } from '../rules/system-endpoints.ts';

export const systemRoutes = bindRoutes(systemEndpoints, {
  readHealth: ({ app }) => readHealth(app),
});

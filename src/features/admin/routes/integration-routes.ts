import { bindRoutes } from '#platform/routes.ts';
import { readIntegrations } from '../read-integrations.ts';
import { resync } from '../resync.ts';
import { integrationEndpoints } from '../rules/integration-endpoints.ts';

export const integrationRoutes = bindRoutes(integrationEndpoints, {
  readIntegrations: ({ app }) => readIntegrations(app),
  resync: ({ app, actor, input, request }) => resync(app, actor, input.body, request),
});

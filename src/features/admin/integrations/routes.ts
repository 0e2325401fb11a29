import { bindRoutes } from '#platform/routes.ts';
import { integrationEndpoints } from './contract.ts';
import { listIntegrations, resync } from './integrations.ts';

export const integrationRoutes = bindRoutes(integrationEndpoints, {
  readIntegrations: ({ app }) => listIntegrations(app),
  resync: ({ app, actor, input, request }) => resync(app, actor, input.body, request),
});

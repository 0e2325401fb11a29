import { bindRoutes } from '#platform/routes.ts';
import { integrationEndpoints } from './contract.ts';
import { readIntegrations, resync } from './integrations.ts';

export const integrationRoutes = bindRoutes(integrationEndpoints, {
  readIntegrations: ({ app }) => readIntegrations(app),
  resync: ({ app, actor, input, request }) => resync(app, actor, input.body, request),
});

import { bindRoutes } from '#platform/routes.ts';
import { countNow } from '../count-now.ts';
import { readOverview } from '../read-overview.ts';
import { overviewEndpoints } from '../rules/overview-endpoints.ts';

export const overviewRoutes = bindRoutes(overviewEndpoints, {
  readOverview: ({ app }) => readOverview(app),
  countNow: ({ app }) => countNow(app),
});

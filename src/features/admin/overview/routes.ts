import { bindRoutes } from '#platform/routes.ts';
import { overviewEndpoints } from './contract.ts';
import { countNow, readOverview } from './overview.ts';

export const overviewRoutes = bindRoutes(overviewEndpoints, {
  readOverview: ({ app }) => readOverview(app),
  countNow: ({ app }) => countNow(app),
});

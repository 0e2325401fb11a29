import { bindRoutes } from '#platform/routes.ts';
import { overviewEndpoints } from './contract.ts';
import { countNow, getOverview } from './overview.ts';

export const overviewRoutes = bindRoutes(overviewEndpoints, {
  readOverview: ({ app }) => getOverview(app),
  countNow: ({ app }) => countNow(app),
});

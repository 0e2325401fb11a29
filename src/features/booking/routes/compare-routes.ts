import { bindRoutes } from '#platform/routes.ts';
import { compareCalendar } from '../compare-calendar.ts';
import { compareEndpoints } from '../rules/compare-endpoints.ts';

export const compareRoutes = bindRoutes(compareEndpoints, {
  compareCalendar: async ({ app, actor, request, input }) => ({
    busy: await compareCalendar(app, input.body, { actor, request }),
  }),
});

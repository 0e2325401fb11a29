import { bindRoutes } from '#platform/routes.ts';
import { compareCalendar, compareFile } from '../compare-calendar.ts';
import { compareEndpoints } from '../rules/compare-endpoints.ts';

export const compareRoutes = bindRoutes(compareEndpoints, {
  compareCalendar: async ({ app, actor, input }) => ({ busy: await compareCalendar(app, input.body, actor) }),
  compareFile: ({ input }) => ({ busy: compareFile(input.body, input.query) }),
});

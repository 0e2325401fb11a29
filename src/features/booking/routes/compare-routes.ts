import { bindRoutes } from '#platform/routes.ts';
import { compareCalendar } from '../compare-calendar.ts';
import { compareFile } from '../compare-file.ts';
import { compareEndpoints } from '../rules/compare-endpoints.ts';
import { listOffsets } from '../rules/zone-offsets.ts';

export const compareRoutes = bindRoutes(compareEndpoints, {
  listOffsets: ({ input: { query } }) => listOffsets(query.zone, query),
  compareCalendar: async ({ app, actor, input }) => ({ busy: await compareCalendar(app, input.body, actor) }),
  compareFile: async ({ input }) => ({ busy: await compareFile(input.body, input.query) }),
});

import { bindRoutes } from '#platform/routes.ts';
import { calendarContract } from './contract.ts';
import { listCalendars } from './list-calendars.ts';
import { listEvents } from './list-events.ts';

export const routes = bindRoutes(calendarContract, {
  listCalendars: async ({ app, actor }) => ({ calendars: await listCalendars(app, actor) }),
  listEvents: ({ app, actor, input }) => listEvents(app, actor, input.query),
});

import { bindRoutes } from '#platform/routes.ts';
import { changeBlocked } from '../change-blocked.ts';
import { blockedEndpoints } from '../rules/blocked-endpoints.ts';
import { findBlocked } from '../store/blocked-guests.ts';

export const blockedRoutes = bindRoutes(blockedEndpoints, {
  readBlockedGuests: async ({ app, actor }) => ({ entries: await findBlocked(app.db, actor.userId) }),
  changeBlockedGuests: async ({ app, actor, input }) => ({
    entries: await changeBlocked(app.db, actor.userId, input.body.entries),
  }),
});

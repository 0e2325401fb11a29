import { listInvitations } from '#features/calendar/invitations/public.ts';
import { bindRoutes } from '#platform/routes.ts';
import { listUnsettled } from '../store/edits.ts';
import { invitationsContract } from './contract.ts';

export const invitationRoutes = bindRoutes(invitationsContract, {
  listInvitations: async ({ app, actor }) => {
    const found = await listInvitations(app, actor);
    // An answer on its way is one.
    const states = await listUnsettled(app.db, actor.userId, [...new Set(found.map((one) => one.itemId))]);
    return {
      invitations: found
        .filter(({ itemId }) => states.get(itemId) !== 'pending')
        .map(({ event, calendarName, color, scope }) => ({ event, calendar_name: calendarName, color, scope })),
    };
  },
});

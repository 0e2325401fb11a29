import * as z from 'zod/mini';
import { eventShape } from '#features/calendar/contract.ts';
import { endpoint } from '#kernel/contract.ts';

export const invitationsContract = {
  listInvitations: endpoint({
    method: 'GET',
    path: '/api/invitations',
    auth: 'user',
    summary: 'Unanswered invitations of the next 180 days, one per event or series, at most 50',
    output: z.strictObject({
      invitations: z.array(
        z.strictObject({
          event: eventShape, // the next instance that waits
          calendar_name: z.string(),
          color: z.string(),
          scope: z.enum(['this', 'all']), // for `POST /api/events/{event_id}/answer`
        }),
      ),
    }),
  }),
};

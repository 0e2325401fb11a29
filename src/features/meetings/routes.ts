import { readEventId } from '#features/calendar/rules/read-event-id.ts';
import { resyncEvent, resyncEvents, retryOne } from '#features/sync/public.ts';
import type { ItemId } from '#kernel/ids.ts';
import { bindRoutes } from '#platform/routes.ts';
import { meetingsContract } from './contract.ts';
import { exportMeetings, listMeetings, listMirrorAudit } from './meetings.ts';

const itemOf = (eventId: string) => readEventId(eventId).itemId as ItemId;

export const routes = bindRoutes(meetingsContract, {
  listMeetings: ({ app, actor, input }) => listMeetings(app, actor, input.query),
  exportMeetings: ({ app, actor, input }) => exportMeetings(app, actor, input.query),
  readAudit: async ({ app, actor, input }) => ({ logs: await listMirrorAudit(app, actor, input.params.id) }),
  resyncMirrors: async ({ app, actor, input }) => ({
    pending: await resyncEvent(app, actor, itemOf(input.params.eventId)),
  }),
  resyncMany: ({ app, actor, input }) => resyncEvents(app, actor, input.body.event_ids.map(itemOf)),
  retryMirror: async ({ app, actor, input }) => {
    await retryOne(app, actor, input.params.mirrorId);
    return { pending: 1 };
  },
});

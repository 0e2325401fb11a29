import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { noteVisit } from '../note-visit.ts';
import { findVisited } from './find-visited.ts';
import { chosenSlot, showBooking } from './show-booking.ts';

/** The page on which a time is chosen: `/{handle}/{slug}` and `/l/{token}`. */
export async function visitType(app: App, call: PageCall): Promise<PageAnswer | null> {
  const visited = await findVisited(app, call);
  if ('answer' in visited) return visited.answer;
  const { type } = visited.found;
  const what = Number.isInteger(chosenSlot(call)) ? 'chosen' : 'viewed';
  noteVisit(app, {
    what,
    eventTypeId: type.id,
    hostIds: type.hosts.map(({ userId }) => userId),
    request: call.request,
  });
  return showBooking(app, call, visited);
}

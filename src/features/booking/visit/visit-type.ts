import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { findVisited } from './find-visited.ts';
import { showBooking } from './show-booking.ts';

/** The page on which a time is chosen: `/{handle}/{slug}` and `/l/{token}`. */
export async function visitType(app: App, call: PageCall): Promise<PageAnswer | null> {
  const visited = await findVisited(app, call);
  return 'answer' in visited ? visited.answer : showBooking(app, call, visited);
}

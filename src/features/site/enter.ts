import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { showLanding } from './show-landing.ts';

/**
 * The address of the product itself: the app for whoever may be signed in (it knows) or comes back from a provider, the
 * landing page for everybody else.
 */
export async function enter(app: App, call: PageCall): Promise<PageAnswer | null> {
  if (call.request.onlooker?.sessionToken !== undefined || call.query.has('token')) return null;
  return showLanding(app, call);
}

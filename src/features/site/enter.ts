import { showEntrance } from '#features/access/public.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { showLanding } from './show-landing.ts';

const comeBack = showEntrance('/');

/**
 * The address of the product itself: for whoever comes back from a provider what goes on with that, the app for whoever may
 * be signed in (it knows), the landing page for everybody else.
 */
export async function enter(app: App, call: PageCall): Promise<PageAnswer | null> {
  if (call.query.has('token')) return comeBack(app, call);
  if (call.request.onlooker?.sessionToken !== undefined) return null;
  return showLanding(app, call);
}

import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { findPublicType, type PublicType } from '../find-public-type.ts';
import { handlePattern, isReserved } from '../rules/handle.ts';
import { showHost } from './show-host.ts';
import { showNothing } from './show-nothing.ts';
import { showNotice } from './show-notice.ts';

/** The event type at a page's address, and the prefix of its calls. */
export interface Visited {
  found: PublicType;
  /** As calls name it: `l` before the token of a link. */
  address: { handle: string; slug: string };
  path: string;
  api: string;
}

/**
 * Finds the event type at `/{handle}/{slug}` or `/l/{token}`. Otherwise it returns the answer to give, or null if the
 * product itself may have a page there.
 */
export async function findVisited(app: App, call: PageCall): Promise<Visited | { answer: PageAnswer | null }> {
  const { handle, slug, token } = call.params;
  if (token !== undefined) {
    const found = await findPublicType(app, { token });
    if (found === null) return { answer: await showNothing(app, call) };
    return checkPaused(call, {
      found,
      address: { handle: 'l', slug: token },
      path: `/l/${token}`,
      api: `/api/book/l/${token}`,
    });
  }
  if (handle === undefined || slug === undefined || !handlePattern.test(handle.toLowerCase())) return { answer: null };
  if (isReserved(handle.toLowerCase())) return { answer: null };
  const found = await findPublicType(app, { handle, slug });
  if (found === null) return { answer: call.wantsHtml ? await showNothing(app, call) : null };
  const path = `/${found.handle}/${found.type.slug}`;
  // an old handle, or capitals: one address for each page
  if (path !== `/${handle}/${slug}` && [...call.form].length === 0) {
    const query = call.query.toString();
    return { answer: { kind: 'go', to: query === '' ? path : `${path}?${query}` } };
  }
  return checkPaused(call, { found, address: { handle, slug }, path, api: `/api/book${path}` });
}

function checkPaused(call: PageCall, visited: Visited): Visited | { answer: PageAnswer } {
  const { host, type } = visited.found;
  if (!type.settings.paused) return visited;
  const { path: profile } = showHost(visited.found);
  const { frames } = type.settings;
  return { answer: showNotice(call, 'paused', { status: 200, values: { host: host.name }, frames, profile }) };
}

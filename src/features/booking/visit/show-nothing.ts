import { isSuspended } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import { homeOf } from '#platform/brand.ts';
import { hashToken } from '#platform/crypto.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { sessionCookieName } from '#platform/session-cookie.ts';
import { findType } from '../store/event-type-rows.ts';
import { findHandle } from '../store/handles.ts';
import { findLink } from '../store/links.ts';
import { showNotice } from './show-notice.ts';

/**
 * A page for an address where nothing can be booked: because its person is suspended, or because it is nobody's. Null for
 * a signed-in reader of nobody's address: the product itself answers, with its sidebar.
 */
export async function showNothing(
  { db, brand, config }: Pick<App, 'db' | 'brand' | 'config'>,
  call: PageCall,
): Promise<PageAnswer | null> {
  const { handle = '', token } = call.params;
  const link = token === undefined ? null : await findLink(db, hashToken(token));
  const owner =
    token === undefined ? await findHandle(db, handle.toLowerCase()) : link && (await findType(db, link.eventTypeId));
  if (owner?.userId && (await isSuspended(db, owner.userId))) return showNotice(call, 'away', { status: 200 });
  const isHttps = config.publicUrl.startsWith('https:');
  if (token === undefined && call.cookies[sessionCookieName(isHttps)] !== undefined) return null;
  return showNotice(call, token === undefined ? 'nobody' : 'gone', { status: 404, home: homeOf(brand.current()) });
}

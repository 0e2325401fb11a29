import { createHash } from 'node:crypto';
import { isLeaving, isSuspended, loadOwnerZone } from '#features/accounts/public.ts';
import { listCalendars, loadMirrorSigner } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import { serialiseFeed } from '#kernel/ical/serialise-feed.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';
import { tokenOf } from './rules/feed-address.ts';
import { busyOf, eventsOf } from './rules/feed-events.ts';
import { takeFeed } from './store/published-feeds.ts';
import { listViewSpans } from './store/spans.ts';

const dayMs = 86_400_000;
/** What programs show: a little of what was, and what is kept ready of what will be. */
const pastDays = 30;
const futureDays = 365;
const mostEvents = 10_000;
const refreshMinutes = 15;

/** Programs ask every few minutes at most; a person who presses "refresh" may, too. */
const readings = { action: 'reading a published feed', burst: 60, periodSeconds: 3_600 };

/**
 * A published feed for whoever has its address. An address that was taken back is like one that never was.
 *
 * *Errors*: AppError not-found, limited. Source: RFC 9110 13.1.2.
 */
export async function serveFeed(app: App, { params, headers }: RawCall): Promise<RawAnswer> {
  const token = tokenOf(params.file ?? '');
  const feed = token === null ? null : await takeFeed(app.db, hashToken(token));
  if (feed === null || (await isLeaving(app.db, feed.userId)))
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such calendar.');
  // programs keep what they have, and ask again
  if (await isSuspended(app.db, feed.userId))
    throw new AppError('unavailable', 'UNAVAILABLE', 'This calendar rests for the time being.', {
      retryAfterMs: 3_600_000,
    });
  await takeAllowance(app.db, readings, feed.id);
  const nowMs = app.clock.nowMs();
  const { name: product } = app.brand.current();
  const [calendars, ownerZone, signer] = await Promise.all([
    listCalendars(app.db, feed.userId),
    loadOwnerZone(app.db, feed.userId),
    loadMirrorSigner(app),
  ]);
  const included = calendars.filter((calendar) => calendar.includeInUnified && !calendar.removed);
  const instances = await listViewSpans(
    app.db,
    feed.userId,
    included.map((calendar) => calendar.id),
    { fromMs: nowMs - pastDays * dayMs, toMs: nowMs + futureDays * dayMs, limit: mostEvents },
  );
  // whoever subscribes to this feed with Holdfast again finds blocks of its own, not events to mirror
  const sign = (name: string) =>
    signer.identityOf({ targetCalendarId: feed.id, originCalendarId: feed.userId, originUid: name, recId: null }, 1);
  const foreign = instances.filter((one) => one.provenance === 'foreign');
  const body = serialiseFeed(
    { name: feed.content === 'busy' ? `${product} busy time` : product, refreshMinutes, stampMs: feed.createdMs },
    feed.content === 'busy' ? busyOf(foreign, sign) : eventsOf(foreign, ownerZone, sign),
  );
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const common = { etag, 'cache-control': `private, max-age=${refreshMinutes * 60}`, 'x-robots-tag': 'noindex' };
  if (headers['if-none-match'] === etag) return { status: 304, headers: common };
  return { status: 200, headers: { ...common, 'content-type': 'text/calendar; charset=utf-8' }, body };
}

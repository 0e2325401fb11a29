import { createHash } from 'node:crypto';
import { isLeaving, isSuspended, loadOwnerZone } from '#features/accounts/public.ts';
import { listCalendars, loadMirrorSigner } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import { serialiseFeed } from '#kernel/ical/serialise-feed.ts';
import { mostAnswerBytes } from '#kernel/work-limits.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inSlices } from '#platform/in-slices.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';
import { tokenOf } from './rules/feed-address.ts';
import { busyOf, eventsOf } from './rules/feed-events.ts';
import { markCut, takeFeed } from './store/published-feeds.ts';
import { listViewRows, withBodies } from './store/spans.ts';

const dayMs = 86_400_000;
/** The range of a feed: some past days, and the future that the busy index covers. */
const pastDays = 30;
const futureDays = 365;
const mostEvents = 10_000;
const refreshMinutes = 15;

/** Programs ask every few minutes at most; a person who presses "refresh" may, too. */
const readings = { action: 'reading a published feed', burst: 60, periodSeconds: 3_600 };

/**
 * Serves a published feed to anybody with its address. A revoked address is like an unknown one.
 *
 * *Errors*: AppError not-found, limited. Source: RFC 9110 13.1.2.
 */
export async function serveFeed(app: App, { params, headers }: RawCall): Promise<RawAnswer> {
  const token = tokenOf(params.file ?? '');
  const feed = token === null ? null : await takeFeed(app.db, hashToken(token));
  if (feed === null || (await isLeaving(app.db, feed.userId)))
    throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
  // programs keep what they have, and ask again
  if (await isSuspended(app.db, feed.userId))
    throw new AppError('unavailable', 'UNAVAILABLE', 'This calendar is unavailable right now.', {
      retryAfterMs: 3_600_000,
    });
  // a new address starts no new allowance
  await takeAllowance(app.db, readings, `${feed.userId} ${feed.content}`);
  const nowMs = app.clock.nowMs();
  const { name: product } = app.brand.current();
  const [calendars, ownerZone, signer] = await Promise.all([
    listCalendars(app.db, feed.userId),
    loadOwnerZone(app.db, feed.userId),
    loadMirrorSigner(app),
  ]);
  const included = calendars.filter((calendar) => calendar.includeInUnified && !calendar.removed);
  const ids = included.map((calendar) => calendar.id);
  const range = { fromMs: nowMs - pastDays * dayMs, toMs: nowMs + futureDays * dayMs };
  const wanted = { ...range, limit: mostEvents + 1, only: 'foreign' as const };
  // a subscriber in Holdfast must see signed blocks here, not events to mirror
  const sign = (name: string) =>
    signer.identityOf({ targetCalendarId: feed.id, originCalendarId: feed.userId, originUid: name, recId: null }, 1);
  const name = feed.content === 'busy' ? `${product} busy time` : product;
  const rows = await listViewRows(app.db, feed.userId, ids, wanted);
  const listed = rows.slice(0, mostEvents);
  const read = feed.content === 'busy' ? null : await withBodies(app.db, listed);
  const events = read === null ? busyOf(listed, sign) : eventsOf(read.shown, ownerZone, sign);
  const head = { name, refreshMinutes, stampMs: feed.createdMs };
  const isMissing = rows.length > listed.length || read?.isCut === true;
  const { text: body, isCut } = await inSlices(serialiseFeed({ ...head, isCut: isMissing }, events, mostAnswerBytes));
  if (isCut !== feed.isCut) await markCut(app.db, feed.id, isCut);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const common = { etag, 'cache-control': `private, max-age=${refreshMinutes * 60}`, 'x-robots-tag': 'noindex' };
  if (headers['if-none-match'] === etag) return { status: 304, headers: common };
  return { status: 200, headers: { ...common, 'content-type': 'text/calendar; charset=utf-8' }, body };
}

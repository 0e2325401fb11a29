import { createHash } from 'node:crypto';
import { parseWarning, warning } from '#kernel/ical/reading-warning.ts';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import { sha256 } from '#kernel/sha256.ts';
import { WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { PullEnd, PullPage, PullRequest } from '../port.ts';
import { decodeCursor, encodeCursor, type FeedCursor } from './cursor.ts';
import { type FeedHttp, type FetchedFeed, fetchFeed, hostOf } from './fetch-feed.ts';
import { type Identity, nameByContent, openFile, type ReadFeed, readFeed } from './read-feed.ts';

export interface FeedSource {
  url: string;
  http: FeedHttp;
  tags: TagVerifier;
  /** Addresses of the subscriber: their answers to invitations count. */
  selfAddresses: readonly string[];
  nowMs(): number;
}

const pageItems = 200;
const shortestRestMs = 300_000;
const longestRestMs = 86_400_000;
/** Time that a sudden loss has to last before it is believed. A person may ask for a reading every few seconds. */
const doubtMs = 600_000;
/** Time for which an accepted loss is reported, unless the events come back. */
const toldMs = 14 * 86_400_000;
/** Fewer events than this prove nothing about how a publisher names them. Losses of so few are not told for two weeks. */
const fewEvents = 5;

/**
 * One reading of a feed. Nothing new is one conditional request; else the whole file is read, and only what it says
 * differently is passed on. A file that suddenly lost more than half of its events is believed ten minutes later, and a
 * warning says so from the first reading on. A file that asks for too much work gives nothing, and is not read again until it changes.
 *
 * *Errors*: as `fetchFeed` and `readFeed`. Source: RFC 9110 13, RFC 7986 5.7.
 */
export async function* pullFeed(source: FeedSource, request: PullRequest): AsyncGenerator<PullPage, PullEnd> {
  const { url, http } = source;
  const before = decodeCursor(request.cursor);
  const refused = before?.refused;
  // an update may have changed the limit
  const stillRefused = refused !== undefined && refused.allowed === readingLimits[refused.limit];
  const readAs = readerOf(source);
  const asksAll =
    request.full || before === null || before.readAs !== readAs || (refused !== undefined && !stillRefused);
  const fetched = await fetchFeed(http, url, asksAll ? {} : before, request.signal);
  if (fetched === null) {
    const quiet = { cursor: request.cursor, listed: null, requests: 1, restMs: shortestRestMs };
    return refused === undefined ? quiet : { ...quiet, refused: new WorkLimitError(refused.limit, refused.allowed) };
  }
  const content = createHash('sha256').update(fetched.bytes).digest('base64url');
  const refusal = (error: WorkLimitError): PullEnd => {
    const { etag, lastModified } = fetched;
    const { count = 0, shrunk = false, shrunkAtMs, lost, identity = 'uid' } = before ?? {};
    const { limit, allowed } = error;
    const held = { etag, lastModified, count, shrunk, shrunkAtMs, lost, identity, readAs };
    const cursor = encodeCursor({ ...held, refused: { limit, allowed, content } });
    return { cursor, listed: null, requests: 1, restMs: shortestRestMs, refused: error };
  };
  if (stillRefused && refused.content === content) {
    return refusal(new WorkLimitError(refused.limit, refused.allowed));
  }
  try {
    return yield* passOn(source, request, before, fetched);
  } catch (error) {
    if (error instanceof WorkLimitError) return refusal(error);
    throw error;
  }
}

/** A file that is new, or not the one that was read last. */
async function* passOn(
  source: FeedSource,
  request: PullRequest,
  before: FeedCursor | null,
  fetched: FetchedFeed,
): AsyncGenerator<PullPage, PullEnd> {
  const { url, http } = source;
  const { signal, budget = new WorkBudget(readingLimits) } = request;
  let requests = 1;
  let identity: Identity = before?.identity ?? 'uid';
  budget.spend('bytes', fetched.bytes.length);
  let feed = await inSlices(readFeed(fetched.bytes, contextOf(source, budget)), budget);
  if (identity === 'content') feed = await inSlices(nameByContent(feed), budget);
  let known = await request.known(refsOf(feed));
  if (identity === 'uid' && feed.items.length >= fewEvents && known.size < feed.items.length / 5) {
    // new events, or new names? read twice in a row, a calendar whose publisher keeps its UIDs is the same
    const again = await fetchFeed(http, url, {}, signal);
    requests += 1;
    if (again === null || !(await keepsUids(source, { fetched, feed, again }, budget))) {
      identity = 'content';
      feed = await inSlices(nameByContent(feed), budget);
      known = await request.known(refsOf(feed));
    }
  }
  const changed = feed.items.filter((item) => known.get(item.ref) !== item.version);
  if (changed.length > 0) await request.weigh?.(feed.items);
  for (let from = 0; from < changed.length; from += pageItems) {
    yield { items: changed.slice(from, from + pageItems), gone: [] };
  }
  const count = feed.items.length;
  const nowMs = source.nowMs();
  const shrinks = before !== null && isLoss(before.count, count);
  const shrunkAtMs = before?.shrunk === true ? (before.shrunkAtMs ?? nowMs) : nowMs;
  // a file that is damaged as well proves no loss
  const readAs = readerOf(source);
  const doubted = shrinks && (nowMs - shrunkAtMs < doubtMs || !feed.listing);
  const lost = shrinks ? { count: before.count, sinceMs: shrunkAtMs } : stillLost(before, count, nowMs);
  const cursor: FeedCursor = doubted
    ? // without validators: the next reading has to see the file, not that it is the same one
      { count: before.count, shrunk: true, shrunkAtMs, identity, readAs }
    : {
        ...(feed.isCut ? {} : { etag: fetched.etag, lastModified: fetched.lastModified }),
        count,
        shrunk: false,
        lost,
        identity,
        readAs,
      };
  const code = doubted ? 'events-doubted' : 'events-lost';
  const isTold = lost !== undefined && (doubted || lost.count >= fewEvents);
  const loss = isTold ? [warning(code, { before: lost.count, now: count })] : [];
  return {
    cursor: encodeCursor(cursor),
    listed: doubted || !feed.listing ? null : new Set(refsOf(feed)),
    warnings: [...loss, ...feed.warnings],
    ...zoneOf(feed),
    requests,
    restMs: restOf(feed, fetched),
  };
}

/** A header that cannot be read, or that may be lost, leaves the zone that was known. */
function zoneOf({ zone, warnings, listing }: ReadFeed): Pick<PullEnd, 'zone'> {
  if (zone !== undefined) return { zone };
  return listing && !warnings.some((text) => parseWarning(text).code === 'file-zone-unknown') ? { zone: null } : {};
}

const isLoss = (before: number, now: number) => now < before / 2;

/** A loss of some days ago that nothing has come back of since. */
function stillLost(before: FeedCursor | null, count: number, nowMs: number): FeedCursor['lost'] {
  const lost = before?.lost;
  return lost !== undefined && nowMs - lost.sinceMs < toldMs && isLoss(lost.count, count) ? lost : undefined;
}

/** Whether a feed that is fetched again still has a fifth of its UIDs. */
async function keepsUids(
  source: FeedSource,
  { fetched, feed, again }: { fetched: FetchedFeed; feed: ReadFeed; again: FetchedFeed },
  budget: WorkBudget,
): Promise<boolean> {
  if (Buffer.compare(fetched.bytes, again.bytes) === 0) return true;
  budget.spend('bytes', again.bytes.length);
  const { uids } = await inSlices(openFile(again.bytes, contextOf(source, budget)), budget);
  const second = new Set(uids);
  return refsOf(feed).filter((ref) => second.has(ref)).length >= feed.items.length / 5;
}

const contextOf = ({ tags, selfAddresses, url }: FeedSource, budget: WorkBudget) => ({
  tags,
  selfAddresses,
  host: hostOf(url),
  budget,
});

/** A file that has not changed reads otherwise under another address of its subscriber. */
const readerOf = ({ selfAddresses }: FeedSource) =>
  selfAddresses.length === 0 ? undefined : sha256(selfAddresses.join()).slice(0, 16);

const refsOf = (feed: ReadFeed): string[] => feed.items.map((item) => item.ref);

/** As long as publisher and server say that it stays as it is, between five minutes and a day. */
function restOf(feed: ReadFeed, fetched: FetchedFeed): number {
  const wishMs = Math.max(feed.refreshSeconds ?? 0, fetched.maxAgeSeconds ?? 0) * 1000;
  return Math.min(longestRestMs, Math.max(shortestRestMs, wishMs));
}

import type { ProviderError } from '#kernel/errors.ts';
import { WorkBudget } from '#kernel/work-budget.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import { type PullEnd, type PullPage, type PullRequest, patience } from '../port.ts';
import { provesQuiet, tagAfter, tagSettlesMs } from './calendar-tag.ts';
import { type Collection, isCounterVersion, openCollection } from './collection.ts';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts';
import { type FetchedObjects, fetchObjects, type ReadObject } from './fetch-objects.ts';
import type { DavClient } from './http.ts';
import { emptyListing, type Listing, listChanges, listEverything, readState } from './list-changes.ts';
import type { ReadTag } from './read-tag.ts';

/** Objects per multiget: large enough that the round trip does not count, small enough to stay far below 10 MB. */
const chunkSize = 75;
/** Refs per question to the store; the first is small, so that reading begins before all are asked for. */
const knownSize = 1_000;
const firstKnownSize = 150;

/**
 * One pull of one calendar. A quiet one is a single request: for the changes, or where nobody said that there are any,
 * for the calendar's tag, which calendars of an account that are due together share. Names and versions come first, then
 * only what the store does not hold in that version is fetched, the next chunk while the caller works on the last.
 *
 * Errors: cursor-expired (pull again with a null cursor), not-found `CALENDAR_GONE`, and what the server says.
 * Source: RFC 6578, RFC 4791 7.9.
 */
export async function* pullCalendar(
  account: DavClient,
  readTag: ReadTag,
  read: ReadObject,
  request: PullRequest,
): AsyncGenerator<PullPage, PullEnd> {
  const budget = request.budget ?? new WorkBudget(readingLimits);
  // each pull counts its own requests, whatever else runs on the account
  const dav = account.counting(budget);
  const collection = openCollection(request.calendarRef, dav.origin);
  const reading = { read, budget };
  const found = await findChanges(dav, readTag, collection, request);
  let gone = [...found.listing.gone];
  /** Held without a version: most were withheld by their server the last time, and it is no news where they are again. */
  const withheld = new Set<string>();
  const chunks = chunksOf(
    unknownOf(found.listing, request, found.trustsEqualVersions, Math.floor(dav.nowMs() / 86_400_000), withheld),
  );
  const mayComeLater = (ref: string) => (request.failures ?? 0) < patience && !withheld.has(ref);
  const fetchNext = async (): Promise<FetchedObjects | null> => {
    const next = await chunks.next();
    if (next.done === true) return null;
    return fetchObjects(dav, collection, next.value, found.listing.versions, reading, mayComeLater, request.signal);
  };
  const start = () => {
    const fetching = fetchNext();
    // The caller may leave before this is awaited; its failure is then nobody's.
    fetching.catch(() => undefined);
    return fetching;
  };
  let failure: ProviderError | null = null;
  let chunk = await start();
  if (chunk === null && gone.length > 0) yield { items: [], gone };
  while (chunk !== null) {
    const ahead = start();
    for (const ref of chunk.gone) found.listed?.delete(ref);
    failure ??= chunk.failure;
    yield { items: chunk.items, gone: gone.concat(chunk.gone) };
    gone = [];
    chunk = await ahead;
  }
  // all else was given; the cursor stays where it is, so that what is missing is asked for again
  if (failure !== null) throw failure;
  return {
    cursor: found.cursor === null ? null : encodeCursor(found.cursor),
    listed: found.listed,
    requests: dav.sent.count,
  };
}

interface Found {
  listing: Listing;
  cursor: Cursor | null;
  listed: Set<string> | null;
  /** False in an incremental answer: the server named it because it changed, and a counter ETag may repeat. */
  trustsEqualVersions: boolean;
}

async function findChanges(
  dav: DavClient,
  readTag: ReadTag,
  collection: Collection,
  request: PullRequest,
): Promise<Found> {
  const cursor = request.cursor === null ? null : decodeCursor(request.cursor);
  if (cursor?.kind === 'token' && !request.full) {
    const asksTag = request.routine === true && cursor.tag !== 'useless';
    const ctag = asksTag ? await readTag(dav, collection, request.signal) : undefined;
    if (typeof ctag === 'string' && provesQuiet(cursor.tag, ctag, dav.nowMs())) {
      return { listing: emptyListing(), cursor, listed: null, trustsEqualVersions: true };
    }
    const changes = await listChanges(dav, collection, cursor.token, request.signal);
    if (changes !== null) {
      const { listing, token } = changes;
      const sameToken = token === cursor.token;
      return {
        listing,
        cursor: { kind: 'token', token, tag: tagAfter(cursor.tag, ctag, { sameToken, nowMs: dav.nowMs() }) },
        listed: null,
        // SOGo's token is a second, and what changed in it is sent with every pull until the next change.
        trustsEqualVersions: sameToken,
      };
    }
  }
  let fallback: Cursor | null = cursor;
  let hasTokens = cursor?.kind !== 'ctag';
  if (cursor === null && !request.full) {
    const initial = await listChanges(dav, collection, '', request.signal);
    hasTokens = initial !== null;
    if (initial !== null) fallback = { kind: 'token', token: initial.token };
    // An empty first answer is checked the plain way: it is cheap, and "nothing there" has consequences.
    if (initial !== null && initial.listing.versions.size > 0) {
      const { listing, token } = initial;
      listing.gone.clear();
      return {
        listing,
        cursor: { kind: 'token', token },
        listed: new Set(listing.versions.keys()),
        trustsEqualVersions: true,
      };
    }
  }
  return await listPlainly(dav, collection, request, { last: cursor, hasTokens, fallback });
}

interface Before {
  last: Cursor | null;
  /** False where the server is known to have no sync-collection, whatever its properties say. */
  hasTokens: boolean;
  /** A cursor older than the listing, for servers that tell their token only in a report. */
  fallback: Cursor | null;
}

/** The daily scrub, and every pull from a server without sync-collection: state first, then the complete listing. */
async function listPlainly(
  dav: DavClient,
  collection: Collection,
  request: PullRequest,
  { last, hasTokens, fallback }: Before,
): Promise<Found> {
  const state = await readState(dav, collection, request.signal);
  const nowMs = dav.nowMs();
  const same = last?.kind === 'ctag' && last.ctag === state.ctag ? last : null;
  if (!request.full && same !== null && same.listedAtMs - same.firstSeenMs >= tagSettlesMs) {
    return { listing: emptyListing(), cursor: same, listed: null, trustsEqualVersions: true };
  }
  const listing = await listEverything(dav, collection, request.signal);
  let cursor: Cursor | null = fallback?.kind === 'token' ? { kind: 'token', token: fallback.token } : null;
  if (hasTokens && state.token !== null) cursor = { kind: 'token', token: state.token };
  const ctag: Cursor | null =
    state.ctag === null
      ? null
      : { kind: 'ctag', ctag: state.ctag, firstSeenMs: same?.firstSeenMs ?? nowMs, listedAtMs: nowMs };
  return { listing, cursor: cursor ?? ctag, listed: new Set(listing.versions.keys()), trustsEqualVersions: true };
}

/** Refs whose listed version the store does not hold. */
async function* unknownOf(
  listing: Listing,
  request: PullRequest,
  trustsEqualVersions: boolean,
  day: number,
  withheld: Set<string>,
): AsyncGenerator<string[]> {
  const refs = [...listing.versions.keys()];
  for (let from = 0, size = firstKnownSize; from < refs.length; from += size, size = knownSize) {
    const some = refs.slice(from, from + size);
    const known = await request.known(some);
    for (const [ref, version] of known) if (version === '') withheld.add(ref);
    yield some.filter((ref) => {
      const version = listing.versions.get(ref) ?? '';
      const same = version !== '' && known.get(ref) === version;
      const doubted = isCounterVersion(version) && (!trustsEqualVersions || (request.full && isSampled(ref, day)));
      return !same || doubted;
    });
  }
}

/** The same refs as they come, by as many as one multiget asks for. */
async function* chunksOf(pages: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  let refs: string[] = [];
  for await (const page of pages) {
    refs.push(...page);
    for (; refs.length >= chunkSize; refs = refs.slice(chunkSize)) yield refs.slice(0, chunkSize);
  }
  if (refs.length > 0) yield refs;
}

/** A counter can repeat for other content without anybody saying so; scrubs read each such object once a week. */
function isSampled(ref: string, day: number): boolean {
  let sum = 0;
  for (let i = 0; i < ref.length; i += 1) sum = (sum * 31 + ref.charCodeAt(i)) % 1_000_003;
  return (sum + day) % 7 === 0;
}

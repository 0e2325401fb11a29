import { ProviderError } from '#kernel/errors.ts';
import type { Item } from '#kernel/event.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { PullEnd, PullPage, PullRequest } from '../port.ts';
import type { RestClient } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { cursorExpired } from './errors.ts';
import { fetchSeries } from './fetch-series.ts';
import { listPage } from './requests.ts';
import { type GoogleEvent, type GooglePage, readEvent } from './resource.ts';
import { isEmpty, SeriesBasket } from './series-basket.ts';
import {
  hasExceptions,
  isCancelled,
  isRecurring,
  itemOf,
  type ReadContext,
  type SeriesParts,
  versionOf,
} from './to-event.ts';

/** The most Google gives; where that makes more than `pageBytes`, everything is listed again in small pages. */
export const fullPageSize = 2_500;
/** Events of 200 attendees and the longest description fit. */
const smallPageSize = 50;
/** Items handed over at once, and refs per question to the store. */
const handSize = 500;
/** Changed series fetched side by side. */
const fetchedAtOnce = 4;

/**
 * Pulls one calendar without time bounds, because a window would decide which events exist. A quiet pull is a single
 * request.
 * Single events are returned page by page. Series are returned when all parts are known, because an exception may come
 * pages before its master. For a changed series, only the parts missing in the list are fetched.
 *
 * Errors: cursor-expired (pull again with a null cursor), not-found `CALENDAR_GONE`, and Google's own.
 * Source: Google Calendar API, "Synchronize resources efficiently", Events: list.
 */
export async function* pullEvents(
  rest: RestClient,
  reading: Omit<ReadContext, 'calendarZone'>,
  request: PullRequest,
  pageSize: number,
): AsyncGenerator<PullPage, PullEnd> {
  const cursor = request.cursor === null || request.full ? null : decodeCursor(request.cursor);
  if (cursor !== null) {
    try {
      return yield* pullOnce(rest, reading, request, cursor.pageSize, cursor.syncToken);
    } catch (error) {
      if (isTooLarge(error)) throw cursorExpired();
      throw error;
    }
  }
  try {
    return yield* pullOnce(rest, reading, request, pageSize, undefined);
  } catch (error) {
    if (!isTooLarge(error) || pageSize <= smallPageSize) throw error;
  }
  return yield* pullOnce(rest, reading, request, smallPageSize, undefined);
}

async function* pullOnce(
  rest: RestClient,
  reading: Omit<ReadContext, 'calendarZone'>,
  request: PullRequest,
  pageSize: number,
  syncToken: string | undefined,
): AsyncGenerator<PullPage, PullEnd> {
  const isFull = syncToken === undefined;
  const listed = isFull ? new Set<string>() : null;
  const basket = new SeriesBasket();
  const context: ReadContext = { ...reading, calendarZone: undefined };
  let nextSyncToken: string | undefined;
  for await (const page of pagesOf(rest, request, pageSize, syncToken)) {
    nextSyncToken = page.nextSyncToken;
    context.calendarZone = page.timeZone ?? context.calendarZone;
    const singles = new Map<string, SeriesParts>();
    const gone: string[] = [];
    for (const event of await inSlices(readEach(page.items))) {
      if (event.recurringEventId !== undefined) basket.addException(event.recurringEventId, event);
      else if (isCancelled(event)) {
        basket.close(event.id);
        singles.delete(event.id);
        if (!isFull) gone.push(event.id);
      } else if (isRecurring(event)) basket.addMaster(event);
      else {
        basket.close(event.id);
        singles.set(event.id, { ref: event.id, master: event, exceptions: [] });
      }
    }
    for (const ref of singles.keys()) listed?.add(ref);
    yield* handOver([...singles.values()], gone, request, context);
  }

  const found = isFull
    ? { whole: basket.parts().filter((parts) => !isEmpty(parts)), gone: [] }
    : await complete(rest, request, basket);
  for (const { ref } of found.whole) listed?.add(ref);
  yield* handOver(found.whole, found.gone, request, context);
  return {
    cursor: nextSyncToken === undefined ? null : encodeCursor({ syncToken: nextSyncToken, pageSize }),
    listed,
    requests: rest.sent.count,
  };
}

function* readEach(items: readonly unknown[]): Sliced<GoogleEvent[]> {
  const events: GoogleEvent[] = [];
  for (const item of items) {
    const event = readEvent(item);
    if (event !== null) events.push(event);
    yield;
  }
  return events;
}

function* itemsOf(all: readonly SeriesParts[], context: ReadContext): Sliced<Item[]> {
  const items: Item[] = [];
  for (const parts of all) {
    items.push(itemOf(parts, context));
    yield;
  }
  return items;
}

/** The pages of one list; the next one is asked for while the caller works on the last. */
async function* pagesOf(
  rest: RestClient,
  { calendarRef, signal }: PullRequest,
  pageSize: number,
  syncToken: string | undefined,
): AsyncGenerator<GooglePage> {
  const ask = (pageToken: string | undefined) => {
    const asked = listPage(rest, calendarRef, { maxResults: pageSize, syncToken, pageToken }, signal);
    // The caller may leave before this is awaited; its failure is then nobody's.
    asked.catch(() => undefined);
    return asked;
  };
  let ahead: Promise<GooglePage> | undefined = ask(undefined);
  let last: string | undefined;
  while (ahead !== undefined) {
    const page: GooglePage = await ahead;
    const next = page.nextPageToken;
    if (next !== undefined && next === last) throw badAnswer('a page of the list points to itself');
    last = next;
    ahead = next === undefined ? undefined : ask(next);
    yield page;
  }
}

/** Completes the changed series: from the list alone where it has all parts, else by a request for each. */
async function complete(
  rest: RestClient,
  request: PullRequest,
  basket: SeriesBasket,
): Promise<{ whole: SeriesParts[]; gone: string[] }> {
  const changed = basket.parts();
  const known = await knownOf(changed, request);
  const whole: SeriesParts[] = [];
  const gone: string[] = [];
  const unclear: SeriesParts[] = [];
  for (const parts of changed) {
    // New, or without exceptions so far: whatever exceptions there are have changed as well.
    const tellsAll = parts.master !== null && !hasExceptions(known.get(parts.ref) ?? '');
    (tellsAll ? whole : unclear).push(parts);
  }
  for (let from = 0; from < unclear.length; from += fetchedAtOnce) {
    const some = unclear.slice(from, from + fetchedAtOnce);
    const fetched = await Promise.all(
      some.map(({ ref, master, exceptions }) => {
        const told = master === null ? exceptions : [master, ...exceptions];
        return fetchSeries(rest, request.calendarRef, ref, told, request.signal);
      }),
    );
    for (const [at, parts] of fetched.entries()) {
      if (parts === null) gone.push(some[at]?.ref ?? '');
      else whole.push(parts);
    }
  }
  return { whole, gone };
}

/** Hands over what the store does not hold in this version, and what is gone. */
async function* handOver(
  all: SeriesParts[],
  gone: string[],
  request: PullRequest,
  context: ReadContext,
): AsyncGenerator<PullPage> {
  let left = gone;
  for (let from = 0; from < all.length; from += handSize) {
    const some = all.slice(from, from + handSize);
    const known = await knownOf(some, request);
    const changed = some.filter((parts) => {
      const version = versionOf(parts);
      return version === '' || known.get(parts.ref) !== version;
    });
    if (changed.length === 0) continue;
    yield { items: await inSlices(itemsOf(changed, context)), gone: left };
    left = [];
  }
  if (left.length > 0) yield { items: [], gone: left };
}

async function knownOf(parts: SeriesParts[], request: PullRequest): Promise<Map<string, string>> {
  return parts.length === 0 ? new Map() : await request.known(parts.map(({ ref }) => ref));
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ProviderError && error.code === 'TOO_LARGE' && error.kind === 'transient';
}

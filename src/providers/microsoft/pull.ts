import type { Item } from '#kernel/event.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { PullEnd, PullPage, PullRequest } from '../port.ts';
import type { RestClient } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts';
import { cursorExpired, otherSite } from './errors.ts';
import { calendarPath, pagesOf } from './graph.ts';
import { type GraphEvent, readEvent } from './graph-event.ts';
import { type Place, readEvents, windowOptions } from './read-events.ts';
import type { EventReader, Window } from './to-item.ts';

/** The time range of a baseline around its day. A token fixes it, so a new baseline is made before it runs out. */
const pastDays = 60;
const futureDays = 400;
const baselineLastsMs = 7 * dayMs;
/** A delta link once gave the same 278 events for 3,548 pages. */
const pagesWithoutNews = 40;

/**
 * One pull of one calendar: a round of `calendarView/delta`. A quiet one is a single request. Events that stand alone are
 * given page by page; of a series any row says only that something about it changed, and a tombstone only that an event
 * is not in the time range any more, so both are read by name once the round is over.
 *
 * *Errors*: cursor-expired (pull again with a null cursor), not-found `CALENDAR_GONE`, and what Graph says.
 * *Source*: event: delta, delta-query-overview, delta-query-events.
 */
export async function* pullCalendar(
  rest: RestClient,
  read: EventReader,
  request: PullRequest,
  nowMs: number,
): AsyncGenerator<PullPage, PullEnd> {
  const { calendarRef, signal } = request;
  const before = rest.sent.count;
  const cursor = cursorOf(rest, request, nowMs);
  const window = cursor?.window ?? windowAt(nowMs);
  const round = new Round(read, cursor === null);
  const target = cursor?.link ?? `${calendarPath(calendarRef)}/calendarView/delta`;
  const options = cursor === null ? { options: windowOptions(window) } : {};
  let link: string | undefined;
  const operation = cursor === null ? 'baseline' : 'delta';
  for await (const page of pagesOf(rest, { operation, method: 'GET', target, ...options, signal })) {
    const fresh = round.take(page.value);
    link = page.deltaLink;
    // A token that leads nowhere is as good as none; a first listing has no other to fall back on.
    if (round.idle > pagesWithoutNews) throw cursor === null ? badAnswer('its list never ends') : cursorExpired();
    const items = await unknownOf(fresh, request);
    if (items.length > 0) yield { items, gone: [] };
  }
  if (link === undefined) throw badAnswer('its list is incomplete');
  if (!rest.reaches(link)) throw otherSite(link);

  const place: Place = { rest, read, calendarRef, window, signal };
  for await (const page of readEvents(place, round)) {
    round.settle(page);
    const items = await unknownOf(page.items, request);
    if (items.length + page.gone.length > 0) yield { items, gone: page.gone };
  }
  const madeAtMs = cursor?.madeAtMs ?? nowMs;
  return {
    cursor: encodeCursor({ link, window, madeAtMs }),
    listed: round.listed,
    covers: window,
    requests: rest.sent.count - before,
  };
}

/** Null where a new baseline is asked for. *Errors*: cursor-expired for one that is old, or of another version or address. */
function cursorOf(rest: RestClient, request: PullRequest, nowMs: number): Cursor | null {
  if (request.full || request.cursor === null) return null;
  const cursor = decodeCursor(request.cursor);
  if (cursor === null || nowMs - cursor.madeAtMs > baselineLastsMs) throw cursorExpired();
  // a cursor of the service at another address: its links do not work here
  if (!rest.reaches(cursor.link)) throw cursorExpired();
  return cursor;
}

/** From midnight to midnight, UTC. */
export function windowAt(nowMs: number): Window {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  return { fromMs: today - pastDays * dayMs, toMs: today + (futureDays + 1) * dayMs };
}

/** Returns the items whose version the store lacks. Without items the store is not asked. */
async function unknownOf(items: Item[], request: PullRequest): Promise<Item[]> {
  if (items.length === 0) return items;
  const known = await request.known(items.map((item) => item.ref));
  return items.filter((item) => item.version === '' || known.get(item.ref) !== item.version);
}

/** Rows of one round so far: the same event may come several times, in any order. */
class Round {
  /** Series of which any row was told. */
  readonly masters = new Set<string>();
  /** Told as removed, or without what an event needs. */
  readonly refs = new Set<string>();
  /** Every ref that stands in the time range, in a baseline. */
  readonly listed: Set<string> | null;
  /** Pages in a row that told nothing new. */
  idle = 0;
  readonly #read: EventReader;
  /** Newest word on each event that stands alone. */
  readonly #newest = new Map<string, { modified: string; version: string }>();
  readonly #seen = new Set<string>();

  constructor(read: EventReader, baseline: boolean) {
    this.#read = read;
    this.listed = baseline ? new Set() : null;
  }

  /** Takes a page in, and gives the events that can be given as they are. */
  take(rows: unknown[]): Item[] {
    const fresh = new Map<string, Item>();
    let news = rows.length === 0;
    for (const row of rows) {
      const known = readEvent(row);
      if (known === null) throw badAnswer("it doesn't name an event");
      news =
        this.#note(known.ok ? `${known.event.id} ${versionOf(known.event)}` : `${known.id} ${known.version}`) || news;
      const item = known.ok ? this.#takeEvent(known.event) : this.#takeUnknown(known);
      if (item !== null) fresh.set(item.ref, item);
    }
    this.idle = news ? 0 : this.idle + 1;
    return [...fresh.values()];
  }

  /** Updates the listed refs after events were read by id. */
  settle(page: PullPage): void {
    for (const item of page.items) this.listed?.add(item.ref);
    for (const ref of page.gone) this.listed?.delete(ref);
  }

  #note(row: string): boolean {
    if (this.#seen.has(row)) return false;
    this.#seen.add(row);
    return true;
  }

  #takeEvent(event: GraphEvent): Item | null {
    if (event['@removed'] !== null && event['@removed'] !== undefined) {
      this.refs.add(event.id);
      return null;
    }
    if (event.seriesMasterId) {
      this.masters.add(event.seriesMasterId);
      return null;
    }
    if (event.type === 'seriesMaster') {
      this.masters.add(event.id);
      return null;
    }
    if (!event.start || !event.end || !event.showAs || !event['@odata.etag']) {
      this.refs.add(event.id);
      return null;
    }
    const modified = event.lastModifiedDateTime ?? '';
    const newest = this.#newest.get(event.id);
    if (newest !== undefined && (newest.modified > modified || newest.version === versionOf(event))) return null;
    this.#newest.set(event.id, { modified, version: versionOf(event) });
    this.listed?.add(event.id);
    return this.#read.single(event);
  }

  #takeUnknown({
    id,
    version,
    seriesMasterId,
  }: {
    id: string;
    version: string;
    seriesMasterId: string | null;
  }): Item | null {
    if (seriesMasterId !== null) {
      this.masters.add(seriesMasterId);
      return null;
    }
    this.listed?.add(id);
    return this.#read.withheld(id, version);
  }
}

function versionOf(event: GraphEvent): string {
  return event['@removed'] ? 'removed' : (event['@odata.etag'] ?? '');
}

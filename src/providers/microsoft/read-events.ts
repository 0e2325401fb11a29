import { ProviderError } from '#kernel/errors.ts';
import type { Item } from '#kernel/event.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import type { PullPage } from '../port.ts';
import type { RestClient } from '../rest/client.ts';
import { provesGone } from './errors.ts';
import { askGraph, batchSize, eventPath, pagesOf, readBatch } from './graph.ts';
import { eventFields, type GraphEvent, readEvent } from './graph-event.ts';
import type { EventReader, Window } from './to-item.ts';

/** Where events are read: an account, one of its calendars, and the time a series is expanded over if it has to be. */
export interface Place {
  rest: RestClient;
  read: EventReader;
  calendarRef: string;
  window: Window;
  signal: AbortSignal;
}

export interface Wanted {
  /** Events of which nothing is known but the name. */
  refs: Iterable<string>;
  /** Masters, which come with their exceptions. */
  masters: Iterable<string>;
}

/**
 * Reads events by their names, each once: every one is among the items or, on Outlook's word, gone. The name of an
 * instance stands for its series.
 */
export async function* readEvents(place: Place, wanted: Wanted): AsyncGenerator<PullPage, void> {
  const masters = new Set(wanted.masters);
  const refs = [...new Set(wanted.refs)].filter((ref) => !masters.has(ref));
  for (const some of chunks(refs)) {
    const page: PullPage = { items: [], gone: [] };
    const rows = await readMany(place, some, { $select: eventFields });
    some.forEach((ref, at) => {
      const row = rows[at];
      if (row === undefined) page.gone.push(ref);
      else readOne(place, row, masters, page);
    });
    if (page.items.length + page.gone.length > 0) yield page;
  }
  for (const some of chunks([...masters])) {
    const page: PullPage = { items: [], gone: [] };
    const rows = await readMany(place, some, seriesOptions);
    for (const [at, ref] of some.entries()) {
      const row = rows[at];
      if (row === undefined) page.gone.push(ref);
      else page.items.push(await readMaster(place, row));
    }
    yield page;
  }
}

/** Source: event resource type: both properties come only to those who ask for them by name. */
export const seriesOptions = {
  $select: `${eventFields},cancelledOccurrences,exceptionOccurrences`,
  $expand: 'exceptionOccurrences',
};

function readOne({ read }: Place, row: unknown, masters: Set<string>, page: PullPage): void {
  const known = readEvent(row);
  if (known === null) throw unreadable();
  if (!known.ok) page.items.push(read.withheld(known.id, known.version));
  else if (known.event.type === 'seriesMaster') masters.add(known.event.id);
  else if (known.event.seriesMasterId) masters.add(known.event.seriesMasterId);
  else page.items.push(read.single(known.event));
}

export async function readMaster(place: Place, row: unknown): Promise<Item> {
  const known = readEvent(row);
  if (known === null) throw unreadable();
  if (!known.ok) return place.read.withheld(known.id, known.version);
  const { event } = known;
  if (event.type === 'singleInstance') return place.read.single(event);
  const { read, window } = place;
  return read.series(event, window) ?? read.instances(event, await readInstances(place, event.id), window);
}

async function readInstances({ rest, calendarRef, window, signal }: Place, ref: string): Promise<GraphEvent[]> {
  const list: GraphEvent[] = [];
  const options = { ...windowOptions(window), $select: eventFields, $top: '100' };
  const target = `${eventPath(calendarRef, ref)}/instances`;
  for await (const page of pagesOf(rest, { operation: 'instances', method: 'GET', target, options, signal })) {
    for (const row of page.value) {
      const known = readEvent(row);
      // One instance that cannot be read would be one that is not there.
      if (known === null || !known.ok) throw unreadable();
      list.push(known.event);
    }
  }
  return list;
}

/** Both ends of a time range, in UTC. */
export function windowOptions({ fromMs, toMs }: Window): { startDateTime: string; endDateTime: string } {
  return { startDateTime: `${printLocalDateTime(fromMs)}Z`, endDateTime: `${printLocalDateTime(toMs)}Z` };
}

/** The rows of these events, undefined for those that are gone. A part that failed for itself is asked for alone, once. */
async function readMany(place: Place, refs: string[], options: Record<string, string>): Promise<unknown[]> {
  const { rest, calendarRef, signal } = place;
  const query = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const targets = refs.map((ref) => `${eventPath(calendarRef, ref)}?${query.join('&')}`);
  const parts = refs.length === 1 ? [null] : await readBatch(rest, targets, signal);
  const rows: unknown[] = [];
  for (const [at, ref] of refs.entries()) {
    const part = parts[at] ?? null;
    if (part !== null && part.status >= 200 && part.status < 300) rows.push(part.json);
    else if (part !== null && provesGone(part.status, part.json)) rows.push(undefined);
    else rows.push(await readAlone(place, ref, options));
  }
  return rows;
}

export async function readAlone(place: Place, ref: string, options: Record<string, string>): Promise<unknown> {
  const { rest, calendarRef, signal } = place;
  try {
    const target = eventPath(calendarRef, ref);
    return (await askGraph(rest, { operation: 'event', method: 'GET', target, options, signal })).json;
  } catch (error) {
    if (error instanceof ProviderError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function unreadable(): ProviderError {
  return new ProviderError(
    'transient',
    'BAD_ANSWER',
    "We couldn't read the server's response: it doesn't name an event. Nothing was changed.",
  );
}

function* chunks(refs: string[]): Generator<string[]> {
  for (let from = 0; from < refs.length; from += batchSize) yield refs.slice(from, from + batchSize);
}

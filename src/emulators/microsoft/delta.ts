import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';
import { type GraphCall, needRead } from './graph-call.ts';
import { badRequest, GraphError } from './graph-errors.ts';
import { printInstant } from './graph-time.ts';
import { type Instance, instancesIn, startOf, type Window } from './instances.ts';
import { calendarId, eventId, refId } from './item-ids.ts';
import { presentEvent, presentInstance, presentStub, selectFrom } from './present-event.ts';
import { readWindow } from './read-events.ts';
import type { Calendar, CalendarEvent, LogEntry } from './world.ts';

/**
 * `calendarView/delta`: what changed in a time range that the token holds fast.
 * Source: "event: delta", "Get incremental changes to events in a calendar view", "Use delta query".
 */

/** The state that a token carries. Positions are those of the calendar's log. */
interface TokenState {
  calendar: string;
  epoch: number;
  fromMs: number;
  toMs: number;
  /** A first round tells what stands, not what has gone. */
  first: boolean;
  /** Changes up to here are known to the client. */
  since: number;
  /** The end of the round's changes. Null in a deltatoken: the round has yet to begin. */
  upTo: number | null;
  /** How far the round has come. */
  cursor: number;
  /** Pages given so far. */
  page: number;
}

const unsupported = ['$select', '$expand', '$filter', '$orderby', '$search', '$top'];

const defaultPageSize = 50;

export function deltaOf(call: GraphCall, calendar: Calendar): Reply {
  needRead(call);
  const { options } = call;
  if (unsupported.some((name) => options.has(name))) {
    const message = `The following parameters are not supported with change tracking over the 'CalendarView' resource: '${unsupported.join(', ')}'.`;
    throw badRequest('ErrorInvalidUrlQuery', message);
  }
  const state = beginRound(call, calendar);
  return answerPage(call, calendar, state);
}

/** Begins or continues the round of a request. */
function beginRound(call: GraphCall, calendar: Calendar): TokenState & { upTo: number } {
  const token = call.options.get('$skiptoken') ?? (call.options.get('$deltatoken') || undefined);
  const upTo = visibleUpTo(call, calendar);
  if (token === undefined) {
    const { fromMs, toMs } = readWindow(call.options);
    return {
      calendar: calendar.key,
      epoch: calendar.tokenEpoch,
      fromMs,
      toMs,
      first: true,
      since: 0,
      upTo,
      cursor: 0,
      page: 0,
    };
  }
  const state = readToken(token);
  if (!state || state.calendar !== calendar.key) throw badRequest('ErrorInvalidUrlQuery', 'Badly formed token.');
  if (state.epoch !== calendar.tokenEpoch || call.quirk?.startsWith('reset-')) throw resetOf(call, calendar, state);
  return { ...state, upTo: state.upTo ?? Math.max(upTo, state.since) };
}

/** Replicas lag: what changed a moment ago is not told yet (M10). */
function visibleUpTo({ world, nowMs, quirk }: GraphCall, { log }: Calendar): number {
  const lagMs = quirk === 'lag' ? 30_000 : world.knobs.lagMs;
  let upTo = log.length;
  while (lagMs > 0 && upTo > 0 && log[upTo - 1]!.atMs > nowMs - lagMs) upTo -= 1;
  return upTo;
}

function answerPage(call: GraphCall, calendar: Calendar, state: TokenState & { upTo: number }): Reply {
  const { quirk } = call;
  const size = call.preferences.maxPageSize ?? defaultPageSize;
  const rows: Record<string, unknown>[] = [];
  let { cursor } = state;
  // An empty page with a link to the next one is a page.
  const empty = quirk === 'empty-page' && state.page === 0;
  while (!empty && cursor < state.upTo && rows.length < size) {
    const entry = calendar.log[cursor]!;
    cursor += 1;
    const superseded = entry.next !== null && entry.next < state.upTo;
    // A series is never split over two pages, so a page may be longer than asked for.
    if (!superseded) rows.push(...rowsOf(call, entry, state));
    // The same event once more as an older replica has it, behind what is newer.
    if (quirk === 'stale-copies' && entry.event && entry.was) {
      rows.push(...rowsOf(call, { ...entry, event: entry.was }, state));
    }
  }
  if (quirk === 'removed-alive') rows.push(...removedThoughAlive(call, calendar));
  if (quirk === 'shuffled') rows.reverse();
  if (quirk === 'repeated-rows') rows.push(...rows.map((row) => structuredClone(row)));
  // A cursor that goes round in circles and never comes to a deltaLink.
  const wedged = quirk === 'wedged';
  const done = cursor >= state.upTo && !empty && !wedged;
  const next: TokenState = done
    ? { ...state, first: false, since: state.upTo, upTo: null, cursor: state.upTo, page: 0 }
    : { ...state, cursor: wedged ? state.cursor : cursor, page: state.page + 1 };
  const link = linkTo(call, calendar, done ? '$deltatoken' : '$skiptoken', writeToken(next));
  return jsonReply(200, {
    '@odata.context': `${call.graphBase}/$metadata#Collection(event)`,
    [done ? '@odata.deltaLink' : '@odata.nextLink']: quirk === 'foreign-link' ? foreign(link) : link,
    value: rows,
  });
}

function foreign(link: string): string {
  const { pathname, search } = new URL(link);
  return `https://graph.attacker.example${pathname}${search}`;
}

/** The rows of one changed event. One that has nothing in the window is told like one that is gone. */
function rowsOf(call: GraphCall, entry: LogEntry, state: TokenState): Record<string, unknown>[] {
  const { event } = entry;
  const instances = event === null ? [] : instancesIn(event, state);
  if (event !== null && instances.length > 0)
    return event.recurrence ? series(call, event, instances, state) : [whole(call, instances[0]!)];
  if (state.first && !call.world.knobs.removedInFirstRound) return [];
  return removedRows(call, entry, state);
}

/** `@removed` carries no type: the id may be that of a master. */
function removedRows(call: GraphCall, entry: LogEntry, window: Window): Record<string, unknown>[] {
  const last = entry.event ?? entry.was;
  const place = call.preferences.immutableIds ? null : (last?.place ?? 0);
  const removed = (day: number | null) => ({
    '@odata.type': '#microsoft.graph.event',
    id: refId(call.mailbox, { key: entry.key, day, place }),
    '@removed': { reason: 'deleted' },
  });
  const rows = [removed(null)];
  if (entry.event === null && last?.recurrence && call.world.knobs.removedSeries === 'master-and-occurrences') {
    rows.push(...instancesIn(last, window).map(({ day }) => removed(day)));
  }
  return rows;
}

/** The same words are used for events that still stand, but not in the window (M8): the last one is told so. */
function removedThoughAlive({ mailbox, preferences }: GraphCall, { events }: Calendar): Record<string, unknown>[] {
  const event = [...events.values()].at(-1);
  if (!event) return [];
  const id = eventId(mailbox, event, null, preferences.immutableIds);
  return [{ '@odata.type': '#microsoft.graph.event', id, '@removed': { reason: 'deleted' } }];
}

function series(
  call: GraphCall,
  event: CalendarEvent,
  instances: Instance[],
  window: Window,
): Record<string, unknown>[] {
  const { seriesMaster, sparseExceptions } = call.world.knobs;
  const sparse = sparseExceptions || call.quirk === 'sparse-exceptions';
  const rows = instances.map((instance) =>
    instance.type === 'occurrence' || sparse ? presentStub(call, instance) : whole(call, instance),
  );
  const startsBefore = startOf(event.content) < window.fromMs;
  const absent =
    seriesMaster === 'absent' ||
    call.quirk === 'no-master' ||
    (seriesMaster === 'absent-before-window' && startsBefore);
  return absent
    ? rows
    : [{ '@odata.type': '#microsoft.graph.event', ...selectFrom(presentEvent(call, event), null) }, ...rows];
}

function whole(call: GraphCall, instance: Instance): Record<string, unknown> {
  return { '@odata.type': '#microsoft.graph.event', ...selectFrom(presentInstance(call, instance), null) };
}

/** 410 with the address to begin again at, or one of the codes seen instead. Source: "Synchronization reset". */
function resetOf(call: GraphCall, calendar: Calendar, { fromMs, toMs }: TokenState): GraphError {
  const how = call.quirk?.startsWith('reset-') ? call.quirk.slice('reset-'.length) : call.world.knobs.reset;
  const message = 'The sync state generation is not found; continue with a full synchronization.';
  switch (how) {
    case 'resyncRequired':
      return new GraphError(400, 'resyncRequired', 'Resync required. Replace any local items with the server version.');
    case 'syncStateNotFound':
      return new GraphError(404, 'syncStateNotFound', message);
    case 'syncStateInvalid':
      return new GraphError(400, 'syncStateInvalid', message);
    default: {
      const window = `startDateTime=${printInstant(fromMs)}&endDateTime=${printInstant(toMs)}`;
      const headers = { location: `${pathTo(call, calendar)}?${window}&$deltatoken=` };
      return new GraphError(410, 'syncStateNotFound', message, { headers });
    }
  }
}

function linkTo(call: GraphCall, calendar: Calendar, name: string, token: string): string {
  return `${pathTo(call, calendar)}?${name}=${token}`;
}

/** The path that the round was begun with stays its path. */
function pathTo(call: GraphCall, calendar: Calendar): string {
  const named = call.segments[1] === 'calendars' ? `/me/calendars/${calendarId(call.mailbox, calendar)}` : '/me';
  return `${call.graphBase}${named}/calendarView/delta`;
}

function writeToken(state: TokenState): string {
  return Buffer.from(JSON.stringify(state)).toString('base64url');
}

function readToken(token: string): TokenState | null {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as TokenState;
  } catch {
    return null;
  }
}

import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { type ApiCall, hasScope, openCalendar, readCount, readFlag } from './call.ts';
import { badRequest, invalidParameter } from './errors.ts';
import { printUtc, spanOf } from './event-time.ts';
import { checkEpoch, type PageToken, printToken, queryKey, readPageToken, readSyncToken } from './list-token.ts';
import { selectFields } from './partial-response.ts';
import { renderEvent, type View } from './render-event.ts';
import { readFilter, selectChanged, selectEvents } from './select-events.ts';
import type { StoredEvent } from './stored-event.ts';
import type { AccessRole, Calendar } from './world.ts';

const FORBIDDEN_WITH_SYNC_TOKEN = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
];
/** A list narrowed by these cannot be continued incrementally: it ends without a sync token. */
const WITHOUT_SYNC_TOKEN = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'updatedMin',
];

/** Source: Google Calendar API, Events: list; "Synchronize resources efficiently". */
export function listEvents(call: ApiCall): Reply {
  const { query, moment } = call;
  const { calendar, role } = openCalendar(call, call.path[0]!);
  checkSyncParameters(query);
  const limit = readCount(query, 'maxResults', 250, 2_500);
  const filter = readFilter(query);
  const position = positionOf(call, calendar);
  const { sinceRevision } = position;
  // a lagging replica: nothing is new to it, and its token continues where the client was
  if (moment.quirk === 'stale' && sinceRevision !== null) position.revision = sinceRevision;
  const { revision } = position;
  const events =
    sinceRevision === null
      ? selectEvents(calendar, filter, moment.nowMs)
      : selectChanged(calendar, calendar.log.slice(sinceRevision, revision), filter, moment.nowMs);
  const page = cutPage(events, position, limit, query.get('orderBy'), moment.quirk);
  const view = viewOf(call, calendar, role);
  const resource = {
    kind: 'calendar#events',
    etag: `"p${revision}"`,
    summary: calendar.summary,
    updated: printUtc(moment.nowMs),
    timeZone: query.get('timeZone') ?? calendar.timeZone,
    accessRole: role,
    defaultReminders: [],
    ...endOf(position, page.next, query, moment.nowMs),
    items: page.events.map((event) => renderEvent(event, view)),
  };
  return jsonReply(200, selectFields(resource, query.get('fields')));
}

export function viewOf(call: ApiCall, calendar: Calendar, role: AccessRole): View {
  const { query } = call;
  return {
    calendar,
    role,
    busyOnly: !hasScope(call, ...READS_DETAILS),
    timeZone: query.get('timeZone'),
    maxAttendees: query.has('maxAttendees') ? readCount(query, 'maxAttendees', 1, 1_000_000) : null,
  };
}

const READS_DETAILS = [
  'calendar',
  'calendar.readonly',
  'calendar.events',
  'calendar.events.readonly',
  'calendar.events.owned',
  'calendar.events.owned.readonly',
  'calendar.app.created',
];

function checkSyncParameters(query: URLSearchParams): void {
  readFlag(query, 'singleEvents');
  const showDeleted = readFlag(query, 'showDeleted');
  const orderBy = query.get('orderBy');
  if (orderBy !== null && orderBy !== 'startTime' && orderBy !== 'updated') throw invalidParameter('orderBy');
  if (orderBy === 'startTime' && query.get('singleEvents') !== 'true') {
    throw badRequest('invalid', 'The requested ordering is not available for the particular query.', {
      locationType: 'parameter',
      location: 'orderBy',
    });
  }
  if (!query.has('syncToken')) return;
  const bad = FORBIDDEN_WITH_SYNC_TOKEN.find((name) => query.has(name)) ?? (showDeleted === false && 'showDeleted');
  if (!bad) return;
  throw badRequest('invalid', `Sync token cannot be combined with ${bad}.`, {
    locationType: 'parameter',
    location: bad,
  });
}

function positionOf({ world, query, moment }: ApiCall, calendar: Calendar): PageToken {
  const key = queryKey(query);
  const pageToken = query.get('pageToken');
  if (pageToken !== null) {
    const token = readPageToken(pageToken, calendar.id, key);
    // Access changed between two pages of one list: the whole list is void.
    if (token.sinceRevision !== null) checkEpoch(token, calendar.epoch);
    return token;
  }
  const start: PageToken = {
    kind: 'page',
    of: calendar.id,
    query: key,
    sinceRevision: null,
    revision: calendar.log.length,
    epoch: calendar.epoch,
    after: null,
    repeated: false,
  };
  const syncToken = query.get('syncToken');
  if (syncToken === null) return start;
  const { syncTokenDays } = world.knobs;
  const oldestMs = syncTokenDays === null ? Number.NEGATIVE_INFINITY : moment.nowMs - syncTokenDays * dayMs;
  const { revision } = readSyncToken(syncToken, calendar.id, key, calendar.epoch, oldestMs);
  return { ...start, sinceRevision: revision };
}

interface Page {
  events: StoredEvent[];
  next: { after: string | null; repeated: boolean } | null;
}

/** The next page. How a fault bends it is a name: see the catalogue. */
function cutPage(
  events: StoredEvent[],
  { after, repeated }: PageToken,
  limit: number,
  orderBy: string | null,
  quirk: string | null,
): Page {
  if (quirk === 'empty-page') return { events: [], next: { after, repeated } };
  const keyed = events
    .map((event): [string, StoredEvent] => [sortKey(event, orderBy), event])
    .filter(([key]) => after === null || key > after)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const taken = keyed.slice(0, quirk === 'short-page' ? 1 : limit);
  const last = taken.at(-1)?.[0] ?? after;
  let next: Page['next'] = keyed.length > taken.length ? { after: last, repeated: false } : null;
  let page = taken.map(([, event]) => event);
  if (quirk === 'repeated-page' && !repeated) next = { after, repeated: true };
  if (quirk === 'endless') next = { after, repeated: false };
  if (quirk === 'shuffled') page = page.toReversed();
  if (quirk === 'exceptions-first') page = page.toSorted((a, b) => Number(isMaster(a)) - Number(isMaster(b)));
  if (quirk === 'doubled-item') page = page.flatMap((event) => [event, event]);
  if (quirk === 'missing-item') page = page.slice(1);
  return { events: page, next };
}

const isMaster = ({ recurringEventId }: StoredEvent) => recurringEventId === null;

function sortKey(event: StoredEvent, orderBy: string | null): string {
  const number = (value: number) => String(Math.max(0, value)).padStart(16, '0');
  if (orderBy === 'startTime') return `${number(spanOf(event.time, 'UTC').startMs)}:${event.id}`;
  if (orderBy === 'updated') return `${number(event.updatedMs)}:${event.id}`;
  return `${number(event.order)}:${event.id}`;
}

/** The sync token comes with the last page only. */
function endOf(position: PageToken, next: Page['next'], query: URLSearchParams, nowMs: number) {
  if (next) return { nextPageToken: printToken({ ...position, ...next }) };
  if (WITHOUT_SYNC_TOKEN.some((name) => query.has(name))) return {};
  const { of, epoch, revision } = position;
  // a list begun with time bounds continues without them: see `queryKey`
  return {
    nextSyncToken: printToken({ kind: 'sync', of, epoch, revision, query: queryKey(query), issuedAtMs: nowMs }),
  };
}

import { jsonReply, type Reply, reply } from '#emulators/kit/exchange.ts';
import { announceEvents } from './announce.ts';
import { type ApiCall, openCalendar, openForWriting, readCount, readJson } from './call.ts';
import { withConference } from './conference.ts';
import { accessLevel, conditionNotMet, gone, invalid, invalidParameter } from './errors.ts';
import { find } from './find-event.ts';
import { viewOf } from './list-events.ts';
import { selectFields } from './partial-response.ts';
import { momentOf } from './recurrence.ts';
import { renderEvent } from './render-event.ts';
import { expandMaster, readFilter } from './select-events.ts';
import { exceptionsOf, type StoredEvent, storeEvent } from './stored-event.ts';
import type { AccessRole, Calendar } from './world.ts';
import { changeEvent, insertEvent, patchEvent, removeEvent } from './write-event.ts';

/** Source: Google Calendar API, Events: get. A deleted event is still there, as cancelled. */
export function getEvent(call: ApiCall): Reply {
  const { calendar, role } = openCalendar(call, call.path[0]!);
  const event = find(calendar, call.path[1]!);
  if (call.request.headers['if-none-match'] === event.etag) return reply(304, { etag: event.etag });
  return show(call, calendar, role, event);
}

/** Whom a write mails. Nothing is mailed here; the ledger has every query. Source: Events: insert, "sendUpdates". */
function checkSendUpdates({ query }: ApiCall): void {
  const mode = query.get('sendUpdates');
  if (mode !== null && !['all', 'externalOnly', 'none'].includes(mode)) throw invalidParameter('sendUpdates');
}

function bodyOf({ request, query, world }: ApiCall, standing?: unknown): Record<string, unknown> {
  return withConference(readJson(request), query, { standing, isPending: world.knobs.conferencesPend });
}

/** Source: Events: insert. */
export function insertOne(call: ApiCall): Reply {
  checkSendUpdates(call);
  const { calendar, role } = openForWriting(call, call.path[0]!);
  const { world, moment, user } = call;
  const collides = moment.quirk === 'undetected-collision';
  return changed(call, calendar, role, insertEvent(world, calendar, bodyOf(call), moment.nowMs, user.email, collides));
}

/** Adds a private copy, or replaces the one with the same iCalUID. Source: Events: import. */
export function importOne(call: ApiCall): Reply {
  const { calendar, role } = openForWriting(call, call.path[0]!);
  const { world, moment, request, user } = call;
  const body = readJson(request);
  if (typeof body.iCalUID !== 'string' || body.iCalUID === '') throw invalid('Missing iCalUID.');
  const known = [...calendar.events.values()].find(
    (event) => event.iCalUID === body.iCalUID && event.recurringEventId === null,
  );
  const { id: _, ...rest } = body;
  const event = known
    ? changeEvent(world, calendar, known, rest, moment.nowMs)
    : insertEvent(world, calendar, rest, moment.nowMs, user.email);
  return changed(call, calendar, role, event);
}

/** Source: Events: patch; "Performance tips", patch semantics. */
export function patchOne(call: ApiCall): Reply {
  const { world, moment } = call;
  return write(call, (calendar, event) => patchEvent(world, calendar, event, bodyOf(call), moment.nowMs));
}

/** Source: Events: update: what is not given is gone. */
export function updateOne(call: ApiCall): Reply {
  const { world, moment } = call;
  return write(call, (calendar, event) => {
    const body = bodyOf(call, event.fields.conferenceData);
    if (typeof body.sequence === 'number' && body.sequence < event.sequence) {
      throw invalid('Invalid sequence value. The specified sequence number is below the current sequence number.');
    }
    return changeEvent(world, calendar, event, body, moment.nowMs);
  });
}

/** Source: Events: delete; "Handle API errors", 410. */
export function deleteOne(call: ApiCall): Reply {
  checkSendUpdates(call);
  const { calendar } = openForWriting(call, call.path[0]!);
  const { world, moment } = call;
  const event = find(calendar, call.path[1]!);
  if (event.status === 'cancelled') throw gone();
  checkMatch(call, event);
  removeEvent(world, calendar, event, moment.nowMs);
  announceEvents(world, calendar, moment);
  return reply(204);
}

/** To another calendar, which becomes its organizer. Source: Events: move. */
export function moveOne(call: ApiCall): Reply {
  const { world, moment, query } = call;
  const { calendar } = openForWriting(call, call.path[0]!);
  const { calendar: target, role } = openForWriting(call, query.get('destination') ?? '');
  const event = find(calendar, call.path[1]!);
  if (event.status === 'cancelled' || event.recurringEventId !== null) throw invalid('Event cannot be moved.');
  if (event.organizer !== calendar.id) throw accessLevel();
  const exceptions = exceptionsOf(calendar, event.id);
  removeEvent(world, calendar, event, moment.nowMs);
  const moved = storeEvent(world, target, { ...event, organizer: target.id, updatedMs: moment.nowMs });
  for (const exception of exceptions) storeEvent(world, target, { ...exception, organizer: target.id });
  announceEvents(world, calendar, moment);
  return changed(call, target, role, moved);
}

/** Source: Events: instances. */
export function listInstances(call: ApiCall): Reply {
  const { query, moment } = call;
  const { calendar, role } = openCalendar(call, call.path[0]!);
  const master = find(calendar, call.path[1]!);
  const filter = readFilter(query);
  const limit = readCount(query, 'maxResults', 250, 2_500);
  const all = [
    ...expandMaster(calendar, master, filter.timeMinMs, filter.timeMaxMs ?? moment.nowMs + 730 * 86_400_000),
    ...exceptionsOf(calendar, master.id).filter(({ status }) => status !== 'cancelled' || filter.showDeleted),
  ].sort((a, b) => momentOf(a.original!) - momentOf(b.original!));
  const offset = Number(query.get('pageToken') ?? 0);
  const view = viewOf(call, calendar, role);
  const resource = {
    kind: 'calendar#events',
    timeZone: calendar.timeZone,
    accessRole: role,
    ...(all.length > offset + limit && { nextPageToken: String(offset + limit) }),
    items: all.slice(offset, offset + limit).map((event) => renderEvent(event, view)),
  };
  return jsonReply(200, selectFields(resource, query.get('fields')));
}

function write(call: ApiCall, change: (calendar: Calendar, event: StoredEvent) => StoredEvent): Reply {
  checkSendUpdates(call);
  const { calendar, role } = openForWriting(call, call.path[0]!);
  const event = find(calendar, call.path[1]!);
  checkMatch(call, event);
  return changed(call, calendar, role, change(calendar, event));
}

function changed(call: ApiCall, calendar: Calendar, role: AccessRole, event: StoredEvent): Reply {
  announceEvents(call.world, calendar, call.moment);
  return show(call, calendar, role, event);
}

function show(call: ApiCall, calendar: Calendar, role: AccessRole, event: StoredEvent): Reply {
  const resource = renderEvent(event, viewOf(call, calendar, role));
  return jsonReply(200, selectFields(resource, call.query.get('fields')), { etag: event.etag });
}

function checkMatch({ request }: ApiCall, { etag }: StoredEvent): void {
  const wanted = request.headers['if-match'];
  if (wanted !== undefined && wanted !== '*' && wanted !== etag) throw conditionNotMet();
}

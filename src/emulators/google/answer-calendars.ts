import { jsonReply, type Reply, reply } from '#emulators/kit/exchange.ts';
import { type Announcing, announceEvents, announceList } from './announce.ts';
import { type ApiCall, openCalendar, readCount, readFlag, readJson } from './call.ts';
import { accessLevel, badRequest, invalid, invalidParameter, notFound } from './errors.ts';
import { printToken, queryKey, readPageToken, readSyncToken } from './list-token.ts';
import { selectFields } from './partial-response.ts';
import type { Resource } from './render-event.ts';
import {
  type AccessRole,
  accessRoles,
  addCalendar,
  type Calendar,
  isAtLeast,
  type ListEntry,
  nextSecret,
  roleOf,
  type User,
  type World,
} from './world.ts';

/** Source: Google Calendar API, CalendarList: list; "Synchronize resources efficiently". */
export function listCalendarList(call: ApiCall): Reply {
  const { world, user, query, moment } = call;
  const least = query.get('minAccessRole');
  if (least !== null && !isRole(least)) throw invalidParameter('minAccessRole');
  const syncToken = query.get('syncToken');
  if (syncToken !== null && least !== null) {
    throw badRequest('invalid', 'Sync token cannot be combined with minAccessRole.', {
      locationType: 'parameter',
      location: 'minAccessRole',
    });
  }
  if (syncToken !== null && readFlag(query, 'showDeleted') === false) throw invalidParameter('showDeleted');
  const key = queryKey(query);
  const pageToken = query.get('pageToken');
  const page = pageToken === null ? null : readPageToken(pageToken, `list:${user.email}`, key);
  const sync =
    syncToken === null
      ? null
      : readSyncToken(syncToken, `list:${user.email}`, key, user.listEpoch, Number.NEGATIVE_INFINITY);
  const since = page ? page.sinceRevision : (sync?.revision ?? null);
  const revision = page?.revision ?? user.listLog.length;
  const entries =
    since === null
      ? [...user.list.values()].filter((entry) => isShown(world, user, entry, query, least))
      : [...new Set(user.listLog.slice(since, revision))].map((id) => user.list.get(id)!);
  entries.sort((a, b) => (a.calendarId < b.calendarId ? -1 : 1));
  const after = page?.after ?? '';
  const left = entries.filter(({ calendarId }) => calendarId > after);
  const taken = left.slice(0, readCount(query, 'maxResults', 100, 250));
  const common = { of: `list:${user.email}`, query: key, revision, epoch: user.listEpoch };
  const resource = {
    kind: 'calendar#calendarList',
    etag: `"p${revision}"`,
    ...(left.length > taken.length
      ? {
          nextPageToken: printToken({
            kind: 'page',
            ...common,
            sinceRevision: since,
            after: taken.at(-1)!.calendarId,
            repeated: false,
          }),
        }
      : { nextSyncToken: printToken({ kind: 'sync', ...common, issuedAtMs: moment.nowMs }) }),
    items: taken.map((entry) => renderEntry(world, user, entry)),
  };
  return jsonReply(200, selectFields(resource, query.get('fields')));
}

function isShown(world: World, user: User, entry: ListEntry, query: URLSearchParams, least: AccessRole | null) {
  if (entry.deleted && query.get('showDeleted') !== 'true') return false;
  if (entry.hidden && query.get('showHidden') !== 'true') return false;
  const role = roleOf(world.calendars.get(entry.calendarId), user.email);
  return least === null || (role !== null && isAtLeast(role, least));
}

function isRole(text: string): text is AccessRole {
  return (accessRoles as readonly string[]).includes(text);
}

/** Source: CalendarList: get. */
export function getListEntry(call: ApiCall): Reply {
  const { calendar } = openCalendar(call, call.path[0]!);
  const entry = call.user.list.get(calendar.id);
  if (!entry || entry.deleted) throw notFound();
  return jsonReply(200, selectFields(renderEntry(call.world, call.user, entry), call.query.get('fields')));
}

function renderEntry(world: World, user: User, entry: ListEntry): Resource {
  const calendar = world.calendars.get(entry.calendarId)!;
  const head = { kind: 'calendar#calendarListEntry', etag: entry.etag, id: calendar.id };
  const role = roleOf(calendar, user.email);
  if (entry.deleted || !role) return { ...head, deleted: true };
  return {
    ...head,
    summary: calendar.summary,
    ...(entry.summaryOverride !== null && { summaryOverride: entry.summaryOverride }),
    timeZone: calendar.timeZone,
    colorId: '14',
    backgroundColor: calendar.backgroundColor,
    foregroundColor: '#000000',
    ...(entry.selected && { selected: true }),
    ...(entry.hidden && { hidden: true }),
    accessRole: role,
    defaultReminders: [],
    ...(calendar.id === user.email && { primary: true }),
    ...(calendar.id !== calendar.owner && { dataOwner: calendar.owner }),
    conferenceProperties: { allowedConferenceSolutionTypes: calendar.canMeet ? ['hangoutsMeet'] : [] },
  };
}

/** Source: Calendars: get. */
export function getCalendar(call: ApiCall): Reply {
  return jsonReply(200, renderCalendar(openCalendar(call, call.path[0]!).calendar));
}

/** A secondary calendar. Source: Calendars: insert. */
export function insertCalendar(call: ApiCall): Reply {
  const { world, user, moment } = call;
  const { summary, timeZone } = readJson(call.request);
  if (typeof summary !== 'string' || summary === '') throw badRequest('required', 'Missing summary.');
  const calendar = addCalendar(world, user.email, {
    id: `c_${nextSecret(world, 'calendar').slice(0, 30).toLowerCase().replaceAll(/\W/g, '0')}@group.calendar.google.com`,
    summary,
    timeZone: typeof timeZone === 'string' ? timeZone : (world.calendars.get(user.email)?.timeZone ?? 'UTC'),
  });
  announceList(world, user, moment);
  return jsonReply(200, renderCalendar(calendar));
}

/** Source: Calendars: delete. A primary calendar cannot be deleted. */
export function deleteCalendar(call: ApiCall): Reply {
  const { calendar, role } = openCalendar(call, call.path[0]!);
  if (role !== 'owner') throw accessLevel();
  if (calendar.id === calendar.owner) throw invalid('Cannot delete a primary calendar.');
  dropCalendar(call, calendar);
  return reply(204);
}

export function dropCalendar({ world, moment }: { world: World; moment: Announcing }, calendar: Calendar): void {
  calendar.deleted = true;
  for (const user of world.users.values()) {
    const entry = user.list.get(calendar.id);
    if (!entry || entry.deleted) continue;
    user.list.set(calendar.id, { ...entry, deleted: true });
    user.listLog.push(calendar.id);
    announceList(world, user, moment);
  }
  announceEvents(world, calendar, moment);
}

function renderCalendar({ id, summary, timeZone }: Calendar): Resource {
  return { kind: 'calendar#calendar', etag: `"${id.length}"`, id, summary, timeZone };
}

import type { Answer } from '#emulators/kit/emulator.ts';
import type { Request } from '#emulators/kit/exchange.ts';
import { deleteCalendar, getCalendar, getListEntry, insertCalendar, listCalendarList } from './answer-calendars.ts';
import { stopChannel, watchCalendarList, watchEvents } from './answer-channels.ts';
import {
  deleteOne,
  getEvent,
  importOne,
  insertOne,
  listInstances,
  moveOne,
  patchOne,
  updateOne,
} from './answer-event.ts';
import { queryFreeBusy } from './answer-free-busy.ts';
import type { ApiCall } from './call.ts';
import { listEvents } from './list-events.ts';

export interface Route {
  operation: string;
  method: string;
  pattern: RegExp;
  /** Any of these is enough. */
  scopes: readonly string[];
  answer(call: ApiCall): Answer;
}

const EVENTS_WRITE = ['calendar', 'calendar.events', 'calendar.events.owned', 'calendar.app.created'];
const EVENTS_READ = [
  ...EVENTS_WRITE,
  'calendar.readonly',
  'calendar.events.readonly',
  'calendar.events.owned.readonly',
  'calendar.events.freebusy',
  'calendar.events.public.readonly',
];
const LIST_READ = ['calendar', 'calendar.readonly', 'calendar.calendarlist', 'calendar.calendarlist.readonly'];
const CALENDARS_WRITE = ['calendar', 'calendar.app.created', 'calendar.calendars'];
const CALENDARS_READ = [...CALENDARS_WRITE, 'calendar.readonly', 'calendar.calendars.readonly'];
const FREE_BUSY = ['calendar', 'calendar.readonly', 'calendar.freebusy', 'calendar.events.freebusy'];

const EVENTS = '/calendar/v3/calendars/([^/]+)/events';
const EVENT = `${EVENTS}/([^/]+)`;
const LIST = '/calendar/v3/users/me/calendarList';

const route = (
  operation: string,
  method: string,
  path: string,
  scopes: readonly string[],
  answer: (call: ApiCall) => Answer,
): Route => ({ operation, method, pattern: new RegExp(`^${path}$`), scopes, answer });

/** Method to scopes as each method's reference page has them. In the order of matching. */
const ROUTES: readonly Route[] = [
  route('calendarList.watch', 'POST', `${LIST}/watch`, LIST_READ, watchCalendarList),
  route('calendarList.list', 'GET', LIST, LIST_READ, listCalendarList),
  route('calendarList.get', 'GET', `${LIST}/([^/]+)`, LIST_READ, getListEntry),
  route('events.watch', 'POST', `${EVENTS}/watch`, EVENTS_READ, watchEvents),
  route('events.import', 'POST', `${EVENTS}/import`, EVENTS_WRITE, importOne),
  route('events.instances', 'GET', `${EVENT}/instances`, EVENTS_READ, listInstances),
  route('events.move', 'POST', `${EVENT}/move`, EVENTS_WRITE, moveOne),
  route('events.list', 'GET', EVENTS, EVENTS_READ, listEvents),
  route('events.insert', 'POST', EVENTS, EVENTS_WRITE, insertOne),
  route('events.get', 'GET', EVENT, EVENTS_READ, getEvent),
  route('events.patch', 'PATCH', EVENT, EVENTS_WRITE, patchOne),
  route('events.update', 'PUT', EVENT, EVENTS_WRITE, updateOne),
  route('events.delete', 'DELETE', EVENT, EVENTS_WRITE, deleteOne),
  route('calendars.insert', 'POST', '/calendar/v3/calendars', CALENDARS_WRITE, insertCalendar),
  route('calendars.get', 'GET', '/calendar/v3/calendars/([^/]+)', CALENDARS_READ, getCalendar),
  route('calendars.delete', 'DELETE', '/calendar/v3/calendars/([^/]+)', CALENDARS_WRITE, deleteCalendar),
  route('freebusy.query', 'POST', '/calendar/v3/freeBusy', FREE_BUSY, queryFreeBusy),
  route('channels.stop', 'POST', '/calendar/v3/channels/stop', [...EVENTS_READ, ...LIST_READ], stopChannel),
];

export function findRoute({ method, path }: Request): { route: Route; path: string[] } | null {
  for (const candidate of ROUTES) {
    const match = candidate.method === method ? candidate.pattern.exec(path) : null;
    if (match) return { route: candidate, path: match.slice(1).map((part) => decodePart(part)) };
  }
  return null;
}

/** Returns an empty name for a part that cannot be decoded. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}

import type { Deliveries } from '#emulators/kit/deliveries.ts';
import { accessDenied, badRequest, GraphError, itemNotFound } from './graph-errors.ts';
import { type Instance, instanceOn } from './instances.ts';
import { calendarId, readEventId } from './item-ids.ts';
import { etagOf, type Presentation } from './present-event.ts';
import type { Calendar, CalendarEvent, World } from './world.ts';

/** One authorised request to the calendar API, taken apart. */
export interface GraphCall extends Presentation {
  world: World;
  clientId: string;
  scopes: ReadonlySet<string>;
  nowMs: number;
  method: string;
  /** Below the root of the service, decoded: `/me/events/AAMk…`. */
  segments: string[];
  /** As it was asked for, for links to further pages. */
  url: string;
  options: Map<string, string>;
  ifMatch: string | null;
  body: unknown;
  deliveries: Deliveries;
}

export function needScope(call: GraphCall, ...anyOf: string[]): void {
  if (!anyOf.some((scope) => call.scopes.has(scope.toLowerCase()))) throw accessDenied();
}

export const needRead = (call: GraphCall): void => needScope(call, 'Calendars.Read', 'Calendars.ReadWrite');
export const needWrite = (call: GraphCall): void => needScope(call, 'Calendars.ReadWrite');

export function defaultCalendar({ mailbox }: GraphCall): Calendar {
  return [...mailbox.calendars.values()].find(({ isDefault }) => isDefault)!;
}

export function findCalendar({ mailbox }: GraphCall, id: string): Calendar {
  for (const calendar of mailbox.calendars.values()) if (calendarId(mailbox, calendar) === id) return calendar;
  throw itemNotFound();
}

/** An event, or one instance of a series. */
export interface Item {
  calendar: Calendar;
  event: CalendarEvent;
  instance: Instance | null;
}

/** Finds by either form of id. A regular id is of no use once the item was moved. */
export function findItem({ mailbox }: GraphCall, id: string, within: Calendar | null): Item {
  const ref = readEventId(mailbox, id);
  if (!ref) throw badRequest('ErrorInvalidIdMalformed', 'Id is malformed.');
  for (const calendar of within ? [within] : mailbox.calendars.values()) {
    const event = calendar.events.get(ref.key);
    if (!event) continue;
    if (ref.place !== null && ref.place !== event.place) throw itemNotFound();
    const instance = ref.day === null ? null : instanceOn(event, ref.day);
    if (ref.day !== null && !instance) throw itemNotFound();
    return { calendar, event, instance };
  }
  throw itemNotFound();
}

/** *Errors*: 412, or 409 where the fault says so, when the item is no longer what the client has seen. */
export function checkUnchanged({ ifMatch, quirk }: GraphCall, event: CalendarEvent): void {
  const stale = ifMatch !== null && ifMatch !== '*' && ifMatch !== etagOf(event);
  if (!stale && quirk !== 'conflict-412' && quirk !== 'conflict-409') return;
  const message =
    'The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.';
  throw new GraphError(quirk === 'conflict-409' ? 409 : 412, 'ErrorIrresolvableConflict', message);
}

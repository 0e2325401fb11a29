import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { hangoutLinkOf } from './conference.ts';
import { type EventTime, printInZone, printUtc } from './event-time.ts';
import type { Attendee, OriginalStart, StoredEvent } from './stored-event.ts';
import type { AccessRole, Calendar } from './world.ts';

export type Resource = Record<string, unknown>;

/** The reader of an event, and the options of the view. */
export interface View {
  calendar: Calendar;
  role: AccessRole;
  /** The token sees only when somebody is busy. */
  busyOnly: boolean;
  /** Zone of the answer; the calendar's where absent. */
  timeZone: string | null;
  maxAttendees: number | null;
}

/** The Events resource. Source: Google Calendar API, Events. */
export function renderEvent(event: StoredEvent, view: View): Resource {
  const zone = loadZone(view.timeZone ?? view.calendar.timeZone) ?? utc;
  if (event.status === 'cancelled') return renderCancelled(event, zone);
  const isHidden = view.busyOnly || !seesDetails(event, view.role);
  const { attendees, ...fields } = event.fields;
  const full: Resource = {
    kind: 'calendar#event',
    etag: event.etag,
    id: event.id,
    status: event.status,
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${event.id} ${view.calendar.id}`).toString('base64url')}`,
    created: printUtc(event.createdMs),
    updated: printUtc(event.updatedMs),
    ...fields,
    ...hangoutLinkOf(event),
    creator: person(event.creator, view.calendar),
    organizer: person(event.organizer, view.calendar),
    ...renderTimes(event.time, zone),
    ...(event.recurrence.length > 0 && { recurrence: event.recurrence }),
    ...renderParent(event, zone),
    iCalUID: event.iCalUID,
    sequence: event.sequence,
    ...(attendees && renderAttendees(attendees, view)),
    eventType: event.fields.eventType ?? 'default',
  };
  return isHidden ? onlyBusy(full) : full;
}

/**
 * Deleted events guarantee their id only, cancelled occurrences also where they belong.
 * Source: Google Calendar API, Events resource, "status".
 */
function renderCancelled(event: StoredEvent, zone: Zone): Resource {
  return {
    kind: 'calendar#event',
    etag: event.etag,
    id: event.id,
    status: 'cancelled',
    ...renderParent(event, zone),
  };
}

function renderParent({ recurringEventId, original }: StoredEvent, zone: Zone): Resource {
  if (recurringEventId === null || original === null) return {};
  return { recurringEventId, originalStartTime: renderOriginal(original, zone) };
}

function renderOriginal(original: OriginalStart, zone: Zone): Resource {
  if (original.allDay) return { date: original.day };
  return { dateTime: printInZone(original.ms, zone), timeZone: zone.id };
}

function renderTimes(time: EventTime, zone: Zone): Resource {
  if (time.allDay) return { start: { date: time.start }, end: { date: time.end } };
  return {
    start: { dateTime: printInZone(time.startMs, zone), timeZone: time.startZone },
    end: { dateTime: printInZone(time.endMs, zone), timeZone: time.endZone },
  };
}

function person(email: string, calendar: Calendar): Resource {
  return { email, ...(email === calendar.id && { self: true }) };
}

/** More than `maxAttendees`: only the one whose calendar this is. Source: Events: list, "maxAttendees". */
function renderAttendees(list: Attendee[], { calendar, maxAttendees }: View): Resource {
  const all = list.map((attendee) => ({
    ...attendee,
    responseStatus: attendee.responseStatus ?? 'needsAction',
    ...(attendee.email === calendar.id && { self: true }),
  }));
  if (maxAttendees === null || all.length <= maxAttendees) return { attendees: all };
  return { attendees: all.filter(({ email }) => email === calendar.id), attendeesOmitted: true };
}

function seesDetails(event: StoredEvent, role: AccessRole): boolean {
  if (role === 'freeBusyReader') return false;
  const isPrivate = event.fields.visibility === 'private' || event.fields.visibility === 'confidential';
  return !isPrivate || role === 'writer' || role === 'owner';
}

const BUSY_FIELDS = [
  'kind',
  'etag',
  'id',
  'status',
  'htmlLink',
  'created',
  'updated',
  'start',
  'end',
  'recurrence',
  'recurringEventId',
  'originalStartTime',
  'transparency',
  'iCalUID',
  'sequence',
  'eventType',
];

function onlyBusy(resource: Resource): Resource {
  const left: Resource = {};
  for (const name of BUSY_FIELDS) if (resource[name] !== undefined) left[name] = resource[name];
  return { ...left, visibility: 'private' };
}

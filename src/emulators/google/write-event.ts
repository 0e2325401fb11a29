import { hash } from 'node:crypto';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { duplicate, invalid, notOrganizer } from './errors.ts';
import { type EventDateTime, type EventTime, printInZone, readEventTime } from './event-time.ts';
import { mergePatch, readFields } from './read-event.ts';
import { checkRecurrence, isOccurrence, momentOf, openMaster } from './recurrence.ts';
import { type Attendee, exceptionsOf, type StoredEvent, storeEvent } from './stored-event.ts';
import { type Calendar, nextSerial, type World } from './world.ts';

export type EventBody = Record<string, unknown>;

/** Base32hex, 5 to 1,024 characters. Source: Google Calendar API, Events: insert, "id". */
const CLIENT_ID = /^[a-v0-9]{5,1024}$/;
const PRIMARY_ONLY = ['outOfOffice', 'focusTime', 'workingLocation', 'birthday'];

/** A new event, as `insert` makes it. `collides`: the duplicate of an id is not noticed, as may happen. */
export function insertEvent(
  world: World,
  calendar: Calendar,
  body: EventBody,
  nowMs: number,
  author: string,
  collides = false,
): StoredEvent {
  const { id: given, iCalUID } = body;
  if (given !== undefined && given !== null) {
    if (typeof given !== 'string' || !CLIENT_ID.test(given)) throw invalid('Invalid resource id value.');
    if (iCalUID) throw invalid('Only one of id and iCalUID may be given.');
    // A deleted event keeps its id for ever.
    if (calendar.events.has(given) && !collides) throw duplicate();
  }
  const id = typeof given === 'string' ? freeId(calendar, given) : newEventId(world);
  const event: StoredEvent = {
    ...readBody(body, calendar),
    id,
    iCalUID: typeof iCalUID === 'string' ? iCalUID : `${id}@google.com`,
    recurringEventId: null,
    original: null,
    organizer: organizerOf(body) ?? calendar.id,
    creator: author,
    sequence: typeof body.sequence === 'number' ? body.sequence : 0,
    createdMs: nowMs,
    updatedMs: nowMs,
    etag: '',
    revision: 0,
    order: 0,
  };
  checkEventType(event, calendar);
  if (event.fields.reminders === undefined) event.fields.reminders = { useDefault: true };
  dropProperties(world, event);
  return storeEvent(world, calendar, event);
}

/** The writer: an attendee's copy must keep the shared fields. */
export type By = 'owner' | 'organizer';

/** Changes an event or an instance to what `body` says in full. Source: Events: update. */
export function changeEvent(
  world: World,
  calendar: Calendar,
  event: StoredEvent,
  body: EventBody,
  nowMs: number,
  by: By = 'owner',
): StoredEvent {
  const read = readBody(event.recurringEventId === null ? body : { ...body, recurrence: [] }, calendar);
  if (read.fields.eventType !== undefined && read.fields.eventType !== (event.fields.eventType ?? 'default')) {
    throw invalid('Event type cannot be changed.');
  }
  if (event.fields.eventType) read.fields.eventType = event.fields.eventType;
  if (by === 'owner' && event.organizer !== calendar.id && sharedOf(event) !== sharedOf({ ...event, ...read }))
    throw notOrganizer();
  const isRescheduled = !same([event.time, event.recurrence, event.status], [read.time, read.recurrence, read.status]);
  const { reminders: before, ...fieldsBefore } = event.fields;
  const { reminders: after, ...fieldsAfter } = read.fields;
  const isTouched = isRescheduled || !same(fieldsBefore, fieldsAfter);
  const changed: StoredEvent = {
    ...event,
    ...read,
    fields: { ...fieldsAfter, reminders: after ?? before ?? { useDefault: true } },
    sequence: event.sequence + (isRescheduled ? 1 : 0),
    updatedMs: isTouched ? nowMs : event.updatedMs,
  };
  dropProperties(world, changed);
  const stored = storeEvent(world, calendar, changed);
  if (isRescheduled && event.recurrence.length > 0) releaseExceptions(world, calendar, stored, nowMs);
  return stored;
}

/** The event as a client would write it: what a patch is merged into. */
export function writableOf(event: StoredEvent): EventBody {
  const edge = (ms: number, zone: string): EventDateTime => ({
    dateTime: printInZone(ms, loadZone(zone) ?? utc),
    timeZone: zone,
  });
  const { time } = event;
  return {
    ...event.fields,
    status: event.status,
    start: time.allDay ? { date: time.start } : edge(time.startMs, time.startZone),
    end: time.allDay ? { date: time.end } : edge(time.endMs, time.endZone),
    recurrence: event.recurrence,
    sequence: event.sequence,
  };
}

export function patchEvent(
  world: World,
  calendar: Calendar,
  event: StoredEvent,
  patch: EventBody,
  nowMs: number,
  by: By = 'owner',
): StoredEvent {
  const body = mergePatch(writableOf(event), withOwnAnswer(calendar, event, patch)) as EventBody;
  return changeEvent(world, calendar, event, body, nowMs, by);
}

/**
 * A list that says attendees are left out changes the participant's own entry and nobody else's.
 * Source: Google Calendar API, Events resource, `attendeesOmitted`.
 */
function withOwnAnswer(calendar: Calendar, { fields }: StoredEvent, patch: EventBody): EventBody {
  if (patch.attendeesOmitted !== true || !Array.isArray(patch.attendees)) return patch;
  const said = (patch.attendees as Attendee[]).find(({ email }) => email === calendar.id);
  const attendees = (fields.attendees ?? []).map((one) =>
    one.email !== calendar.id || said === undefined
      ? one
      : { ...one, responseStatus: said.responseStatus, comment: said.comment, additionalGuests: said.additionalGuests },
  );
  return { ...patch, attendees };
}

/** Tombstones an event, or cancels an instance. A master takes its exceptions along, without a word about them. */
export function removeEvent(world: World, calendar: Calendar, event: StoredEvent, nowMs: number): StoredEvent {
  if (event.recurrence.length > 0) {
    for (const { id } of exceptionsOf(calendar, event.id)) calendar.events.delete(id);
  }
  return storeEvent(world, calendar, { ...event, status: 'cancelled', sequence: event.sequence + 1, updatedMs: nowMs });
}

function readBody(body: EventBody, calendar: Calendar): Pick<StoredEvent, 'status' | 'time' | 'recurrence' | 'fields'> {
  const recurrence = body.recurrence ? checkRecurrence(body.recurrence) : [];
  const time = readEventTime(
    body.start as EventDateTime | undefined,
    body.end as EventDateTime | undefined,
    calendar.timeZone,
    recurrence.length > 0,
  );
  return { status: readStatus(body.status), time, recurrence: checkSeries(time, recurrence), fields: readFields(body) };
}

function readStatus(status: unknown): StoredEvent['status'] {
  if (status === undefined || status === null) return 'confirmed';
  if (status === 'confirmed' || status === 'tentative' || status === 'cancelled') return status;
  throw invalid('Invalid value for: status');
}

/** Refuses lines that do not fit the start they belong to. */
function checkSeries(time: EventTime, recurrence: string[]): string[] {
  if (recurrence.length > 0 && openMaster({ time, recurrence }).problems.length > 0) {
    throw invalid('Invalid recurrence rule.');
  }
  return recurrence;
}

function organizerOf(body: EventBody): string | null {
  const email = (body.organizer as { email?: unknown } | undefined)?.email;
  return typeof email === 'string' ? email : null;
}

function checkEventType({ fields }: StoredEvent, calendar: Calendar): void {
  if (fields.eventType === 'fromGmail') throw invalid('Events of type fromGmail cannot be created.');
  if (PRIMARY_ONLY.includes(fields.eventType ?? '') && calendar.id !== calendar.owner) {
    throw invalid(`Events of type ${fields.eventType} can only be created on primary calendars.`);
  }
}

/** The organizer's fields, as text for comparison. An attendee may change the others. */
function sharedOf({ time, recurrence, fields }: Pick<StoredEvent, 'time' | 'recurrence' | 'fields'>): string {
  const { summary, description, location, attendees = [], extendedProperties } = fields;
  const guests = attendees.map(({ email, displayName, optional }: Attendee) => [email, displayName, optional]);
  return JSON.stringify([time, recurrence, summary, description, location, guests, extendedProperties?.shared]);
}

/** Exceptions of occurrences that the series no longer has. */
function releaseExceptions(world: World, calendar: Calendar, master: StoredEvent, nowMs: number): void {
  const series = master.recurrence.length > 0 && master.status !== 'cancelled' ? openMaster(master) : null;
  for (const exception of exceptionsOf(calendar, master.id)) {
    const original = exception.original!;
    if (series && series.allDay === original.allDay && isOccurrence(series, momentOf(original))) continue;
    if (exception.status === 'cancelled') calendar.events.delete(exception.id);
    else removeEvent(world, calendar, exception, nowMs);
  }
}

function dropProperties(world: World, event: StoredEvent): void {
  if (world.knobs.dropsExtendedProperties) delete event.fields.extendedProperties;
}

function newEventId(world: World): string {
  return BigInt(`0x${hash('sha256', `event ${nextSerial(world)}`).slice(0, 32)}`)
    .toString(32)
    .padStart(26, '0');
}

/** Two events with one id, as an undetected collision leaves them: the second is kept under a shadow of the id. */
function freeId(calendar: Calendar, id: string): string {
  let free = id;
  while (calendar.events.has(free)) free += '0';
  return free;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

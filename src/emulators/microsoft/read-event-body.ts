import { dayMs } from '#kernel/time/civil.ts';
import { badRequest } from './graph-errors.ts';
import { findZone, parseDateTime, parseInstant } from './graph-time.ts';
import { endOf, startOf } from './instances.ts';
import { extendedKey } from './present-event.ts';
import { unsupportedZone } from './read-query.ts';
import {
  type Attendee,
  type EventContent,
  importances,
  type Mailbox,
  responseTypes,
  sensitivities,
  showAsValues,
} from './world.ts';

/** Changes requested by the body of a POST or PATCH. */
export interface EventChanges {
  content: Partial<EventContent>;
  /** Undefined: not named. Null: the series becomes a single event. */
  recurrence: unknown;
  transactionId: string | undefined;
  extended: Map<string, string>;
}

/** Properties that Outlook sets itself and quietly leaves as they are when a client sends them back. */
const readOnly = new Set([
  'id',
  'createdDateTime',
  'lastModifiedDateTime',
  'changeKey',
  'iCalUId',
  'uid',
  'hasAttachments',
  'bodyPreview',
  'isCancelled',
  'isOrganizer',
  'seriesMasterId',
  'type',
  'webLink',
  'onlineMeeting',
  'onlineMeetingUrl',
  'onlineMeetingProvider',
  'occurrenceId',
  'isDraft',
  'responseStatus',
  'originalStart',
  'originalStartTimeZone',
  'originalEndTimeZone',
  'organizer',
  'locations',
  'cancelledOccurrences',
]);

export function newContent(mailbox: Mailbox): EventContent {
  return {
    subject: '',
    body: { contentType: 'text', content: '' },
    startLocalMs: Number.NaN,
    startZone: 'UTC',
    endLocalMs: Number.NaN,
    endZone: 'UTC',
    isAllDay: false,
    showAs: 'busy',
    sensitivity: 'normal',
    importance: 'normal',
    isReminderOn: true,
    reminderMinutesBeforeStart: 15,
    responseRequested: true,
    allowNewTimeProposals: true,
    hideAttendees: false,
    categories: [],
    location: '',
    attendees: [],
    organizer: { name: mailbox.name, address: mailbox.address },
    response: 'organizer',
    respondedAtMs: null,
    isCancelled: false,
    isDraft: false,
    joinUrl: null,
  };
}

/** Reads an event of a request. *Errors*: GraphError 400 for what the service does not take. */
export function readEventBody(value: unknown): EventChanges {
  if (!isObject(value)) throw badRequest('RequestBodyRead', 'The body of the request is not an event.');
  const changes: EventChanges = { content: {}, recurrence: undefined, transactionId: undefined, extended: new Map() };
  const { content } = changes;
  for (const [name, given] of Object.entries(value)) {
    if (name.includes('@odata.') || readOnly.has(name)) continue;
    switch (name) {
      case 'subject':
        content.subject = given === null ? '' : text(name, given);
        break;
      case 'body':
        content.body = readBody(given);
        break;
      case 'start':
        [content.startLocalMs, content.startZone] = readTime(name, given);
        break;
      case 'end':
        [content.endLocalMs, content.endZone] = readTime(name, given);
        break;
      case 'isAllDay':
      case 'isReminderOn':
      case 'responseRequested':
      case 'allowNewTimeProposals':
      case 'hideAttendees':
        content[name] = flag(name, given);
        break;
      case 'isOnlineMeeting':
        content.joinUrl = flag(name, given) ? 'https://teams.microsoft.com/l/meetup-join/19%3ameeting_simulated' : null;
        break;
      case 'showAs':
        content.showAs = oneOf(name, given, showAsValues);
        break;
      case 'sensitivity':
        content.sensitivity = oneOf(name, given, sensitivities);
        break;
      case 'importance':
        content.importance = oneOf(name, given, importances);
        break;
      case 'reminderMinutesBeforeStart':
        if (!Number.isInteger(given)) throw unreadable(name, 'Edm.Int32');
        content.reminderMinutesBeforeStart = given as number;
        break;
      case 'categories':
        content.categories = list(name, given).map((one) => text(name, one));
        break;
      case 'location':
        content.location = isObject(given) ? text(name, given.displayName ?? '') : '';
        break;
      case 'attendees':
        content.attendees = list(name, given).map(readAttendee);
        break;
      case 'recurrence':
        changes.recurrence = given;
        break;
      case 'transactionId':
        if (given !== null) changes.transactionId = text(name, given);
        break;
      case 'singleValueExtendedProperties':
        for (const property of list(name, given)) readExtended(property, changes.extended);
        break;
      default:
        throw badRequest(
          'RequestBodyRead',
          `The property '${name}' does not exist on type 'microsoft.graph.event'. Make sure to only use property names that are defined by the type.`,
        );
    }
  }
  return changes;
}

/** Checks the conditions on an event as a whole. */
export function checkContent(content: EventContent): void {
  if (Number.isNaN(content.startLocalMs) || Number.isNaN(content.endLocalMs)) {
    throw badRequest('ErrorPropertyValidationFailure', 'At least one property failed validation: start and end.');
  }
  if (content.isAllDay) {
    for (const [name, ms] of [
      ['Start', content.startLocalMs],
      ['End', content.endLocalMs],
    ] as const) {
      if (ms % dayMs !== 0) {
        const message = `The Event.${name} property for an all-day event needs to be set to midnight.`;
        throw badRequest('ErrorPropertyValidationFailure', message);
      }
    }
    if (content.startZone !== content.endZone) {
      const message = 'The Event.Start and Event.End of an all-day event need to be in the same time zone.';
      throw badRequest('ErrorPropertyValidationFailure', message);
    }
    if (content.endLocalMs === content.startLocalMs) {
      const message = 'The duration of an all-day event needs to be at least 24 hours.';
      throw badRequest('ErrorPropertyValidationFailure', message);
    }
  }
  if (endOf(content) < startOf(content)) {
    const code = 'ErrorCalendarEndDateIsEarlierThanStartDate';
    throw badRequest(code, "End date can't be earlier than the start date.");
  }
}

function readTime(name: string, given: unknown): [localMs: number, zone: string] {
  if (!isObject(given) || typeof given.dateTime !== 'string')
    throw unreadable(name, 'microsoft.graph.dateTimeTimeZone');
  const zoneName = given.timeZone === undefined || given.timeZone === null ? 'UTC' : text(name, given.timeZone);
  const zone = findZone(zoneName);
  if (!zone) throw badRequest('TimeZoneNotSupportedException', unsupportedZone(zoneName));
  const parsed = parseDateTime(given.dateTime);
  if (!parsed) throw unreadable(name, 'Edm.DateTime');
  const local = parsed.offset === null ? parsed.localMs : zone.toLocal(parseInstant(given.dateTime)!);
  return [local, zoneName];
}

function readBody(given: unknown): EventContent['body'] {
  if (!isObject(given)) throw unreadable('body', 'microsoft.graph.itemBody');
  const contentType = oneOf('contentType', given.contentType ?? 'text', ['text', 'html'] as const);
  return { contentType, content: text('content', given.content ?? '') };
}

function readAttendee(given: unknown): Attendee {
  if (!isObject(given) || !isObject(given.emailAddress)) throw unreadable('attendees', 'microsoft.graph.attendee');
  const status = isObject(given.status) ? given.status : {};
  const address = text('address', given.emailAddress.address);
  return {
    type: oneOf('type', given.type ?? 'required', ['required', 'optional', 'resource'] as const),
    status: { response: oneOf('response', status.response ?? 'none', responseTypes), time: '0001-01-01T00:00:00Z' },
    emailAddress: { name: text('name', given.emailAddress.name ?? address), address },
  };
}

/** Source: "Create single-value extended property": `{type} {guid} Name {name}` or `… Id {id}`. */
const extendedPattern =
  /^(?:Binary|Boolean|Double|Float|Integer|Long|Short|String|SystemTime) (?:\{[0-9a-f-]{36}\} (?:Name .+|Id 0x[0-9a-f]+)|0x[0-9a-f]+)$/i;

function readExtended(given: unknown, into: Map<string, string>): void {
  if (!isObject(given) || typeof given.id !== 'string' || !extendedPattern.test(given.id)) {
    throw badRequest(
      'ErrorInvalidExtendedProperty',
      'The extended property is not of the form "String {guid} Name name".',
    );
  }
  into.set(extendedKey(given.id), text('value', given.value));
}

function text(name: string, given: unknown): string {
  if (typeof given !== 'string') throw unreadable(name, 'Edm.String');
  return given;
}

function flag(name: string, given: unknown): boolean {
  if (typeof given !== 'boolean') throw unreadable(name, 'Edm.Boolean');
  return given;
}

function list(name: string, given: unknown): unknown[] {
  if (!Array.isArray(given)) throw unreadable(name, 'Collection');
  return given;
}

function oneOf<T extends string>(name: string, given: unknown, allowed: readonly T[]): T {
  const found = allowed.find((one) => typeof given === 'string' && one.toLowerCase() === given.toLowerCase());
  if (!found) throw badRequest('RequestBodyRead', `The requested value of '${name}' was not found.`);
  return found;
}

function unreadable(name: string, type: string) {
  return badRequest('RequestBodyRead', `Cannot convert the value of '${name}' to the expected type '${type}'.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

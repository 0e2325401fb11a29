import { invalid } from './errors.ts';
import type { Attendee, EventFields } from './stored-event.ts';

/**
 * Fields that a client may write and the emulator stores unchanged. All other fields of a body are read-only and
 * ignored.
 */
const TEXTS = ['summary', 'description', 'location', 'colorId'] as const;
const CHOICES: Record<string, readonly string[]> = {
  transparency: ['opaque', 'transparent'],
  visibility: ['default', 'public', 'private', 'confidential'],
  eventType: ['default', 'outOfOffice', 'focusTime', 'workingLocation', 'birthday', 'fromGmail'],
};
const FLAGS = ['guestsCanInviteOthers', 'guestsCanModify', 'guestsCanSeeOtherGuests', 'anyoneCanAddSelf'] as const;
const OBJECTS = [
  'reminders',
  'source',
  'gadget',
  'conferenceData',
  'outOfOfficeProperties',
  'focusTimeProperties',
  'workingLocationProperties',
  'birthdayProperties',
  'attachments',
] as const;

/** Source: Google Calendar API, Events resource (writable properties). */
export function readFields(body: Record<string, unknown>): EventFields {
  const fields: EventFields = {};
  const take = (name: string, isGood: (value: unknown) => boolean) => {
    const value = body[name];
    if (value === undefined || value === null) return;
    if (!isGood(value)) throw invalid(`Invalid value for: ${name}`);
    fields[name] = value;
  };
  for (const name of TEXTS) take(name, (value) => typeof value === 'string');
  for (const [name, choices] of Object.entries(CHOICES)) take(name, (value) => choices.includes(value as string));
  for (const name of FLAGS) take(name, (value) => typeof value === 'boolean');
  for (const name of OBJECTS) take(name, (value) => typeof value === 'object');
  if (fields.colorId !== undefined && !/^(?:[1-9]|1[01])$/.test(fields.colorId)) throw invalid('Invalid color.');
  // An empty text is the same as none.
  for (const name of TEXTS) if (fields[name] === '') delete fields[name];
  if (body.attendees) fields.attendees = readAttendees(body.attendees);
  const properties = readExtendedProperties(body.extendedProperties);
  if (properties) fields.extendedProperties = properties;
  return fields;
}

function readAttendees(value: unknown): Attendee[] {
  if (!Array.isArray(value)) throw invalid('Invalid value for: attendees');
  return (value as Record<string, unknown>[]).map((attendee) => {
    if (typeof attendee.email !== 'string' || !attendee.email.includes('@')) throw invalid('Invalid attendee email.');
    const { self: _, organizer: __, ...own } = attendee;
    return own as unknown as Attendee;
  });
}

type Properties = NonNullable<EventFields['extendedProperties']>;

/**
 * Longer keys vanish, longer values are cut, more or larger sets are refused.
 * Source: Google Calendar API, "Extended properties", limits.
 */
function readExtendedProperties(value: unknown): Properties | null {
  if (value === undefined || value === null) return null;
  const read: Properties = {};
  for (const name of ['private', 'shared'] as const) {
    const given = (value as Record<string, Record<string, unknown> | null | undefined>)[name];
    if (!given) continue;
    const kept: Record<string, string> = {};
    for (const [key, text] of Object.entries(given)) {
      if (text === null || text === undefined) continue;
      if (typeof text !== 'string') throw invalid('Invalid value for: extendedProperties');
      if (key.length <= 44) kept[key] = text.slice(0, 1_024);
    }
    const size = Object.entries(kept).reduce((sum, [key, text]) => sum + key.length + text.length, 0);
    if (Object.keys(kept).length > 300 || size > 32_768) throw invalid('Extended properties limit exceeded.');
    if (Object.keys(kept).length > 0) read[name] = kept;
  }
  return read.private || read.shared ? read : null;
}

/** Null removes, objects are merged, everything else, arrays too, replaces. Source: "Performance tips", patch. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

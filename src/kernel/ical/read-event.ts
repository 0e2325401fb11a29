import type { Attendee, BusyStatus, Core, SelfResponse } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { readReminders } from '#kernel/ical/alarms.ts';
import { colorOfName } from '#kernel/ical/color.ts';
import { type Component, type PlacedLine, pauseChars, readProperty } from '#kernel/ical/content-lines.ts';
import {
  cleanText,
  decodeQuotedPrintable,
  emailOf,
  normalizeAddress,
  type Parameters,
  quotedRoomFor,
  roomFor,
  splitText,
  unescapeText,
} from '#kernel/ical/ical-text.ts';
import { readJoinLink, webLink } from '#kernel/ical/join-link.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import type { Sliced } from '#kernel/work-budget.ts';

/** The lines of one VEVENT that Holdfast reads. A property that may occur once counts with its first line. */
export interface RawEvent {
  component: Component;
  /** The VCALENDAR that it is in; its zones and its METHOD are for its events alone. */
  calendar: Component | null;
  one: Map<string, PlacedLine>;
  rules: PlacedLine[];
  exRules: PlacedLine[];
  extraDates: PlacedLine[];
  exdates: PlacedLine[];
  attendees: PlacedLine[];
  categories: PlacedLine[];
  conferences: PlacedLine[];
  tags: PlacedLine[];
  /** Whether it has two UIDs: lines are missing between two events. */
  isJoined: boolean;
}

/** Each tag costs a keyed hash. */
const maxTags = 5;

/** Properties that some exporters write for all events, with a value for those that have one. */
const mayBeEmpty = new Set([
  'RECURRENCE-ID',
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
  'DTEND',
  'DURATION',
  'STATUS',
  'TRANSP',
]);

const timeNames = new Set(['DTSTART', 'DTEND', 'RRULE', 'RDATE', 'EXDATE', 'RECURRENCE-ID', 'STATUS', 'TRANSP']);

/** Sorts the lines of a VEVENT; texts stay as they are until somebody needs them. */
export function gatherEvent(component: Component, calendar: Component | null = null): RawEvent {
  const raw: RawEvent = {
    component,
    calendar,
    one: new Map(),
    rules: [],
    exRules: [],
    extraDates: [],
    exdates: [],
    attendees: [],
    categories: [],
    conferences: [],
    tags: [],
    isJoined: false,
  };
  const isAlarmCut = component.components.some(({ damaged }) => damaged);
  for (const line of isAlarmCut ? [...component.lines, ...takenLines(component)] : component.lines) {
    // an empty one says nothing, and its presence would
    if (mayBeEmpty.has(line.name) && isEmpty(line)) continue;
    switch (line.name) {
      case 'RRULE':
        raw.rules.push(line);
        break;
      case 'EXRULE':
        raw.exRules.push(line);
        break;
      case 'RDATE':
        raw.extraDates.push(line);
        break;
      case 'EXDATE':
        raw.exdates.push(line);
        break;
      case 'ATTENDEE':
        raw.attendees.push(line);
        break;
      case 'CATEGORIES':
        raw.categories.push(line);
        break;
      case 'CONFERENCE':
        raw.conferences.push(line);
        break;
      case 'X-HOLDFAST-MIRROR':
        if (raw.tags.length < maxTags) raw.tags.push(line);
        break;
      default:
        if (!raw.one.has(line.name)) raw.one.set(line.name, line);
        else if (line.name === 'UID' && raw.one.get('UID')?.text !== line.text) raw.isJoined = true;
    }
  }
  return raw;
}

/** Whether a line has no value. */
export const isEmpty = (line: PlacedLine): boolean => line.text.endsWith(':') && readProperty(line).value === '';

/** Lines about its time that a component without its END took from its event. */
const takenLines = ({ components }: Component): PlacedLine[] =>
  components.flatMap(({ damaged, lines }) => (damaged ? lines.filter(({ name }) => timeNames.has(name)) : []));

/** Whether lines of an event may be missing. */
export const isCut = ({ component, isJoined }: RawEvent): boolean => component.damaged || !component.closed || isJoined;

/** The UID of an event, or '' where it has none. */
export function uidOf(raw: RawEvent): string {
  return cleanText(rawValue(raw, 'UID') ?? '', 1_000);
}

/** The raw value of a property without looking at its parameters, or undefined. */
export function rawValue(raw: RawEvent, name: string): string | undefined {
  const line = raw.one.get(name);
  return line === undefined ? undefined : readProperty(line).value.trim();
}

/** The value of a property that is one of a few words, in upper case. */
export function keyword(raw: RawEvent, name: string): string | undefined {
  return rawValue(raw, name)?.toUpperCase();
}

export const maxCategories = 50;
export const categoryChars = 200;
/** Items of all lists of categories that are looked at, the repeated and the empty ones included. */
const mostItems = 500;
/** Lines that are looked at for attendees. Google and Exchange allow some hundred people. */
const mostAttendeeLines = 5_000;

/**
 * Everything about a VEVENT but its time. `own` objects are read literally: no guessing of links in texts, so that
 * what we wrote is what we read. Source: RFC 5545 3.8, RFC 7986, MS-OXCICAL 2.1.3.1.1.20.
 */
export function* readCore(raw: RawEvent, self: ReadonlySet<string>, own: boolean, warnings: string[]): Sliced<Core> {
  const { people, response } = yield* readPeople(raw, self, own, warnings);
  const core: Core = {
    busy: readBusy(raw, warnings),
    private: isPrivate(raw),
    self: response,
    kind: 'default',
  };
  const title = readText(raw, 'SUMMARY', eventLimits.titleChars, warnings);
  const location = readText(raw, 'LOCATION', eventLimits.locationChars, warnings);
  const notes = readText(raw, 'DESCRIPTION', eventLimits.notesChars, warnings);
  const joinUrl = own
    ? webLink(rawValue(raw, 'URL') ?? '')
    : yield* readJoinLink(raw, [rawValue(raw, 'URL'), location, notes]);
  if (title !== undefined) core.title = title;
  if (location !== undefined) core.location = location;
  if (notes !== undefined) core.notes = notes;
  if (joinUrl !== undefined) core.joinUrl = joinUrl;
  if (people.length > 0) core.attendees = people;
  if (raw.categories.length > 0) {
    const categories = yield* readCategories(raw.categories);
    if (categories.length > 0) core.categories = categories;
  }
  const color = colorOfName(rawValue(raw, 'COLOR') ?? '');
  if (color !== undefined) core.color = color;
  const reminders = own ? undefined : readReminders(raw.component);
  if (reminders !== undefined) core.reminders = reminders;
  return core;
}

export function readText(raw: RawEvent, name: string, limit: number, warnings: string[]): string | undefined {
  const line = raw.one.get(name);
  if (line === undefined) return undefined;
  const { parameters, value } = readProperty(line);
  const isQuoted = parameters?.get('ENCODING')?.toUpperCase() === 'QUOTED-PRINTABLE';
  const text = unescapeText(
    isQuoted ? decodeQuotedPrintable(value.slice(0, quotedRoomFor(limit)), parameters?.get('CHARSET')) : value,
    roomFor(limit),
  );
  const clean = cleanText(text, limit);
  if (clean.length === limit && text.length > limit)
    warnings.push(warning('text-cut', { property: name, most: limit }));
  return clean === '' ? undefined : clean;
}

function* readCategories(lines: PlacedLine[]): Sliced<string[]> {
  const categories = new Set<string>();
  let left = mostItems;
  let chars = 0;
  for (const line of lines) {
    if (left <= 0) break;
    chars += line.text.length;
    if (chars > pauseChars) {
      yield;
      chars = 0;
    }
    const items = splitText(readProperty(line).value, ',', left, roomFor(categoryChars));
    left -= items.length;
    for (const item of items) {
      const category = cleanText(item, categoryChars).trim();
      if (category !== '' && categories.size < maxCategories) categories.add(category);
    }
  }
  return [...categories];
}

/** Values of iCalendar, and of vCalendar 1.0, where 0 is opaque. */
const transparencies = new Set(['TRANSPARENT', 'TRANSPARENT-NOCONFLICT', '1']);

/**
 * TRANSP is the standard and what other clients edit, so it wins over Microsoft's status where they contradict; that
 * one adds what TRANSP cannot say.
 */
function readBusy(raw: RawEvent, warnings: string[]): BusyStatus {
  const transparency = keyword(raw, 'TRANSP');
  if (transparency !== undefined && !transparencies.has(transparency) && !/^(?:OPAQUE|0)$/.test(transparency))
    warnings.push(warning('transparency-unreadable', { source: transparency }));
  const microsoft = keyword(raw, 'X-MICROSOFT-CDO-BUSYSTATUS');
  if (microsoft === 'WORKINGELSEWHERE') return 'elsewhere';
  if (transparency !== undefined && transparencies.has(transparency)) return 'free';
  if (microsoft === 'FREE' && transparency === undefined) return 'free';
  if (microsoft === 'OOF') return 'oof';
  if (microsoft === 'TENTATIVE' || keyword(raw, 'STATUS') === 'TENTATIVE') return 'tentative';
  return 'busy';
}

/** An unknown CLASS is private, RFC 5545 3.8.1.3. */
function isPrivate(raw: RawEvent): boolean {
  const classification = keyword(raw, 'CLASS');
  return classification !== undefined && classification !== '' && classification !== 'PUBLIC';
}

const responses: Readonly<Record<string, Answer>> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  // delegated: somebody else comes instead
  DELEGATED: 'declined',
  TENTATIVE: 'tentative',
  'NEEDS-ACTION': 'needs-action',
};

type Answer = NonNullable<Attendee['response']>;

/** Ascending. A person with several lines attends as the last of these says. */
const byAttendance: readonly SelfResponse[] = ['none', 'declined', 'needs-action', 'tentative', 'accepted'];
const attends = (response: SelfResponse) => byAttendance.indexOf(response);

function* readPeople(
  raw: RawEvent,
  self: ReadonlySet<string>,
  own: boolean,
  warnings: string[],
): Sliced<{ people: Attendee[]; response: SelfResponse }> {
  const people: Attendee[] = [];
  const organizerLine = raw.one.get('ORGANIZER');
  if (own || (organizerLine === undefined && raw.attendees.length === 0)) return { people, response: 'none' };
  const seen = new Map<string, Attendee>();
  let response: SelfResponse = 'none';
  let total = 0;

  let chars = 0;
  for (const line of raw.attendees.slice(0, mostAttendeeLines)) {
    chars += line.text.length;
    if (chars > pauseChars) {
      yield;
      chars = 0;
    }
    const { parameters, value } = readProperty(line);
    const address = normalizeAddress(value);
    const answer = responses[parameters?.get('PARTSTAT')?.trim().toUpperCase() ?? 'NEEDS-ACTION'] ?? 'needs-action';
    if (isOwnAddress(address, parameters, self)) {
      if (attends(answer) > attends(response)) response = answer;
      continue;
    }
    const email = emailOf(address, parameters);
    const type = parameters?.get('CUTYPE')?.toUpperCase();
    if (email === undefined || type === 'ROOM' || type === 'RESOURCE') continue;
    const known = seen.get(email);
    if (known !== undefined) {
      if (attends(answer) > attends(known.response ?? 'none')) known.response = answer;
      continue;
    }
    const guest = person(email, parameters, answer);
    seen.set(email, guest);
    total += 1;
    if (people.length < eventLimits.attendees) people.push(guest);
  }

  if (organizerLine !== undefined) {
    const { parameters, value } = readProperty(organizerLine);
    const email = emailOf(normalizeAddress(value), parameters);
    if (isOwn(organizerLine, self)) {
      if (response === 'none' || response === 'accepted' || response === 'needs-action') response = 'organizer';
    } else if (email !== undefined && !seen.has(email) && raw.attendees.length > 0) {
      total += 1;
      if (people.length < eventLimits.attendees) people.push(person(email, parameters, 'accepted'));
    }
  }
  total += Math.max(0, raw.attendees.length - mostAttendeeLines);
  if (total > people.length) warnings.push(warning('guests-skipped', { number: total - people.length }));
  return { people, response };
}

/** The lines of the calendar's owner, who may be invited twice, or under several of their addresses. */
export function ownAttendees(raw: RawEvent, self: ReadonlySet<string>): PlacedLine[] {
  return raw.attendees.slice(0, mostAttendeeLines).filter((line) => isOwn(line, self));
}

/** Whether an ATTENDEE or ORGANIZER line names the calendar's owner. */
export function isOwn(line: PlacedLine, self: ReadonlySet<string>): boolean {
  const { parameters, value } = readProperty(line);
  return isOwnAddress(normalizeAddress(value), parameters, self);
}

function isOwnAddress(address: string, parameters: Parameters | null, self: ReadonlySet<string>): boolean {
  const email = emailOf(address, parameters);
  return self.has(address) || (email !== undefined && self.has(email));
}

/** The e-mail address of an ATTENDEE or ORGANIZER line, in the form of the model. */
export function attendeeEmail(line: PlacedLine): string | undefined {
  const { parameters, value } = readProperty(line);
  return emailOf(normalizeAddress(value), parameters);
}

function person(email: string, parameters: Parameters | null, response: Answer): Attendee {
  const name = cleanText(parameters?.get('CN')?.trim() ?? '', 200);
  return { email, ...(name !== '' && name.toLowerCase() !== email ? { name } : {}), response };
}

import type { RecId } from '#kernel/event.ts';
import { scanComponents } from '#kernel/ical/content-lines.ts';
import { nameZones } from '#kernel/ical/file-names.ts';
import { cleanText, escapeText, foldLine } from '#kernel/ical/ical-text.ts';
import { sortComponents, zoneOfFile } from '#kernel/ical/parse-object.ts';
import { attendeeEmail, isOwn, ownAttendees, type RawEvent } from '#kernel/ical/read-event.ts';
import { recIdOf } from '#kernel/ical/read-recurrence.ts';
import { readDateLine, readWhen } from '#kernel/ical/read-when.ts';
import { latest } from '#kernel/ical/revisions.ts';
import { frameOf } from '#kernel/ical/series-frame.ts';
import { createZoneLookup, timesOf } from '#kernel/ical/zone-lookup.ts';
import { printBasicDateTime } from '#kernel/time/local.ts';

export interface Reply {
  /** E-mail addresses of the organizer and of the one who answers. */
  organizer: string;
  attendee: string;
  /** An iTIP message with METHOD REPLY. */
  ics: string;
}

/**
 * A message to the organizer with the answers that stand in an object. `parts`: instances by name, and '' for the event or series
 * itself. Null where nobody can be told: the organizer has no e-mail address or is the owner, or the owner is not invited.
 *
 * Source: RFC 5546 3.2.3, RFC 6047 2.
 */
export function writeReply(
  text: string,
  {
    parts,
    answersAs,
    note,
    stampMs,
  }: {
    parts: readonly (RecId | '')[];
    answersAs: ReadonlySet<string>;
    note: string | null;
    stampMs: number;
  },
): Reply | null {
  const scan = scanComponents(text);
  if (!scan.ok || !scan.complete || scan.damaged) return null;
  const { events, timezones } = sortComponents(scan);
  const master = latest(events.filter((event) => !event.one.has('RECURRENCE-ID')));
  if (master === null) return null;
  const zones = createZoneLookup(timezones, zoneOfFile(scan), timesOf([master, ...events]), [], master.calendar);
  const standsAt = readWhen(master, zones, []);
  if ('reason' in standsAt) return null;
  const frame = frameOf(standsAt, zones.calendarZone);
  const names = nameZones(timezones, zones);
  const partOf = (event: RawEvent): string | null => {
    const line = event.one.get('RECURRENCE-ID');
    const value = line === undefined ? null : readDateLine(line, names.zones);
    return line === undefined ? '' : value === null ? null : recIdOf(value, frame);
  };
  const answered = events.filter((event) => {
    const part = event === master || event.one.has('RECURRENCE-ID') ? partOf(event) : null;
    return part !== null && parts.includes(part);
  });
  const [first] = answered;
  const organizer = first?.one.get('ORGANIZER');
  const [own] = first === undefined ? [] : ownAttendees(first, answersAs);
  if (organizer === undefined || own === undefined || isOwn(organizer, answersAs)) return null;
  const [to, from] = [attendeeEmail(organizer), attendeeEmail(own)];
  if (to === undefined || from === undefined) return null;
  const stamp = `DTSTAMP:${printBasicDateTime(stampMs)}Z`;
  const comment = cleanText(note ?? '', noteChars).trim();
  const component = (event: RawEvent) => [
    'BEGIN:VEVENT',
    ...told.flatMap((name) => event.one.get(name)?.text ?? []),
    ownAttendees(event, answersAs)[0]?.text ?? own.text,
    stamp,
    ...(comment === '' ? [] : [`COMMENT:${escapeText(comment)}`]),
    'END:VEVENT',
  ];
  const zoneTexts = scan.roots
    .flatMap(({ components }) => components)
    .filter(({ name }) => name === 'VTIMEZONE')
    .map(({ start, end }) => scan.text.slice(start, end).replaceAll(/\r?\n/g, '\r\n'));
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Holdfast//Holdfast//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:REPLY',
  ];
  const ics = [
    ...head.map(foldLine),
    ...zoneTexts,
    ...answered.flatMap(component).map(foldLine),
    foldLine('END:VCALENDAR'),
  ].join('');
  return { organizer: to, attendee: from, ics };
}

const noteChars = 1_000;

/** Properties by which the organizer's program finds the event, the instance and its revision. */
const told = ['UID', 'RECURRENCE-ID', 'SEQUENCE', 'DTSTART', 'DTEND', 'DURATION', 'SUMMARY', 'ORGANIZER'];

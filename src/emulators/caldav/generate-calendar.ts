import { createRandom } from '#emulators/kit/random.ts';

/**
 * Calendars as people have them, for benches and scenarios: one event in ten a weekly series of 26, half of the series
 * with a cancelled and a moved occurrence; each event with an organizer, three attendees, a description and its
 * VTIMEZONE. A single event is exactly 1,426 bytes, the mean of the calendars that the peers were measured with.
 */
export interface GeneratedObject {
  name: string;
  uid: string;
  body: string;
}

export interface GenerateOptions {
  count: number;
  /** First possible day of an event, `2027-01-04`. */
  fromDay: string;
  /** Events start within so many days. Default 150: inside the window that a mirror rule covers. */
  days?: number;
  /** Other seeds give other calendars. */
  seed?: number;
  /** Part of each UID and file name. */
  prefix?: string;
}

const SINGLE_BYTES = 1426;
const ZONE = `BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:DAYLIGHT
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
TZNAME:EDT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
TZNAME:EST
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
END:STANDARD
END:VTIMEZONE`.replaceAll('\n', '\r\n');
const TOPICS = ['Planning', 'Review', 'Interview', 'Workshop', 'Dentist', 'Budget', 'Retrospective', 'Call'];

/** The same options give the same calendar, byte for byte. */
export function generateCalendar(options: GenerateOptions): GeneratedObject[] {
  const random = createRandom(options.seed ?? 1);
  const first = Temporal.PlainDate.from(options.fromDay);
  const prefix = options.prefix ?? 'event';
  return Array.from({ length: options.count }, (_, index) => {
    const uid = `${prefix}-${String(index).padStart(6, '0')}@example.com`;
    const day = first.add({ days: Math.floor(random() * (options.days ?? 150)) });
    const at = { hour: 8 + Math.floor(random() * 10), minute: 15 * Math.floor(random() * 4) };
    const start = day.toPlainDateTime(at);
    const minutes = 30 * (1 + Math.floor(random() * 4));
    const topic = TOPICS[Math.floor(random() * TOPICS.length)]!;
    const isSeries = index % 10 === 9;
    const hasExceptions = index % 20 === 19;
    const body = isSeries
      ? seriesBody(uid, topic, start, minutes, hasExceptions)
      : singleBody(uid, topic, start, minutes);
    return { name: `${prefix}-${String(index).padStart(6, '0')}.ics`, uid, body };
  });
}

function singleBody(uid: string, topic: string, start: Temporal.PlainDateTime, minutes: number): string {
  const notes = notesOf(SINGLE_BYTES - wrap(event(uid, topic, start, minutes, [], '')).length);
  const missing = SINGLE_BYTES - wrap(event(uid, topic, start, minutes, [], notes)).length;
  return wrap(event(uid, topic + '.'.repeat(missing), start, minutes, [], notes));
}

function seriesBody(
  uid: string,
  topic: string,
  start: Temporal.PlainDateTime,
  minutes: number,
  hasExceptions: boolean,
): string {
  const recurrence = ['RRULE:FREQ=WEEKLY;COUNT=26'];
  if (!hasExceptions) return wrap(event(uid, topic, start, minutes, recurrence, notesOf(400)));
  recurrence.push(`EXDATE;TZID=America/New_York:${compact(start.add({ weeks: 5 }))}`);
  const original = start.add({ weeks: 8 });
  const moved = event(
    uid,
    topic,
    original.add({ hours: 26 }),
    minutes,
    [`RECURRENCE-ID;TZID=America/New_York:${compact(original)}`],
    '',
  );
  return wrap(`${event(uid, topic, start, minutes, recurrence, notesOf(400))}\r\n${moved}`);
}

function event(
  uid: string,
  topic: string,
  start: Temporal.PlainDateTime,
  minutes: number,
  recurrence: string[],
  notes: string,
): string {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20261101T080000Z',
    `DTSTART;TZID=America/New_York:${compact(start)}`,
    `DTEND;TZID=America/New_York:${compact(start.add({ minutes }))}`,
    ...recurrence,
    `SUMMARY:${topic}`,
    'LOCATION:Room 4\\, second floor',
    'ORGANIZER;CN=Olga Organizer:mailto:olga@example.org',
    'ATTENDEE;CN=Ada;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT:mailto:ada@example.org',
    'ATTENDEE;CN=Ben;PARTSTAT=TENTATIVE;ROLE=REQ-PARTICIPANT:mailto:ben@example.org',
    'ATTENDEE;CN=Cem;PARTSTAT=NEEDS-ACTION;ROLE=OPT-PARTICIPANT:mailto:cem@example.org',
    'SEQUENCE:0',
    'TRANSP:OPAQUE',
    'STATUS:CONFIRMED',
    ...(notes === '' ? [] : [notes]),
    'END:VEVENT',
  ]
    .join('\r\n')
    .replace(/^.{76,}$/gm, fold);
}

function wrap(events: string): string {
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//Calendar generator//EN\r\n${ZONE}\r\n${events}\r\nEND:VCALENDAR\r\n`;
}

const PROSE =
  'We meet to look at what was done, what is left and who needs help with it; notes go to the shared page. ';

/** A DESCRIPTION that makes its event at most `bytes` longer: a fold costs three bytes, so some lengths do not exist. */
function notesOf(bytes: number): string {
  const text = (length: number) => fold(`DESCRIPTION:${PROSE.repeat(20).slice(0, length)}`);
  let length = bytes - 2 - 'DESCRIPTION:'.length;
  while (text(length).length + 2 > bytes) length -= 1;
  return text(length);
}

/** Lines have at most 75 octets. Source: RFC 5545 section 3.1. */
function fold(line: string): string {
  let out = line.slice(0, 75);
  for (let at = 75; at < line.length; at += 74) out += `\r\n ${line.slice(at, at + 74)}`;
  return out;
}

function compact(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
}

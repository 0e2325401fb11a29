import type { When } from '../../src/kernel/event.ts';
import type { TagVerifier } from '../../src/kernel/mirror-identity.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { CaldavHttp } from '../../src/providers/caldav/http.ts';
import { type CaldavProfile, caldavProfiles } from '../../src/providers/caldav/profiles.ts';
import { openCaldav } from '../../src/providers/caldav/provider.ts';
import type { ConformanceWorld, UserEvent } from '../../src/providers/conformance.ts';

/** A calendar on some CalDAV server, and the person who uses it with another app. */
export interface CaldavWorldOptions {
  /** Where discovery starts. */
  url: string;
  /** URL of this test's empty calendar. */
  calendarUrl: string;
  username: string;
  password: string;
  http: CaldavHttp;
  tags: TagVerifier;
  profile?: CaldavProfile;
  /** Absent where a password is never refused. */
  checksPasswords: boolean;
  storesBrokenEvents: boolean;
  /** The server writes the value of a quoted parameter without its quotes, before anybody changes the event. */
  unquotesParameters?: boolean;
  staleCursor?: ConformanceWorld['staleCursor'];
  settle?(): Promise<void>;
  removeCalendar(): Promise<void>;
  close?(): Promise<void>;
}

/** The user's side speaks raw HTTP and writes its own iCalendar, so that no code under test vouches for itself. */
export function openCaldavWorld(options: CaldavWorldOptions): ConformanceWorld {
  const calendarPath = new URL(options.calendarUrl).pathname;
  const marks = options.unquotesParameters === true ? [plainMark, ...strange.slice(1)] : strange;
  let aheadMs = 0;
  const open = (password: string) =>
    openCaldav({
      baseUrl: options.url,
      username: options.username,
      password,
      profile: options.profile ?? caldavProfiles.generic,
      http: options.http,
      selfAddresses: [`${options.username}@example.com`],
      tags: options.tags,
      clock: () => systemClock.nowMs() + aheadMs,
    });
  const provider = open(options.password);
  const send = async (method: string, ref: string, body?: string): Promise<string> => {
    const response = await options.http({
      method,
      url: new URL(ref.split('/').map(encodeURIComponent).join('/'), options.calendarUrl).href,
      headers: {
        authorization: `Basic ${Buffer.from(`${options.username}:${options.password}`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'text/calendar; charset=utf-8' }),
      },
      body,
      signal: AbortSignal.timeout(20_000),
      maxBytes: 1_000_000,
    });
    const text = typeof response.body === 'string' ? response.body : await Array.fromAsync(response.body).then(joined);
    if (response.status >= 300 || response.status === 207)
      throw new Error(`${method} ${ref}: ${response.status} ${text}`);
    return text;
  };
  const put = async (name: string, text: string) => {
    const ref = `${decodeURIComponent(calendarPath)}${name}.ics`;
    await send('PUT', ref, text);
    return ref;
  };
  return {
    provider,
    calendarRef: decodeURIComponent(calendarPath),
    user: {
      // A blank and an @ in the name: servers spell them in several ways.
      put: (event) => put(`user ${event.uid}`, renderEvent(event)),
      remove: async (ref) => {
        await send('DELETE', ref);
      },
      retitle: async (ref, title) => {
        const text = await send('GET', ref);
        await send('PUT', ref, text.replace(/^SUMMARY.*(?:\r?\n[ \t].*)*/m, `SUMMARY:${escapeText(title)}`));
      },
      mark: async (ref) => {
        const text = await send('GET', ref);
        const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
        await send('PUT', ref, text.replace(/^END:VEVENT/m, [...marks, 'END:VEVENT'].join(lineEnd)));
      },
      isMarked: async (ref) => {
        // servers may sort and fold lines differently, but leave none out
        const lines = (await send('GET', ref)).replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
        return marks.map((line) => line.replace(/\r?\n[ \t]/g, '')).every((line) => lines.includes(line));
      },
      ...(options.storesBrokenEvents ? { putRaw: put } : {}),
    },
    removeCalendar: options.removeCalendar,
    ...(options.checksPasswords ? { withWrongCredential: () => open('not the password') } : {}),
    ...(options.staleCursor === undefined ? {} : { staleCursor: options.staleCursor }),
    ...(options.settle === undefined ? {} : { settle: options.settle }),
    goOn: (ms) => {
      aheadMs += ms;
    },
    close: async () => {
      await provider.close();
      await options.close?.();
    },
  };
}

function joined(chunks: Uint8Array[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

/** iCalendar as another app would write it: with zones where needed, CRLF, and lines folded by octets. */
function renderEvent(event: UserEvent): string {
  const zoned = event.when.kind === 'zoned' && event.when.zone !== 'UTC';
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example//Another App 4.2//EN'];
  if (zoned) lines.push(...berlin);
  lines.push(
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    'DTSTAMP:20270101T000000Z',
    ...timeLines(event.when),
    `SUMMARY:${escapeText(event.title)}`,
  );
  if (event.notes !== undefined) lines.push(`DESCRIPTION:${escapeText(event.notes)}`);
  if (event.rule !== undefined) lines.push(`RRULE:${event.rule}`);
  for (const start of event.cancelled ?? []) lines.push(`EXDATE${stamp(start, event.when)}`);
  if (event.tag !== undefined) lines.push(`X-HOLDFAST-MIRROR:${event.tag}`);
  lines.push('END:VEVENT');
  if (event.moved !== undefined) {
    lines.push(
      'BEGIN:VEVENT',
      `UID:${event.uid}`,
      'DTSTAMP:20270101T000000Z',
      `RECURRENCE-ID${stamp(event.moved.original, event.when)}`,
      ...timeLines({ ...event.when, start: event.moved.start }),
      `SUMMARY:${escapeText(event.moved.title)}`,
      'END:VEVENT',
    );
  }
  lines.push('END:VCALENDAR');
  return `${lines.map(fold).join('\r\n')}\r\n`;
}

function timeLines(when: When): string[] {
  if (when.kind === 'all-day') return [`DTSTART${stamp(when.start, when)}`, `DTEND${stamp(when.end, when)}`];
  const { days = 0, seconds = 0, wallSeconds = 0 } = when.duration;
  const until = Temporal.PlainDateTime.from(when.start)
    .add({ days, seconds: seconds + wallSeconds })
    .toString({ smallestUnit: 'second' });
  return [`DTSTART${stamp(when.start, when)}`, `DTEND${stamp(until, when)}`];
}

function stamp(local: string, when: When): string {
  const basic = local.replaceAll('-', '').replaceAll(':', '');
  if (when.kind === 'all-day') return `;VALUE=DATE:${basic}`;
  if (when.kind === 'floating') return `:${basic}`;
  return when.zone === 'UTC' ? `:${basic}Z` : `;TZID=${when.zone}:${basic}`;
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(';', '\\;').replaceAll(',', '\\,').replaceAll('\n', '\\n');
}

function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > 74) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

/** Properties of another app in an event. */
const strange = [
  'X-OTHER-APP-COLOR;X-SHADE="dark; very":#112233',
  'ATTACH;FMTTYPE=application/pdf:https://files.example.com/menu.pdf',
  'BEGIN:VALARM',
  'ACTION:EMAIL',
  'DESCRIPTION:Menu',
  'SUMMARY:Menu',
  'TRIGGER:-P1D',
  'ATTENDEE:mailto:alice@example.com',
  'END:VALARM',
];

const plainMark = 'X-OTHER-APP-COLOR;X-SHADE=dark:#112233';

const berlin = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Berlin',
  'BEGIN:STANDARD',
  'DTSTART:19961027T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'TZNAME:CET',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:19960331T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'TZNAME:CEST',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

import { escapeText, foldLine } from '#kernel/ical/ical-text.ts';
import { writeVtimezone } from '#kernel/ical/write-vtimezone.ts';
import { printBasicDateTime } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';

/** One meeting for the calendar of an invited person. Times are epoch ms. */
export interface InvitedEvent {
  uid: string;
  /** Counts on with each change: of two messages the later one holds, in whatever order they arrive. */
  sequence: number;
  startMs: number;
  endMs: number;
  /** IANA; the wall clock that the meeting keeps to. */
  zone: string;
  title: string;
  notes: string;
  /** Empty: none. */
  place: string;
  /** Also in `notes` or `place`: many calendar programs show neither URL nor CONFERENCE. */
  joinUrl: string | null;
  /** The page that leads to the meeting; absent where there is none, or where the invitation has the link. */
  pageUrl?: string;
  isCancelled: boolean;
  /** The single time of a series that this is about, by its original start. */
  instanceMs?: number;
  /** A series; without rule it is its start and `moreMs`. `exceptMs`: what of it does not take place. */
  recurrence?: { rule: string | null; moreMs: readonly number[]; exceptMs: readonly number[] };
  attendees: readonly { email: string; name: string | null; hasAccepted: boolean }[];
}

/** Answers of calendar programs go to their address. */
export interface Organizer {
  name: string;
  email: string;
  /** The address that acts for them (RFC 5546 3.2.2.5); null where theirs sends the mail, and nobody reads answers to it. */
  sentBy: string | null;
}

export interface Invitation {
  /** REQUEST: add it, or apply the change. CANCEL: remove it. PUBLISH: for information, without a response. */
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH';
  organizer: Organizer;
  stampMs: number;
  events: readonly InvitedEvent[];
}

/**
 * The calendar part of a mail. All of it is about one UID: a meeting, or a series with those of its times that differ.
 * *Source*: RFC 5546 3.2.2 and 3.2.5, RFC 5545 3.6.1, RFC 7986 5.11 for CONFERENCE, RFC 6868 for names.
 */
export function writeInvitation({ method, organizer, stampMs, events: given }: Invitation): string {
  const events = given.map((event) => ({ ...event, zone: isClear(event) ? event.zone : 'UTC' }));
  const zones = new Map(
    events.map(({ zone, startMs }) => {
      const known = loadZone(zone) ?? utc;
      return [
        known.id,
        { zone: known, year: Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO('UTC').year },
      ];
    }),
  );
  const parts = [...zones.values()].flatMap(({ zone, year }) =>
    zone.id === 'UTC' ? [] : [writeVtimezone(zone.id, year - 1)],
  );
  return [
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//Holdfast//EN\r\nCALSCALE:GREGORIAN\r\n',
    `METHOD:${method}\r\n`,
    ...parts,
    ...events.map((event) => writeEvent(event, { method, organizer, stampMs })),
    'END:VCALENDAR\r\n',
  ].join('');
}

/** An hour that the clock shows twice is read as its first by some programs and as its second by others. */
export function isClear({ zone, startMs, endMs }: Pick<InvitedEvent, 'zone' | 'startMs' | 'endMs'>): boolean {
  return [startMs, endMs].every((ms) => {
    const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime();
    const at = (disambiguation: 'earlier' | 'later') =>
      local.toZonedDateTime(zone, { disambiguation }).epochMilliseconds;
    return at('earlier') === at('later');
  });
}

function writeEvent(event: InvitedEvent, { method, organizer, stampMs }: Omit<Invitation, 'events'>): string {
  const zone = loadZone(event.zone) ?? utc;
  const at = (name: string, ms: number) =>
    zone.id === 'UTC'
      ? `${name}:${printBasicDateTime(ms)}Z`
      : `${name};TZID=${zone.id}:${printBasicDateTime(zone.toLocal(ms))}`;
  const asks = method === 'REQUEST' && organizer.sentBy !== null;
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${printBasicDateTime(stampMs)}Z`,
    at('DTSTART', event.startMs),
    at('DTEND', event.endMs),
    ...(event.instanceMs === undefined ? [] : [at('RECURRENCE-ID', event.instanceMs)]),
    ...(event.recurrence?.rule == null ? [] : [`RRULE:${event.recurrence.rule}`]),
    ...(event.recurrence?.moreMs ?? []).map((ms) => at('RDATE', ms)),
    ...(event.recurrence?.exceptMs ?? []).map((ms) => at('EXDATE', ms)),
    `SUMMARY:${escapeText(event.title)}`,
    ...(event.notes === '' ? [] : [`DESCRIPTION:${escapeText(event.notes)}`]),
    ...(event.place === '' ? [] : [`LOCATION:${escapeText(event.place)}`]),
    ...(event.joinUrl === null
      ? event.pageUrl === undefined
        ? []
        : [`URL:${event.pageUrl}`]
      : [`URL:${event.joinUrl}`, `CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:${event.joinUrl}`]),
    `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    `ORGANIZER;CN=${nameValue(organizer.name)}${organizer.sentBy === null ? '' : `;SENT-BY="mailto:${organizer.sentBy}"`}:mailto:${organizer.email}`,
    ...event.attendees.map(({ email, name, hasAccepted }) =>
      [
        'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT',
        `PARTSTAT=${hasAccepted ? 'ACCEPTED' : 'NEEDS-ACTION'}`,
        `RSVP=${asks && !hasAccepted ? 'TRUE' : 'FALSE'}`,
        `CN=${nameValue(name ?? email)}:mailto:${email}`,
      ].join(';'),
    ),
    'END:VEVENT',
  ]
    .map(foldLine)
    .join('');
}

/** A parameter's value in quotes; what may not stand there is written as RFC 6868 has it, controls are left out. */
function nameValue(name: string): string {
  const plain = name
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .replaceAll('^', '^^')
    .replaceAll('"', "^'");
  return `"${plain.slice(0, 120)}"`;
}

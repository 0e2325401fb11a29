import type { Core, FollowingChange, Series, When } from '#kernel/event.ts';
import { nearestColorName } from '#kernel/ical/color.ts';
import { cleanText, escapeText, foldLine } from '#kernel/ical/ical-text.ts';
import { normaliseBody, normaliseChange, type WritableBody } from '#kernel/ical/normalise-body.ts';
import { basicOf, instanceValue, printDuration, recurrenceLines, zonedValue } from '#kernel/ical/write-recurrence.ts';
import { writeVtimezone } from '#kernel/ical/write-vtimezone.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import { hasEnd, usualMs } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal, printBasicDateTime } from '#kernel/time/local.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

export interface MirrorStamp {
  /** Now, for DTSTAMP and LAST-MODIFIED: all that differs between two writes of one body. */
  stampMs: number;
  /** Default 0. */
  sequence?: number | undefined;
  /** Hash of the content, written as X-HOLDFAST-HASH. */
  hash?: string | undefined;
}

/**
 * The iCalendar object of a mirror: CRLF, folded at 75 octets, with its VTIMEZONE, without people, alarms or METHOD,
 * so that no server sends mail for it. No text can bring in a property of its own.
 *
 * `parseObject` of the result gives `normaliseBody(body)`. Deterministic.
 * *Errors*: RangeError where a start is no LocalDate or LocalDateTime, which breaks the model.
 * *Source*: RFC 5545; timed singles in UTC, and DTEND wherever an end says the same, because iCloud and older clients need it.
 */
export function serialiseMirror(body: WritableBody, identity: MirrorIdentity, stamp: MirrorStamp): string {
  const { zone, events } = eventComponents(body, identityLines(identity, stamp));
  const timezone = zone === null ? '' : writeVtimezone(zone.id, zone.fromYear);
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//Holdfast//EN\r\n${timezone}${events}END:VCALENDAR\r\n`;
}

interface EventComponents {
  /** The VTIMEZONE that they refer to, and the year before the first of them. */
  zone: { id: string; fromYear: number } | null;
  events: string;
}

/**
 * The VEVENTs of an event or a series with its changes of "this and all following"; `head` is what each begins with: UID,
 * DTSTAMP and what else names it.
 */
export function eventComponents(
  body: WritableBody,
  head: string,
  changes: readonly FollowingChange[] = [],
): EventComponents {
  const normal = normaliseBody(body);
  const isZoned = normal.kind === 'series' && normal.when.kind === 'zoned' && normal.when.zone !== 'UTC';
  const zone = isZoned ? ((loadEventZone((normal.when as { zone: string }).zone) as Zone) ?? utc) : utc;
  let text = `BEGIN:VEVENT\r\n${head}${whenLines(normal.when, zone)}`;
  if (normal.kind === 'series') for (const line of recurrenceLines(normal, zone)) text += foldLine(line);
  text += `${coreLines(normal.core)}END:VEVENT\r\n`;
  if (normal.kind === 'series') {
    for (const [recId, { when, core }] of Object.entries(normal.overrides).sort(([a], [b]) => (a < b ? -1 : 1))) {
      text += `BEGIN:VEVENT\r\n${head}${foldLine(`RECURRENCE-ID${instanceValue(recId, normal.when.kind, zone)}`)}`;
      text += `${whenLines(when, zone)}${coreLines(core)}END:VEVENT\r\n`;
    }
  }
  if (body.kind === 'series' && changes.length > 0) text += followingComponents(body, changes, zone, head);
  const named = isZoned ? { id: (normal.when as { zone: string }).zone, fromYear: yearBefore(normal as Series) } : null;
  return { zone: named, events: text };
}

function followingComponents(series: Series, changes: readonly FollowingChange[], zone: Zone, head: string): string {
  const { kind } = series.when;
  return changes
    .map(({ from, to: change }) => {
      const at = instanceValue(from, kind, zone);
      const to = change === null ? null : normaliseChange(change, zone);
      const lines =
        to === null ? `${foldLine(`DTSTART${at}`)}STATUS:CANCELLED\r\n` : whenLines(to.when, zone) + coreLines(to.core);
      return `BEGIN:VEVENT\r\n${head}${foldLine(`RECURRENCE-ID;RANGE=THISANDFUTURE${at}`)}${lines}END:VEVENT\r\n`;
    })
    .join('');
}

function identityLines(identity: MirrorIdentity, stamp: MirrorStamp): string {
  const at = `${printBasicDateTime(stamp.stampMs)}Z`;
  const hash = stamp.hash === undefined ? '' : foldLine(`X-HOLDFAST-HASH:${oneLine(stamp.hash)}`);
  return (
    foldLine(`UID:${oneLine(identity.uid)}`) +
    `DTSTAMP:${at}\r\nLAST-MODIFIED:${at}\r\nSEQUENCE:${Math.max(0, Math.floor(stamp.sequence ?? 0))}\r\n` +
    foldLine(`X-HOLDFAST-MIRROR:${oneLine(identity.tag)}`) +
    hash
  );
}

/** Names that we minted hold no line end; this is for the day on which they do. */
function oneLine(text: string): string {
  return cleanText(text, 1_000).replaceAll('\n', ' ');
}

/** An observance must begin before anything of the series does. */
function yearBefore(series: Series): number {
  let first = series.when.start;
  const extra = series.extraDates[0]?.start;
  if (extra !== undefined && extra < first) first = extra;
  let year = Number(first.slice(0, 4));
  for (const { when } of Object.values(series.overrides)) year = Math.min(year, Number(when.start.slice(0, 4)));
  return year - 1;
}

function whenLines(when: When, zone: Zone): string {
  if (when.kind === 'all-day') {
    return `DTSTART;VALUE=DATE:${basicOf(when.start)}\r\nDTEND;VALUE=DATE:${basicOf(when.end)}\r\n`;
  }
  const isZoned = when.kind === 'zoned' && when.zone !== 'UTC' && zone !== utc;
  const mark = when.kind === 'zoned' && !isZoned ? 'Z' : '';
  const start = foldLine(`DTSTART${isZoned ? `;TZID=${zone.id}` : ''}:${basicOf(when.start)}${mark}`);
  if (!hasEnd(when)) return `${start}DURATION:${printDuration(when.duration)}\r\n`;
  const localMs = parseLocal(when.start) ?? 0;
  const lengthMs = usualMs(when.duration);
  const end = isZoned
    ? zonedValue(zone.toInstant(localMs) + lengthMs, zone)
    : `:${printBasicDateTime(localMs + lengthMs)}${mark}`;
  return start + foldLine(`DTEND${end}`);
}

const busyLines: Record<Core['busy'], string> = {
  busy: 'TRANSP:OPAQUE\r\nSTATUS:CONFIRMED\r\n',
  unknown: 'TRANSP:OPAQUE\r\nSTATUS:CONFIRMED\r\n',
  tentative: 'TRANSP:OPAQUE\r\nSTATUS:TENTATIVE\r\nX-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE\r\n',
  oof: 'TRANSP:OPAQUE\r\nSTATUS:CONFIRMED\r\nX-MICROSOFT-CDO-BUSYSTATUS:OOF\r\n',
  elsewhere: 'TRANSP:TRANSPARENT\r\nSTATUS:CONFIRMED\r\nX-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE\r\n',
  free: 'TRANSP:TRANSPARENT\r\nSTATUS:CONFIRMED\r\n',
};

/** Returns the lines of an event except for its time. */
export function coreLines(core: Core): string {
  let text = core.title === undefined ? '' : foldLine(`SUMMARY:${escapeText(core.title)}`);
  if (core.location !== undefined) text += foldLine(`LOCATION:${escapeText(core.location)}`);
  if (core.notes !== undefined) text += foldLine(`DESCRIPTION:${escapeText(core.notes)}`);
  if (core.joinUrl !== undefined) text += foldLine(`URL:${core.joinUrl}`);
  if (core.categories !== undefined) text += foldLine(`CATEGORIES:${core.categories.map(escapeText).join(',')}`);
  const color = core.color === undefined ? undefined : nearestColorName(core.color);
  if (color !== undefined) text += `COLOR:${color}\r\n`;
  return `${text}${core.private ? 'CLASS:PRIVATE\r\n' : 'CLASS:PUBLIC\r\n'}${busyLines[core.busy]}`;
}

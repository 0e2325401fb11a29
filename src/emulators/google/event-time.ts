import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { parseLocalDate, parseLocalDateTime, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { badRequest, invalid } from './errors.ts';

/** When an event is. Half-open: `end` is the day after the last, or the first moment after. */
export type EventTime =
  | { allDay: true; start: string; end: string }
  | { allDay: false; startMs: number; endMs: number; startZone: string; endZone: string };

/** A point in time as the API writes it. */
export interface EventDateTime {
  date?: string | null;
  dateTime?: string | null;
  timeZone?: string | null;
}

type Edge = { allDay: true; day: string } | { allDay: false; ms: number; zone: string };

const RFC_3339 = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(?:\.\d+)?([Zz]|[+-]\d{2}:\d{2})?$/;

/**
 * Reads `start` and `end`. A time without offset needs its `timeZone`; a recurring event needs it always.
 * Source: Google Calendar API, Events resource; "Handle API errors" for `timeRangeEmpty`.
 */
export function readEventTime(
  start: EventDateTime | undefined | null,
  end: EventDateTime | undefined | null,
  calendarZone: string,
  recurring: boolean,
): EventTime {
  if (!start) throw badRequest('required', 'Missing start time.');
  if (!end) throw badRequest('required', 'Missing end time.');
  const from = readEdge(start, 'start', calendarZone, recurring);
  const to = readEdge(end, 'end', calendarZone, recurring);
  if (from.allDay && to.allDay) {
    if (to.day <= from.day)
      throw badRequest('timeRangeEmpty', 'The specified time range is empty.', { domain: 'calendar' });
    return { allDay: true, start: from.day, end: to.day };
  }
  if (from.allDay || to.allDay) throw invalid('Start and end times must either both be date or both be dateTime.');
  if (to.ms <= from.ms)
    throw badRequest('timeRangeEmpty', 'The specified time range is empty.', { domain: 'calendar' });
  return { allDay: false, startMs: from.ms, endMs: to.ms, startZone: from.zone, endZone: to.zone };
}

function readEdge(edge: EventDateTime, name: 'start' | 'end', calendarZone: string, recurring: boolean): Edge {
  if (edge.date && edge.dateTime) throw invalid(`Invalid ${name} time.`);
  if (edge.date) {
    if (parseLocalDate(edge.date) === null) throw invalid(`Invalid ${name} time.`);
    return { allDay: true, day: edge.date };
  }
  if (!edge.dateTime) throw badRequest('required', `Missing ${name} time.`);
  const zone = edge.timeZone ? loadZone(edge.timeZone) : null;
  if (edge.timeZone && !zone) throw invalid(`Invalid time zone definition for ${name} time.`);
  const match = RFC_3339.exec(edge.dateTime);
  const localMs = match ? parseLocalDateTime(match[1]!.toUpperCase()) : null;
  if (!match || localMs === null) throw invalid(`Invalid ${name} time.`);
  if (!zone && (recurring || !match[2])) {
    throw badRequest('required', `Missing time zone definition for ${name} time.`);
  }
  const ms = match[2] ? localMs - offsetMsOf(match[2]) : zone!.toInstant(localMs);
  return { allDay: false, ms, zone: zone?.id ?? calendarZone };
}

function offsetMsOf(offset: string): number {
  if (offset.length === 1) return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
  return (offset.startsWith('-') ? -minutes : minutes) * minuteMs;
}

/** An RFC 3339 time of a request's parameter as epoch ms; null when it is none. It must carry an offset. */
export function parseRfc3339(text: string): number | null {
  const match = RFC_3339.exec(text);
  const localMs = match?.[2] ? parseLocalDateTime(match[1]!.toUpperCase()) : null;
  return localMs === null ? null : localMs - offsetMsOf(match![2]!);
}

/** An instant on the wall clock of a zone, with its offset: `2027-03-08T09:00:00+01:00`. */
export function printInZone(ms: number, zone: Zone): string {
  const offset = Math.round(zone.offsetAt(ms) / minuteMs);
  const local = printLocalDateTime(ms + offset * minuteMs);
  if (offset === 0) return `${local}Z`;
  const size = Math.abs(offset);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** `2026-11-21T09:00:00.000Z` */
export function printUtc(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });
}

/** Where a time lies on the line of instants; a day is read in the zone of the calendar. */
export function spanOf(time: EventTime, calendarZone: string): { startMs: number; endMs: number } {
  if (!time.allDay) return time;
  const zone = loadZone(calendarZone) ?? utc;
  const at = (day: string) => zone.toInstant(parseLocalDate(day) ?? 0);
  return { startMs: at(time.start), endMs: at(time.end) };
}

/** The same event at another start: timed ones keep their length, all-day ones their days. */
export function movedTo(time: EventTime, startMs: number): EventTime {
  if (!time.allDay) return { ...time, startMs, endMs: startMs + time.endMs - time.startMs };
  const first = parseLocalDate(time.start) ?? 0;
  const last = parseLocalDate(time.end) ?? 0;
  const start = Math.floor(startMs / dayMs) * dayMs;
  return { allDay: true, start: printLocalDate(start), end: printLocalDate(start + last - first) };
}

import type { When } from '#kernel/event.ts';
import { unknownLength } from '#kernel/ical/read-when.ts';
import { parseLocalDateTime, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import type { GraphEvent } from './graph-event.ts';
import { zoneNamed } from './zones.ts';

/** Times on Graph's wire. Every request prefers UTC, so the wall clock of an answer is that of UTC or named otherwise. */

/** Epoch ms of a dateTimeTimeZone (local ms where the event is all-day), or null where it is none. */
export function readDateTime(value: GraphEvent['start']): number | null {
  const localMs = parseLocalDateTime((value?.dateTime ?? '').replace(/\.\d{1,9}$/, '').replace(/Z$/, ''));
  if (localMs === null) return null;
  const name = value?.timeZone ?? 'UTC';
  const zone = zoneNamed(name);
  return zone === null ? null : (loadZone(zone) ?? utc).toInstant(localMs);
}

/** The days of an all-day event: its dates are read as they stand, whatever zone is named beside them. */
function readDate(value: GraphEvent['start']): string | null {
  const localMs = parseLocalDateTime((value?.dateTime ?? '').replace(/\.\d{1,9}$/, '').replace(/Z$/, ''));
  return localMs === null ? null : printLocalDate(localMs);
}

/** Epoch ms of a DateTimeOffset (`originalStart`), or null. */
export function readInstant(text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null;
  try {
    return Temporal.Instant.from(/Z$|[+-]\d{2}:\d{2}$/.test(text) ? text : `${text}Z`).epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether the end of an event can be read. */
export const hasEnd = (event: GraphEvent): boolean =>
  (event.isAllDay === true ? readDate(event.end) : readDateTime(event.end)) !== null;

/**
 * When an event takes place, in `zone`; null where its start cannot be read. Without an end that can be, it takes an hour or
 * a day. The end of an all-day event is exclusive here and there.
 */
export function readWhen(event: GraphEvent, zone: string): When | null {
  if (event.isAllDay === true) {
    const start = readDate(event.start);
    const end = readDate(event.end);
    if (start === null) return null;
    return { kind: 'all-day', start, end: end !== null && end > start ? end : dayAfter(start) };
  }
  const startMs = readDateTime(event.start);
  const endMs = readDateTime(event.end);
  if (startMs === null) return null;
  const clock = loadZone(zone) ?? utc;
  const duration =
    endMs === null ? unknownLength : { seconds: Math.max(0, Math.floor(endMs / 1_000) - Math.floor(startMs / 1_000)) };
  return { kind: 'zoned', start: printLocalDateTime(clock.toLocal(startMs)), zone: clock.id, duration };
}

function dayAfter(date: string): string {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toString();
}

/**
 * Start and end on the clock of the zone that Windows has by this name; in UTC where it has none, and wherever the clock
 * would be read as another time: of an hour that comes twice Graph means the first.
 */
export function writeEdges({ startMs, endMs }: { startMs: number; endMs: number }, zone: Zone, named: string | null) {
  const edge = (ms: number) => {
    const localMs = zone.toLocal(ms);
    const isPlain = named !== null && zone.toInstant(localMs) === ms;
    return isPlain ? { dateTime: write(localMs), timeZone: named } : { dateTime: write(ms), timeZone: 'UTC' };
  };
  return { start: edge(startMs), end: edge(endMs) };
}

/** Seven fractional digits, no offset. */
const write = (localMs: number) => `${printLocalDateTime(localMs)}.0000000`;

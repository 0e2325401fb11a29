import type { When } from '#kernel/event.ts';
import { clampMs, type DateValue, exactDuration, maxDurationSeconds } from '#kernel/ical/date-value.ts';
import { unknownLength } from '#kernel/ical/read-when.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { parseLocal, parseLocalDate, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { GoogleEvent, GoogleEventTime } from './resource.ts';

/** RFC 3339, as Google writes it: always with an offset, that of whatever zone the answer is in. */
const dateTimePattern = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|([+-])(\d{2}):(\d{2}))$/i;

/** A start or end as a date, or as its instant; null for one that is neither, `{timeZone}` alone included. */
export function readTime(time: GoogleEventTime | undefined): DateValue | null {
  if (time?.date !== undefined) {
    const ms = parseLocalDate(time.date);
    return ms === null ? null : { form: 'date', ms: clampMs(ms), zone: null };
  }
  const [, local = '', , sign, hours, minutes] = dateTimePattern.exec(time?.dateTime ?? '') ?? [];
  const ms = parseLocal(local.toUpperCase());
  if (ms === null) return null;
  const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1);
  return { form: 'utc', ms: clampMs(ms - offsetMs), zone: null };
}

/**
 * When an event takes place: the instant is Google's word, the wall clock that of the zone the event was made in.
 * Source: Google Calendar API, Events resource, "start", "end".
 */
export function readWhen(
  event: Pick<GoogleEvent, 'start' | 'end' | 'recurrence'>,
  calendarZone: string | undefined,
  warnings: string[],
): When | { reason: string } {
  const start = readTime(event.start);
  if (start === null)
    return { reason: warning('start-unreadable', { source: event.start?.dateTime ?? event.start?.date ?? '' }) };
  const end = readTime(event.end);
  if (end === null) {
    warnings.push(warning('end-unreadable', { source: event.end?.dateTime ?? event.end?.date ?? '' }));
  }
  if (start.form === 'date') {
    // The end is exclusive; one that is no later than the start is how some importers write one day.
    const endMs = end === null ? 0 : Math.ceil(end.ms / dayMs) * dayMs;
    const latestMs = Math.min(Math.max(endMs, start.ms + dayMs), start.ms + maxDurationSeconds * 1_000);
    return { kind: 'all-day', start: printLocalDate(start.ms), end: printLocalDate(clampMs(latestMs)) };
  }
  const named = event.start?.timeZone ?? calendarZone ?? 'UTC';
  const found = loadZone(resolveZone(named)?.zone ?? '');
  if (found === null) {
    // The instant is the whole time of a single event, and one of the times of a series.
    const repeats = (event.recurrence ?? []).length > 0;
    warnings.push(warning(repeats ? 'zone-of-series-unknown' : 'zone-as-utc', { zone: named }));
  }
  const zone = found ?? utc;
  const duration = end === null ? unknownLength : exactDuration(start.ms, end.ms);
  return { kind: 'zoned', start: printLocalDateTime(clampMs(zone.toLocal(start.ms))), zone: zone.id, duration };
}

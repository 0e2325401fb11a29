import { formatDay, formatTime } from '../format.ts';
import type { Preferences } from '../preferences.tsx';

interface Options {
  currentMs: number;
  /** "All day" in the person's language. */
  allDay: string;
  /** A moment of the day that the text stands under, which is not repeated. */
  underMs?: number;
}

/**
 * `Fri, Nov 20, 8:15 AM – 10:15 AM`; from midnight to midnight `Fri, Nov 20, All day`; over several days both ends with
 * their days, `Fri, Nov 20 – Sat, Nov 21, All day`. An end at midnight belongs to the day before.
 */
export function formatSpan(
  { startMs, endMs }: { startMs: number; endMs: number },
  preferences: Preferences,
  { currentMs, allDay, underMs }: Options,
): string {
  const dayOf = (atMs: number) => formatDay(atMs, preferences, currentMs);
  const [first, last] = [dayOf(startMs), dayOf(Math.max(startMs, endMs - 1))];
  const [start, end] = [formatTime(startMs, preferences), formatTime(endMs, preferences)];
  const isWhole = isWholeDays(startMs, endMs, preferences.zone);
  if (first !== last) return isWhole ? `${first} – ${last}, ${allDay}` : `${first}, ${start} – ${last}, ${end}`;
  const times = isWhole ? allDay : `${start} – ${end}`;
  return underMs !== undefined && dayOf(underMs) === first ? times : `${first}, ${times}`;
}

/** Whether a time is one or more days of a zone, whatever their length. */
export function isWholeDays(startMs: number, endMs: number, zone: string): boolean {
  const isMidnight = (ms: number) => {
    const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
    return at.equals(at.startOfDay());
  };
  return startMs < endMs && isMidnight(startMs) && isMidnight(endMs);
}

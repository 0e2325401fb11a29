import { dayMs, packedDate, weekdayOf, yearOfPacked } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import { parseLocalDate, printLocalDate } from '#kernel/time/local.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { Granularity } from './measures.ts';

/** Days in a zone, by day number (0 = 1970-01-01): `firstDay` to before `endDay`. */
export interface Days {
  firstDay: number;
  endDay: number;
}

/** The days of a question, and the same number of days before them. */
export interface Period extends Days {
  zone: Zone;
  previous: Days;
}

export const longestDays = 731;
const usualDays = 30;

/** The period of two dates, the second no more in it; without dates the last 30 days with today. Null: not a range. */
export function readPeriod(asked: { from?: string | undefined; to?: string | undefined }, zone: Zone, nowMs: number) {
  const today = dayOf(zone, nowMs);
  const endDay = asked.to === undefined ? today + 1 : dayOfDate(asked.to);
  const firstDay = asked.from === undefined ? (endDay ?? today) - usualDays : dayOfDate(asked.from);
  if (firstDay === null || endDay === null || endDay <= firstDay || endDay - firstDay > longestDays) return null;
  return periodOf({ firstDay, endDay }, zone);
}

export function periodOf({ firstDay, endDay }: Days, zone: Zone): Period {
  return { firstDay, endDay, zone, previous: { firstDay: 2 * firstDay - endDay, endDay: firstDay } };
}

/** Returns this month, and the last one up to the same day of it (semantics 5). */
export function monthPeriod(zone: Zone, nowMs: number): Period {
  const today = dayOf(zone, nowMs);
  const firstDay = firstOfMonth(today);
  const before = firstOfMonth(firstDay - 1);
  const endDay = today + 1;
  return {
    firstDay,
    endDay,
    zone,
    previous: { firstDay: before, endDay: Math.min(firstDay, before + endDay - firstDay) },
  };
}

export const dayOf = (zone: Zone, atMs: number) => Math.floor(zone.toLocal(atMs) / dayMs);
export const dateOf = (day: number) => printLocalDate(day * dayMs);
/** When a day begins; where there is no midnight, as soon as it does. */
export const startOf = (zone: Zone, day: number) => zone.toInstant(day * dayMs);

export function spanOf({ firstDay, endDay }: Days, zone: Zone): Span {
  return { startMs: startOf(zone, firstDay), endMs: startOf(zone, endDay) };
}

function dayOfDate(date: string): number | null {
  const localMs = parseLocalDate(date);
  return localMs === null ? null : localMs / dayMs;
}

function firstOfMonth(day: number): number {
  return day - (packedDate(day) & 31) + 1;
}

export function granularityOf({ firstDay, endDay }: Days): Granularity {
  const days = endDay - firstDay;
  return days <= 31 ? 'day' : days <= 180 ? 'week' : 'month';
}

/** First days of the buckets of a range; the first one begins with the range, whatever its week or month does. */
export function bucketsOf(days: Days, granularity: Granularity): number[] {
  const starts: number[] = [];
  for (let day = days.firstDay; day < days.endDay; day += 1) {
    const isStart =
      day === days.firstDay ||
      granularity === 'day' ||
      (granularity === 'week' ? weekdayOf(day) === 0 : (packedDate(day) & 31) === 1);
    if (isStart) starts.push(day);
  }
  return starts;
}

/** The ISO week of a day, as `2027-W03`: it is of the year that its Thursday is in. */
export function isoWeekOf(day: number): string {
  const thursday = day - weekdayOf(day) + 3;
  const year = yearOfPacked(packedDate(thursday));
  let first = thursday;
  while (yearOfPacked(packedDate(first - 7)) === year) first -= 7;
  return `${year}-W${String((thursday - first) / 7 + 1).padStart(2, '0')}`;
}

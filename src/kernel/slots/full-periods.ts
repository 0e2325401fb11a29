import {
  dayMs,
  dayOfPacked,
  daysInMonth,
  minuteMs,
  monthOfPacked,
  packedDate,
  weekdayOf,
  yearOfPacked,
} from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { SlotLimit, SlotLimits } from './slot-question.ts';

export type Period = 'day' | 'week' | 'month';

export interface FullPeriod extends Span {
  period: Period;
}

const periods: readonly Period[] = ['day', 'week', 'month'];

/**
 * The days, weeks and months whose limits leave no room for another booking of this length; 'all' of them where not even
 * the first one fits. A booking counts in the period in which it starts, on the wall clock of the zone.
 */
export function listFullPeriods(
  limits: SlotLimits,
  counted: readonly Span[],
  durationMs: number,
  zone: Zone,
): { full: FullPeriod[]; all: Period[] } {
  const full: FullPeriod[] = [];
  const all: Period[] = [];
  for (const period of periods) {
    const limit = limits[period];
    if (limit === undefined) continue;
    if (isFull(limit, 0, 0, durationMs)) {
      all.push(period);
      continue;
    }
    const used = new Map<number, { count: number; ms: number }>();
    for (const { startMs, endMs } of counted) {
      const first = firstDay(period, Math.floor(zone.toLocal(startMs) / dayMs));
      const sum = used.get(first) ?? { count: 0, ms: 0 };
      used.set(first, { count: sum.count + 1, ms: sum.ms + endMs - startMs });
    }
    for (const [first, sum] of used) {
      if (!isFull(limit, sum.count, sum.ms, durationMs)) continue;
      const startMs = zone.toInstant(first * dayMs);
      full.push({ period, startMs, endMs: zone.toInstant(nextFirstDay(period, first) * dayMs) });
    }
  }
  return { full, all };
}

function isFull({ count, minutes }: SlotLimit, used: number, usedMs: number, durationMs: number): boolean {
  return (count !== undefined && used >= count) || (minutes !== undefined && usedMs + durationMs > minutes * minuteMs);
}

/** *Units*: day numbers, as in `kernel/time/civil.ts`. */
function firstDay(period: Period, day: number): number {
  if (period === 'day') return day;
  return period === 'week' ? day - weekdayOf(day) : day - dayOfPacked(packedDate(day)) + 1;
}

function nextFirstDay(period: Period, first: number): number {
  if (period === 'day') return first + 1;
  if (period === 'week') return first + 7;
  const packed = packedDate(first);
  return first + daysInMonth(yearOfPacked(packed), monthOfPacked(packed));
}

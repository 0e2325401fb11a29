import type { Expansion } from './recurrence-peers.ts';
import type { TestSeries } from './recurrence-series.ts';

/** Hand-written code for just these shapes and one zone: no rules, no tables, no limits, no exclusions. */

const dayMs = 86_400_000;

export interface FloorZone {
  toInstant(localMs: number): number;
}

/** Cached changes of one zone, found by bisection, the last segment remembered. */
export function openFloorZone(id: string, fromYear: number, toYear: number): FloorZone {
  const starts: number[] = [Number.NEGATIVE_INFINITY];
  let at = Temporal.ZonedDateTime.from({ year: fromYear, month: 1, day: 1, timeZone: id });
  const offsets: number[] = [at.offsetNanoseconds / 1e6];
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.year >= toYear) break;
    const offset = next.offsetNanoseconds / 1e6;
    starts.push(next.epochMilliseconds + Math.max(offset, offsets.at(-1)!));
    offsets.push(offset);
    at = next;
  }
  let low = 0;
  let high = 0;
  let offset = 0;
  return {
    toInstant(localMs) {
      if (localMs >= low && localMs < high) return localMs - offset;
      let left = 0;
      let right = starts.length - 1;
      while (left < right) {
        const middle = (left + right + 1) >> 1;
        if (starts[middle]! <= localMs) left = middle;
        else right = middle - 1;
      }
      low = starts[left]!;
      high = starts[left + 1] ?? Number.POSITIVE_INFINITY;
      offset = offsets[left]!;
      return localMs - offset;
    },
  };
}

const weekdayOf = (day: number) => (day + 3) % 7;

/** The windows of the bench are whole years, so their months are too. */
const monthStarts = Array.from({ length: 80 * 12 }, (_, i) => Date.UTC(1970, i, 1) / dayMs);

export function openFloor(series: TestSeries, zone: FloorZone): Expansion {
  const startDay = Math.floor(series.startMs / dayMs);
  const timeMs = series.startMs - startDay * dayMs;
  return (fromMs, toMs) => {
    const found: number[] = [];
    const add = (day: number): boolean => {
      const atMs = zone.toInstant(day * dayMs + timeMs);
      if (atMs >= toMs) return false;
      if (day >= startDay && atMs >= fromMs) found.push(atMs);
      return true;
    };
    const fromDay = Math.max(startDay, Math.floor(fromMs / dayMs) - 1);
    if (series.shape === 'daily') {
      let day = fromDay;
      while (add(day)) day += 1;
    } else if (series.shape === 'weekly') {
      const firstWeek = startDay - weekdayOf(startDay);
      const step = 7 * series.interval;
      for (let week = firstWeek + Math.floor((fromDay - firstWeek) / step) * step; ; week += step) {
        for (const weekday of series.weekdays) if (!add(week + weekday)) return found.length;
      }
    } else {
      let month = monthStarts.findIndex((start) => start > fromDay) - 1;
      for (; ; month += 1) {
        const first = monthStarts[month]!;
        const shift =
          series.shape === 'month-day'
            ? series.nth - 1
            : ((series.weekdays[0]! - weekdayOf(first) + 7) % 7) + (series.nth - 1) * 7;
        if (!add(first + shift)) break;
      }
    }
    return found.length;
  };
}

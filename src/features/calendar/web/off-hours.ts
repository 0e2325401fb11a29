import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Zone } from '#kernel/time/zones.ts';

/** Minutes of a day on the grid's wall, half-open. */
export interface WallPart {
  startMinute: number;
  endMinute: number;
}

/**
 * Returns the part of a day in the grid's zone that is outside the open hours (a span list).
 *
 * Shape: sorted, disjoint, none empty.
 */
export function offHours(dayNumber: number, grid: Zone, open: readonly Span[]): WallPart[] {
  const minuteOf = (ms: number) =>
    Math.min(1440, Math.max(0, Math.round((grid.toLocal(ms) - dayNumber * dayMs) / minuteMs)));
  const off: WallPart[] = [];
  let at = 0;
  for (const { startMs, endMs } of open) {
    const startMinute = minuteOf(startMs);
    const endMinute = minuteOf(endMs);
    if (endMinute <= startMinute) continue;
    if (startMinute > at) off.push({ startMinute: at, endMinute: startMinute });
    at = Math.max(at, endMinute);
  }
  if (at < 1440) off.push({ startMinute: at, endMinute: 1440 });
  return off;
}

import { dayMs, weekdayOf } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { EventRange } from './queries.ts';

/** The columns of a view: whole days from `firstDay` (days since 1970-01-01). */
export interface ShownDays {
  firstDay: number;
  dayCount: number;
}

/** The week around a day, begun on `weekStart` (ISO: 1 Monday to 7 Sunday), or the day alone. */
export function shownDays(day: number, view: 'day' | 'week', weekStart: number): ShownDays {
  if (view === 'day') return { firstDay: day, dayCount: 1 };
  const sinceStart = (weekdayOf(day) + 1 - weekStart + 7) % 7;
  return { firstDay: day - sinceStart, dayCount: 7 };
}

/** The instants of whole days in a zone; 23 and 25 hours where the clocks change. */
export function rangeOf({ firstDay, dayCount }: ShownDays, zone: Zone): EventRange {
  return { fromMs: zone.toInstant(firstDay * dayMs), toMs: zone.toInstant((firstDay + dayCount) * dayMs) };
}

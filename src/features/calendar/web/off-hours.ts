import { dayMs, minuteMs, weekdayOf } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';

/** Minutes of a day on the grid's wall, half-open. */
export interface WallPart {
  startMinute: number;
  endMinute: number;
}

/** Working hours of a weekday (0 Monday to 6 Sunday) in the person's own zone; undefined: a day off. */
export type WorkHours = (weekday: number) => WallPart | undefined;

/** Monday to Friday, nine to five, until a person says otherwise. */
export const usualHours: WorkHours = (weekday) =>
  weekday < 5 ? { startMinute: 9 * 60, endMinute: 17 * 60 } : undefined;

/**
 * What of a day in the grid's zone lies outside the working hours, which are kept in the person's own zone.
 *
 * Shape: sorted, disjoint, none empty.
 */
export function offHours(dayNumber: number, grid: Zone, own: Zone, hours: WorkHours): WallPart[] {
  const work: WallPart[] = [];
  // The own days that can reach into this one: zones are at most 26 hours apart.
  for (let ownDay = dayNumber - 2; ownDay <= dayNumber + 2; ownDay += 1) {
    const part = hours(weekdayOf(ownDay));
    if (part === undefined) continue;
    const minuteOnGrid = (minute: number) =>
      Math.round((grid.toLocal(own.toInstant(ownDay * dayMs + minute * minuteMs)) - dayNumber * dayMs) / minuteMs);
    const startMinute = Math.max(0, minuteOnGrid(part.startMinute));
    const endMinute = Math.min(1440, minuteOnGrid(part.endMinute));
    if (startMinute < endMinute) work.push({ startMinute, endMinute });
  }
  const off: WallPart[] = [];
  let at = 0;
  for (const { startMinute, endMinute } of work) {
    if (startMinute > at) off.push({ startMinute: at, endMinute: startMinute });
    at = Math.max(at, endMinute);
  }
  if (at < 1440) off.push({ startMinute: at, endMinute: 1440 });
  return off;
}

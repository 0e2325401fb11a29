import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { ShownDays } from './shown-range.ts';

/** How another zone's clock stands against the grid's. */
export interface ZoneHours {
  /** Wall time of this zone minus the grid's, on the first day. *Units*: minutes. */
  shiftMinutes: number;
  /** The first day in view from which that is another number, where the clocks of one of them change. */
  changesOn: { dayNumber: number; shiftMinutes: number } | undefined;
}

/** Compared at noon: the night of a change belongs to neither. */
export function zoneHours(grid: Zone, other: Zone, { firstDay, dayCount }: ShownDays): ZoneHours {
  const shiftOn = (day: number) => {
    const noonMs = grid.toInstant(day * dayMs + dayMs / 2);
    return Math.round((other.toLocal(noonMs) - grid.toLocal(noonMs)) / minuteMs);
  };
  const shiftMinutes = shiftOn(firstDay);
  for (let day = firstDay + 1; day < firstDay + dayCount; day += 1) {
    const shift = shiftOn(day);
    if (shift !== shiftMinutes) return { shiftMinutes, changesOn: { dayNumber: day, shiftMinutes: shift } };
  }
  return { shiftMinutes, changesOn: undefined };
}

/** The other clock at a full hour of the grid: its minute of the day, and its shift in days. */
export function otherMinute(hour: number, shiftMinutes: number): { minute: number; dayShift: -1 | 0 | 1 } {
  const minute = hour * 60 + shiftMinutes;
  if (minute < 0) return { minute: minute + 1440, dayShift: -1 };
  return minute < 1440 ? { minute, dayShift: 0 } : { minute: minute - 1440, dayShift: 1 };
}

import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { GridEvent } from './grid-event.ts';
import { packRows } from './layout/pack-rows.ts';
import type { EventBar } from './place-week.ts';
import type { ShownDays } from './shown-range.ts';
import { splitEvent } from './split-event.ts';
import { wallSpan } from './wall-clock.ts';

/** An event of a few hours, on the day it begins. */
export interface MonthEntry {
  event: GridEvent;
  /** Line of its day, from 0, shared with the bars. */
  slot: number;
  /** Minute of the day at which it begins; of one that came over midnight, before the first day in view: 0. */
  startMinute: number;
}

export interface MonthCell {
  /** Column in the week, from 0. */
  column: number;
  dayNumber: number;
  entries: MonthEntry[];
  /** Events without a line of their own, bars first, behind a "+N" beside the date. */
  hidden: GridEvent[];
}

export interface MonthWeek extends ShownDays {
  /** Bars that have a line; `row` is the slot. */
  bars: EventBar[];
  cells: MonthCell[];
}

export interface MonthPlanOptions {
  zone: Zone;
  weeks: readonly ShownDays[];
  /** Lines of a day that hold events. */
  slots: number;
}

/**
 * Where every event of a month is drawn: whole days as bars over each week they touch, the others as a line on the
 * first day in view that they touch. Nothing is lost: what has no line is behind the "+N" of each day it touches.
 */
export function placeMonth(events: readonly GridEvent[], options: MonthPlanOptions): MonthWeek[] {
  const shown = new Set<string>();
  return options.weeks.map((week) => {
    const bars: Omit<EventBar, 'row'>[] = [];
    const timed: Omit<MonthEntry, 'slot'>[][] = Array.from({ length: week.dayCount }, () => []);
    for (const event of events) {
      const span = wallSpan(options.zone, event);
      const parts = splitEvent(span, week.firstDay, week.dayCount);
      if (parts.kind === 'bar') {
        bars.push({ event, ...parts.bar });
        continue;
      }
      if (parts.kind === 'outside' || shown.has(event.id)) continue;
      const first = parts.segments[0];
      if (first === undefined) continue;
      shown.add(event.id);
      const startMinute = first.continuesBefore ? 0 : Math.floor((span.startWallMs % dayMs) / minuteMs);
      timed[first.column]?.push({ event, startMinute });
    }
    // Real events above the blocks that copy others.
    bars.sort((a, b) => Number(a.event.isMirror) - Number(b.event.isMirror));
    return { ...week, ...fillLines(week, bars, timed, options.slots) };
  });
}

/** Gives bars and entries their lines. */
function fillLines(
  week: ShownDays,
  bars: readonly Omit<EventBar, 'row'>[],
  timed: readonly Omit<MonthEntry, 'slot'>[][],
  slots: number,
): Pick<MonthWeek, 'bars' | 'cells'> {
  const rows = packRows(bars);
  const placed = bars.map((bar, index) => ({ ...bar, row: rows[index] ?? 0 }));
  const over = (bar: EventBar, column: number) => bar.fromColumn <= column && column < bar.toColumn;
  const cells = timed.map((entries, column): MonthCell => {
    const above = placed.filter((bar) => over(bar, column));
    const taken = new Set(above.map((bar) => bar.row));
    const free = placesTo(slots).filter((slot) => !taken.has(slot));
    return {
      column,
      dayNumber: week.firstDay + column,
      entries: entries.slice(0, free.length).map((entry, index) => ({ ...entry, slot: free[index] ?? 0 })),
      hidden: [
        ...above.filter((bar) => bar.row >= slots).map((bar) => bar.event),
        ...entries.slice(free.length).map((entry) => entry.event),
      ],
    };
  });
  return { bars: placed.filter((bar) => bar.row < slots), cells };
}

/** Keys by place, not by date: a change of month keeps the days, and the focus on one of them. */
export function placesTo(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place);
}

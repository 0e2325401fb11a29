import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { GridEvent } from './grid-event.ts';
import { type DayItem, type DayLayout, type DayLayoutOptions, layoutDay } from './layout-day.ts';
import { mergeRails, type Rail } from './merge-rails.ts';
import { packRows } from './pack-rows.ts';
import { splitEvent } from './split-event.ts';
import { wallSpan } from './wall-clock.ts';

/** One event's part of one day. */
export interface EventSegment extends DayItem {
  event: GridEvent;
  /** The whole event's times on the clock; an end past midnight counts on from 1440. */
  clockStart: number;
  clockEnd: number;
  continuesBefore: boolean;
  continuesAfter: boolean;
}

/** One event's bar in the all-day row. */
export interface EventBar {
  event: GridEvent;
  row: number;
  fromColumn: number;
  toColumn: number;
  continuesBefore: boolean;
  continuesAfter: boolean;
}

/** One day's column: what somebody wrote side by side, the blocks that copy it in a rail at the edge. */
export interface DayPlan extends DayLayout<EventSegment> {
  rails: Rail<EventSegment>[];
}

export interface WeekPlan {
  days: DayPlan[];
  bars: EventBar[];
  barRows: number;
}

export interface WeekPlanOptions extends DayLayoutOptions {
  zone: Zone;
  /** Days since 1970-01-01 of the first column. */
  firstDay: number;
  dayCount: number;
  /** Draws mirrors in the rail instead of as boxes of their own. */
  slimMirrors: boolean;
}

/** Where every event of a week (or a day) is drawn. */
export function placeWeek(events: readonly GridEvent[], options: WeekPlanOptions): WeekPlan {
  const columns: EventSegment[][] = Array.from({ length: options.dayCount }, () => []);
  const mirrors: EventSegment[][] = Array.from({ length: options.dayCount }, () => []);
  const bars: Omit<EventBar, 'row'>[] = [];
  for (const event of events) {
    const span = wallSpan(options.zone, event);
    const parts = splitEvent(span, options.firstDay, options.dayCount);
    if (parts.kind === 'bar') bars.push({ event, ...parts.bar });
    if (parts.kind === 'segments') {
      const clockStart = Math.floor((span.startWallMs % dayMs) / minuteMs);
      const clockEnd = clockStart + Math.round((span.endWallMs - span.startWallMs) / minuteMs);
      for (const { column, ...segment } of parts.segments) {
        const into = event.isMirror && options.slimMirrors ? mirrors : columns;
        into[column]?.push({ event, clockStart, clockEnd, ...segment, yields: event.isMirror });
      }
    }
  }
  // Real events above the blocks that copy others.
  bars.sort((a, b) => Number(a.event.isMirror) - Number(b.event.isMirror));
  const rows = packRows(bars);
  return {
    days: columns.map((items, column) => ({
      ...layoutDay(items, options),
      rails: mergeRails(mirrors[column] ?? [], options.minMinutes),
    })),
    bars: bars.map((bar, index) => ({ ...bar, row: rows[index] ?? 0 })),
    barRows: rows.reduce((most, row) => Math.max(most, row + 1), 0),
  };
}

/** The bars over a column that have no room in view. */
export function barsBehind(bars: readonly EventBar[], column: number, maxBarRows: number): EventBar[] {
  return bars.filter((bar) => bar.row >= maxBarRows && bar.fromColumn <= column && column < bar.toColumn);
}

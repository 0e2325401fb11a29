import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { GridEvent } from './grid-event.ts';
import { type DayItem, type DayLayout, type DayLayoutOptions, layoutDay } from './layout/layout-day.ts';
import { mergeRails, type Rail } from './layout/merge-rails.ts';
import { packRows } from './layout/pack-rows.ts';
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

/** One day's column: the cards of events, and the blocks of ours in runs at its end. */
export interface DayPlan extends DayLayout<EventSegment> {
  rails: Rail<EventSegment>[];
  /** Blocks of ours over the whole day. */
  dayBlocks: GridEvent[];
}

export interface WeekPlan {
  days: DayPlan[];
  bars: EventBar[];
  barRows: number;
}

export interface WeekPlanOptions extends DayLayoutOptions<EventSegment> {
  zone: Zone;
  /** Days since 1970-01-01 of the first column. */
  firstDay: number;
  dayCount: number;
  /** Draws blocks of ours at the end of the day instead of as cards. */
  slimMirrors: boolean;
}

/** Where every event of a week (or a day) is drawn. */
export function placeWeek(events: readonly GridEvent[], options: WeekPlanOptions): WeekPlan {
  const columns: EventSegment[][] = Array.from({ length: options.dayCount }, () => []);
  const mirrors: EventSegment[][] = Array.from({ length: options.dayCount }, () => []);
  const dayBlocks: GridEvent[][] = columns.map(() => []);
  const bars: Omit<EventBar, 'row'>[] = [];
  for (const event of events) {
    const span = wallSpan(options.zone, event);
    const parts = splitEvent(span, options.firstDay, options.dayCount);
    if (parts.kind === 'bar' && event.isMirror && options.slimMirrors) {
      for (let column = parts.bar.fromColumn; column < parts.bar.toColumn; column += 1) dayBlocks[column]?.push(event);
    } else if (parts.kind === 'bar') bars.push({ event, ...parts.bar });
    if (parts.kind === 'segments') {
      const clockStart = Math.floor((span.startWallMs % dayMs) / minuteMs);
      const clockEnd = clockStart + Math.round((span.endWallMs - span.startWallMs) / minuteMs);
      const isSoft = event.isTentative || event.isDeclined || event.isFree || event.isMirror;
      for (const { column, ...segment } of parts.segments) {
        const into = event.isMirror && options.slimMirrors ? mirrors : columns;
        into[column]?.push({ event, clockStart, clockEnd, ...segment, isSoft });
      }
    }
  }
  // Real events above the blocks that copy others.
  bars.sort((a, b) => Number(a.event.isMirror) - Number(b.event.isMirror));
  const rows = packRows(bars);
  return {
    days: columns.map((items, column) => ({
      ...layoutDay(items, options),
      rails: mergeRails(mirrors[column] ?? []),
      dayBlocks: dayBlocks[column] ?? [],
    })),
    bars: bars.map((bar, index) => ({ ...bar, row: rows[index] ?? 0 })),
    barRows: rows.reduce((most, row) => Math.max(most, row + 1), 0),
  };
}

/** The bars over a column that have no room in view. */
export function barsBehind(bars: readonly EventBar[], column: number, maxBarRows: number): EventBar[] {
  return bars.filter((bar) => bar.row >= maxBarRows && bar.fromColumn <= column && column < bar.toColumn);
}

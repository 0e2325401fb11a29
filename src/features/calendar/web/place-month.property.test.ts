import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import type { GridEvent } from './grid-event.ts';
import { type MonthWeek, placeMonth } from './place-month.ts';
import { sampleEvent } from './sample-event.ts';
import { monthWeeks } from './shown-range.ts';
import { dayNumberOf, dayOfNumber, wallSpan } from './wall-clock.ts';

/** Months in which the clocks change, both ways, and one in which nothing happens. */
const months = [
  ['America/New_York', '2026-11-10'],
  ['America/New_York', '2027-03-10'],
  ['Europe/Berlin', '2026-10-20'],
  ['Australia/Lord_Howe', '2027-04-02'],
  ['Asia/Tokyo', '2026-12-05'],
] as const;

const dayMs = 86_400_000;

const anyMonth = fc
  .record({
    month: fc.constantFrom(...months),
    weekStart: fc.integer({ min: 1, max: 7 }),
    weekends: fc.boolean(),
    slots: fc.integer({ min: 1, max: 6 }),
    parts: fc.array(
      fc.record({
        startMinute: fc.integer({ min: -10 * 1440, max: 45 * 1440 }),
        minutes: fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 12 * 1440 })),
        allDay: fc.boolean(),
        isMirror: fc.boolean(),
      }),
      { maxLength: 60 },
    ),
  })
  .map(({ month: [zoneName, day], parts, ...rest }) => {
    const zone = loadZone(zoneName) as Zone;
    const first = dayNumberOf(`${day.slice(0, 7)}-01`);
    const events = parts.map(({ startMinute, minutes, allDay, isMirror }, index): GridEvent => {
      const firstDay = first + Math.floor(startMinute / 1440);
      const endDay = firstDay + Math.max(1, Math.ceil(minutes / 1440));
      const startMs = zone.toInstant(allDay ? firstDay * dayMs : first * dayMs + startMinute * 60_000);
      return sampleEvent({
        id: `e${index}`,
        isMirror,
        startMs,
        endMs: allDay ? zone.toInstant(endDay * dayMs) : startMs + minutes * 60_000,
        allDay: allDay ? { firstDay: dayOfNumber(firstDay), endDay: dayOfNumber(endDay) } : undefined,
      });
    });
    const weeks = monthWeeks(dayNumberOf(day), rest);
    return { zone, events, weeks, plan: placeMonth(events, { zone, weeks, ...rest }), slots: rest.slots };
  });

/** The days of the plan that an event touches, on the wall. */
function daysOf(event: GridEvent, zone: Zone, weeks: readonly MonthWeek[]): number[] {
  const { startWallMs, endWallMs } = wallSpan(zone, event);
  const first = Math.floor(startWallMs / dayMs);
  const last = Math.max(first, Math.ceil(endWallMs / dayMs) - 1);
  return weeks.flatMap(({ cells }) => cells.map((cell) => cell.dayNumber)).filter((day) => first <= day && day <= last);
}

const isWholeDays = (event: GridEvent, zone: Zone) => {
  const { startWallMs, endWallMs } = wallSpan(zone, event);
  return event.allDay !== undefined || endWallMs - startWallMs >= dayMs;
};

describe('placeMonth', () => {
  it('a month shows all-day events on each day they touch, and other events once, on their first day', () => {
    fc.assert(
      fc.property(anyMonth, ({ zone, events, plan }) => {
        for (const event of events) {
          const found = plan.flatMap(({ bars, cells, firstDay }) =>
            cells.flatMap((cell, column) => {
              const times = [
                ...bars.filter((bar) => bar.event === event && bar.fromColumn <= column && column < bar.toColumn),
                ...cell.entries.filter((entry) => entry.event === event),
                ...cell.hidden.filter((one) => one === event),
              ].length;
              return Array.from({ length: times }, () => firstDay + column);
            }),
          );
          const days = daysOf(event, zone, plan);
          expect(found).toEqual(isWholeDays(event, zone) ? days : days.slice(0, 1));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('entries of a month day never share a line', () => {
    fc.assert(
      fc.property(anyMonth, ({ plan, slots }) => {
        for (const { bars, cells } of plan) {
          for (const [column, cell] of cells.entries()) {
            const lines = [
              ...bars.filter((bar) => bar.fromColumn <= column && column < bar.toColumn).map((bar) => bar.row),
              ...cell.entries.map((entry) => entry.slot),
            ];
            expect(new Set(lines).size).toBe(lines.length);
            expect(lines.every((line) => line >= 0 && line < slots)).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a month hides no event of a day that has room for all', () => {
    fc.assert(
      fc.property(anyMonth, ({ plan, slots }) => {
        for (const { bars, cells } of plan) {
          for (const [column, cell] of cells.entries()) {
            if (cell.hidden.length === 0) continue;
            const isBarHidden = cell.hidden.some(
              (event) => event.allDay !== undefined || event.endMs - event.startMs >= dayMs,
            );
            const touched = bars.filter((bar) => bar.fromColumn <= column && column < bar.toColumn).length;
            expect(isBarHidden || touched + cell.entries.length === slots).toBe(true);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

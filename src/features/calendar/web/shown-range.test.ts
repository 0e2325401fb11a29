import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { monthOf, monthWeeks, rangeOf, shownDays, stepFrom, weekNumber } from './shown-range.ts';
import { dayNumberOf, dayOfNumber } from './wall-clock.ts';

describe('shownDays', () => {
  it('a shown week contains its day and starts on the preferred weekday', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 1, max: 7 }), (day, weekStart) => {
        const { firstDay, dayCount } = shownDays(day, 'week', { weekStart, weekends: true });
        expect(dayCount).toBe(7);
        expect(firstDay <= day && day < firstDay + 7).toBe(true);
        expect(Temporal.PlainDate.from(dayOfNumber(firstDay)).dayOfWeek).toBe(weekStart);
      }),
    );
    expect(dayOfNumber(shownDays(dayNumberOf('2026-11-20'), 'week', { weekStart: 7, weekends: true }).firstDay)).toBe(
      '2026-11-15',
    );
  });
});

describe('rangeOf', () => {
  it('the range of a week is an hour shorter or longer when the clocks change', () => {
    const berlin = loadZone('Europe/Berlin') as Zone;
    const hoursOf = (day: string) => {
      const { fromMs, toMs } = rangeOf({ firstDay: dayNumberOf(day), dayCount: 7 }, berlin);
      return (toMs - fromMs) / 3_600_000;
    };
    expect([hoursOf('2026-11-15'), hoursOf('2027-03-22'), hoursOf('2026-10-19')]).toEqual([168, 167, 169]);
  });
});

const sunday = { weekStart: 7, weekends: true };
const datesOf = (days: { firstDay: number; dayCount: number }) => [
  dayOfNumber(days.firstDay),
  dayOfNumber(days.firstDay + days.dayCount - 1),
];

describe('shown months', () => {
  it('a month is shown from the Sunday on or before the 1st to the Saturday on or after its end', () => {
    const range = (day: string) => datesOf(shownDays(dayNumberOf(day), 'month', sunday));
    expect(range('2026-11-20')).toEqual(['2026-11-01', '2026-12-05']);
    expect(range('2026-10-31')).toEqual(['2026-09-27', '2026-10-31']);
    expect(range('2026-02-01')).toEqual(['2026-02-01', '2026-02-28']);
  });

  it('a shown month has every day once, in weeks that start on the preferred weekday', () => {
    const anyShape = fc.record({ weekStart: fc.integer({ min: 1, max: 7 }), weekends: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), anyShape, (day, shape) => {
        const weeks = monthWeeks(day, shape);
        const { firstDay, dayCount } = monthOf(day);
        for (let at = firstDay; at < firstDay + dayCount; at += 1) {
          const weekday = Temporal.PlainDate.from(dayOfNumber(at)).dayOfWeek;
          const holders = weeks.filter((week) => week.firstDay <= at && at < week.firstDay + week.dayCount);
          expect(holders.length).toBe(shape.weekends || weekday <= 5 ? 1 : 0);
        }
        const starts = new Set(weeks.map((week) => Temporal.PlainDate.from(dayOfNumber(week.firstDay)).dayOfWeek));
        expect([...starts]).toEqual([shape.weekends ? shape.weekStart : 1]);
        expect(weeks.length).toBeLessThanOrEqual(6);
      }),
    );
  });
});

describe('weeks without weekends', () => {
  it('a week without its weekend is Monday to Friday of the preferred week', () => {
    const range = (day: string, weekStart: number) =>
      datesOf(shownDays(dayNumberOf(day), 'week', { weekStart, weekends: false }));
    expect(range('2026-11-15', 7)).toEqual(['2026-11-16', '2026-11-20']);
    expect(range('2026-11-15', 1)).toEqual(['2026-11-09', '2026-11-13']);
    expect(range('2026-11-18', 3)).toEqual(['2026-11-16', '2026-11-20']);
    expect(range('2026-11-21', 6)).toEqual(['2026-11-23', '2026-11-27']);
  });
});

describe('stepFrom', () => {
  it('a step goes by a day, by a week, or to the same day of another month', () => {
    const step = (day: string, view: 'day' | 'week' | 'month', way: -1 | 1) =>
      dayOfNumber(stepFrom(dayNumberOf(day), view, way));
    expect(step('2026-11-30', 'day', 1)).toBe('2026-12-01');
    expect(step('2026-11-30', 'week', -1)).toBe('2026-11-23');
    expect(step('2026-01-31', 'month', 1)).toBe('2026-02-28');
    expect(step('2027-01-15', 'month', -1)).toBe('2026-12-15');
  });
});

describe('weekNumber', () => {
  it('a week number is the ISO number of the week with most of its days', () => {
    const numberOf = (day: string, weekStart: number, weekends = true) =>
      weekNumber(shownDays(dayNumberOf(day), 'week', { weekStart, weekends }));
    expect(numberOf('2026-11-20', 7)).toBe(47);
    expect(numberOf('2026-11-20', 1)).toBe(47);
    expect(numberOf('2026-11-20', 7, false)).toBe(47);
    expect([numberOf('2027-01-01', 1), numberOf('2027-01-03', 7), numberOf('2027-01-04', 1)]).toEqual([53, 1, 1]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { rangeOf, shownDays } from './shown-range.ts';
import { dayNumberOf, dayOfNumber } from './wall-clock.ts';

describe('shownDays', () => {
  it('shows the week that holds the day, begun on the weekday that the person chose', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 1, max: 7 }), (day, weekStart) => {
        const { firstDay, dayCount } = shownDays(day, 'week', weekStart);
        expect(dayCount).toBe(7);
        expect(firstDay <= day && day < firstDay + 7).toBe(true);
        expect(Temporal.PlainDate.from(dayOfNumber(firstDay)).dayOfWeek).toBe(weekStart);
      }),
    );
    expect(dayOfNumber(shownDays(dayNumberOf('2026-11-20'), 'week', 7).firstDay)).toBe('2026-11-15');
  });
});

describe('rangeOf', () => {
  it('is an hour short or long in the weeks when the clocks change', () => {
    const berlin = loadZone('Europe/Berlin') as Zone;
    const hoursOf = (day: string) => {
      const { fromMs, toMs } = rangeOf({ firstDay: dayNumberOf(day), dayCount: 7 }, berlin);
      return (toMs - fromMs) / 3_600_000;
    };
    expect([hoursOf('2026-11-15'), hoursOf('2027-03-22'), hoursOf('2026-10-19')]).toEqual([168, 167, 169]);
  });
});

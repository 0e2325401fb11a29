import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { dayMs, weekdayOf } from '#kernel/time/civil.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import { moveRepeat, newChoice, placeInMonth, type RepeatChoice, readRepeat, writeRepeat } from './repeat-choice.ts';

const day = fc.integer({ min: 20_000, max: 25_000 });
const zone = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', null);
const dateOf = (number: number) => printLocalDate(number * dayMs);

const anyCase = fc
  .record({
    day,
    zone,
    freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    interval: fc.integer({ min: 1, max: 12 }),
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    monthDay: fc.constantFrom('date', 'last-day', 'nth-weekday', 'last-weekday'),
    end: fc.oneof(
      fc.constant({ kind: 'never' } as const),
      fc.record({ kind: fc.constant('count' as const), count: fc.integer({ min: 1, max: 500 }) }),
      fc.record({ kind: fc.constant('until' as const), after: fc.integer({ min: 0, max: 900 }) }),
    ),
  })
  .map(({ day: number, zone: name, end, freq, weekdays, monthDay, interval }) => {
    const date = dateOf(number);
    const start = { start: name === null ? date : `${date}T09:30`, zone: name };
    const place = placeInMonth(number);
    const choice: RepeatChoice = {
      ...newChoice(freq, start.start),
      interval,
      ...(freq === 'WEEKLY' ? { weekdays: weekdays.toSorted((a, b) => a - b) } : {}),
      ...(freq === 'MONTHLY' &&
      (monthDay !== 'last-day' || place.isLastDay) &&
      (monthDay !== 'last-weekday' || place.isLast)
        ? { monthDay }
        : {}),
      end: end.kind === 'until' ? { kind: 'until', date: dateOf(number + end.after) } : end,
    };
    return { start, choice, number };
  });

describe('repeat choices', () => {
  it('a repeat choice is read back from the rule that it wrote', () => {
    fc.assert(
      fc.property(anyCase, ({ start, choice }) => {
        expect(readRepeat(writeRepeat(choice, start), start)).toEqual(choice);
      }),
    );
  });

  it('a repeat choice with an end date includes that day in the zone of the event', () => {
    fc.assert(
      fc.property(anyCase, ({ start, choice, number }) => {
        const rule = writeRepeat(
          { ...choice, freq: 'DAILY', interval: 1, end: { kind: 'until', date: dateOf(number + 3) } },
          start,
        );
        const series = openSeries({
          start: start.zone === null ? start.start : `${start.start}:00`,
          zone: start.zone,
          rules: [rule ?? ''],
          exRules: [],
          extraDates: [],
          exdates: [],
        });
        expect([...series.startsFrom(0)]).toHaveLength(4);
      }),
      { numRuns: 40 },
    );
  });

  it('a repeat choice names the new day after its event moves', () => {
    fc.assert(
      fc.property(anyCase, day, ({ start, choice }, to) => {
        const moved = moveRepeat(
          { ...choice, weekdays: newChoice('WEEKLY', start.start).weekdays },
          start.start,
          dateOf(to),
        );
        if (moved?.kind !== 'choice') throw new Error('a choice stays a choice');
        expect(moved.weekdays).toEqual([weekdayOf(to)]);
        const next = { ...start, start: start.zone === null ? dateOf(to) : `${dateOf(to)}T09:30` };
        expect(readRepeat(writeRepeat(moved, next), next)).toMatchObject({ monthDay: moved.monthDay });
      }),
    );
  });

  it('a rule that no repeat choice can express is kept verbatim', () => {
    const start = { start: '2026-11-20T09:30', zone: 'Europe/Berlin' };
    for (const rule of [
      'FREQ=MONTHLY;BYMONTHDAY=15',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=20',
      'FREQ=DAILY;BYHOUR=9,17',
      'FREQ=HOURLY',
      'not a rule',
    ]) {
      expect(readRepeat(rule, start)).toEqual({ kind: 'kept', rule });
      expect(writeRepeat(readRepeat(rule, start), start)).toBe(rule);
    }
  });
});

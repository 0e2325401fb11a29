import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayMs,
  dayNumber,
  dayOfPacked,
  monthOfPacked,
  packedDate,
  weekdayOf,
  yearOfPacked,
  yearStart,
} from '#kernel/time/civil.ts';
import {
  localMsOf,
  maxLocalMs,
  minLocalMs,
  parseBasic,
  parseLocal,
  parseLocalDate,
  parseLocalDateTime,
  printBasicDate,
  printBasicDateTime,
  printInstant,
  printLocalDate,
  printLocalDateTime,
} from '#kernel/time/local.ts';
import { makeRecId, parseRecId } from '#kernel/time/rec-id.ts';

describe('dates', () => {
  it('dates equal those of Temporal from the year -1000 to 11000', () => {
    fc.assert(
      fc.property(fc.integer({ min: dayNumber(-1000, 1, 1), max: dayNumber(11_000, 1, 1) }), (day) => {
        const date = Temporal.PlainDate.from('1970-01-01').add({ days: day });
        const packed = packedDate(day);
        expect([yearOfPacked(packed), monthOfPacked(packed), dayOfPacked(packed)]).toEqual([
          date.year,
          date.month,
          date.day,
        ]);
        expect(dayNumber(date.year, date.month, date.day)).toBe(day);
        expect(weekdayOf(day)).toBe(date.dayOfWeek - 1);
        expect(yearStart(date.year)).toBe(day - date.dayOfYear + 1);
      }),
      { numRuns: 2_000 },
    );
  });
});

it('an instant is printed as Temporal does, also beyond the years of a calendar', () => {
  fc.assert(
    fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.integer({ min: -1e14, max: 3e14 }), (any, near) => {
      for (const ms of [any, near, near - (near % 1_000)]) {
        const printed = Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });
        expect(printInstant(ms)).toBe(printed);
      }
    }),
    { numRuns: 2_000 },
  );
});

describe('local times', () => {
  it('local times are read back from their printed form', () => {
    fc.assert(
      fc.property(fc.integer({ min: minLocalMs / 1000, max: maxLocalMs / 1000 }), (seconds) => {
        const ms = seconds * 1000;
        expect(parseLocalDateTime(printLocalDateTime(ms))).toBe(ms);
        expect(parseLocal(printLocalDateTime(ms))).toBe(ms);
        expect(parseLocalDate(printLocalDate(ms))).toBe(Math.floor(ms / dayMs) * dayMs);
        expect(parseBasic(printBasicDateTime(ms))).toEqual({ form: 'local', ms });
        expect(parseBasic(`${printBasicDateTime(ms)}Z`)).toEqual({ form: 'utc', ms });
        expect(parseBasic(printBasicDate(ms))).toEqual({ form: 'date', ms: Math.floor(ms / dayMs) * dayMs });
        const wall = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDateTime();
        expect(printLocalDateTime(ms)).toBe(wall.toString({ smallestUnit: 'second' }));
      }),
      { numRuns: 1_000 },
    );
  });

  it('local times allow the leap second and 24:00', () => {
    expect(parseLocalDateTime('2016-12-31T23:59:60')).toBe(Date.UTC(2017, 0, 1));
    expect(parseLocalDateTime('2016-12-31T24:00:00')).toBe(Date.UTC(2017, 0, 1));
    expect(parseLocalDateTime('2016-12-31T24:00:01')).toBeNull();
    expect(parseLocalDateTime('2016-12-31T23:59:61')).toBeNull();
  });

  it.each([
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-1-1',
    '10000-01-01',
    '-001-01-01',
    '2027-01-01x',
    '',
    '２０２７-01-01',
  ])('the local date %j is refused', (text) => {
    expect(parseLocal(text)).toBeNull();
  });

  it.each([
    '2027-01-01T25:00:00',
    '2027-01-01T09:60:00',
    '2027-01-01T09:00',
    '2027-01-01 09:00:00',
    '2027-01-01T09:00:00Z',
  ])('the local time %j is refused', (text) => {
    expect(parseLocalDateTime(text)).toBeNull();
  });

  it('local times outside the range of their text are refused', () => {
    for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, minLocalMs - 1, maxLocalMs + 1_000]) {
      expect(() => printLocalDate(ms)).toThrow(RangeError);
    }
    expect(localMsOf(2024, 2, 30, 0, 0, 0)).toBeNull();
    expect(localMsOf(Number.NaN, 1, 1, 0, 0, 0)).toBeNull();
  });
});

describe('instance names', () => {
  it('an instance name has the form of its series', () => {
    const ms = Date.UTC(2027, 2, 8, 8);
    expect(makeRecId('all-day', ms)).toBe('20270308');
    expect(makeRecId('zoned', ms)).toBe('20270308T080000Z');
    expect(makeRecId('floating', ms)).toBe('20270308T080000');
    expect(parseRecId('20270308T080000Z')).toEqual({ form: 'utc', ms });
    expect(parseRecId('20270308T080000z')).toBeNull();
    expect(parseRecId('20270230')).toBeNull();
    expect(parseRecId('')).toBeNull();
  });
});

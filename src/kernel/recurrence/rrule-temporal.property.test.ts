import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { describe, expect, it, vi } from 'vitest';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { weekdays } from '#kernel/recurrence/rule.ts';
import { parseLocalDateTime, printBasicDateTime, printLocalDateTime } from '#kernel/time/local.ts';

// A law takes about a second alone, and shares its machine.
vi.setConfig({ testTimeout: 60_000 });

/** The first instances by `rrule-temporal` 2.2.7, as epoch ms. */
function theirs(startMs: number, zone: string, rule: string, most: number): number[] {
  const rruleString = `DTSTART;TZID=${zone}:${printBasicDateTime(startMs)}\nRRULE:${rule}`;
  const found = new RRuleTemporal({ rruleString }).all((_, index) => index < most);
  return found.slice(0, most).map((at) => at.epochMilliseconds);
}

function ours(startMs: number, zone: string, rule: string, most: number): number[] {
  const start = printLocalDateTime(startMs);
  const spec = { start, zone, rules: [rule], exRules: [], extraDates: [], exdates: [] };
  const series = openSeries(spec, {
    dtstart: 'when-matching',
    reading: rule.includes('BYMONTHDAY') ? 'dateutil' : 'calendars',
  });
  expect(series.problems).toEqual([]);
  const found: number[] = [];
  for (const at of series.startsFrom(Number.NEGATIVE_INFINITY)) if (found.push(at) === most) break;
  return found;
}

const signed = (most: number) => fc.integer({ min: 1, max: most }).chain((n) => fc.constantFrom(n, n, -n));
/** Weeks that never reach into the neighbouring year. */
const innerWeek = fc.integer({ min: 2, max: 51 }).chain((n) => fc.constantFrom(n, -n));
const numbers = (value: fc.Arbitrary<number>, most: number) =>
  fc.uniqueArray(value, { minLength: 1, maxLength: most }).map((list) => list.join(','));
const sometimes = (name: string, value: fc.Arbitrary<string>) =>
  fc.option(value, { nil: '', freq: 2 }).map((text) => (text === '' ? '' : `;${name}=${text}`));

const plainDays = fc
  .uniqueArray(fc.constantFrom(...weekdays), { minLength: 1, maxLength: 5 })
  .map((days) => days.join(','));
const nthDays = (...nths: number[]) =>
  fc.uniqueArray(
    fc.tuple(fc.constantFrom(...nths), fc.constantFrom(...weekdays)).map(([n, day]) => `${n}${day}`),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
const monthNths = nthDays(1, 2, 3, 4, -1, -2, -4).map((days) => days.join(','));
const yearNths = nthDays(1, 2, 20, 45, 52, -1, -20, -52).map((days) => days.join(','));
const months = sometimes('BYMONTH', numbers(fc.integer({ min: 1, max: 12 }), 4));
const hours = sometimes('BYHOUR', numbers(fc.integer({ min: 0, max: 23 }), 3));
const minutes = sometimes('BYMINUTE', numbers(fc.integer({ min: 0, max: 59 }), 3));
const position = sometimes('BYSETPOS', numbers(signed(2), 2));
const weekStart = fc.constantFrom('', ';WKST=SU', ';WKST=TH');
const step = fc.constantFrom('', '', ';INTERVAL=2', ';INTERVAL=3');
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));

/**
 * The shapes in which that library is right. Left out, with the paragraph of RFC 5545 section 3.3.10 that decides
 * against it, are the shapes of `disagreements` below; and parts under frequencies where the RFC forbids them.
 */
const shapes: Record<string, fc.Arbitrary<string>> = {
  DAILY: joined(step, months, sometimes('BYDAY', plainDays), hours, minutes, position),
  'DAILY by day of the month': joined(months, sometimes('BYMONTHDAY', numbers(signed(28), 4)), hours),
  WEEKLY: joined(step, sometimes('BYDAY', plainDays), hours, minutes, weekStart),
  'WEEKLY in months': joined(months, sometimes('BYDAY', plainDays), weekStart),
  MONTHLY: joined(step, sometimes('BYMONTHDAY', numbers(signed(31), 5)), hours, position),
  'MONTHLY by weekday': joined(
    step,
    plainDays.map((days) => `;BYDAY=${days}`),
    hours,
    position,
  ),
  'MONTHLY by nth weekday': joined(
    step,
    months,
    monthNths.map((days) => `;BYDAY=${days}`),
    minutes,
  ),
  YEARLY: joined(step, months, sometimes('BYMONTHDAY', numbers(signed(31), 4)), hours),
  'YEARLY by nth weekday of the month': joined(
    numbers(fc.integer({ min: 1, max: 12 }), 4).map((list) => `;BYMONTH=${list}`),
    monthNths.map((days) => `;BYDAY=${days}`),
  ),
  'YEARLY by nth weekday of the year': joined(
    yearNths.map((days) => `;BYDAY=${days}`),
    hours,
  ),
  'YEARLY by day of the year': joined(
    step,
    numbers(signed(365), 5).map((list) => `;BYYEARDAY=${list}`),
    hours,
  ),
  'YEARLY by week': joined(
    numbers(innerWeek, 3).map((list) => `;BYWEEKNO=${list}`),
    sometimes('BYDAY', plainDays),
    weekStart,
  ),
  HOURLY: joined(fc.constantFrom('', ';INTERVAL=2', ';INTERVAL=5'), sometimes('BYDAY', plainDays), minutes),
  MINUTELY: joined(fc.constantFrom('', ';INTERVAL=15', ';INTERVAL=7'), hours),
  SECONDLY: joined(fc.constantFrom('', ';INTERVAL=45'), minutes),
};

const startMs = fc.integer({ min: 0, max: 30 * 365 * 24 * 60 }).map((minute) => Date.UTC(2000, 0, 1) + minute * 60_000);

/** The zones' clocks stand still over the years of these starts, or change at night: see the last disagreement. */
const zones = ['UTC', 'Asia/Kolkata', 'America/Phoenix', 'Asia/Tokyo'];

describe('agreement with rrule-temporal', () => {
  for (const [shape, rest] of Object.entries(shapes)) {
    const freq = shape.split(' ')[0] as string;
    it(`rules of the shape ${shape} have the same instances as in rrule-temporal`, () => {
      let compared = 0;
      fc.assert(
        fc.property(rest, startMs, fc.constantFrom(...zones), (parts, start, zone) => {
          const rule = `FREQ=${freq}${parts};COUNT=6`;
          const expected = ours(start, zone, rule, 6);
          // rrule-temporal throws when a rule has no instance for long
          if (expected.length < 6 || (expected.at(-1) as number) > start + 40 * 366 * 86_400_000) return;
          compared += 1;
          expect(theirs(start, zone, rule, 6)).toEqual(expected);
        }),
        { numRuns: 40 },
      );
      expect(compared).toBeGreaterThan(10);
    });
  }
});

/**
 * Rules that it reads differently: start, rule, our instances. A test checks that its result still differs or fails.
 */
const disagreements: [paragraph: string, zone: string, start: string, rule: string, instances: string[]][] = [
  [
    'Note 2 of the table: under YEARLY, BYDAY limits where BYYEARDAY is present',
    'UTC',
    '2003-09-11T00:00:00',
    'FREQ=YEARLY;BYYEARDAY=85,269,280;BYDAY=WE',
    ['2004-10-06T00:00:00', '2007-09-26T00:00:00'],
  ],
  [
    'BYMONTHDAY, applied after BYYEARDAY, limits it: both name the day',
    'UTC',
    '2021-02-27T06:00:00',
    'FREQ=YEARLY;BYMONTHDAY=24;BYYEARDAY=155,329',
    ['2024-11-24T06:00:00', '2028-11-24T06:00:00'],
  ],
  [
    'BYMONTHDAY, applied after BYWEEKNO, limits it',
    'UTC',
    '2027-07-05T00:00:00',
    'FREQ=YEARLY;BYMONTHDAY=-15;BYWEEKNO=51',
    ['2029-12-17T00:00:00', '2030-12-17T00:00:00'],
  ],
  [
    'Note 2: BYDAY limits where BYMONTHDAY is present, its number too',
    'UTC',
    '2001-06-18T07:00:00',
    'FREQ=YEARLY;BYMONTHDAY=-31,-24,31;BYDAY=-1TU,-2MO,2TU',
    ['2002-01-08T07:00:00', '2002-12-31T07:00:00'],
  ],
  [
    'a 53rd weekday is of its year, "the nth occurrence within the yearly RRULE", and most years lack it',
    'UTC',
    '2024-05-07T13:00:00',
    'FREQ=YEARLY;BYDAY=53MO',
    ['2024-12-30T13:00:00', '2029-12-31T13:00:00'],
  ],
  [
    'the first days of January may be in the last week of the year before: BYWEEKNO is of ISO 8601',
    'UTC',
    '2000-01-01T00:00:00',
    'FREQ=YEARLY;BYWEEKNO=-1',
    ['2000-01-01T00:00:00', '2000-12-30T00:00:00'],
  ],
  [
    'nothing is no error: an hour that the interval never meets',
    'UTC',
    '2013-04-30T14:00:00',
    'FREQ=HOURLY;INTERVAL=2;BYHOUR=3',
    [],
  ],
  [
    'a local time that does not exist is read with the offset before the gap (3.3.5), not left out',
    'America/New_York',
    '2026-03-07T02:30:00',
    'FREQ=DAILY',
    ['2026-03-07T02:30:00', '2026-03-08T02:30:00'],
  ],
  [
    'times of day are of the wall clock: the hour that comes twice has its instances the first time (3.3.5)',
    'America/New_York',
    '2026-11-01T01:00:00',
    'FREQ=MINUTELY;INTERVAL=30',
    ['2026-11-01T01:00:00', '2026-11-01T01:30:00', '2026-11-01T02:00:00'],
  ],
];

describe('disagreement with rrule-temporal', () => {
  it.each(disagreements)('rrule-temporal differs as expected: %s', (_paragraph, zone, start, rule, instances) => {
    const localMs = parseLocalDateTime(start) ?? Number.NaN;
    const expected = instances.map((text) => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds);
    expect(ours(localMs, zone, rule, instances.length || 1)).toEqual(expected);
    let other: number[] | null = null;
    try {
      other = theirs(localMs, zone, rule, instances.length || 1);
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
    // When a new version agrees, its shape belongs above.
    expect(other).not.toEqual(expected);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Core, Series, When } from '#kernel/event.ts';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { loadZone } from '#kernel/time/zones.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import { fromPattern } from './from-pattern.ts';
import {
  indexes,
  type PatternedRecurrence,
  patternedRecurrence,
  type RecurrencePattern,
  weekdayNames,
} from './patterned-recurrence.ts';
import { toPattern } from './to-pattern.ts';

const core: Core = { busy: 'busy', private: true, self: 'none', kind: 'default' };

/** Zones that put their clocks forward in spring and in autumn, by an hour and by half of one, and one that never does. */
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kolkata'];

const startDate = fc
  .integer({ min: 0, max: 3 * 365 })
  .map((days) => Temporal.PlainDate.from('2026-01-01').add({ days }).toString());
const timeOfDay = fc.constantFrom('00:00:00', '00:30:00', '01:30:00', '02:00:00', '02:30:00', '09:00:00', '23:45:00');
const days = fc
  .subarray([...weekdayNames], { minLength: 1 })
  .map((names) => weekdayNames.filter((n) => names.includes(n)));

const pattern: fc.Arbitrary<RecurrencePattern> = fc
  .record({
    type: fc.constantFrom(
      'daily',
      'weekly',
      'absoluteMonthly',
      'relativeMonthly',
      'absoluteYearly',
      'relativeYearly',
    ) as fc.Arbitrary<RecurrencePattern['type']>,
    interval: fc.integer({ min: 1, max: 4 }),
    month: fc.integer({ min: 1, max: 12 }),
    dayOfMonth: fc.integer({ min: 1, max: 31 }),
    daysOfWeek: days,
    firstDayOfWeek: fc.constantFrom(...weekdayNames),
    index: fc.constantFrom('first', 'second', 'third', 'fourth', 'last') as fc.Arbitrary<keyof typeof indexes>,
  })
  .map((all) => {
    const { type, interval } = all;
    // Graph answers with defaults where the type has no use for a property; so do we here.
    return {
      type,
      interval,
      month: type.endsWith('Yearly') ? all.month : 0,
      dayOfMonth: type.startsWith('absolute') ? all.dayOfMonth : 0,
      daysOfWeek: type === 'weekly' || type.startsWith('relative') ? all.daysOfWeek : [],
      firstDayOfWeek: all.firstDayOfWeek,
      index: type.startsWith('relative') ? all.index : 'first',
    };
  });

/** The days of a pattern as its documentation has them, one by one: shares no code with the conversion. */
function daysOf({ pattern, range }: PatternedRecurrence, until: string): string[] {
  const start = Temporal.PlainDate.from(range.startDate);
  const last = Temporal.PlainDate.from(
    range.type === 'endDate' && (range.endDate ?? '') < until ? range.endDate! : until,
  );
  const found: string[] = [];
  for (let day = start; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    if (!isOn(pattern, day, start)) continue;
    found.push(day.toString());
    if (range.type === 'numbered' && found.length === range.numberOfOccurrences) break;
  }
  return found;
}

function isOn(pattern: RecurrencePattern, day: Temporal.PlainDate, start: Temporal.PlainDate): boolean {
  const { type, interval } = pattern;
  const months = (day.year - start.year) * 12 + day.month - start.month;
  switch (type) {
    case 'daily':
      return start.until(day).days % interval === 0;
    case 'weekly': {
      const first = weekdayNames.indexOf(pattern.firstDayOfWeek ?? 'sunday');
      const week = (date: Temporal.PlainDate) => date.subtract({ days: (date.dayOfWeek - 1 - first + 7) % 7 });
      return (week(start).until(week(day)).days / 7) % interval === 0 && hasDay(pattern, day);
    }
    case 'absoluteMonthly':
      return months % interval === 0 && day.day === Math.min(pattern.dayOfMonth ?? 0, day.daysInMonth);
    case 'relativeMonthly':
      return months % interval === 0 && isNth(pattern, day);
    case 'absoluteYearly':
      return (
        (day.year - start.year) % interval === 0 &&
        day.month === pattern.month &&
        day.day === Math.min(pattern.dayOfMonth ?? 0, day.daysInMonth)
      );
    case 'relativeYearly':
      return (day.year - start.year) % interval === 0 && day.month === pattern.month && isNth(pattern, day);
  }
}

function hasDay(pattern: RecurrencePattern, day: Temporal.PlainDate): boolean {
  return (pattern.daysOfWeek ?? []).some((name) => weekdayNames.indexOf(name) === day.dayOfWeek - 1);
}

function isNth(pattern: RecurrencePattern, day: Temporal.PlainDate): boolean {
  const all: number[] = [];
  for (let n = 1; n <= day.daysInMonth; n += 1) if (hasDay(pattern, day.with({ day: n }))) all.push(n);
  return all.at(pattern.index === 'last' ? -1 : indexes[pattern.index ?? 'first'] - 1) === day.day;
}

const horizon = '2030-06-01';

function instants(start: string, zone: string | null, rules: string[], options = {}): string[] {
  const open = openSeries({ start, zone, rules, exRules: [], extraDates: [], exdates: [] }, options);
  const toMs = Temporal.PlainDate.from(horizon)
    .add({ days: 1 })
    .toZonedDateTime(zone ?? 'UTC').epochMilliseconds;
  const { startsMs, tooDense } = open.between(Number.NEGATIVE_INFINITY, toMs, { instances: 10_000, steps: 200_000 });
  expect(tooDense).toBe(false);
  return startsMs.map((ms) => String(ms));
}

const end = fc.oneof(
  fc.constant({ type: 'noEnd' as const }),
  fc.integer({ min: 1, max: 60 }).map((numberOfOccurrences) => ({ type: 'numbered' as const, numberOfOccurrences })),
  fc.integer({ min: 0, max: 900 }).map((length) => ({ type: 'endDate' as const, length })),
);

describe('patterns read from Graph', () => {
  it('a pattern has the instances that Graph gives it, on both sides of every daylight saving change', () => {
    let read = 0;
    fc.assert(
      fc.property(
        pattern,
        startDate,
        timeOfDay,
        fc.constantFrom(...zones),
        end,
        fc.boolean(),
        (p, date, time, zone, e, allDay) => {
          const range = {
            type: e.type,
            startDate: date,
            recurrenceTimeZone: zone,
            numberOfOccurrences: 'numberOfOccurrences' in e ? e.numberOfOccurrences : 0,
            endDate: 'length' in e ? Temporal.PlainDate.from(date).add({ days: e.length }).toString() : '0001-01-01',
          };
          const recurrence = { pattern: p, range };
          expect(patternedRecurrence.safeParse(recurrence).success).toBe(true);
          const expected = daysOf(recurrence, horizon);
          const rule = fromPattern(recurrence, allDay ? date : `${date}T${time}`);
          if (rule === null || expected.length === 0) return;
          read += 1;
          const clock = loadZone(zone);
          const at = (day: string) =>
            allDay
              ? Temporal.PlainDate.from(day).toZonedDateTime('UTC').epochMilliseconds
              : Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(clock?.id ?? '').epochMilliseconds;
          expect(instants(rule.start, allDay ? null : zone, [rule.rule])).toEqual(
            expected.map((day) => String(at(day))),
          );
        },
      ),
      { numRuns: runs(400) },
    );
    expect(read).toBeGreaterThan(runs(100));
  });

  it('a pattern is given up only when it starts off its own days and its interval is above one', () => {
    fc.assert(
      fc.property(pattern, startDate, (p, date) => {
        const recurrence = { pattern: p, range: { type: 'noEnd' as const, startDate: date } };
        if (p.interval > 1 && !isOn(p, Temporal.PlainDate.from(date), Temporal.PlainDate.from(date))) return;
        expect(fromPattern(recurrence, `${date}T09:00:00`)).not.toBeNull();
      }),
    );
  });

  it('an unreadable pattern gives no rule', () => {
    const range = { type: 'noEnd' as const, startDate: '2027-03-08' };
    expect(fromPattern({ pattern: { type: 'weekly', interval: 1 }, range }, '2027-03-08')).toBeNull();
    expect(
      fromPattern({ pattern: { type: 'absoluteYearly', interval: 1, dayOfMonth: 3 }, range }, '2027-03-08'),
    ).toBeNull();
    expect(
      fromPattern({ pattern: { type: 'daily', interval: 1 }, range: { ...range, startDate: 'soon' } }, '2027-03-08'),
    ).toBeNull();
    expect(patternedRecurrence.safeParse({ pattern: { type: 'lunarMonthly', interval: 1 }, range }).success).toBe(
      false,
    );
  });
});

const codes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const some = (values: string[], max: number) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<string[]>([]) }, fc.subarray(values, { minLength: 1, maxLength: max }));
const rule = fc
  .record({
    freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    interval: fc.integer({ min: 1, max: 3 }),
    byDay: some([...codes, '1MO', '2TU', '-1FR', '5SU', '-2SA'], 3),
    byMonthDay: some(['1', '15', '28', '29', '30', '31', '-1'], 2),
    byMonth: some(['1', '2', '4', '12'], 2),
    bySetPos: some(['1', '2', '4', '-1', '5'], 1),
    wkst: fc.constantFrom(undefined, 'SU', 'WE'),
    end: fc.constantFrom('', ';COUNT=1', ';COUNT=25', ';UNTIL=20271114T065959Z', ';UNTIL=20280305T235959Z'),
  })
  .map(({ freq, interval, byDay, byMonthDay, byMonth, bySetPos, wkst, end: bound }) => {
    const part = (name: string, values: string[]) => (values.length === 0 ? '' : `;${name}=${values.join(',')}`);
    const parts = part('BYMONTH', byMonth) + part('BYMONTHDAY', byMonthDay) + part('BYDAY', byDay);
    return `FREQ=${freq};INTERVAL=${interval}${parts}${part('BYSETPOS', bySetPos)}${wkst ? `;WKST=${wkst}` : ''}${bound}`;
  });

function firstDay(text: string, from: string): string | null {
  const spec = { start: from, zone: null, rules: [text], exRules: [], extraDates: [], exdates: [] };
  const firstMs = openSeries(spec, { dtstart: 'when-matching' }).first();
  return firstMs === null ? null : Temporal.Instant.fromEpochMilliseconds(firstMs).toString().slice(0, 10);
}

function seriesOf(start: string, zone: string | null, text: string): Series {
  const when: When =
    zone === null
      ? { kind: 'all-day', start, end: Temporal.PlainDate.from(start).add({ days: 1 }).toString() }
      : { kind: 'zoned', start, zone, duration: { seconds: 3_600 } };
  return { kind: 'series', when, core, rules: [text], exRules: [], extraDates: [], exdates: [], overrides: {} };
}

describe('rules written to Graph', () => {
  it('a rule is written only as a pattern with the same instances', () => {
    let written = 0;
    fc.assert(
      fc.property(
        rule,
        startDate,
        timeOfDay,
        fc.constantFrom(null, ...zones),
        fc.boolean(),
        (text, day, time, zone, aligned) => {
          // Nearly no rule has an instance on a day drawn at random; only one that has is worth writing.
          const date = (aligned ? firstDay(text, day) : null) ?? day;
          const start = zone === null ? date : `${date}T${time}`;
          const recurrence = toPattern(seriesOf(start, zone, text));
          if (recurrence === null) return;
          written += 1;
          const clock = zone ?? 'UTC';
          const expected = daysOf(recurrence, horizon).map((day) =>
            String(
              Temporal.PlainDateTime.from(zone === null ? day : `${day}T${time}`).toZonedDateTime(clock)
                .epochMilliseconds,
            ),
          );
          expect(instants(start, zone, [text])).toEqual(expected);
          expect(recurrence.range.startDate).toBe(date);
          const back = fromPattern(recurrence, start);
          expect(back?.start).toBe(start);
          expect(instants(start, zone, [back?.rule ?? ''])).toEqual(expected);
        },
      ),
      { numRuns: runs(2_000) },
    );
    expect(written).toBeGreaterThan(runs(150));
  });

  it('a rule becomes the pattern with the same meaning', () => {
    const patternOf = (text: string, start = '2027-03-08T09:00:00') =>
      toPattern(seriesOf(start, 'Europe/Berlin', text))?.pattern ?? null;
    expect(patternOf('FREQ=DAILY;INTERVAL=3')).toEqual({ type: 'daily', interval: 3 });
    expect(patternOf('FREQ=DAILY;BYDAY=MO,WE')).toMatchObject({ type: 'weekly', daysOfWeek: ['monday', 'wednesday'] });
    expect(patternOf('FREQ=WEEKLY;INTERVAL=2;WKST=SU')).toEqual({
      type: 'weekly',
      interval: 2,
      daysOfWeek: ['monday'],
      firstDayOfWeek: 'sunday',
    });
    expect(patternOf('FREQ=MONTHLY')).toEqual({ type: 'absoluteMonthly', interval: 1, dayOfMonth: 8 });
    expect(patternOf('FREQ=MONTHLY;BYDAY=2MO')).toMatchObject({ type: 'relativeMonthly', index: 'second' });
    expect(patternOf('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2027-03-31T09:00:00')).toMatchObject({
      index: 'last',
    });
    expect(patternOf('FREQ=YEARLY')).toEqual({ type: 'absoluteYearly', interval: 1, dayOfMonth: 8, month: 3 });
    expect(patternOf('FREQ=YEARLY;BYMONTH=3;BYDAY=2MO')).toMatchObject({ type: 'relativeYearly', month: 3 });
    expect(patternOf('FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1', '2027-03-31T09:00:00')).toMatchObject({
      dayOfMonth: 31,
    });
  });

  it('a rule without an equal pattern is not written', () => {
    const refused: [string, string?][] = [
      ['FREQ=HOURLY'],
      ['FREQ=DAILY;BYHOUR=9,10'],
      ['FREQ=DAILY;INTERVAL=2;BYDAY=MO'],
      ['FREQ=MONTHLY;BYMONTHDAY=31', '2027-03-31T09:00:00'],
      ['FREQ=MONTHLY', '2027-03-30T09:00:00'],
      ['FREQ=MONTHLY;BYMONTHDAY=8,15'],
      ['FREQ=MONTHLY;BYMONTHDAY=-24'],
      ['FREQ=MONTHLY;BYDAY=5MO', '2027-03-29T09:00:00'],
      ['FREQ=MONTHLY;BYDAY=2MO,3MO'],
      ['FREQ=YEARLY;BYDAY=10MO'],
      ['FREQ=YEARLY;BYMONTHDAY=8'],
      ['FREQ=YEARLY;BYMONTH=3,4'],
      ['FREQ=YEARLY', '2028-02-29T09:00:00'],
      ['FREQ=YEARLY;BYWEEKNO=10'],
      ['RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD'],
      ['FREQ=WEEKLY;BYDAY=TU'],
    ];
    for (const [text, start = '2027-03-08T09:00:00'] of refused) {
      expect([text, toPattern(seriesOf(start, 'Europe/Berlin', text))]).toEqual([text, null]);
    }
    const weekly = seriesOf('2027-03-08T09:00:00', 'Europe/Berlin', 'FREQ=WEEKLY');
    expect(toPattern({ ...weekly, exdates: ['20270315T080000Z'] })).toBeNull();
    expect(toPattern({ ...weekly, extraDates: [{ start: '2027-03-09T09:00:00' }] })).toBeNull();
    expect(toPattern({ ...weekly, rules: ['FREQ=WEEKLY', 'FREQ=MONTHLY'] })).toBeNull();
    const night: When = {
      kind: 'zoned',
      start: '2027-03-08T09:00:00',
      zone: 'Europe/Berlin',
      duration: { seconds: 86_400 },
    };
    expect(toPattern({ ...weekly, rules: ['FREQ=DAILY'], when: night })).toBeNull();
  });
});

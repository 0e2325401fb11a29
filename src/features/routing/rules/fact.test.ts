import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Answer } from './answers.ts';
import { type Condition, conditionShape, Folds, holds as holdsOf } from './condition.ts';
import { dayIn, firstLanguage, toKnown, weekdayOf, ZoneNames } from './fact.ts';

const holds = (condition: Condition, answer: Answer | undefined) => holdsOf(condition, answer, new Folds());

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Pacific/Apia', 'UTC'];

describe('day of a routing submission', () => {
  test('the day of a routing submission covers exactly the local day, across clock changes', () => {
    const day = fc.integer({ min: 0, max: 366 * 6 }).map((n) => Temporal.PlainDate.from('2024-01-01').add({ days: n }));
    fc.assert(
      fc.property(fc.constantFrom(...zones), day, (zone, date) => {
        const from = date.toZonedDateTime(zone).epochMilliseconds;
        const to = date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
        for (const ms of [from, Math.floor((from + to) / 2), to - 1]) {
          const said = dayIn(zone, ms);
          expect(said).toBe(date.toString());
          expect(weekdayOf(said)).toBe(String(date.dayOfWeek));
        }
        const known = (ms: number) =>
          toKnown({ language: null, zone: null, day: dayIn(zone, ms), contact: null })['@day'];
        const since = { fact: 'day', op: 'from', day: date.toString() } as const;
        expect([holds(since, known(from)), holds(since, known(from - 1))]).toEqual([true, false]);
        const before = { ...since, op: 'before' } as const;
        expect([holds(before, known(from)), holds(before, known(from - 1))]).toEqual([false, true]);
      }),
      { numRuns: 300 },
    );
    // both changes of the clocks of a year, hour by hour: the days follow each other
    for (const start of ['2026-03-28', '2026-10-24']) {
      const from = Temporal.PlainDate.from(start).toZonedDateTime('Europe/Berlin').epochMilliseconds;
      const hours = Array.from({ length: 72 }, (_, n) => dayIn('Europe/Berlin', from + n * 3_600_000));
      const counted = hours.filter((one) => one === Temporal.PlainDate.from(start).add({ days: 1 }).toString()).length;
      expect(counted).toBe(start === '2026-03-28' ? 23 : 25);
    }
  });
});

test('the first valid language of Accept-Language is used, and an invalid one is ignored', () => {
  for (const [header, language] of [
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['EN', 'en'],
    [' fr ;q=1', 'fr'],
    ['', null],
    ['*', null],
    ['x-klingon', null],
    ['deutsch', null],
  ] as const)
    expect(firstLanguage(header), header).toBe(language);
});

test('an unknown fact satisfies only negated routing conditions', () => {
  const conditions = [
    { fact: 'language', op: 'speaks', values: ['de'] },
    { fact: 'zone', op: 'in-zone', values: ['Europe'] },
    { fact: 'day', op: 'weekday', values: ['1', '2', '3', '4', '5', '6', '7'] },
    { fact: 'contact', op: 'tag', values: ['vip'] },
    { fact: 'contact', op: 'owner', values: ['nobody'] },
  ];
  for (const raw of conditions) {
    expect(holds(z.parse(conditionShape, raw), undefined), raw.op).toBe(false);
    expect(holds(z.parse(conditionShape, { ...raw, op: `${raw.op}-not` }), undefined), raw.op).toBe(true);
  }
  expect(holds({ fact: 'day', op: 'before', day: '2026-01-01' }, undefined)).toBe(false);
  expect(holds({ fact: 'day', op: 'from', day: '2026-01-01' }, undefined)).toBe(false);
});

test('a time zone matches by its old and new name and within its continent', () => {
  const zones = new ZoneNames();
  expect(zones.isSame('Asia/Calcutta', 'Asia/Kolkata')).toBe(true);
  expect(zones.isSame('Europe/Berlin', 'Europe/Rome')).toBe(false);
  const europe = { fact: 'zone', op: 'in-zone', values: ['Europe'] } as const;
  expect([
    holds({ ...europe, values: ['Europe'] }, 'Europe/Berlin'),
    holds({ ...europe, values: ['Europe'] }, 'Asia/Tokyo'),
  ]).toEqual([true, false]);
});

test('two time zones are compared once, however many conditions name them', () => {
  const zones = new ZoneNames();
  const compare = () => [
    zones.isSame('America/Buenos_Aires', 'America/Argentina/Buenos_Aires'),
    zones.isSame('america/buenos_aires', 'America/Catamarca'),
    zones.isSame('Europe', 'Elsewhere'),
  ];
  expect(compare()).toEqual([true, false, false]);
  const compared = vi.spyOn(Temporal.ZonedDateTime.prototype, 'equals');
  const looked = vi.spyOn(Temporal.Instant.prototype, 'toZonedDateTimeISO');
  try {
    for (let n = 0; n < 100; n += 1) expect(compare()).toEqual([true, false, false]);
    expect([compared.mock.calls.length, looked.mock.calls.length]).toEqual([0, 0]);
  } finally {
    compared.mockRestore();
    looked.mockRestore();
  }
});

test('a routing condition with an unknown fact, operator or value is refused', () => {
  for (const raw of [
    { fact: 'weather', op: 'is', values: ['x'] },
    { fact: 'language', op: 'speaks', values: ['German'] },
    { fact: 'language', op: 'is', values: ['de'] },
    { fact: 'zone', op: 'in-zone', values: ['Nowhere'] },
    { fact: 'day', op: 'before', day: '2026-02-30' },
    { fact: 'day', op: 'weekday', values: ['8'] },
    { fact: 'contact', op: 'owner', values: ['me'] },
    { fact: 'contact', op: 'tag', values: [] },
  ])
    expect(z.safeParse(conditionShape, raw).success, JSON.stringify(raw)).toBe(false);
});

import { expect, test } from 'vitest';
import type { EventBody, Series } from '#kernel/event.ts';
import { findOccurrence } from './find-occurrence.ts';

const core = { busy: 'busy', private: false, self: 'none', kind: 'default' } as const;
const nine = (day: string) =>
  ({ kind: 'zoned', start: `${day}T09:00:00`, zone: 'America/New_York', duration: { seconds: 3600 } }) as const;
const daily: Series = {
  kind: 'series',
  when: nine('2027-03-02'),
  core,
  rules: ['FREQ=DAILY'],
  exRules: [],
  extraDates: [],
  exdates: ['20270304T140000Z'],
  overrides: { '20270305T140000Z': { when: nine('2028-01-01'), core: { ...core, title: 'Moved' } } },
};
const find = (body: EventBody, recId: string) => findOccurrence(body, recId, 'Asia/Tokyo', 'Pacific/Auckland');
const iso = (ms: number | undefined) =>
  ms === undefined ? null : Temporal.Instant.fromEpochMilliseconds(ms).toString();

test('an instance is found by its name across a daylight saving change and after a move', () => {
  expect(iso(find(daily, '20270303T140000Z')?.startMs)).toBe('2027-03-03T14:00:00Z');
  expect(iso(find(daily, '20270315T130000Z')?.startMs)).toBe('2027-03-15T13:00:00Z');
  expect(find(daily, '20270305T140000Z')).toMatchObject({ core: { title: 'Moved' } });
  expect(iso(find(daily, '20270305T140000Z')?.startMs)).toBe('2028-01-01T14:00:00Z');
});

test('an instance name that the event does not have is not found', () => {
  expect([find(daily, '20270304T140000Z'), find(daily, '20270303T150000Z'), find(daily, ''), find(daily, 'x')]).toEqual(
    [null, null, null, null],
  );
  expect(find({ kind: 'withheld', reason: 'no DTSTART' }, '')).toBeNull();
});

test('all-day and floating instances are found by their local names in any zone', () => {
  const allDay: Series = { ...daily, when: { kind: 'all-day', start: '2027-03-02', end: '2027-03-03' }, exdates: [] };
  expect(iso(find(allDay, '20270306')?.startMs)).toBe('2027-03-05T11:00:00Z');
  const floating: Series = {
    ...daily,
    when: { kind: 'floating', start: '2027-03-02T01:00:00', duration: { seconds: 60 } },
  };
  expect(iso(find(floating, '20270303T010000')?.startMs)).toBe('2027-03-02T16:00:00Z');
  expect(find({ kind: 'single', when: nine('2027-03-02'), core }, '')).toMatchObject({ recId: '' });
});

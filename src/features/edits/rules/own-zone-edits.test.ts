import { expect, test } from 'vitest';
import type { EventBody, Series } from '#kernel/event.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { hourMs } from '#kernel/time/civil.ts';
import { ownZone } from '#kernel/time/event-zone.ts';
import { changeEvent } from './event.ts';
import type { Changes } from './event-fields.ts';
import { inputOf } from './event-time.ts';

/** Two hours before UTC, and three from 26 March 2027 on. Berlin's clocks change on the 28th. */
const change = { fromMs: 2 * hourMs, toMs: 3 * hourMs, dates: [Date.UTC(2027, 2, 26, 3)], rule: null };
const zone = ownZone([change], 2026)?.id as string;
const berlin = 'Europe/Berlin';

const mondays: Series = {
  kind: 'series',
  when: { kind: 'zoned', start: '2027-03-22T10:00:00', zone, duration: { seconds: 1_800 } },
  core: { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Call' },
  rules: ['FREQ=WEEKLY;COUNT=3'],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
};
const [first, second] = ['20270322T080000Z', '20270329T070000Z'] as const;

const window = { fromMs: Date.UTC(2027, 2, 1), toMs: Date.UTC(2027, 4, 1) };
const startsOf = (body: EventBody | null) =>
  body === null
    ? []
    : occurrencesOf(body, berlin, berlin, window, { instances: 100, steps: 1_000 }).list.map(({ startMs }) =>
        Temporal.Instant.fromEpochMilliseconds(startMs).toString({ smallestUnit: 'minute' }),
      );
const edited = (recId: string, scope: 'this' | 'following' | 'all', changes: Changes) =>
  changeEvent(mondays, recId, { scope, changes, leaves: false }, berlin);
const at = (start: string, end: string): Changes => ({ when: { kind: 'timed', start, end, zone: berlin } });

test('the editor shows an event whose zone has no name on the clock of its calendar', () => {
  expect(startsOf(mondays)).toEqual(['2027-03-22T08:00Z', '2027-03-29T07:00Z', '2027-04-05T07:00Z']);
  const shown = inputOf(mondays.when, berlin);
  expect(shown).toEqual({ kind: 'timed', start: '2027-03-22T09:00', end: '2027-03-22T09:30', zone: berlin });
});

test('a new title leaves its times as they are', () => {
  const { rest } = edited(first, 'all', { title: 'Talk', ...at('2027-03-22T09:00', '2027-03-22T09:30') });
  expect(rest).toEqual({ ...mondays, core: { ...mondays.core, title: 'Talk' } });
});

test('one instance moves to the time that was entered, and the others stay', () => {
  const { rest } = edited(second, 'this', at('2027-03-29T11:00', '2027-03-29T11:30'));
  expect(startsOf(rest)).toEqual(['2027-03-22T08:00Z', '2027-03-29T09:00Z', '2027-04-05T07:00Z']);
});

test('a series that is moved keeps the hour that was entered in the zone of its calendar', () => {
  const all = edited(first, 'all', at('2027-03-22T10:00', '2027-03-22T10:30'));
  expect(startsOf(all.rest)).toEqual(['2027-03-22T09:00Z', '2027-03-29T08:00Z', '2027-04-05T08:00Z']);
  const later = edited(second, 'following', at('2027-03-29T11:00', '2027-03-29T12:00'));
  expect(startsOf(later.rest)).toEqual(['2027-03-22T08:00Z']);
  expect(startsOf(later.made)).toEqual(['2027-03-29T09:00Z', '2027-04-05T09:00Z']);
});

import { expect, test } from 'vitest';
import type { PlannedItem } from '#features/calendar/public.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { SeriesShape } from '#providers/port.ts';
import { ordinaryPair, sourceId, timedBody } from '../../../test/harness/mirror-subjects.ts';
import { inTurns } from './in-turns.ts';
import type { RuledPair } from './load-world.ts';

const items = (count: number, recurring: boolean): PlannedItem[] =>
  Array.from({ length: count }, (_, n) => ({
    id: String(n) as ItemId,
    calendarId: sourceId,
    ref: String(n),
    uid: null,
    body: recurring ? { kind: 'instances', of: '', from: 0, to: 0, list: {} } : timedBody('2027-03-02T09:00:00', 60),
    problem: null,
    startsMs: null,
    endsMs: null,
    gone: false,
    own: false,
    change: 1,
  }));
const pairsTo = (targets: number, series: SeriesShape) => {
  const list = Array.from({ length: targets }, (_, n) => ordinaryPair({ target: String(n), series }) as RuledPair);
  return { ofSource: () => list, find: () => null, isSuspended: () => false };
};
const lengths = (some: PlannedItem[], targets: number, series: SeriesShape) =>
  inTurns(some, pairsTo(targets, series)).map((turn) => turn.length);

test('events are planned all at once, and expanded series a few at a time', () => {
  expect(lengths(items(500, false), 3, 'native')).toEqual([500]);
  expect(lengths(items(500, true), 3, 'native')).toEqual([500]);
  expect(lengths(items(50, true), 2, 'expanded')).toEqual([20, 20, 10]);
  expect(lengths(items(3, true), 100, 'expanded')).toEqual([1, 1, 1]);
  expect(lengths(items(5, false), 0, 'expanded')).toEqual([5]);
  expect(lengths([], 1, 'native')).toEqual([]);
});

test('batches of planned items keep every item in order', () => {
  const all = items(123, true);
  expect(inTurns(all, pairsTo(7, 'expanded')).flat()).toEqual(all);
});

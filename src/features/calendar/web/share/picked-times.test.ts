import { expect, test } from 'vitest';
import { fitTimes, mostPicked, pickTimes } from './picked-times.ts';

const at = (time: string) => Date.parse(`2027-03-08T${time}:00Z`);
const range = (start: string, end: string) => ({ startMs: at(start), endMs: at(end) });
const open = { minutes: 30, nowMs: at('06:00'), busy: [] };

test('a range is divided into times of the chosen length, at least one', () => {
  expect(pickTimes([], range('09:00', '10:15'), open).picked).toEqual([at('09:00'), at('09:30')]);
  expect(pickTimes([], range('09:00', '09:15'), open).picked).toEqual([at('09:00')]);
});

test('past, busy and already picked times are not picked, and left-out times are counted', () => {
  const busy = [range('10:00', '10:30')];
  const first = pickTimes([], range('09:30', '11:00'), { ...open, busy });
  expect(first).toEqual({ picked: [at('09:30'), at('10:30')], leftOut: 1 });
  expect(pickTimes(first.picked, range('09:30', '11:00'), { ...open, busy })).toEqual(first);
  expect(pickTimes([], range('05:00', '07:00'), open)).toEqual({ picked: [at('06:30')], leftOut: 3 });
});

test('a link holds a limited number of times', () => {
  const day = pickTimes([], { startMs: at('06:05'), endMs: at('06:05') + 12 * 3_600_000 }, { ...open, minutes: 5 });
  expect(day.picked).toHaveLength(mostPicked);
  expect(day.leftOut).toBe(144 - mostPicked);
});

test('longer times remove the picked times that they would overlap', () => {
  const picked = [at('09:00'), at('09:30'), at('10:00'), at('11:00')];
  expect(fitTimes(picked, 60, [range('11:30', '12:00')])).toEqual([at('09:00'), at('10:00')]);
});

import { expect, test } from 'vitest';
import { freeSpans, inLanes, unionMs } from './plan-day.ts';

const span = (startMs: number, endMs: number) => ({ startMs, endMs });

test('time that two meetings share counts once, and only within the day', () => {
  expect(unionMs([span(0, 30), span(20, 40), span(90, 130)], 10, 100)).toBe(40);
  expect(unionMs([], 0, 100)).toBe(0);
});

test('free time is the open hours without all that takes time', () => {
  const open = [span(10, 50), span(60, 90)];
  expect(freeSpans(open, [span(20, 30), span(25, 35), span(80, 200)], 0, 100)).toEqual([
    span(10, 20),
    span(35, 50),
    span(60, 80),
  ]);
  // meetings that touch leave nothing between them
  expect(freeSpans([span(0, 40)], [span(10, 20), span(20, 30)], 0, 100)).toEqual([span(0, 10), span(30, 40)]);
  // later in the day, hours that are past are not free
  expect(freeSpans(open, [], 45, 100)).toEqual([span(45, 50), span(60, 90)]);
  expect(freeSpans([], [], 0, 100)).toEqual([]);
});

test('an event that begins while another runs stands in the second lane', () => {
  const lanes = inLanes([span(20, 30), span(0, 25), span(25, 40)]).map(({ event, lane }) => [event.startMs, lane]);
  expect(lanes).toEqual([
    [0, 0],
    [20, 1],
    [25, 0],
  ]);
});

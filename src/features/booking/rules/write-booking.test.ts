import { expect, test } from 'vitest';
import type { SeriesDate } from './visit-data.ts';
import { withDates, writeRepeated } from './write-booking.ts';

const type = { recurring: { max: 4, every: 'week' } } as const;
const dates: SeriesDate[] = [
  { start: 100, state: 'free', instead: [] },
  { start: 200, state: 'taken', instead: [190, 230] },
  { start: 300, state: 'closed', instead: [] },
];

test('dates of a series that are not free are left out unless another time was chosen', () => {
  const typed = { times: '3', 'date-200': '230', 'date-100': 'out', 'date-999': '1' };
  expect(writeRepeated(type, withDates(typed, dates))).toEqual({
    times: 3,
    changes: [
      { start: 200, instead: 230 },
      { start: 300, instead: null },
    ],
  });
  expect(writeRepeated(type, withDates({ times: '1' }, null))).toEqual({ times: 1 });
  expect(writeRepeated({ recurring: null }, typed)).toEqual({});
});

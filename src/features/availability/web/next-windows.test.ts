import { expect, test } from 'vitest';
import { nextWindows, weekFrom } from './next-windows.ts';

const wednesday = Temporal.Instant.from('2027-03-24T12:00:00Z').epochMilliseconds;

test('a weekday is asked about on its next date in the zone of the hours, today included', () => {
  const on = (weekday: 'wednesday' | 'tuesday' | 'sunday') =>
    nextWindows(weekday, [{ start: '09:00', end: '17:00' }], 'Europe/Berlin', wednesday)[0]?.start;
  expect([on('wednesday'), on('tuesday'), on('sunday')]).toEqual([
    '2027-03-24T08:00:00Z',
    '2027-03-30T07:00:00Z',
    '2027-03-28T07:00:00Z', // the clocks have changed that night
  ]);
});

test('hours after midnight end a day later, and those without length are left out', () => {
  const intervals = [
    { start: '22:00', end: '02:00' },
    { start: '00:00', end: '24:00' },
    { start: '08:00', end: '08:00' },
  ];
  expect(nextWindows('wednesday', intervals, 'UTC', wednesday)).toEqual([
    { start: '2027-03-24T22:00:00Z', end: '2027-03-25T02:00:00Z' },
    { start: '2027-03-24T00:00:00Z', end: '2027-03-25T00:00:00Z' },
  ]);
});

test('a week begins where its person begins it', () => {
  expect(weekFrom(7).slice(0, 2)).toEqual(['sunday', 'monday']);
  expect(weekFrom(1)).toHaveLength(7);
});

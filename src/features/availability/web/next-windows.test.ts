import { expect, test } from 'vitest';
import { defaultHours, type Hours } from '#features/availability/rules/hours.ts';
import { nextWindows, type Weekday, weekFrom } from './next-windows.ts';

const wednesday = Temporal.Instant.from('2027-03-24T12:00:00Z').epochMilliseconds;
const nothing = { daysOff: [], holidays: [], travels: [] };
const usual = defaultHours('Europe/Berlin');
const on = (weekday: Weekday, hours: Hours = usual, facts = {}) =>
  nextWindows(weekday, hours, { ...nothing, ...facts }, wednesday).map(({ start, end }) => `${start} ${end}`);
const open = { enabled: true, intervals: [{ start: '09:00', end: '17:00' }] };

test('a weekday is checked at its next date in the time zone of the hours, including today', () => {
  const hours = { ...usual, weekly: { ...usual.weekly, sunday: open } };
  expect([on('wednesday', hours), on('tuesday', hours), on('sunday', hours)].flat()).toEqual([
    '2027-03-24T08:00:00.000Z 2027-03-24T16:00:00.000Z',
    '2027-03-30T07:00:00.000Z 2027-03-30T15:00:00.000Z',
    '2027-03-28T07:00:00.000Z 2027-03-28T15:00:00.000Z', // the clocks have changed that night
  ]);
  expect(on('sunday')).toEqual([]);
});

test('today counts until its last open hour is over, then the same weekday of next week', () => {
  const at = (time: string) => {
    const nowMs = Temporal.Instant.from(`2027-03-24T${time}Z`).epochMilliseconds;
    return nextWindows('wednesday', usual, nothing, nowMs).map(({ start }) => start);
  };
  expect(at('15:59:59')).toEqual(['2027-03-24T08:00:00.000Z']);
  // from Sunday on the clocks are an hour ahead
  expect(at('16:00:00')).toEqual(['2027-03-31T07:00:00.000Z']);
  expect(at('22:25:00')).toEqual(['2027-03-31T07:00:00.000Z']);
});

test('hours past midnight end the next day, and empty intervals are left out', () => {
  const intervals = [
    { start: '22:00', end: '02:00' },
    { start: '08:00', end: '08:00' },
  ];
  const hours = { ...defaultHours('Etc/GMT'), timezone: 'UTC' };
  expect(on('wednesday', { ...hours, weekly: { ...hours.weekly, wednesday: { enabled: true, intervals } } })).toEqual([
    '2027-03-24T22:00:00.000Z 2027-03-25T02:00:00.000Z',
  ]);
});

test('an override of the date wins over a day off or holiday, which closes the day', () => {
  const override = (date: string, start?: string) => ({
    ...usual,
    overrides: [{ date, intervals: start === undefined ? [] : [{ start, end: '20:00' }] }],
  });
  expect(on('thursday', override('2027-03-25'))).toEqual([]);
  expect(on('thursday', override('2027-04-01'))).toHaveLength(1);
  const early = ['2027-03-25T17:00:00.000Z 2027-03-25T19:00:00.000Z'];
  expect(on('thursday', override('2027-03-25', '18:00'))).toEqual(early);
  expect(on('sunday', override('2027-03-28', '18:00'))).toEqual(['2027-03-28T16:00:00.000Z 2027-03-28T18:00:00.000Z']);
  const off = { daysOff: [{ firstDay: '2027-03-25', lastDay: '2027-03-26' }] };
  expect([on('thursday', usual, off), on('friday', usual, off)]).toEqual([[], []]);
  expect(on('thursday', override('2027-03-25', '18:00'), off)).toEqual(early);
  expect(on('friday', usual, { holidays: ['2027-03-26'] })).toEqual([]);
});

test('hours of a travel day are in the time zone of the destination', () => {
  const travels = [{ firstDay: '2027-03-25', lastDay: '2027-03-25', zone: 'Asia/Tokyo' }];
  expect(on('thursday', usual, { travels })).toEqual(['2027-03-25T00:00:00.000Z 2027-03-25T08:00:00.000Z']);
});

test("a week starts on the user's first weekday", () => {
  expect(weekFrom(7).slice(0, 2)).toEqual(['sunday', 'monday']);
  expect(weekFrom(1)).toHaveLength(7);
});

import { expect, test } from 'vitest';
import { momentOf, type Reading, readWish } from './read-wish.ts';

// a Wednesday, 10:30 in Berlin
const reading: Reading = {
  nowMs: Temporal.Instant.from('2027-03-03T09:30:00Z').epochMilliseconds,
  zone: 'Europe/Berlin',
  monthFirst: false,
};

function read(typed: string, more: Partial<Reading> = {}) {
  const at = { ...reading, ...more };
  const wish = readWish(typed, at);
  const moment = momentOf(wish, at);
  const start = moment?.start.toPlainDateTime().toString({ smallestUnit: 'minute' });
  return [wish.title, start ?? null, moment?.minutes ?? null];
}

test.each([
  ['lunch with Priya fri 1pm 45m', 'lunch with Priya', '2027-03-05T13:00', 45],
  ['Standup tomorrow at 9:15 for 15 minutes', 'Standup', '2027-03-04T09:15', 15],
  ['review 2-3:30pm next tue', 'review', '2027-03-09T14:00', 90],
  ['Board 11-1pm 12 mar', 'Board', '2027-03-12T11:00', 120],
  ['Dinner at 7', 'Dinner', '2027-03-04T07:00', 60],
  ['Coffee at 3', 'Coffee', '2027-03-03T15:00', 60],
  ['Gym 18:00 1.5h', 'Gym', '2027-03-03T18:00', 90],
  ['Call 1h30 on March 9th 16:00', 'Call', '2027-03-09T16:00', 90],
  ['Party 31 dec 2027 10pm-1am', 'Party', '2027-12-31T22:00', 180],
  ['Taxes 15.4. noon', 'Taxes', '2027-04-15T12:00', 60],
  ['in 20 minutes call mum', 'call mum', '2027-03-03T10:50', 60],
  ['Offsite in 2 weeks', 'Offsite', '2027-03-17T09:00', 60],
  ['Dentist 2027-06-01 8am', 'Dentist', '2027-06-01T08:00', 60],
  ['create lunch with Priya fri 1pm', 'lunch with Priya', '2027-03-05T13:00', 60],
  ['Schedule an event Kickoff tomorrow 8am', 'Kickoff', '2027-03-04T08:00', 60],
  ['go to next tue', '', '2027-03-09T09:00', 60],
  ['jump to 12 mar', '', '2027-03-12T09:00', 60],
  ['Kickoff with Sam wed 9am', 'Kickoff with Sam', '2027-03-03T09:00', 60],
])('%s', (typed, title, start, minutes) => {
  expect(read(typed)).toEqual([title, start, minutes]);
});

test('a time alone is the next one, a date alone the morning of that day, and neither is no time', () => {
  expect(read('9am')).toEqual(['', '2027-03-04T09:00', 60]);
  expect(read('11am')).toEqual(['', '2027-03-03T11:00', 60]);
  expect(read('next wed')).toEqual(['', '2027-03-10T09:00', 60]);
  expect(read('1 jan')).toEqual(['', '2028-01-01T09:00', 60]);
  expect(read('29 feb')).toEqual(['', '2028-02-29T09:00', 60]);
  expect(read('budget review')).toEqual(['budget review', null, null]);
});

test('figures are read in the order that the person chose', () => {
  expect(read('4/5')[1]).toBe('2027-05-04T09:00');
  expect(read('4/5', { monthFirst: true })[1]).toBe('2027-04-05T09:00');
});

test('a place right after the time means the time there', () => {
  expect(read('9am Tokyo')).toEqual(['', '2027-03-04T01:00', 60]);
  expect(read('5pm New York fri')).toEqual(['', '2027-03-05T23:00', 60]);
  expect(read('call Kenji 9am Tokyo time tomorrow')).toEqual(['call Kenji', '2027-03-04T01:00', 60]);
  expect(readWish('9am Tokyo', reading).place).toEqual({ name: 'Tokyo', zone: 'Asia/Tokyo' });
  expect(read('Dinner in Paris 8pm')).toEqual(['Dinner in Paris', '2027-03-03T20:00', 60]);
});

test('what only looks like a time stays in the title', () => {
  expect(read('Room 101')).toEqual(['Room 101', null, null]);
  expect(read('release 2.10.1')).toEqual(['release 2.10.1', null, null]);
  expect(read('wedding of Summer')).toEqual(['wedding of Summer', null, null]);
  expect(read('mail sam@fri.example')).toEqual(['mail sam@fri.example', null, null]);
  expect(read('31 feb')).toEqual(['31 feb', null, null]);
  expect(read('25:00')).toEqual(['25:00', null, null]);
  expect(read('1-1 with Ana')).toEqual(['1-1 with Ana', null, null]);
  expect(read('Q3 plan')).toEqual(['Q3 plan', null, null]);
});

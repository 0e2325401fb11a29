import { expect, test } from 'vitest';
import type { Reading } from '../rules/visit-data.ts';
import { listOffsets } from '../rules/zone-offsets.ts';
import { readMoments } from './moments.ts';

const zone = 'America/Vancouver';
const minuteOf = (text: string) => Temporal.Instant.from(text).epochMilliseconds / 60_000;
const reading: Reading = { zone, locale: 'en-US', hour12: true, firstWeekday: 6 };
const offsets = listOffsets(zone, { from: minuteOf('2026-11-01T00:00Z'), to: minuteOf('2027-12-01T00:00Z') });

test('times follow the offsets that came with the page, whatever rules the browser has', () => {
  const told = { ...offsets, changes: offsets.changes.map(({ from }) => ({ from, ahead: -420 })) };
  // the rules here have winter in Vancouver an hour behind that
  const moments = readMoments({ ...reading, offsets: told });
  expect(moments.time(minuteOf('2026-12-03T23:00Z'))).toBe('4:00 PM');
  expect(moments.dayOf(minuteOf('2026-12-04T06:30Z'))).toBe('2026-12-03');
  expect(moments.zoneName(zone, minuteOf('2026-12-03T23:00Z')).offset).toBe('GMT-7');
});

test('offsets of a zone change when its clock does', () => {
  const moments = readMoments({ ...reading, zone: 'Europe/Paris', offsets: listOffsets('Europe/Paris', offsets) });
  expect(
    ['2027-03-28T00:59Z', '2027-03-28T01:00Z', '2027-10-31T00:59Z', '2027-10-31T01:00Z']
      .map(minuteOf)
      .map(moments.time),
  ).toEqual(['1:59 AM', '3:00 AM', '2:59 AM', '2:00 AM']);
});

test('a date and a time in Japanese have no comma between them', () => {
  const reader = { zone: 'Asia/Tokyo', locale: 'ja', hour12: false, firstWeekday: 6 };
  expect(readMoments(reader).moment(minuteOf('2026-12-04T00:30Z'))).toBe('12月4日(金) 9:30');
});

test('a moment of another year names that year, and one of this year does not', () => {
  const moments = readMoments({ ...reading, zone: 'UTC', year: '2026' });
  expect(moments.moment(minuteOf('2026-12-31T23:30Z'))).toBe('Thu, December 31, 11:30 PM');
  expect(moments.moment(minuteOf('2027-01-08T09:30Z'))).toBe('Fri, January 8, 2027, 9:30 AM');
});

test('a span names the time of its end, and the day too where that is another one', () => {
  const moments = readMoments({ ...reading, zone: 'UTC', year: '2026' });
  expect(moments.span(minuteOf('2026-12-03T09:30Z'), 45)).toBe('Thu, December 3, 9:30 AM – 10:15 AM');
  expect(moments.span(minuteOf('2026-12-31T23:30Z'), 60)).toBe(
    'Thu, December 31, 11:30 PM – Fri, January 1, 2027, 12:30 AM',
  );
});

// Berlin: 2:00 becomes 3:00 at 01:00Z on March 28, 2027, and 3:00 becomes 2:00 at 01:00Z on October 31, 2027
test.each([
  ['2027-03-28T00:30Z', 30, 'Sun, March 28, 1:30 AM (GMT+1) – 3:00 AM (GMT+2)'],
  ['2027-10-31T00:30Z', 60, 'Sun, October 31, 2:30 AM (GMT+2) – 2:30 AM (GMT+1)'],
  ['2027-03-27T22:30Z', 240, 'Sat, March 27, 11:30 PM (GMT+1) – Sun, March 28, 4:30 AM (GMT+2)'],
  ['2027-03-28T01:00Z', 30, 'Sun, March 28, 3:00 AM – 3:30 AM'],
])(
  'a span from %s of %i minutes names the offset of each end where the clock changes between them',
  (at, minutes, said) => {
    const zone = 'Europe/Berlin';
    expect(readMoments({ ...reading, zone, offsets: listOffsets(zone, offsets) }).span(minuteOf(at), minutes)).toBe(
      said,
    );
  },
);

test('times beyond what was told are read by the rules of the browser', () => {
  const moments = readMoments({ ...reading, offsets: { ...offsets, changes: [{ from: offsets.from, ahead: 0 }] } });
  expect(moments.time(minuteOf('2028-07-01T12:00Z'))).toBe('5:00 AM');
});

test('times of a list name their offset only where the clock changes among them', () => {
  const moments = readMoments({ ...reading, zone: 'Europe/Paris', offsets: listOffsets('Europe/Paris', offsets) });
  const night = ['2027-10-31T00:30Z', '2027-10-31T01:30Z'].map(minuteOf);
  // the same wall clock, an hour apart
  expect(night.map(moments.time)).toEqual(['2:30 AM', '2:30 AM']);
  expect(night.map(moments.offsetsOf(night))).toEqual(['GMT+2', 'GMT+1']);
  const day = ['2027-10-30T08:00Z', '2027-10-30T09:00Z'].map(minuteOf);
  expect(day.map(moments.offsetsOf(day))).toEqual(['', '']);
});

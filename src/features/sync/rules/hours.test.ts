import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockOfBusyHours, touchesHours } from './hours.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const at = (text: string) => Temporal.ZonedDateTime.from(text).epochMilliseconds;
const span = (from: string, to: string, zone: string) => ({
  startMs: at(`${from}[${zone}]`),
  endMs: at(`${to}[${zone}]`),
});

describe('hours across midnight', () => {
  const night = { start: '22:00', end: '06:00', weekdays: [5], zone: 'Europe/Berlin' }; // Friday night
  test.each([
    ['2027-03-05T22:30', '2027-03-05T23:00', true],
    ['2027-03-06T05:00', '2027-03-06T05:30', true], // Saturday morning belongs to Friday's night
    ['2027-03-06T06:00', '2027-03-06T07:00', false],
    ['2027-03-05T05:00', '2027-03-05T05:30', false], // Thursday's night does not count
    ['2027-03-06T22:30', '2027-03-06T23:00', false],
  ])('an event from %s to %s touches the hours of Friday night: %s', (from, to, touches) => {
    expect(touchesHours(span(from, to, night.zone), night)).toBe(touches);
  });
});

describe('hours on days with a clock change', () => {
  test.each([
    // 02:00 to 03:00 does not exist on 28 March 2027: the hours begin at 03:00 summer time
    ['02:30', '04:00', '2027-03-28T01:30+01:00', '2027-03-28T01:59+01:00', false],
    ['02:30', '04:00', '2027-03-28T03:30+02:00', '2027-03-28T03:45+02:00', true],
    // 02:00 to 03:00 comes twice on 31 October 2027: both belong to hours that end at 03:00
    ['01:00', '03:00', '2027-10-31T02:30+01:00', '2027-10-31T02:45+01:00', true],
    ['01:00', '03:00', '2027-10-31T03:00+01:00', '2027-10-31T03:45+01:00', false],
  ])('the hours %s to %s touch an event from %s to %s at a clock change: %s', (start, end, from, to, touches) => {
    const hours = { start, end, weekdays: everyDay, zone: 'Europe/Berlin' };
    const instance = {
      startMs: Temporal.Instant.from(from).epochMilliseconds,
      endMs: Temporal.Instant.from(to).epochMilliseconds,
    };
    expect(touchesHours(instance, hours)).toBe(touches);
  });
});

test('24:00 is the end of the day, and hours with equal ends are a whole day', () => {
  const evening = { start: '18:00', end: '24:00', weekdays: [1], zone: 'UTC' };
  expect(touchesHours(span('2027-03-01T23:59', '2027-03-02T01:00', 'UTC'), evening)).toBe(true);
  expect(touchesHours(span('2027-03-02T00:00', '2027-03-02T01:00', 'UTC'), evening)).toBe(false);
  const whole = { start: '08:00', end: '08:00', weekdays: [1], zone: 'UTC' };
  expect(touchesHours(span('2027-03-02T07:00', '2027-03-02T07:30', 'UTC'), whole)).toBe(true);
  expect(touchesHours(span('2027-03-02T08:00', '2027-03-02T08:30', 'UTC'), whole)).toBe(false);
});

test('an event over years touches all hours, but none without an open weekday', () => {
  const years = span('2020-01-01T00:00', '2030-01-01T00:00', 'UTC');
  const hours = { start: '09:00', end: '10:00', zone: 'UTC' };
  expect(touchesHours(years, { ...hours, weekdays: [3] })).toBe(true);
  expect(touchesHours(years, { ...hours, weekdays: [] })).toBe(false);
});

test('an event touches hours exactly when one of its minutes is inside them', () => {
  const zones = ['America/New_York', 'Europe/Berlin', 'UTC', 'Australia/Lord_Howe'];
  const arbitrary = fc.record({
    zone: fc.constantFrom(...zones),
    from: fc.integer({ min: 0, max: 2 * 24 * 4 }),
    length: fc.integer({ min: 1, max: 40 }),
    start: fc.integer({ min: 4 * 4, max: 23 * 4 }), // from 04:00: no clock jumps over it
    hours: fc.integer({ min: 1, max: 18 * 4 }),
    weekdays: fc.subarray(everyDay),
    day: fc.constantFrom('2027-03-13', '2027-03-27', '2027-10-30', '2027-11-06'),
  });
  const label = (quarter: number) =>
    `${String(Math.floor((quarter % 96) / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
  fc.assert(
    fc.property(arbitrary, ({ zone, from, length, start, hours, weekdays, day }) => {
      const end = start + hours;
      fc.pre(end <= 96 || end - 96 >= 16); // nor over its end
      const instance = { startMs: at(`${day}T00:00[${zone}]`) + from * 900_000, endMs: 0 };
      instance.endMs = instance.startMs + length * 900_000;
      let inside = false;
      for (let ms = instance.startMs; ms < instance.endMs; ms += 900_000) {
        const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
        const quarter = local.hour * 4 + Math.floor(local.minute / 15);
        const today = weekdays.includes(local.dayOfWeek) && quarter >= start && quarter < Math.min(end, 96);
        const since = weekdays.includes(local.subtract({ days: 1 }).dayOfWeek) && end > 96 && quarter < end - 96;
        if (today || since) inside = true;
      }
      expect(touchesHours(instance, { start: label(start), end: label(end), weekdays, zone })).toBe(inside);
    }),
    { numRuns: 400 },
  );
});

test('an all-day event over hours goes from the first open day to the last, and is dropped without one', () => {
  const hours = { start: '22:00', end: '06:00', weekdays: [1, 2], zone: 'UTC' };
  const week = { kind: 'all-day' as const, start: '2027-03-01', end: '2027-03-08' };
  expect(blockOfBusyHours(week, hours)).toEqual({
    kind: 'zoned',
    start: '2027-03-01T22:00:00',
    zone: 'UTC',
    duration: { seconds: 32 * 3600 },
  });
  expect(blockOfBusyHours({ ...week, start: '2027-03-03' }, hours)).toBeNull();
});

import { expect, test } from 'vitest';
import { daysOfWeek, placeIn, shownHours } from './team-week.ts';

const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
const hour = 3_600_000;

test("a team week starts on the user's first weekday and has local days across clock changes", () => {
  const days = daysOfWeek(at('2027-03-26T12:00:00Z'), { zone: 'Europe/Berlin', weekStart: 1 }, 0);
  expect(days.map(({ date }) => date)[0]).toBe('2027-03-22');
  expect(days.map(({ startMs, endMs }) => (endMs - startMs) / hour)).toEqual([24, 24, 24, 24, 24, 24, 23]);
  const sunday = daysOfWeek(at('2027-03-26T12:00:00Z'), { zone: 'Europe/Berlin', weekStart: 7 }, 1);
  expect(sunday[0]).toMatchObject({ date: '2027-03-28', startMs: at('2027-03-27T23:00:00Z') });
  const autumn = daysOfWeek(at('2027-10-31T12:00:00Z'), { zone: 'Europe/Berlin', weekStart: 7 }, 0);
  expect((autumn[0]?.endMs ?? 0) - (autumn[0]?.startMs ?? 0)).toBe(25 * hour);
});

test('early and late meetings widen the shown hours, and all-day ones do not', () => {
  const days = daysOfWeek(at('2027-03-02T12:00:00Z'), { zone: 'UTC', weekStart: 1 }, 0);
  const span = (start: string, end: string) => ({ startMs: at(start), endMs: at(end) });
  expect(shownHours(days, [])).toEqual({ from: 8, to: 18 });
  expect(shownHours(days, [span('2027-03-02T06:30:00Z', '2027-03-02T07:00:00Z')])).toEqual({ from: 6, to: 18 });
  expect(shownHours(days, [span('2027-03-02T19:30:00Z', '2027-03-02T20:15:00Z')])).toEqual({ from: 8, to: 21 });
  expect(shownHours(days, [span('2027-03-02T00:00:00Z', '2027-03-03T00:00:00Z')])).toEqual({ from: 8, to: 18 });
});

test('busy times are clipped to the shown hours', () => {
  const [day] = daysOfWeek(at('2027-03-01T12:00:00Z'), { zone: 'UTC', weekStart: 1 }, 0);
  if (day === undefined) throw new Error('no day');
  const hours = { from: 8, to: 18 };
  const span = (start: number, end: number) => ({
    startMs: day.startMs + start * hour,
    endMs: day.startMs + end * hour,
  });
  expect(placeIn(day, hours, span(8, 13))).toEqual({ left: 0, width: 0.5 });
  expect(placeIn(day, hours, span(-5, 9))).toEqual({ left: 0, width: 0.1 });
  expect(placeIn(day, hours, span(18, 20))).toBeNull();
});

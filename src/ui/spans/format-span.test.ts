import { expect, test } from 'vitest';
import { formatSpan } from './format-span.ts';

const at = (local: string) => Temporal.PlainDateTime.from(local).toZonedDateTime('America/New_York').epochMilliseconds;
const preferences = {
  zone: 'America/New_York',
  locale: 'en-US',
  timeFormat: '12h',
  dateFormat: 'DD.MM.YYYY',
} as Parameters<typeof formatSpan>[1];
const currentMs = at('2026-10-30T08:00');

test.each([
  ['2026-11-20T08:15', '2026-11-20T10:15', 'Fri, Nov 20, 8:15 AM – 10:15 AM'],
  ['2026-11-20T22:00', '2026-11-21T00:00', 'Fri, Nov 20, 10:00 PM – 12:00 AM'],
  ['2026-11-20T22:00', '2026-11-21T02:00', 'Fri, Nov 20, 10:00 PM – Sat, Nov 21, 2:00 AM'],
  ['2026-11-20', '2026-11-21', 'Fri, Nov 20, All day'],
  ['2026-11-20', '2026-11-22', 'Fri, Nov 20 – Sat, Nov 21, All day'],
  // a day of 25 hours
  ['2026-11-01', '2026-11-02', 'Sun, Nov 1, All day'],
  ['2026-11-01T00:00', '2026-11-01T23:00', 'Sun, Nov 1, 12:00 AM – 11:00 PM'],
])('a time from %s to %s is written %s', (start, end, text) => {
  const span = { startMs: at(start), endMs: at(end) };
  expect(formatSpan(span, preferences, { currentMs, allDay: 'All day' }).replaceAll('\u202f', ' ')).toBe(text);
});

test('the day of the line is not repeated, and another one is', () => {
  const span = { startMs: at('2026-11-20'), endMs: at('2026-11-21') };
  const under = (day: string) => formatSpan(span, preferences, { currentMs, allDay: 'All day', underMs: at(day) });
  expect(under('2026-11-20T15:00')).toBe('All day');
  expect(under('2026-11-21T15:00')).toBe('Fri, Nov 20, All day');
});

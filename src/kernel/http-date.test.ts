import { expect, test } from 'vitest';
import { parseHttpDate, retryAfterMs } from '#kernel/http-date.ts';

const nowMs = Temporal.Instant.from('2027-03-08T12:00:00Z').epochMilliseconds;

// The same instant in the three forms of RFC 9110, 5.6.7, and in that of RFC 5322.
test.each([
  'Mon, 08 Mar 2027 12:02:00 GMT',
  'Monday, 08-Mar-27 12:02:00 GMT',
  'Mon Mar  8 12:02:00 2027',
  'Mon, 8 Mar 2027 12:02:00 +0000',
  '120',
])('a wait that is told as %j is two minutes', (text) => {
  expect(retryAfterMs(text, nowMs)).toBe(120_000);
});

test.each(['soon', '-5', '1.5', 'Mon, 31 Feb 2027 12:02:00 GMT', '2027-03-08T12:02:00Z', ''])(
  'the Retry-After value %j asks for no wait',
  (text) => {
    expect(retryAfterMs(text, nowMs)).toBeUndefined();
  },
);

test('a date that has passed is a wait of nothing', () => {
  expect(retryAfterMs('Mon, 08 Mar 2027 11:00:00 GMT', nowMs)).toBe(0);
});

test('a year of two digits is one of 1970 to 2069', () => {
  expect(parseHttpDate('Friday, 08-Mar-70 12:00:00 GMT')).toBe(
    Temporal.Instant.from('1970-03-08T12:00:00Z').epochMilliseconds,
  );
});

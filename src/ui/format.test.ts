import { describe, expect, test } from 'vitest';
import { formatDay, formatFigures, formatMoment, formatPlainDate } from './format.ts';

const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
const plain = (text: string) => text.replaceAll(/[\u2009\u202f\u00a0]/g, ' ');
const reading = { zone: 'America/New_York', locale: 'en-US', timeFormat: '12h', dateFormat: 'DD.MM.YYYY' } as const;
const now = at('2026-11-20T13:15:00Z');

describe('numeric dates', () => {
  test.each([
    ['YYYY-MM-DD', '2027-01-05'],
    ['DD/MM/YYYY', '05/01/2027'],
    ['MM/DD/YYYY', '01/05/2027'],
    ['DD.MM.YYYY', '05.01.2027'],
  ])('a numeric date follows the format %s and the reader’s time zone', (dateFormat, figures) => {
    expect(formatFigures(at('2027-01-06T03:00:00Z'), { ...reading, dateFormat })).toBe(figures);
  });

  test('a date of another year is numeric, and a date of this year is in words', () => {
    expect(formatDay(now, reading, now)).toBe('Fri, Nov 20');
    expect(formatDay(at('2027-01-06T15:00:00Z'), reading, now)).toBe('Wed, 06.01.2027');
    expect(formatPlainDate('2026-12-01', reading, now)).toBe('Tue, Dec 1');
    expect(formatPlainDate('2027-01-01', reading, now)).toBe('Fri, 01.01.2027');
  });

  test('an absolute time uses the numeric date format', () => {
    expect(plain(formatMoment(now, reading))).toBe('20.11.2026, 8:15:00 AM EST');
  });
});

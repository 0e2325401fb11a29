import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import {
  dayOf,
  type Pattern,
  patternDays,
  patternTypes,
  readRecurrence,
  shiftRecurrence,
  weekdayNames,
  weekIndexes,
} from './recurrence-pattern.ts';

/** The days of a pattern are those of the RFC 5545 rule that says the same; the two share no code. */

const startDate = fc
  .integer({ min: 0, max: 1_500 })
  .map((days) => Temporal.PlainDate.from('2025-01-01').add({ days }).toString());
const pattern = fc.record({
  type: fc.constantFrom(...patternTypes),
  interval: fc.integer({ min: 1, max: 5 }),
  month: fc.integer({ min: 1, max: 12 }),
  dayOfMonth: fc.integer({ min: 1, max: 31 }),
  daysOfWeek: fc.subarray([...weekdayNames], { minLength: 1 }),
  firstDayOfWeek: fc.constantFrom(...weekdayNames),
  index: fc.constantFrom(...weekIndexes),
});
const count = fc.option(fc.integer({ min: 1, max: 30 }));

function ruleOf(
  { type, interval, month, dayOfMonth, daysOfWeek, firstDayOfWeek, index }: Pattern,
  times: number | null,
): string {
  const short = (day: string) => day.slice(0, 2).toUpperCase();
  const parts = [`INTERVAL=${interval}`];
  if (type === 'weekly') parts.push(`WKST=${short(firstDayOfWeek)}`);
  if (type.endsWith('Yearly')) parts.push(`BYMONTH=${month}`);
  if (type === 'weekly' || type.startsWith('relative')) parts.push(`BYDAY=${daysOfWeek.map(short).join(',')}`);
  if (type.startsWith('relative')) parts.push(`BYSETPOS=${index === 'last' ? -1 : weekIndexes.indexOf(index) + 1}`);
  // A month that is too short: its last day, which is the last of those from the 28th up to the one wanted.
  if (type.startsWith('absolute')) {
    const from = Math.min(28, dayOfMonth);
    const days = Array.from({ length: dayOfMonth - from + 1 }, (_, n) => from + n);
    parts.push(`BYMONTHDAY=${days.join(',')}`, 'BYSETPOS=-1');
  }
  if (times !== null) parts.push(`COUNT=${times}`);
  const freq =
    type === 'daily' || type === 'weekly' ? type.toUpperCase() : type.endsWith('Yearly') ? 'YEARLY' : 'MONTHLY';
  return `FREQ=${freq};${parts.join(';')}`;
}

it('a pattern falls on the same days as its RRULE', () => {
  fc.assert(
    fc.property(startDate, pattern, count, (start, given, times) => {
      const range =
        times === null
          ? { type: 'noEnd', startDate: start }
          : { type: 'numbered', startDate: start, numberOfOccurrences: times };
      const read = readRecurrence({ pattern: given, range }, start, 'UTC');
      if (!read.ok) throw new Error(read.message);
      const untilDay = dayOf(start) + 6 * 366;
      const days: number[] = [];
      for (const day of patternDays(read.recurrence)) {
        if (day >= untilDay) break;
        days.push(day);
      }
      const spec = { start, zone: null, rules: [ruleOf(given, times)], exRules: [], extraDates: [], exdates: [] };
      const { startsMs } = openSeries(spec, { dtstart: 'when-matching' }).between(0, untilDay * dayMs);
      expect(days).toEqual(startsMs.map((ms) => ms / dayMs));
    }),
    { numRuns: runs(1_000) },
  );
});

it('a shifted weekly series has its days shifted by as many', () => {
  fc.assert(
    fc.property(startDate, pattern, fc.integer({ min: -20, max: 20 }), (start, given, days) => {
      // Every week, or the weeks that are left out would depend on where a week begins.
      const weekly = { ...given, type: 'weekly', interval: 1 };
      const read = readRecurrence(
        { pattern: weekly, range: { type: 'numbered', startDate: start, numberOfOccurrences: 20 } },
        start,
        'UTC',
      );
      if (!read.ok) throw new Error(read.message);
      expect([...patternDays(shiftRecurrence(read.recurrence, days))]).toEqual(
        [...patternDays(read.recurrence)].map((day) => day + days),
      );
    }),
  );
});

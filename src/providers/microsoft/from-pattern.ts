import type { LocalDate, LocalDateTime } from '#kernel/event.ts';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { weekdays } from '#kernel/recurrence/rule.ts';
import { parseLocal, parseLocalDate, printBasicDate, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { indexes, type PatternedRecurrence, type RecurrencePattern, weekdayNames } from './patterned-recurrence.ts';

/** A recurrence as RFC 5545 has it. */
export interface ReadRule {
  /** RRULE value; UNTIL, where there is one, is the last day that counts. */
  rule: string;
  /** The first instance: Graph's start need not be one, a DTSTART always is. */
  start: LocalDate | LocalDateTime;
}

/**
 * The rule of a pattern, or null where it cannot be said exactly; then the instances themselves have to be read.
 * `start` is that of the master in the zone of the recurrence.
 *
 * *Source*: recurrencePattern resource type, outlook-schedule-recurring-events. A month too short for its day is
 * answered by Outlook with its last day, by RFC 5545 with none: the last of the days 28 to d says the same.
 */
export function fromPattern(
  { pattern, range }: PatternedRecurrence,
  start: LocalDate | LocalDateTime,
): ReadRule | null {
  const anchorMs = parseLocalDate(range.startDate);
  const startMs = parseLocal(start);
  if (anchorMs === null || startMs === null) return null;
  const parts = partsOf(pattern);
  if (parts === null) return null;
  const intervals = pattern.interval === 1 ? '' : `;INTERVAL=${pattern.interval}`;
  const endless = `${parts.freq}${intervals}${parts.days}`;
  const series = openSeries(
    { start, zone: null, rules: [endless], exRules: [], extraDates: [], exdates: [] },
    { dtstart: 'when-matching' },
  );
  const firstMs = series.first();
  if (firstMs === null || series.problems.length > 0) return null;
  // Periods are counted from the start of the range; what else they could be counted from must not make a difference.
  const anchored = start.slice(0, 10) === range.startDate;
  const movesPeriod = firstMs !== startMs && pattern.type !== 'weekly';
  if (pattern.interval > 1 && (!anchored || movesPeriod)) return null;
  const end = endOf(range);
  if (end === null) return null;
  const first = start.length === 10 ? printLocalDate(firstMs) : printLocalDateTime(firstMs);
  const rule = `${parts.freq}${intervals}${end}${plainWeek(pattern, firstMs) ? '' : parts.days}`;
  return { rule, start: first };
}

/** FREQ and the parts that choose days. */
function partsOf(pattern: RecurrencePattern): { freq: string; days: string } | null {
  const month = pattern.month ?? 0;
  switch (pattern.type) {
    case 'daily':
      return { freq: 'FREQ=DAILY', days: '' };
    case 'weekly': {
      const days = pattern.daysOfWeek ?? [];
      if (days.length === 0) return null;
      const first = pattern.firstDayOfWeek ?? 'sunday';
      return { freq: 'FREQ=WEEKLY', days: `;BYDAY=${days.map(codeOf).join(',')};WKST=${codeOf(first)}` };
    }
    case 'absoluteMonthly':
      return withDays('FREQ=MONTHLY', dayPart(pattern.dayOfMonth ?? 0));
    case 'relativeMonthly':
      return withDays('FREQ=MONTHLY', nthPart(pattern));
    case 'absoluteYearly':
      if (month < 1 || month > 12) return null;
      return withDays(`FREQ=YEARLY`, dayPart(pattern.dayOfMonth ?? 0, month), `;BYMONTH=${month}`);
    case 'relativeYearly':
      if (month < 1 || month > 12) return null;
      return withDays(`FREQ=YEARLY`, nthPart(pattern), `;BYMONTH=${month}`);
  }
}

function withDays(freq: string, days: string | null, before = ''): { freq: string; days: string } | null {
  return days === null ? null : { freq, days: `${before}${days}` };
}

/** Days that their months always have; February counts as 28 of them, an unnamed month as well. */
const shortest = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function dayPart(day: number, month?: number): string | null {
  if (day < 1 || day > 31) return null;
  const surely = month === undefined ? 28 : (shortest[month - 1] ?? 28);
  if (day <= surely) return `;BYMONTHDAY=${day}`;
  const days = Array.from({ length: day - surely + 1 }, (_, n) => surely + n);
  return `;BYMONTHDAY=${days.join(',')};BYSETPOS=-1`;
}

function nthPart({ daysOfWeek, index }: RecurrencePattern): string | null {
  const days = daysOfWeek ?? [];
  const nth = indexes[index ?? 'first'];
  if (days.length === 0) return null;
  return days.length === 1
    ? `;BYDAY=${nth}${days.map(codeOf).join('')}`
    : `;BYDAY=${days.map(codeOf).join(',')};BYSETPOS=${nth}`;
}

/** One day a week is what a start implies, and which day opens the week is then all the same. */
function plainWeek(pattern: RecurrencePattern, firstMs: number): boolean {
  if (pattern.type !== 'weekly' || pattern.daysOfWeek?.length !== 1) return false;
  const weekday = Temporal.PlainDate.from(printLocalDate(firstMs)).dayOfWeek - 1;
  return pattern.daysOfWeek[0] === weekdayNames[weekday];
}

function endOf(range: PatternedRecurrence['range']): string | null {
  if (range.type === 'noEnd') return '';
  if (range.type === 'numbered') {
    return (range.numberOfOccurrences ?? 0) > 0 ? `;COUNT=${range.numberOfOccurrences}` : null;
  }
  const endMs = parseLocalDate(range.endDate ?? '');
  return endMs === null ? null : `;UNTIL=${printBasicDate(endMs)}`;
}

function codeOf(name: (typeof weekdayNames)[number]): string {
  return weekdays[weekdayNames.indexOf(name)] ?? '';
}

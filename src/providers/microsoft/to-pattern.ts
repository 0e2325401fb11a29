import type { Series, When } from '#kernel/event.ts';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import type { Rule, WeekdayNth } from '#kernel/recurrence/rule.ts';
import { dayMs, hourMs } from '#kernel/time/civil.ts';
import { isExact } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal, parseLocalDate, printLocalDate } from '#kernel/time/local.ts';
import { isSkipped, utc } from '#kernel/time/zones.ts';
import { indexes, type PatternedRecurrence, type RecurrencePattern, weekdayNames } from './patterned-recurrence.ts';
import { windowsNameOf } from './zones.ts';

/**
 * A series as a patterned recurrence with exactly the same instances, or null: then it has to be written instance by
 * instance. *Source*: recurrencePattern resource type; what it cannot say is listed in docs/providers.md.
 */
export function toPattern(series: Series): PatternedRecurrence | null {
  const { when, rules, exRules, extraDates, exdates, overrides } = series;
  if (rules.length !== 1 || exRules.length > 0 || extraDates.length > 0 || exdates.length > 0) return null;
  if (Object.keys(overrides).length > 0 || when.kind === 'floating') return null;
  const parsed = parseRule(rules[0] ?? '');
  if (!parsed.ok) return null;
  const { rule } = parsed;
  if (rule.skip !== null) return null;
  if ([rule.bySecond, rule.byMinute, rule.byHour, rule.byYearDay, rule.byWeekNo].some((part) => part.length > 0)) {
    return null;
  }
  const start = Temporal.PlainDate.from(when.start.slice(0, 10));
  const pattern = patternOf(rule, start);
  if (pattern === null || !fits(when, gapOf(pattern))) return null;
  const range = rangeOf(series, rule, when);
  return range === null ? null : { pattern, range };
}

function patternOf(rule: Rule, start: Temporal.PlainDate): RecurrencePattern | null {
  switch (rule.freq) {
    case 'DAILY':
      return daily(rule);
    case 'WEEKLY':
      return weekly(rule, start);
    case 'MONTHLY':
      if (rule.byMonth.length > 0) return null;
      return monthly(rule, start, 'absoluteMonthly', 'relativeMonthly', undefined);
    case 'YEARLY':
      return yearly(rule, start);
    default:
      return null;
  }
}

function daily(rule: Rule): RecurrencePattern | null {
  if (rule.byMonth.length + rule.byMonthDay.length + rule.bySetPos.length > 0) return null;
  if (rule.byDay.length === 0) return { type: 'daily', interval: rule.interval };
  return rule.interval === 1 ? weekOf(rule, rule.byDay) : null;
}

function weekly(rule: Rule, start: Temporal.PlainDate): RecurrencePattern | null {
  if (rule.byMonth.length + rule.byMonthDay.length + rule.bySetPos.length > 0) return null;
  return weekOf(rule, rule.byDay.length > 0 ? rule.byDay : [{ weekday: start.dayOfWeek - 1, nth: 0 }]);
}

/** firstDayOfWeek is always sent: Graph's default is Sunday, that of RFC 5545 Monday. */
function weekOf(rule: Rule, days: WeekdayNth[]): RecurrencePattern | null {
  if (days.some((day) => day.nth !== 0)) return null;
  return {
    type: 'weekly',
    interval: rule.interval,
    daysOfWeek: namesOf(days),
    firstDayOfWeek: weekdayNames[rule.weekStart] ?? 'monday',
  };
}

function yearly(rule: Rule, start: Temporal.PlainDate): RecurrencePattern | null {
  // BYMONTHDAY alone means every month, and a counted BYDAY alone counts over the year
  const alone = rule.byMonthDay.length + rule.byDay.length + rule.bySetPos.length === 0;
  if (rule.byMonth.length !== 1 && !(alone && rule.byMonth.length === 0)) return null;
  const month = rule.byMonth[0] ?? start.month;
  // without a day of its own the rule takes that of its start
  return monthly(rule, start, 'absoluteYearly', 'relativeYearly', month);
}

type Absolute = 'absoluteMonthly' | 'absoluteYearly';
type Relative = 'relativeMonthly' | 'relativeYearly';

function monthly(
  rule: Rule,
  start: Temporal.PlainDate,
  absolute: Absolute,
  relative: Relative,
  month: number | undefined,
): RecurrencePattern | null {
  const { interval, byDay, byMonthDay, bySetPos } = rule;
  const inMonth = month === undefined ? {} : { month };
  if (byDay.length === 0) {
    const day = dayOfMonth(byMonthDay.length > 0 ? byMonthDay : [start.day], bySetPos, month);
    return day === null ? null : { type: absolute, interval, dayOfMonth: day, ...inMonth };
  }
  if (byMonthDay.length > 0) return null;
  const [first] = byDay;
  const counted = byDay.length === 1 && first !== undefined && first.nth !== 0 && bySetPos.length === 0;
  const nth = counted ? first.nth : bySetPos.length === 1 ? bySetPos[0] : undefined;
  if (!counted && byDay.some((day) => day.nth !== 0)) return null;
  const index = indexNames.find((name) => indexes[name] === nth);
  return index === undefined ? null : { type: relative, interval, daysOfWeek: namesOf(byDay), index, ...inMonth };
}

const indexNames = Object.keys(indexes) as (keyof typeof indexes)[];

const shortest = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * One day that every month in question has. A later one would be moved by Outlook and left out by RFC 5545, unless the
 * rule itself asks for the last of the days up to it.
 */
function dayOfMonth(days: number[], setPos: number[], month: number | undefined): number | null {
  const surely = month === undefined ? 28 : (shortest[month - 1] ?? 28);
  const [day] = days;
  const last = days.at(-1);
  if (day === undefined || last === undefined || day < 1) return null;
  if (days.length === 1 && setPos.length === 0) return day <= surely ? day : null;
  const clamps = setPos.length === 1 && setPos[0] === -1 && day === surely && last === day + days.length - 1;
  return clamps ? last : null;
}

function namesOf(days: WeekdayNth[]): (typeof weekdayNames)[number][] {
  const wanted = new Set(days.map((day) => day.weekday));
  return weekdayNames.filter((_, weekday) => wanted.has(weekday));
}

/** Days that surely lie between two instances. */
function gapOf(pattern: RecurrencePattern): number {
  switch (pattern.type) {
    case 'daily':
      return pattern.interval;
    case 'weekly': {
      const days = (pattern.daysOfWeek ?? []).map((name) => weekdayNames.indexOf(name));
      if (days.length < 2) return 7 * pattern.interval;
      return Math.min(...days.map((day, at) => ((days[(at + 1) % days.length] ?? day) - day + 7) % 7));
    }
    case 'absoluteMonthly':
    case 'relativeMonthly':
      return 22;
    default:
      return 300;
  }
}

/** An instance may not reach over the next one (ErrorOccurrenceTimeSpanTooBig), nor may it in the night of 23 hours. */
function fits(when: When, gapDays: number): boolean {
  if (when.kind === 'all-day') {
    return ((parseLocalDate(when.end) ?? 0) - (parseLocalDate(when.start) ?? 0)) / dayMs <= gapDays;
  }
  if (!isExact(when.duration)) return false;
  return when.duration.seconds * 1_000 <= gapDays * dayMs - hourMs && isLengthByClock(when);
}

/**
 * Whether all instances get the length of the first. Outlook keeps the end of a series as a time of day. A first instance
 * over a change of the clocks has an end that makes all others longer or shorter.
 */
export function isLengthByClock(when: When): boolean {
  if (when.kind === 'all-day') return true;
  if (!isExact(when.duration)) return false;
  const lengthMs = when.duration.seconds * 1_000;
  const zone = (when.kind === 'zoned' && loadEventZone(when.zone)) || utc;
  const localMs = parseLocal(when.start) ?? 0;
  return !isSkipped(zone, localMs) && zone.toLocal(zone.toInstant(localMs) + lengthMs) === localMs + lengthMs;
}

function rangeOf(series: Series, rule: Rule, when: When): PatternedRecurrence['range'] | null {
  const zone = when.kind === 'zoned' ? when.zone : null;
  const recurrenceTimeZone = zone === null ? 'UTC' : windowsNameOf(zone);
  if (recurrenceTimeZone === null) return null;
  const spec = { start: when.start, zone, rules: series.rules, exRules: [], extraDates: [], exdates: [] };
  const open = openSeries(spec);
  // A DTSTART off the pattern is an instance for RFC 5545, and none for Graph. A COUNT or UNTIL used up by it counts too.
  if (openSeries(spec, { dtstart: 'when-matching' }).first() !== open.startMs) return null;
  const startDate = when.start.slice(0, 10);
  const base = { startDate, recurrenceTimeZone };
  if (rule.count !== null) {
    return rule.count <= 999 ? { type: 'numbered', numberOfOccurrences: rule.count, ...base } : null;
  }
  if (rule.until === null) return { type: 'noEnd', ...base };
  const lastMs = open.lastMs();
  if (lastMs === null) return null;
  const localMs = zone === null ? lastMs : (loadEventZone(zone)?.toLocal(lastMs) ?? lastMs);
  return { type: 'endDate', endDate: printLocalDate(localMs), ...base };
}

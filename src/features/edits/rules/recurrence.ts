import { eventLimits, type RecId, type Series, type When } from '#kernel/event.ts';
import { canonicalRule } from '#kernel/ical/canonical-rule.ts';
import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { type OpenSeries, openSeries, type SeriesOptions } from '#kernel/recurrence/open-series.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import type { Rule, Until, WeekdayNth } from '#kernel/recurrence/rule.ts';
import {
  dayMs,
  dayNumber,
  dayOfPacked,
  daysInMonth,
  hourMs,
  minuteMs,
  monthOfPacked,
  packedDate,
  secondMs,
  weekdayOf,
  yearOfPacked,
} from '#kernel/time/civil.ts';
import { makeRecId } from '#kernel/time/rec-id.ts';
import { dayOf, frameMsOf, localOfRecId, recIdAt, startingAt, startOf, timeOfDay, zoneOf } from './event-time.ts';
import { EditRefused } from './refusal.ts';

type Starts = Pick<Series, 'when' | 'rules'> & Partial<Pick<Series, 'exRules' | 'extraDates' | 'exdates'>>;

/** A series opened for questions about when its instances begin; what is not given has none. */
export function openStarts(series: Starts, options?: SeriesOptions): OpenSeries {
  const { when, rules, exRules = [], extraDates = [], exdates = [] } = series;
  const zone = when.kind === 'zoned' ? zoneOf(when).id : null;
  return openSeries({ start: when.start, zone, rules, exRules, extraDates, exdates }, options);
}

/** Whether a series has an instance of this name, overrides not looked at. */
export function hasStart(series: Starts, recId: RecId): boolean {
  const localMs = localOfRecId(series.when, recId);
  if (localMs === null) return false;
  const atMs = frameMsOf(series.when, localMs);
  return openStarts(series).between(atMs, atMs + 1).startsMs.length > 0;
}

const frequencies: readonly string[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];

/**
 * Normalizes a chosen rule, and moves the start to the first day of the rule: Tuesdays chosen on a Monday mean the
 * Tuesday after. *Errors*: EditRefused BAD_RECURRENCE.
 */
export function readRecurrence(text: string, when: When, calendarZone: string): { rule: string; when: When } {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new EditRefused('BAD_RECURRENCE', parsed.reason);
  if (!frequencies.includes(parsed.rule.freq))
    throw new EditRefused('BAD_RECURRENCE', 'An event can repeat at most once a day.');
  if ((parsed.rule.count ?? 0) > eventLimits.instances)
    throw new EditRefused('BAD_RECURRENCE', `An event can repeat up to ${eventLimits.instances} times.`);
  const rule = canonicalRule(text, when, calendarZone);
  if (rule === null) throw new EditRefused('BAD_RECURRENCE', "This isn't a valid rule.");
  const series = openStarts({ when, rules: [rule] }, { dtstart: 'when-matching' });
  const firstMs = series.first();
  const localMs = firstMs === null ? null : localOfRecId(when, makeRecId(when.kind, firstMs));
  if (localMs === null)
    throw new EditRefused('BAD_RECURRENCE', 'With this rule, the event never happens. Change how it repeats.');
  return { rule, when: startingAt(when, localMs) };
}

const cannotMove = () =>
  new EditRefused(
    'BAD_RECURRENCE',
    "The days of this rule can't move with the event. Change how it repeats as well, or change only this event.",
  );

/**
 * The rule of a series that begins elsewhere from now on: days, hours and end move along with the start, so that it makes
 * as many instances as before, each moved as the first one is; what is the n-th weekday of a month becomes another's n-th. *Errors*: EditRefused BAD_RECURRENCE where no rule says that.
 */
export function shiftRule(text: string, from: When, to: When): string {
  const parsed = parseRule(text);
  if (!parsed.ok) throw cannotMove();
  const rule = { ...parsed.rule };
  const fromMs = startOf(from);
  const toMs = startOf(to);
  shiftTimes(rule, fromMs, toMs, to.kind === 'all-day');
  const days = (dayOf(toMs) - dayOf(fromMs)) / dayMs;
  if (days !== 0) shiftDays(rule, fromMs / dayMs, toMs / dayMs, days);
  if (rule.until !== null) rule.until = shiftUntil(text, rule, from, to);
  return formatRule(rule);
}

/** Hours of the rule: one follows the start, several only where the time of day stays as it is. */
function shiftTimes(rule: Rule, fromMs: number, toMs: number, toAllDay: boolean): void {
  const subDaily = rule.freq === 'HOURLY' || rule.freq === 'MINUTELY' || rule.freq === 'SECONDLY';
  if (toAllDay && subDaily) throw cannotMove();
  if (timeOfDay(fromMs) === timeOfDay(toMs) && !toAllDay) return;
  const follow = (list: number[], from: number, to: number): number[] => {
    if (list.length === 0) return list;
    if (subDaily || list.length > 1 || list[0] !== from) throw cannotMove();
    return toAllDay ? [] : [to];
  };
  const part = (ms: number, unit: number, of: number) => Math.floor(timeOfDay(ms) / unit) % of;
  rule.byHour = follow(rule.byHour, part(fromMs, hourMs, 24), part(toMs, hourMs, 24));
  rule.byMinute = follow(rule.byMinute, part(fromMs, minuteMs, 60), part(toMs, minuteMs, 60));
  rule.bySecond = follow(rule.bySecond, part(fromMs, secondMs, 60), part(toMs, secondMs, 60));
}

function shiftDays(rule: Rule, fromDay: number, toDay: number, days: number): void {
  if (rule.byYearDay.length + rule.byWeekNo.length + rule.bySetPos.length > 0) throw cannotMove();
  const weekday = (day: number) => (((day + days) % 7) + 7) % 7;
  switch (rule.freq) {
    case 'WEEKLY':
      if (rule.byMonth.length + rule.byMonthDay.length > 0) throw cannotMove();
      rule.byDay = rule.byDay.map((day) => ({ ...day, weekday: weekday(day.weekday) })).sort(byWeekday);
      // the same days stay in one week of the rule
      if (rule.interval > 1 && rule.byDay.length > 1) rule.weekStart = weekday(rule.weekStart);
      return;
    case 'MONTHLY':
    case 'YEARLY':
      shiftDate(rule, dateOf(Math.floor(fromDay)), dateOf(Math.floor(toDay)));
      return;
    default:
      if (rule.byMonth.length + rule.byMonthDay.length > 0) throw cannotMove();
      rule.byDay = rule.byDay.map((day) => ({ ...day, weekday: weekday(day.weekday) })).sort(byWeekday);
  }
}

const byWeekday = (one: WeekdayNth, other: WeekdayNth) => one.weekday - other.weekday;

interface CivilDate {
  year: number;
  month: number;
  day: number;
  weekday: number;
}

function dateOf(dayNumber: number): CivilDate {
  const packed = packedDate(dayNumber);
  return {
    year: yearOfPacked(packed),
    month: monthOfPacked(packed),
    day: dayOfPacked(packed),
    weekday: weekdayOf(dayNumber),
  };
}

/** A rule of one day a month or year, named by its date or as the n-th of its weekday, follows its start to another. */
function shiftDate(rule: Rule, from: CivilDate, to: CivilDate): void {
  const lists = [rule.byMonth, rule.byMonthDay, rule.byDay];
  if (lists.some((list) => list.length > 1)) throw cannotMove();
  if (rule.byMonth.length > 0) {
    if (rule.byMonth[0] !== from.month) throw cannotMove();
    rule.byMonth = [to.month];
  } else if (rule.freq === 'YEARLY' && rule.byDay.length + rule.byMonthDay.length > 0) {
    throw cannotMove();
  }
  const [monthDay] = rule.byMonthDay;
  const [nth] = rule.byDay;
  if (monthDay !== undefined && nth !== undefined) throw cannotMove();
  // the last day of a month stays the last; other days from the end have no name that follows
  if (monthDay === -1 && to.day === daysInMonth(to.year, to.month)) return;
  if (monthDay !== undefined) {
    if (monthDay !== from.day) throw cannotMove();
    rule.byMonthDay = [to.day];
  }
  if (nth !== undefined) {
    if (nth.weekday !== from.weekday || nth.nth === 0) throw cannotMove();
    const isLast = to.day + 7 > daysInMonth(to.year, to.month);
    const place = Math.ceil(to.day / 7);
    rule.byDay = [{ weekday: to.weekday, nth: (nth.nth < 0 && isLast) || place === 5 ? -1 : place }];
  }
}

/** The last instance stays the last; a whole last day stays that day as long as no instance leaves its own. */
function shiftUntil(before: string, after: Rule, from: When, to: When): Until {
  const until = after.until as Until;
  const untilMs = until.form === 'utc' && from.kind === 'zoned' ? zoneOf(from).toLocal(until.ms) : until.ms;
  const timed = from.kind !== 'all-day' && to.kind !== 'all-day';
  if (timed && dayOf(startOf(from)) === dayOf(startOf(to)) && timeOfDay(untilMs) === dayMs - secondMs)
    return untilAt(to, untilMs);
  const { startsMs, tooDense } = openStarts({ when: from, rules: [before] }).between(
    Number.NEGATIVE_INFINITY,
    endOfTime,
  );
  if (tooDense) return untilAt(to, moveLocal(from, to, untilMs));
  const counted = formatRule({ ...after, until: null, count: startsMs.length });
  const lastMs = openStarts({ when: to, rules: [counted] }).lastMs();
  if (lastMs === null) throw cannotMove();
  return untilAt(to, to.kind === 'zoned' ? zoneOf(to).toLocal(lastMs) : lastMs);
}

/** No event is entered for later, and no rule is followed beyond. */
const endOfTime = dayNumber(2200, 1, 1) * dayMs;

function untilAt(when: When, localMs: number): Until {
  if (when.kind === 'all-day') return { form: 'date', ms: dayOf(localMs) };
  if (when.kind === 'floating') return { form: 'local', ms: localMs };
  return { form: 'utc', ms: zoneOf(when).toInstant(localMs) };
}

/** Where a moment of the wall clock goes when a series moves from one start to another. */
export function moveLocal(from: When, to: When, localMs: number): number {
  const fromMs = startOf(from);
  const toMs = startOf(to);
  if (from.kind === 'all-day' || to.kind === 'all-day')
    return dayOf(localMs) + dayOf(toMs) - dayOf(fromMs) + timeOfDay(toMs);
  return localMs + toMs - fromMs;
}

/** The name of an instance after such a move; null where it names none. */
export function moveRecId(from: When, to: When, recId: string): string | null {
  const localMs = localOfRecId(from, recId);
  return localMs === null ? null : recIdAt(to, moveLocal(from, to, localMs));
}

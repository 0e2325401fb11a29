import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import type { Frequency, Rule, Until, WeekdayNth } from '#kernel/recurrence/rule.ts';
import { dayMs, daysInMonth, weekdayOf } from '#kernel/time/civil.ts';
import { parseLocalDate, printLocalDate } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { startDay, untilDate } from '#ui/dates/rule-words.ts';

/** Which day of its month: that of the start, or its weekday counted from the front or from the end. */
export const monthDays = ['date', 'last-day', 'nth-weekday', 'last-weekday'] as const;
export type MonthDay = (typeof monthDays)[number];

export type RepeatEnd = { kind: 'never' } | { kind: 'until'; date: string } | { kind: 'count'; count: number };

/** How an event repeats, as the editor offers it. */
export interface RepeatChoice {
  kind: 'choice';
  freq: Extract<Frequency, 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'>;
  interval: number;
  /** WEEKLY only: 0 = Monday to 6 = Sunday, at least one. */
  weekdays: number[];
  /** MONTHLY only. */
  monthDay: MonthDay;
  end: RepeatEnd;
  /** 0 = Monday; which weeks count matters every second week. */
  weekStart: number;
}

/** A rule that the editor cannot express: it is shown in words and stays as it is. */
export interface KeptRule {
  kind: 'kept';
  rule: string;
}

export type Repeat = RepeatChoice | KeptRule | null;

/** The start of a rule: `2027-03-08` or `2027-03-08T09:00`, and the zone; null for all-day. */
export interface RepeatStart {
  start: string;
  zone: string | null;
}

/** Which weekday of its month a day is: the third, and perhaps the last. */
export function placeInMonth(day: number): { date: number; isLastDay: boolean; nth: number; isLast: boolean } {
  const [year, month, date] = printLocalDate(day * dayMs)
    .split('-')
    .map(Number) as [number, number, number];
  const length = daysInMonth(year, month);
  return { date, isLastDay: date === length, nth: Math.ceil(date / 7), isLast: date + 7 > length };
}

/** A plain choice for an event that begins on this day. */
export function newChoice(freq: RepeatChoice['freq'], start: string, weekStart = 0): RepeatChoice {
  return {
    kind: 'choice',
    freq,
    interval: 1,
    weekdays: [weekdayOf(startDay(start))],
    monthDay: 'date',
    end: { kind: 'never' },
    weekStart,
  };
}

/** Reads a rule into the editor's words; what they cannot say is kept as it is. */
export function readRepeat(text: string | null, { start, zone }: RepeatStart): Repeat {
  if (text === null) return null;
  const parsed = parseRule(text);
  const choice = parsed.ok ? choiceOf(parsed.rule, start, zone) : null;
  return choice ?? { kind: 'kept', rule: text };
}

/** The RRULE value of a choice; null for an event that does not repeat. */
export function writeRepeat(repeat: Repeat, { start, zone }: RepeatStart): string | null {
  if (repeat === null) return null;
  if (repeat.kind === 'kept') return repeat.rule;
  const day = startDay(start);
  const rule: Rule = {
    ...bareRule,
    freq: repeat.freq,
    interval: repeat.interval,
    count: repeat.end.kind === 'count' ? repeat.end.count : null,
    until: repeat.end.kind === 'until' ? untilOf(repeat.end.date, zone) : null,
    // Said only where it matters, as others write it too.
    weekStart: repeat.freq === 'WEEKLY' && repeat.interval > 1 ? repeat.weekStart : 0,
  };
  if (repeat.freq === 'WEEKLY') {
    rule.byDay = repeat.weekdays.toSorted((a, b) => a - b).map((weekday) => ({ weekday, nth: 0 }));
  }
  if (repeat.freq === 'MONTHLY') {
    const { date, nth } = placeInMonth(day);
    const weekday = weekdayOf(day);
    if (repeat.monthDay === 'date') rule.byMonthDay = [date];
    if (repeat.monthDay === 'last-day') rule.byMonthDay = [-1];
    if (repeat.monthDay === 'nth-weekday') rule.byDay = [{ weekday, nth }];
    if (repeat.monthDay === 'last-weekday') rule.byDay = [{ weekday, nth: -1 }];
  }
  return formatRule(rule);
}

/** The same choice for another first day: what named the old day names the new one. */
export function moveRepeat(repeat: Repeat, from: string, to: string): Repeat {
  if (repeat === null || repeat.kind === 'kept') return repeat;
  const [before, after] = [startDay(from), startDay(to)];
  if (before === after) return repeat;
  const [old, weekday] = [weekdayOf(before), weekdayOf(after)];
  const { isLastDay, isLast, nth } = placeInMonth(after);
  return {
    ...repeat,
    weekdays: [...new Set(repeat.weekdays.map((one) => (one === old ? weekday : one)))],
    monthDay:
      repeat.monthDay === 'last-day' && !isLastDay
        ? 'date'
        : repeat.monthDay === 'last-weekday' && !isLast
          ? 'nth-weekday'
          : repeat.monthDay === 'nth-weekday' && nth === 5
            ? 'last-weekday'
            : repeat.monthDay,
    // An end before the beginning would leave a single event.
    end: repeat.end.kind === 'until' && repeat.end.date < to.slice(0, 10) ? { kind: 'never' } : repeat.end,
  };
}

const bareRule: Rule = {
  freq: 'DAILY',
  interval: 1,
  count: null,
  until: null,
  weekStart: 0,
  bySecond: [],
  byMinute: [],
  byHour: [],
  byDay: [],
  byMonthDay: [],
  byYearDay: [],
  byWeekNo: [],
  byMonth: [],
  bySetPos: [],
  skip: null,
};

function choiceOf(rule: Rule, start: string, zone: string | null): RepeatChoice | null {
  const { freq } = rule;
  if (freq !== 'DAILY' && freq !== 'WEEKLY' && freq !== 'MONTHLY' && freq !== 'YEARLY') return null;
  const day = startDay(start);
  const days = daysOf(rule, day);
  if (days === null || rule.interval > 999) return null;
  return {
    kind: 'choice',
    freq,
    interval: rule.interval,
    weekdays: [weekdayOf(day)],
    monthDay: 'date',
    end: endOf(rule, zone),
    weekStart: rule.weekStart,
    ...days,
  };
}

/** The days of a rule as the editor represents them; null for rules that it cannot represent. */
function daysOf(rule: Rule, day: number): Partial<RepeatChoice> | null {
  const { bySecond, byMinute, byHour, byYearDay, byWeekNo, byMonth, bySetPos, byDay, byMonthDay, skip } = rule;
  const place = placeInMonth(day);
  const others = [bySecond, byMinute, byHour, byYearDay, byWeekNo, bySetPos];
  if (skip !== null || others.some((list) => list.length > 0)) return null;
  const noDays = byDay.length === 0 && byMonthDay.length === 0;
  const isStartDate = byDay.length === 0 && byMonthDay.length === 1 && byMonthDay[0] === place.date;
  if (rule.freq === 'YEARLY') {
    const month = Number(printLocalDate(day * dayMs).slice(5, 7));
    const isStartMonth = byMonth.length === 1 && byMonth[0] === month;
    return (noDays && (byMonth.length === 0 || isStartMonth)) || (isStartDate && isStartMonth) ? {} : null;
  }
  if (byMonth.length > 0) return null;
  if (rule.freq === 'DAILY') return noDays ? {} : null;
  if (rule.freq === 'WEEKLY') {
    if (byMonthDay.length > 0) return null;
    return byDay.length === 0 ? {} : { weekdays: byDay.map(({ weekday }) => weekday).sort((a, b) => a - b) };
  }
  if (noDays || isStartDate) return { monthDay: 'date' };
  if (byDay.length === 0) return byMonthDay.length === 1 && byMonthDay[0] === -1 && place.isLastDay ? lastDay : null;
  const [only] = byDay as [WeekdayNth];
  if (byMonthDay.length > 0 || byDay.length > 1 || only.weekday !== weekdayOf(day)) return null;
  if (only.nth === place.nth) return { monthDay: 'nth-weekday' };
  return only.nth === -1 && place.isLast ? { monthDay: 'last-weekday' } : null;
}

const lastDay = { monthDay: 'last-day' } as const;

function endOf(rule: Rule, zone: string | null): RepeatEnd {
  if (rule.count !== null) return { kind: 'count', count: rule.count };
  if (rule.until === null) return { kind: 'never' };
  return { kind: 'until', date: untilDate(rule.until, zone) };
}

/** The whole of that day: as a date for all-day, else its last second as the instant that RFC 5545 asks for. */
function untilOf(date: string, zone: string | null): Until {
  const dayStart = parseLocalDate(date) ?? 0;
  if (zone === null) return { form: 'date', ms: dayStart };
  return { form: 'utc', ms: zoneOf(zone).toInstant(dayStart + dayMs - 1_000) };
}

function zoneOf(zone: string | null) {
  return zone === null ? utc : (loadZone(zone) ?? utc);
}

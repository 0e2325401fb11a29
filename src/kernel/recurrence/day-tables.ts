import type { Rule, WeekdayNth } from '#kernel/recurrence/rule.ts';
import {
  dayOfPacked,
  isLeapYear,
  monthOfPacked,
  packedDate,
  weekdayOf,
  yearOfPacked,
  yearStart,
} from '#kernel/time/civil.ts';

/**
 * Which days of a month, a year or a week a rule picks, as offsets from its first day. A month is known by its length
 * and first weekday (28 kinds), a year by its length and first weekday (14 kinds), so every answer is worked out once
 * and then looked up. Source: the expand/limit table of RFC 5545 section 3.3.10 and RFC 7529 section 4.1.
 *
 * Parts meet as an intersection: the first part present of BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY (in that order)
 * makes the candidates, the others limit them. That is what the table and its notes come to.
 */

/** Values that a rule takes from DTSTART if it lacks them. *Units*: month 1 to 12, weekday 0 = Monday. */
export interface Anchor {
  month: number;
  monthDay: number;
  weekday: number;
}

export function anchorOf(day: number): Anchor {
  const packed = packedDate(day);
  return { month: monthOfPacked(packed), monthDay: dayOfPacked(packed), weekday: weekdayOf(day) };
}

const commonStarts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
const leapStarts = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366];

function mod7(n: number): number {
  return ((n % 7) + 7) % 7;
}

/** Sorted, without doubles. */
function ordered(offsets: number[]): number[] {
  return [...new Set(offsets)].sort((a, b) => a - b);
}

/**
 * The offset of a numbered day in a month or year of that length, or null where it lacks it and SKIP omits it.
 * A moved day leaves its month: offset `length` is the first day after it, -1 the last before it.
 */
function dayAt(number: number, length: number, rule: Rule): number | null {
  const offset = number > 0 ? number - 1 : length + number;
  if (offset >= 0 && offset < length) return offset;
  if (rule.skip === 'FORWARD') return offset < 0 ? 0 : length;
  if (rule.skip === 'BACKWARD') return offset < 0 ? -1 : length - 1;
  return null;
}

function hasNumber(numbers: number[], offset: number, length: number): boolean {
  return numbers.includes(offset + 1) || numbers.includes(offset - length);
}

/** Is this offset the n-th of its weekday, counted from either end of a stretch of that length? */
function isNth(day: WeekdayNth, offset: number, length: number): boolean {
  if (day.nth === 0) return true;
  if (offset < 0) return day.nth === -1;
  if (offset >= length) return day.nth === 1;
  return day.nth > 0 ? Math.floor(offset / 7) === day.nth - 1 : Math.floor((length - 1 - offset) / 7) === -day.nth - 1;
}

function allDays(length: number): number[] {
  return Array.from({ length }, (_, offset) => offset);
}

/**
 * A week without a day in it means DTSTART's weekday: "information not contained in the rule" comes from DTSTART
 * (RFC 5545 section 3.3.10). libical has it so; dateutil and rrule take the whole week.
 */
export function isWeekWithoutDay(rule: Rule): boolean {
  return (
    rule.byWeekNo.length > 0 && rule.byDay.length === 0 && rule.byMonthDay.length === 0 && rule.byYearDay.length === 0
  );
}

/** The days that a MONTHLY rule picks in a month, as offsets from its first day. */
export function pickMonthDays(rule: Rule, anchor: Anchor, length: number, firstWeekday: number): number[] {
  let days: number[];
  if (rule.byMonthDay.length > 0) {
    days = rule.byMonthDay.map((number) => dayAt(number, length, rule)).filter((offset) => offset !== null);
  } else if (rule.byDay.length > 0 || rule.byYearDay.length > 0 || rule.byWeekNo.length > 0) {
    days = allDays(length);
  } else {
    const offset = dayAt(anchor.monthDay, length, rule);
    days = offset === null ? [] : [offset];
  }
  if (isWeekWithoutDay(rule)) {
    days = days.filter((offset) => mod7(firstWeekday + offset) === anchor.weekday);
  } else if (rule.byDay.length > 0) {
    days = days.filter((offset) =>
      rule.byDay.some((day) => day.weekday === mod7(firstWeekday + offset) && isNth(day, offset, length)),
    );
  }
  return ordered(days);
}

interface MonthPlace {
  month: number;
  /** Offset from the first day of that month. */
  offset: number;
  length: number;
}

/** Where a day of a year lies; days that SKIP moved out of it lie in the December before or the January after. */
function monthPlace(offset: number, leap: boolean): MonthPlace {
  const starts = leap ? leapStarts : commonStarts;
  const yearLength = starts[12] as number;
  if (offset < 0) return { month: 12, offset: offset + 31, length: 31 };
  if (offset >= yearLength) return { month: 1, offset: offset - yearLength, length: 31 };
  let month = 1;
  while ((starts[month] as number) <= offset) month += 1;
  const start = starts[month - 1] as number;
  return { month, offset: offset - start, length: (starts[month] as number) - start };
}

/** The offset from 1 January at which week 1 begins: the week with 4 January. *Units*: -3 to 3. */
function firstWeek(firstWeekday: number, weekStart: number): number {
  return 3 - mod7(firstWeekday + 3 - weekStart);
}

function weeksInYear(yearLength: number, firstWeekday: number, weekStart: number): number {
  const next = yearLength + firstWeek(mod7(firstWeekday + yearLength), weekStart);
  return (next - firstWeek(firstWeekday, weekStart)) / 7;
}

/**
 * The days that a YEARLY rule picks in a year, as offsets from 1 January.
 *
 * Under BYWEEKNO the year is that of the weeks: week 1 may begin in December and week 52 or 53 end in January, as offsets
 * below 0 and from the length of the year on. A day of the month without a month is of DTSTART's month, as every calendar
 * has it; dateutil takes all months.
 */
export function pickYearDays(rule: Rule, anchor: Anchor, year: number): number[] {
  const leap = isLeapYear(year);
  const firstWeekday = weekdayOf(yearStart(year));
  const starts = leap ? leapStarts : commonStarts;
  const yearLength = starts[12] as number;
  const months = rule.byMonth.length > 0 ? rule.byMonth : null;
  let days: number[] = [];
  if (rule.byWeekNo.length > 0) {
    days = daysOfWeeks(rule, yearLength, firstWeekday);
    if (rule.byYearDay.length > 0) days = days.filter((offset) => isYearDay(rule, offset, year, yearLength));
  } else if (rule.byYearDay.length > 0) {
    days = rule.byYearDay.map((number) => dayAt(number, yearLength, rule)).filter((offset) => offset !== null);
  }
  const fromDays = rule.byWeekNo.length > 0 || rule.byYearDay.length > 0;
  if (fromDays) {
    if (months !== null) days = days.filter((offset) => months.includes(monthPlace(offset, leap).month));
    if (rule.byMonthDay.length > 0) {
      days = days.filter((offset) => {
        const place = monthPlace(offset, leap);
        return hasNumber(rule.byMonthDay, place.offset, place.length);
      });
    }
  } else if (rule.byMonthDay.length > 0 || rule.byDay.length === 0) {
    const numbers = rule.byMonthDay.length > 0 ? rule.byMonthDay : [anchor.monthDay];
    const inMonths = months ?? (rule.byDay.length > 0 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [anchor.month]);
    for (const month of inMonths) {
      const start = starts[month - 1] as number;
      for (const number of numbers) {
        const offset = dayAt(number, (starts[month] as number) - start, rule);
        if (offset !== null) days.push(start + offset);
      }
    }
  } else {
    days = allDays(yearLength);
    if (months !== null) days = days.filter((offset) => months.includes(monthPlace(offset, leap).month));
  }
  if (rule.byDay.length > 0) {
    days = days.filter((offset) => {
      const weekday = mod7(firstWeekday + offset);
      const place = months === null ? { offset, length: yearLength } : monthPlace(offset, leap);
      return rule.byDay.some((day) => day.weekday === weekday && isNth(day, place.offset, place.length));
    });
  } else if (isWeekWithoutDay(rule)) {
    days = days.filter((offset) => mod7(firstWeekday + offset) === anchor.weekday);
  }
  return ordered(days);
}

/** The days of the weeks of a year that BYWEEKNO names, as offsets from 1 January. */
function daysOfWeeks(rule: Rule, yearLength: number, firstWeekday: number): number[] {
  const start = firstWeek(firstWeekday, rule.weekStart);
  const weeks = weeksInYear(yearLength, firstWeekday, rule.weekStart);
  return Array.from({ length: weeks }, (_, index) => index)
    .filter((index) => hasNumber(rule.byWeekNo, index, weeks))
    .flatMap((index) => Array.from({ length: 7 }, (_, day) => start + index * 7 + day));
}

/** Whether BYYEARDAY names the day, which may lie in the year before or after. */
function isYearDay(rule: Rule, offset: number, year: number, yearLength: number): boolean {
  if (offset >= 0 && offset < yearLength) return hasNumber(rule.byYearDay, offset, yearLength);
  const length = isLeapYear(offset < 0 ? year - 1 : year + 1) ? 366 : 365;
  return hasNumber(rule.byYearDay, offset < 0 ? offset + length : offset - yearLength, length);
}

/** The year whose weeks hold this day. *Units*: day number. */
export function yearOfWeek(day: number, weekStart: number): number {
  const year = yearOfPacked(packedDate(day));
  if (day < yearStart(year) + firstWeek(weekdayOf(yearStart(year)), weekStart)) return year - 1;
  const next = yearStart(year + 1);
  return day >= next + firstWeek(weekdayOf(next), weekStart) ? year + 1 : year;
}

/**
 * Which days of a year pass the parts that limit (1) or not (0), by offset from 1 January.
 * Weekdays count only where asked: WEEKLY and MONTHLY make their days from BYDAY themselves.
 */
export function filterYearDays(rule: Rule, year: number, withWeekdays: boolean): Uint8Array {
  const leap = isLeapYear(year);
  const length = leap ? 366 : 365;
  const firstWeekday = weekdayOf(yearStart(year));
  const passed = new Uint8Array(length);
  for (let offset = 0; offset < length; offset += 1) {
    const place = monthPlace(offset, leap);
    if (rule.byMonth.length > 0 && !rule.byMonth.includes(place.month)) continue;
    if (rule.byMonthDay.length > 0 && !hasNumber(rule.byMonthDay, place.offset, place.length)) continue;
    if (rule.byYearDay.length > 0 && !hasNumber(rule.byYearDay, offset, length)) continue;
    if (rule.byWeekNo.length > 0 && !isInWeeks(rule, year, offset, length, firstWeekday)) continue;
    if (withWeekdays && rule.byDay.length > 0) {
      const weekday = mod7(firstWeekday + offset);
      if (!rule.byDay.some((day) => day.weekday === weekday)) continue;
    }
    passed[offset] = 1;
  }
  return passed;
}

function isInWeeks(rule: Rule, year: number, offset: number, length: number, firstWeekday: number): boolean {
  const start = firstWeek(firstWeekday, rule.weekStart);
  if (offset < start) {
    const before = isLeapYear(year - 1) ? 366 : 365;
    return isInWeeks(rule, year - 1, offset + before, before, mod7(firstWeekday - before));
  }
  const weeks = weeksInYear(length, firstWeekday, rule.weekStart);
  const index = Math.floor((offset - start) / 7);
  if (index < weeks) return hasNumber(rule.byWeekNo, index, weeks);
  const after = isLeapYear(year + 1) ? 366 : 365;
  return isInWeeks(rule, year + 1, offset - length, after, mod7(firstWeekday + length));
}

import {
  dayMs,
  dayNumber,
  dayOfPacked,
  daysInMonth,
  monthOfPacked,
  packedDate,
  weekdayOf,
  yearOfPacked,
} from '#kernel/time/civil.ts';
import { parseLocalDate } from '#kernel/time/local.ts';

/**
 * patternedRecurrence: which days a series falls on. Own arithmetic on purpose, so that a conversion by the adapter is
 * checked by something that shares no code with it. Source: recurrencePattern and recurrenceRange resource types,
 * outlook-schedule-recurring-events.
 */

export const patternTypes = [
  'daily',
  'weekly',
  'absoluteMonthly',
  'relativeMonthly',
  'absoluteYearly',
  'relativeYearly',
] as const;
export const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const weekIndexes = ['first', 'second', 'third', 'fourth', 'last'] as const;
export const rangeTypes = ['endDate', 'noEnd', 'numbered'] as const;

type Weekday = (typeof weekdayNames)[number];

export interface Pattern {
  type: (typeof patternTypes)[number];
  interval: number;
  /** 0 where the type has none. */
  month: number;
  dayOfMonth: number;
  daysOfWeek: Weekday[];
  firstDayOfWeek: Weekday;
  index: (typeof weekIndexes)[number];
}

export interface Range {
  type: (typeof rangeTypes)[number];
  startDate: string;
  /** `0001-01-01` where the range has none. */
  endDate: string;
  recurrenceTimeZone: string;
  numberOfOccurrences: number;
}

export interface Recurrence {
  pattern: Pattern;
  range: Range;
}

export type ReadRecurrence = { ok: true; recurrence: Recurrence } | { ok: false; code: string; message: string };

/**
 * Required properties of each type beside `type` and `interval`. The documentation calls firstDayOfWeek required in one
 * place and optional in another.
 */
const required: Record<Pattern['type'], readonly (keyof Pattern)[]> = {
  daily: [],
  weekly: ['daysOfWeek'],
  absoluteMonthly: ['dayOfMonth'],
  relativeMonthly: ['daysOfWeek'],
  absoluteYearly: ['dayOfMonth', 'month'],
  relativeYearly: ['daysOfWeek', 'month'],
};

/**
 * Validates a patternedRecurrence against the day the event starts on. A property that the type ignores is still
 * validated (outlook-schedule-recurring-events, note).
 */
export function readRecurrence(value: unknown, startDay: string, zone: string): ReadRecurrence {
  const given = value as { pattern?: Record<string, unknown>; range?: Record<string, unknown> };
  if (!isObject(given) || !isObject(given.pattern) || !isObject(given.range)) {
    return invalid('A recurrence needs a pattern and a range.');
  }
  const pattern = readPattern(given.pattern);
  if (typeof pattern === 'string') return invalid(pattern);
  const range = readRange(given.range, startDay, zone);
  if (typeof range === 'string') return invalid(range);
  const recurrence = { pattern, range };
  if (patternDays(recurrence).next().done) {
    return { ok: false, code: 'ErrorRecurrenceHasNoOccurrence', message: 'The recurrence has no occurrence.' };
  }
  return { ok: true, recurrence };
}

function readPattern(given: Record<string, unknown>): Pattern | string {
  const type = oneOf(given.type, patternTypes);
  if (!type) return notOne('type', 'recurrencePatternType');
  if (!isCount(given.interval, 1, 999)) return `'interval' must be a positive number.`;
  if (given.month !== undefined && !isCount(given.month, 0, 12)) return `'month' must be 1 to 12.`;
  if (given.dayOfMonth !== undefined && !isCount(given.dayOfMonth, 0, 31)) {
    return `'dayOfMonth' must be 1 to 31.`;
  }
  const days = given.daysOfWeek ?? [];
  if (!Array.isArray(days)) return `'daysOfWeek' must be a collection.`;
  const daysOfWeek = days.map((day) => oneOf(day, weekdayNames));
  if (daysOfWeek.includes(null)) return `'daysOfWeek' holds a value that is not a dayOfWeek.`;
  const firstDayOfWeek = oneOf(given.firstDayOfWeek ?? 'sunday', weekdayNames);
  if (!firstDayOfWeek) return notOne('firstDayOfWeek', 'dayOfWeek');
  const index = oneOf(given.index ?? 'first', weekIndexes);
  if (!index) return notOne('index', 'weekIndex');
  for (const property of Object.keys(given)) {
    if (!(property in { type: 1, interval: 1, month: 1, dayOfMonth: 1, daysOfWeek: 1, firstDayOfWeek: 1, index: 1 })) {
      return `The property '${property}' does not exist on type 'microsoft.graph.recurrencePattern'.`;
    }
  }
  const pattern: Pattern = {
    type,
    interval: given.interval,
    month: (given.month as number | undefined) ?? 0,
    dayOfMonth: (given.dayOfMonth as number | undefined) ?? 0,
    daysOfWeek: weekdayNames.filter((day) => daysOfWeek.includes(day)),
    firstDayOfWeek,
    index,
  };
  const missing = required[type].find((property) => pattern[property] === 0 || emptyList(pattern[property]));
  return missing ? `'${missing}' is required where 'type' is '${type}'.` : relevantOnly(pattern);
}

/** Resets the properties that the type ignores to their defaults. */
function relevantOnly(pattern: Pattern): Pattern {
  const { type } = pattern;
  const relative = type === 'relativeMonthly' || type === 'relativeYearly';
  return {
    ...pattern,
    month: type.endsWith('Yearly') ? pattern.month : 0,
    dayOfMonth: type.startsWith('absolute') ? pattern.dayOfMonth : 0,
    daysOfWeek: relative || type === 'weekly' ? pattern.daysOfWeek : [],
    index: relative ? pattern.index : 'first',
  };
}

function readRange(given: Record<string, unknown>, startDay: string, zone: string): Range | string {
  const type = oneOf(given.type, rangeTypes);
  if (!type) return notOne('type', 'recurrenceRangeType');
  if (typeof given.startDate !== 'string' || parseLocalDate(given.startDate) === null)
    return `'startDate' is required.`;
  if (given.startDate !== startDay) return `'startDate' ${given.startDate} must be the date of 'start', ${startDay}.`;
  if (given.endDate !== undefined && (typeof given.endDate !== 'string' || parseLocalDate(given.endDate) === null)) {
    return `'endDate' is not a date.`;
  }
  const count = given.numberOfOccurrences ?? 0;
  if (!isCount(count, 0, 999)) return `'numberOfOccurrences' must be a positive number.`;
  if (type === 'endDate' && !given.endDate) return `'endDate' is required where 'type' is 'endDate'.`;
  if (type === 'numbered' && count === 0) return `'numberOfOccurrences' is required where 'type' is 'numbered'.`;
  return {
    type,
    startDate: startDay,
    endDate: type === 'endDate' ? (given.endDate as string) : '0001-01-01',
    recurrenceTimeZone: typeof given.recurrenceTimeZone === 'string' ? given.recurrenceTimeZone : zone,
    numberOfOccurrences: type === 'numbered' ? count : 0,
  };
}

/** Day numbers, ascending, from the start of the range on; endless where the range has no end. */
export function* patternDays({ pattern, range }: Recurrence): Generator<number, void> {
  const first = dayOf(range.startDate);
  const last = range.type === 'endDate' ? dayOf(range.endDate) : Number.POSITIVE_INFINITY;
  let left = range.type === 'numbered' ? range.numberOfOccurrences : Number.POSITIVE_INFINITY;
  for (const day of daysOfPeriods(pattern, first)) {
    if (day > last || left === 0 || day > dayNumber(9_998, 1, 1)) return;
    if (day < first) continue;
    left -= 1;
    yield day;
  }
}

function* daysOfPeriods(pattern: Pattern, first: number): Generator<number, void> {
  if (pattern.type === 'daily') {
    for (let day = first; ; day += pattern.interval) yield day;
  }
  if (pattern.type === 'weekly') {
    const weekStart = weekdayNames.indexOf(pattern.firstDayOfWeek);
    const start = first - ((weekdayOf(first) - weekStart + 7) % 7);
    const offsets = pattern.daysOfWeek
      .map((name) => (weekdayNames.indexOf(name) - weekStart + 7) % 7)
      .sort((a, b) => a - b);
    for (let week = start; ; week += 7 * pattern.interval) for (const offset of offsets) yield week + offset;
  }
  const packed = packedDate(first);
  const yearly = pattern.type.endsWith('Yearly');
  const startMonth = yearly ? pattern.month - 1 : monthOfPacked(packed) - 1;
  for (let n = 0; ; n += pattern.interval) {
    const months = startMonth + (yearly ? 12 * n : n);
    const year = yearOfPacked(packed) + Math.floor(months / 12);
    yield dayInMonth(pattern, year, (months % 12) + 1);
  }
}

function dayInMonth(pattern: Pattern, year: number, month: number): number {
  const length = daysInMonth(year, month);
  const first = dayNumber(year, month, 1);
  // Outlook takes the last day of a month that is too short; RFC 5545 leaves the month out.
  if (pattern.type.startsWith('absolute')) return first + Math.min(pattern.dayOfMonth, length) - 1;
  const matching: number[] = [];
  for (let day = first; day < first + length; day += 1) {
    if (pattern.daysOfWeek.includes(weekdayNames[weekdayOf(day)]!)) matching.push(day);
  }
  return pattern.index === 'last' ? matching.at(-1)! : matching[weekIndexes.indexOf(pattern.index)]!;
}

/** The series so many days later. A relative pattern keeps its weekday: a shift does not say which other one is meant. */
export function shiftRecurrence({ pattern, range }: Recurrence, days: number): Recurrence {
  if (days === 0) return { pattern, range };
  const startDate = printDay(dayOf(range.startDate) + days);
  const shifted = { ...pattern };
  if (pattern.type === 'weekly') {
    shifted.daysOfWeek = pattern.daysOfWeek.map(
      (day) => weekdayNames[(((weekdayNames.indexOf(day) + days) % 7) + 7) % 7]!,
    );
  }
  const [, month, dayOfMonth] = startDate.split('-').map(Number);
  if (pattern.type.startsWith('absolute')) shifted.dayOfMonth = dayOfMonth!;
  if (pattern.type === 'absoluteYearly') shifted.month = month!;
  return { pattern: shifted, range: { ...range, startDate } };
}

export function dayOf(date: string): number {
  return Math.floor(parseLocalDate(date)! / dayMs);
}

export function printDay(day: number): string {
  const packed = packedDate(day);
  const pad = (n: number) => String(n).padStart(2, '0');
  return `${String(yearOfPacked(packed)).padStart(4, '0')}-${pad(monthOfPacked(packed))}-${pad(dayOfPacked(packed))}`;
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | null {
  // OData reads enumerations without regard to case; the documentation itself writes "Thursday".
  if (typeof value !== 'string') return null;
  return allowed.find((one) => one.toLowerCase() === value.toLowerCase()) ?? null;
}

function notOne(property: string, type: string): string {
  return `The value of '${property}' is not a ${type}.`;
}

function isCount(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function emptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function invalid(message: string): ReadRecurrence {
  return { ok: false, code: 'ErrorPropertyValidationFailure', message };
}

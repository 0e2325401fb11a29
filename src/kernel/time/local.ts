import type { LocalDate, LocalDateTime } from '#kernel/event.ts';
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
  yearOfPacked,
} from '#kernel/time/civil.ts';

/**
 * Wall-clock times as numbers. A *local ms* is what the epoch milliseconds would be if the wall clock showed UTC:
 * `1970-01-01T00:00:00` is 0 in every zone. Years 0000 to 9999.
 */

const two: string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));

function pad2(n: number): string {
  return two[n] as string;
}

function pad4(year: number): string {
  return pad2(Math.floor(year / 100)) + pad2(year % 100);
}

/** The first and last local ms that a LocalDateTime can write. */
export const minLocalMs = dayNumber(0, 1, 1) * dayMs;
export const maxLocalMs = dayNumber(10_000, 1, 1) * dayMs - secondMs;

/**
 * The local ms of a date and time of day, or null when there is no such date or time.
 * A leap second (`:60`) is the second after it, and `24:00:00` is the next midnight.
 */
export function localMsOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | null {
  if (!(year >= 0 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) {
    return null;
  }
  const midnight = hour === 24 && minute === 0 && second === 0;
  if (!midnight && !(hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 60)) {
    return null;
  }
  return dayNumber(year, month, day) * dayMs + hour * hourMs + minute * minuteMs + second * secondMs;
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const dateTimePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let i = from; i < from + count; i += 1) value = value * 10 + text.charCodeAt(i) - 48;
  return value;
}

/** Reads `2027-03-08` as the local ms of its midnight; null when it is no date. */
export function parseLocalDate(text: LocalDate): number | null {
  if (!datePattern.test(text)) return null;
  return localMsOf(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2), 0, 0, 0);
}

/** Reads `2027-03-08T09:00:00` as local ms; null when it is no date-time. */
export function parseLocalDateTime(text: LocalDateTime): number | null {
  if (!dateTimePattern.test(text)) return null;
  return localMsOf(
    digits(text, 0, 4),
    digits(text, 5, 2),
    digits(text, 8, 2),
    digits(text, 11, 2),
    digits(text, 14, 2),
    digits(text, 17, 2),
  );
}

/** Reads a LocalDate or a LocalDateTime as local ms; null when it is neither. */
export function parseLocal(text: LocalDate | LocalDateTime): number | null {
  return text.length === 10 ? parseLocalDate(text) : parseLocalDateTime(text);
}

/** The date of a local ms, as `2027-03-08`. *Errors*: RangeError outside the years 0000 to 9999. */
export function printLocalDate(localMs: number): LocalDate {
  const packed = packedDate(Math.floor(inRange(localMs) / dayMs));
  return `${pad4(yearOfPacked(packed))}-${pad2(monthOfPacked(packed))}-${pad2(dayOfPacked(packed))}`;
}

/** A local ms as `2027-03-08T09:00:00`; fractions of a second are cut. *Errors*: RangeError outside 0000 to 9999. */
export function printLocalDateTime(localMs: number): LocalDateTime {
  const day = Math.floor(inRange(localMs) / dayMs);
  const seconds = Math.floor((localMs - day * dayMs) / secondMs);
  return `${printLocalDate(localMs)}T${pad2(Math.floor(seconds / 3600))}:${pad2(Math.floor(seconds / 60) % 60)}:${pad2(seconds % 60)}`;
}

/** An instant as the contracts write it, `2027-03-08T09:00:00.000Z`; as Temporal prints it, in a sixth of the time. */
export function printInstant(epochMs: number): string {
  if (epochMs < minLocalMs || epochMs > maxLocalMs) {
    return Temporal.Instant.fromEpochMilliseconds(epochMs).toString({ fractionalSecondDigits: 3 });
  }
  const millis = epochMs - Math.floor(epochMs / secondMs) * secondMs;
  return `${printLocalDateTime(epochMs)}.${millis === 0 ? '000' : String(millis).padStart(3, '0')}Z`;
}

let basicDay = Number.NaN;
let basicDate = '';

/** A local ms in iCalendar's basic form, `20270308`. *Errors*: RangeError outside 0000 to 9999. */
export function printBasicDate(localMs: number): string {
  const day = Math.floor(inRange(localMs) / dayMs);
  if (day !== basicDay) {
    const packed = packedDate(day);
    basicDate = pad4(yearOfPacked(packed)) + pad2(monthOfPacked(packed)) + pad2(dayOfPacked(packed));
    basicDay = day;
  }
  return basicDate;
}

/** A local ms in iCalendar's basic form, `20270308T090000`. *Errors*: RangeError outside 0000 to 9999. */
export function printBasicDateTime(localMs: number): string {
  const date = printBasicDate(localMs);
  const seconds = Math.floor((localMs - basicDay * dayMs) / secondMs);
  return `${date}T${pad2(Math.floor(seconds / 3600))}${pad2(Math.floor(seconds / 60) % 60)}${pad2(seconds % 60)}`;
}

const basicPattern = /^\d{8}(?:T\d{6}(Z?))?$/;

export interface BasicTime {
  form: 'date' | 'local' | 'utc';
  /** Local ms; for `utc` the epoch ms. */
  ms: number;
}

/** Reads `20270308`, `20270308T090000` or `20270308T080000Z`; null when it is none of them. */
export function parseBasic(text: string): BasicTime | null {
  const match = basicPattern.exec(text);
  if (match === null) return null;
  const isDate = text.length === 8;
  const ms = localMsOf(
    digits(text, 0, 4),
    digits(text, 4, 2),
    digits(text, 6, 2),
    isDate ? 0 : digits(text, 9, 2),
    isDate ? 0 : digits(text, 11, 2),
    isDate ? 0 : digits(text, 13, 2),
  );
  if (ms === null) return null;
  return { form: isDate ? 'date' : match[1] === 'Z' ? 'utc' : 'local', ms };
}

function inRange(localMs: number): number {
  if (!(localMs >= minLocalMs && localMs < maxLocalMs + secondMs)) {
    throw new RangeError(`No date of the years 0000 to 9999: ${localMs}`);
  }
  return localMs;
}

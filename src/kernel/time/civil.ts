/**
 * The proleptic Gregorian calendar as arithmetic on day numbers (0 = 1970-01-01) and month numbers (0 = 0000-01).
 * Numbers only: these functions run once per period of a recurring series.
 * Source: H. Hinnant, "chrono-compatible low-level date algorithms".
 */

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const commonMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Days of a month. *Units*: month 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (commonMonths[month - 1] ?? 0);
}

/** The day number of a civil date. *Units*: month 1 to 12, day 1 to 31; a day beyond its month runs on. */
export function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The civil date of a day number, packed as `year * 512 + month * 32 + day` so that hot loops allocate nothing. */
export function packedDate(day: number): number {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return year * 512 + month * 32 + dayOfMonth;
}

export function yearOfPacked(packed: number): number {
  return Math.floor(packed / 512);
}

export function monthOfPacked(packed: number): number {
  return (packed & 511) >> 5;
}

export function dayOfPacked(packed: number): number {
  return packed & 31;
}

/** Day of the week. *Units*: 0 = Monday to 6 = Sunday. */
export function weekdayOf(day: number): number {
  const rest = (day + 3) % 7;
  // Plus 0, or a multiple of seven before 1970 would be -0.
  return rest < 0 ? rest + 7 : rest + 0;
}

/** The day number of 1 January. */
export function yearStart(year: number): number {
  const before = year - 1;
  return before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 719_162;
}

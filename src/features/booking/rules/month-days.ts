import {
  dayNumber,
  dayOfPacked,
  daysInMonth,
  monthOfPacked,
  packedDate,
  weekdayOf,
  yearOfPacked,
} from '#kernel/time/civil.ts';

/** Days written `2027-03-08` and months written `2027-03`, as the public pages have them. */

const dayMinutes = 1440;
const two = (n: number) => String(n).padStart(2, '0');

export function numberOfDay(day: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return dayNumber(year, month, date);
}

export function writeDay(day: number): string {
  const packed = packedDate(day);
  return `${yearOfPacked(packed)}-${two(monthOfPacked(packed))}-${two(dayOfPacked(packed))}`;
}

export function addMonths(month: string, count: number): string {
  const [year = 0, one = 0] = month.split('-').map(Number);
  const at = year * 12 + one - 1 + count;
  return `${Math.floor(at / 12)}-${two((at % 12) + 1)}`;
}

/** The days of a month in weeks, with null before its first and after its last. *Units*: weekdays 0 = Monday. */
export function weeksOf(month: string, firstWeekday: number): (string | null)[][] {
  const first = numberOfDay(`${month}-01`);
  const [year = 0, one = 0] = month.split('-').map(Number);
  const cells: (string | null)[] = Array.from({ length: (weekdayOf(first) - firstWeekday + 7) % 7 }, () => null);
  for (let day = 0; day < daysInMonth(year, one); day += 1) cells.push(writeDay(first + day));
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** Epoch minutes between which the starts of this month lie, in whatever zone it is read. */
export function rangeOfMonth(month: string): { from: number; to: number } {
  const margin = 15 * 60; // from UTC-12 to UTC+14
  return {
    from: numberOfDay(`${month}-01`) * dayMinutes - margin,
    to: numberOfDay(`${addMonths(month, 1)}-01`) * dayMinutes + margin,
  };
}

import { dayMs } from '#kernel/time/civil.ts';
import { parseLocalDate, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { PageEvent, PageSource } from './calendar-pages.ts';

/** The reader of a page, and the week. */
export interface Visit {
  source: PageSource;
  account: string;
  zone: Zone;
  nowMs: number;
  /** First day of the week, `2027-03-08`. */
  monday: string;
}

export function dayAfter(day: string, count: number): string {
  return printLocalDate((parseLocalDate(day) ?? 0) + count * dayMs);
}

export function shortWeekday(day: string): string {
  return Temporal.PlainDate.from(day).toLocaleString('en-GB', { weekday: 'short' });
}

export function longDay(day: string): string {
  return Temporal.PlainDate.from(day).toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
}

export function clockSpan({ startMs, endMs }: PageEvent, zone: Zone): string {
  return `${clockOf(startMs, zone)}–${clockOf(endMs, zone)}`;
}

export function clockOf(ms: number, zone: Zone): string {
  return printLocalDateTime(zone.toLocal(ms)).slice(11, 16);
}

import { dayMs, weekdayOf } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { CalendarView } from './calendar-search.ts';
import type { EventRange } from './queries.ts';

/** Whole days from `firstDay` (days since 1970-01-01). */
export interface ShownDays {
  firstDay: number;
  dayCount: number;
}

export interface WeekShape {
  /** ISO: 1 Monday to 7 Sunday. */
  weekStart: number;
  /** Without them a week is Monday to Friday. */
  weekends: boolean;
}

/** How many days an agenda begins with, and how many each "show more" adds. */
export const agendaDays = 28;

/** The days of a view: the day alone, the week around it, the whole weeks of its month, or four weeks from it on. */
export function shownDays(day: number, view: CalendarView, shape: WeekShape): ShownDays {
  if (view === 'day') return { firstDay: day, dayCount: 1 };
  if (view === 'agenda') return { firstDay: day, dayCount: agendaDays };
  if (view === 'week') return weekOf(day, shape);
  const weeks = monthWeeks(day, shape);
  const first = weeks[0] ?? weekOf(day, shape);
  const last = weeks.at(-1) ?? first;
  return { firstDay: first.firstDay, dayCount: last.firstDay + last.dayCount - first.firstDay };
}

function weekOf(day: number, { weekStart, weekends }: WeekShape): ShownDays {
  const firstDay = day - sinceWeekday(day, weekStart);
  if (weekends) return { firstDay, dayCount: 7 };
  // A week that begins on Saturday or Sunday holds the Monday after it; any other is read as the one from Monday.
  const monday = weekStart >= 6 ? firstDay + 8 - weekStart : day - sinceWeekday(day, 1);
  return { firstDay: monday, dayCount: 5 };
}

/** The weeks that touch the month of a day: from the first weekday on or before the 1st to the last on or after its end. */
export function monthWeeks(day: number, shape: WeekShape): ShownDays[] {
  const { firstDay, dayCount } = monthOf(day);
  const end = firstDay + dayCount;
  const weeks: ShownDays[] = [];
  for (let at = firstDay - sinceWeekday(firstDay, shape.weekStart); at < end + 6; at += 7) {
    const week = weekOf(at, shape);
    // Without weekends, a month that begins or ends on one leaves a row without a day of its own.
    if (week.firstDay < end && week.firstDay + week.dayCount > firstDay) weeks.push(week);
  }
  return weeks;
}

/** The days of a day's month. */
export function monthOf(day: number): ShownDays {
  const date = dateOf(day);
  return { firstDay: day - date.day + 1, dayCount: date.daysInMonth };
}

/** Where a step leads: a day, a week, or the same day a month away (its last day where it is shorter). */
export function stepFrom(day: number, view: CalendarView, direction: -1 | 1): number {
  if (view === 'day') return day + direction;
  if (view === 'week') return day + 7 * direction;
  if (view === 'agenda') return day + agendaDays * direction;
  const before = dateOf(day);
  return day + before.until(before.add({ months: direction })).total({ unit: 'days', relativeTo: before });
}

/** ISO 8601 number of the week that holds most of these days: its Thursday's. */
export function weekNumber({ firstDay, dayCount }: ShownDays): number {
  const sinceMonday = sinceWeekday(firstDay, 1);
  // A row of Sunday to Saturday is called after its Monday, as every calendar calls it.
  return dateOf(dayCount === 7 && sinceMonday > 3 ? firstDay + 7 - sinceMonday : firstDay).weekOfYear ?? 0;
}

function sinceWeekday(day: number, isoWeekday: number): number {
  return (weekdayOf(day) + 1 - isoWeekday + 7) % 7;
}

function dateOf(day: number): Temporal.PlainDate {
  return new Temporal.PlainDate(1970, 1, 1).add({ days: day });
}

/** The instants of whole days in a zone; 23 and 25 hours where the clocks change. */
export function rangeOf({ firstDay, dayCount }: ShownDays, zone: Zone): EventRange {
  return { fromMs: zone.toInstant(firstDay * dayMs), toMs: zone.toInstant((firstDay + dayCount) * dayMs) };
}

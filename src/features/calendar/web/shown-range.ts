import { dayMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import {
  dateOf,
  monthWeeks,
  type ShownDays,
  sameDayOfMonth,
  sinceWeekday,
  type WeekShape,
  weekOf,
} from '#ui/dates/month.ts';
import type { CalendarView } from './calendar-search.ts';
import type { EventRange } from './queries.ts';

export { monthOf, monthWeeks, type ShownDays, type WeekShape } from '#ui/dates/month.ts';

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

/** Where a step leads: a day, a week, or the same day a month away (its last day where it is shorter). */
export function stepFrom(day: number, view: CalendarView, direction: -1 | 1): number {
  if (view === 'day') return day + direction;
  if (view === 'week') return day + 7 * direction;
  if (view === 'agenda') return day + agendaDays * direction;
  return sameDayOfMonth(day, direction);
}

/** ISO 8601 number of the week that holds most of these days: its Thursday's. */
export function weekNumber({ firstDay, dayCount }: ShownDays): number {
  const sinceMonday = sinceWeekday(firstDay, 1);
  // A row of Sunday to Saturday is called after its Monday, as every calendar calls it.
  return dateOf(dayCount === 7 && sinceMonday > 3 ? firstDay + 7 - sinceMonday : firstDay).weekOfYear ?? 0;
}

/** The instants of whole days in a zone; 23 and 25 hours where the clocks change. */
export function rangeOf({ firstDay, dayCount }: ShownDays, zone: Zone): EventRange {
  return { fromMs: zone.toInstant(firstDay * dayMs), toMs: zone.toInstant((firstDay + dayCount) * dayMs) };
}

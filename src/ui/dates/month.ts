import { weekdayOf } from '#kernel/time/civil.ts';

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

export function weekOf(day: number, { weekStart, weekends }: WeekShape): ShownDays {
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

/** The same day a month away, or the last day of a shorter month. */
export function sameDayOfMonth(day: number, direction: -1 | 1): number {
  const before = dateOf(day);
  return day + before.until(before.add({ months: direction })).total({ unit: 'days', relativeTo: before });
}

export function sinceWeekday(day: number, isoWeekday: number): number {
  return (weekdayOf(day) + 1 - isoWeekday + 7) % 7;
}

export function dateOf(day: number): Temporal.PlainDate {
  return new Temporal.PlainDate(1970, 1, 1).add({ days: day });
}

import { type Hours, weekdays } from '#features/availability/rules/hours.ts';
import { compileFacts, compileHours, type DayFacts, openSpans } from '#features/availability/rules/open-spans.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printInstant } from '#kernel/time/local.ts';
import type { Availability } from './queries.ts';

export type Weekday = (typeof weekdays)[number];

/** The weekdays in the order in which the person reads a week. *Units*: `weekStart` ISO, 7 is Sunday. */
export function weekFrom(weekStart: number): Weekday[] {
  return Array.from({ length: 7 }, (_, step) => weekdays[(weekStart - 1 + step) % 7] as Weekday);
}

/** Days off, holidays and travel, which apply beside the edited hours. */
export function factsOf({ days_off, travels, holidays }: Availability): DayFacts {
  const days = ({ first_day: firstDay, last_day: lastDay }: { first_day: string; last_day: string }) => ({
    firstDay,
    lastDay,
  });
  return {
    daysOff: days_off.map(days),
    travels: travels.map((travel) => ({ ...days(travel), zone: travel.zone })),
    holidays: holidays.days.flatMap(({ day, worked }) => (worked ? [] : [day])),
  };
}

/**
 * When the next day of that name is open, by the rule of the slots: its override, else closed where it is a day off, else
 * the hours of the weekday. Today counts until its last open hour is over.
 */
export function nextWindows(
  weekday: Weekday,
  hours: Hours,
  facts: DayFacts,
  nowMs: number,
): { start: string; end: string }[] {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(hours.timezone).toPlainDate();
  const date = today.add({ days: (weekdays.indexOf(weekday) + 1 - today.dayOfWeek + 7) % 7 });
  const first = spansOn(date, weekday, hours, facts);
  const isOver = first.length > 0 && first.every(({ endMs }) => endMs <= nowMs);
  const spans = isOver ? spansOn(date.add({ days: 7 }), weekday, hours, facts) : first;
  return spans.map(({ startMs, endMs }) => ({ start: printInstant(startMs), end: printInstant(endMs) }));
}

function spansOn(date: Temporal.PlainDate, weekday: Weekday, hours: Hours, facts: DayFacts) {
  // while it is typed, a time may be the same twice
  const whole = (intervals: Hours['weekly'][Weekday]['intervals']) =>
    intervals.filter(({ start, end }) => start !== end);
  const closed = { enabled: false, intervals: [] };
  const own = { ...hours.weekly[weekday], intervals: whole(hours.weekly[weekday].intervals) };
  const only: Hours = {
    timezone: hours.timezone,
    weekly: Object.fromEntries(weekdays.map((name) => [name, name === weekday ? own : closed])) as Hours['weekly'],
    overrides: hours.overrides.flatMap((one) =>
      one.date === date.toString() ? [{ date: one.date, intervals: whole(one.intervals) }] : [],
    ),
  };
  const noonMs = date.toZonedDateTime({ timeZone: hours.timezone, plainTime: '12:00' }).epochMilliseconds;
  const around = { startMs: noonMs - 3 * dayMs, endMs: noonMs + 3 * dayMs };
  return openSpans(compileHours(only), compileFacts(facts), around);
}

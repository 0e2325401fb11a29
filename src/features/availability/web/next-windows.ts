import { type Interval, weekdays } from '#features/availability/rules/hours.ts';

export type Weekday = (typeof weekdays)[number];

/** The weekdays in the order in which the person reads a week. *Units*: `weekStart` ISO, 7 is Sunday. */
export function weekFrom(weekStart: number): Weekday[] {
  return Array.from({ length: 7 }, (_, step) => weekdays[(weekStart - 1 + step) % 7] as Weekday);
}

/** The hours of the next day of that name, today included, as instants. An end that is not after its start is a day later. */
export function nextWindows(
  weekday: Weekday,
  intervals: readonly Interval[],
  zone: string,
  nowMs: number,
): { start: string; end: string }[] {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
  const ahead = (weekdays.indexOf(weekday) + 1 - today.dayOfWeek + 7) % 7;
  const day = today.add({ days: ahead });
  const at = (time: string, days: number) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return day.add({ days }).toPlainDateTime().add({ hours, minutes }).toZonedDateTime(zone).toInstant().toString();
  };
  return intervals
    .filter(({ start, end }) => start !== end)
    .map(({ start, end }) => ({ start: at(start, 0), end: at(end, end > start ? 0 : 1) }));
}

import { dayMs, hourMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';

/** A day as one person lives it: some have 23 hours, some 25. */
export interface WeekDay extends Span {
  /** `YYYY-MM-DD`. */
  date: string;
}

/** The seven days from the last start of a week on, `weeks` later. `weekStart`: ISO weekday. */
export function daysOfWeek(
  atMs: number,
  { zone, weekStart }: { zone: string; weekStart: number },
  weeks: number,
): WeekDay[] {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  const first = today.subtract({ days: (today.dayOfWeek - weekStart + 7) % 7 }).add({ weeks });
  const startOf = (day: number) => first.add({ days: day }).toZonedDateTime(zone).epochMilliseconds;
  return Array.from({ length: 7 }, (_, day) => ({
    date: first.add({ days: day }).toString(),
    startMs: startOf(day),
    endMs: startOf(day + 1),
  }));
}

/** The hours that are shown: from eight to six, and as much more as somebody is busy at. Whole days show nothing more. */
export function shownHours(days: readonly WeekDay[], busy: readonly Span[]): { from: number; to: number } {
  let [from, to] = [8, 18];
  for (const day of days) {
    for (const { startMs, endMs } of busy) {
      const [start, end] = [Math.max(startMs, day.startMs), Math.min(endMs, day.endMs)];
      if (start >= end || end - start >= day.endMs - day.startMs) continue;
      from = Math.min(from, Math.floor((start - day.startMs) / hourMs));
      to = Math.max(to, Math.ceil((end - day.startMs) / hourMs));
    }
  }
  return { from: Math.max(0, from), to: Math.min(dayMs / hourMs, to) };
}

/** Where something stands in the hours of a day, as parts of them; null where it does not. */
export function placeIn(
  day: WeekDay,
  { from, to }: { from: number; to: number },
  { startMs, endMs }: Span,
): { left: number; width: number } | null {
  const [firstMs, lastMs] = [day.startMs + from * hourMs, day.startMs + to * hourMs];
  const [start, end] = [Math.max(startMs, firstMs), Math.min(endMs, lastMs)];
  return start < end
    ? { left: (start - firstMs) / (lastMs - firstMs), width: (end - start) / (lastMs - firstMs) }
    : null;
}

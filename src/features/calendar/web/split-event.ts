/** Milliseconds of local time since 1970-01-01T00:00 on the wall, made by `wall-clock.ts`. */
export interface WallSpan {
  startWallMs: number;
  endWallMs: number;
  /** Occupies whole days: drawn in the all-day row whatever its hours say. */
  allDay: boolean;
}

/** The part of an event on one day's column, minutes half-open on 24 wall-clock hours. */
export interface DaySegment {
  column: number;
  startMinute: number;
  endMinute: number;
  continuesBefore: boolean;
  continuesAfter: boolean;
}

/** The part of an event in the all-day row. */
export interface DayBar {
  fromColumn: number;
  toColumn: number;
  continuesBefore: boolean;
  continuesAfter: boolean;
}

export type EventParts =
  | { kind: 'segments'; segments: DaySegment[] }
  | { kind: 'bar'; bar: DayBar }
  | { kind: 'outside' };

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Splits an event at midnight into the columns that it touches. Events of a whole day or more go to the all-day row, as
 * in other calendars. An event without length is drawn at its minute.
 */
export function splitEvent(span: WallSpan, firstEpochDay: number, dayCount: number): EventParts {
  const firstDay = Math.floor(span.startWallMs / dayMs);
  const lastDay = Math.max(firstDay, Math.ceil(span.endWallMs / dayMs) - 1);
  const from = Math.max(firstDay, firstEpochDay);
  const to = Math.min(lastDay, firstEpochDay + dayCount - 1);
  if (from > to) return { kind: 'outside' };
  if (span.allDay || span.endWallMs - span.startWallMs >= dayMs) {
    const bar = {
      fromColumn: from - firstEpochDay,
      toColumn: to - firstEpochDay + 1,
      continuesBefore: from > firstDay,
      continuesAfter: to < lastDay,
    };
    return { kind: 'bar', bar };
  }
  const segments: DaySegment[] = [];
  for (let day = from; day <= to; day += 1) {
    const midnightMs = day * dayMs;
    segments.push({
      column: day - firstEpochDay,
      startMinute: Math.max(0, Math.floor((span.startWallMs - midnightMs) / minuteMs)),
      endMinute: Math.min(1440, Math.ceil((span.endWallMs - midnightMs) / minuteMs)),
      continuesBefore: day > firstDay,
      continuesAfter: day < lastDay,
    });
  }
  return { kind: 'segments', segments };
}

import { dayMs } from '#kernel/time/civil.ts';

/** The times of one event that are read in its zone. *Units*: local ms. */
export interface EventTimes {
  /** When it begins, as far as it matters for its zone. */
  startMs: number;
  /** Times that it names: of starts, ends, changes, extra dates, and exclusions. */
  walls: readonly number[];
  /** Times of day that may come again on any day up to `untilMs`; all of them where a rule names hours of its own. */
  again: readonly number[] | 'all';
  untilMs: number;
}

/** The times of an event that is one moment. */
export const timesAt = (startMs: number): EventTimes => ({ startMs, walls: [startMs], again: [], untilMs: startMs });

/** Zones are compared from the year before the event on. */
export const longestBefore = 300 * dayMs;

/** Whether a time that comes again may lie in a stretch of the wall clock. */
export function isWithin({ startMs, again, untilMs }: EventTimes, stretch: { fromMs: number; toMs: number }): boolean {
  const { fromMs, toMs } = stretch;
  if (again.length === 0 || fromMs > untilMs || toMs < startMs - longestBefore) return false;
  if (again === 'all' || toMs - fromMs >= dayMs) return true;
  return again.some((timeMs) => Math.ceil((fromMs - timeMs) / dayMs) * dayMs + timeMs < toMs);
}

import type { Duration } from '#kernel/event.ts';
import { dayMs, secondMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';

/** `days` of the wall clock, then `exactMs` of elapsed time; a negative or unreadable part is 0. */
export interface Length {
  days: number;
  exactMs: number;
}

export function lengthOf({ days = 0, seconds = 0 }: Duration): Length {
  return { days: Math.max(0, days || 0), exactMs: Math.max(0, seconds * secondMs || 0) };
}

/**
 * The instant at which a length ends: its days are added to the local time first, its exact time to the instant of that.
 * Never before the start.
 * *Units*: epoch ms; `localMs` is the start on the wall clock, local ms. *Source*: RFC 5545 3.3.6.
 */
export function endOf({ days, exactMs }: Length, startMs: number, localMs: number, zone: Zone): number {
  if (days === 0) return startMs + exactMs;
  return Math.max(startMs, zone.toInstant(localMs + days * dayMs)) + exactMs;
}

/** A length as one number, as if all days had 24 hours. */
export function usualMs(duration: Duration): number {
  const { days, exactMs } = lengthOf(duration);
  return days * dayMs + exactMs;
}

/** Whether a length is elapsed time alone, so that all instances of a series are equally long. */
export function isExact(duration: Duration): duration is { seconds: number; days?: never } {
  return duration.days === undefined;
}

import type { Duration, When } from '#kernel/event.ts';
import { dayMs, secondMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';

/** `days` and `wallMs` of the wall clock, then `exactMs` of elapsed time; a negative or unreadable part is 0. */
export interface Length {
  days: number;
  wallMs: number;
  exactMs: number;
}

export function lengthOf({ days = 0, seconds = 0, wallSeconds = 0 }: Duration): Length {
  const part = (amount: number) => Math.max(0, amount || 0);
  return { days: part(days), wallMs: part(wallSeconds * secondMs), exactMs: part(seconds * secondMs) };
}

/**
 * The instant at which a length ends: its days are added to the local time first, its exact time to the instant of that.
 * Never before the start. Where a change of the clocks leaves no time before an end, the wall clock gives the length.
 * *Units*: epoch ms; `localMs` is the start on the wall clock, local ms. *Source*: RFC 5545 3.3.6.
 */
export function endOf({ days, wallMs, exactMs }: Length, startMs: number, localMs: number, zone: Zone): number {
  if (wallMs > 0) {
    const endMs = zone.toInstant(localMs + wallMs);
    return endMs > startMs ? endMs : startMs + wallMs;
  }
  if (days === 0) return startMs + exactMs;
  return Math.max(startMs, zone.toInstant(localMs + days * dayMs)) + exactMs;
}

/** The duration from this start in this zone, where all instances of a series are as long as the first. */
export function durationFrom(duration: Duration, localMs: number, zone: Zone): Duration {
  if (duration.wallSeconds === undefined) return duration;
  const startMs = zone.toInstant(localMs);
  return { seconds: (endOf(lengthOf(duration), startMs, localMs, zone) - startMs) / secondMs };
}

/** A length as one number, as if all days had 24 hours. */
export function usualMs(duration: Duration): number {
  const { days, wallMs, exactMs } = lengthOf(duration);
  return days * dayMs + wallMs + exactMs;
}

/** Whether a length is elapsed time alone, so that all instances of a series are equally long. */
export function isExact(duration: Duration): duration is { seconds: number } {
  return duration.seconds !== undefined && duration.days === undefined;
}

/** Whether an end (DTEND) says the length of a time. A floating end is on the wall clock, any other an instant. */
export function hasEnd(when: Exclude<When, { kind: 'all-day' }>): boolean {
  return when.kind === 'floating' ? when.duration.wallSeconds !== undefined : isExact(when.duration);
}

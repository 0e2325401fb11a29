import type { Clock } from '#platform/clock.ts';

export interface FixedClock extends Clock {
  set(instant: Temporal.Instant | string): void;
  advance(duration: Temporal.DurationLike): void;
}

/** A clock that stands still until it is told otherwise. */
export function fixedClock(start: Temporal.Instant | string = '2027-03-01T09:00:00Z'): FixedClock {
  const first = Temporal.Instant.from(start).epochMilliseconds;
  let at = Temporal.Instant.from(start);
  let furthest = first;
  return {
    now: () => at,
    nowMs: () => at.epochMilliseconds,
    // monotonic waits pass in real time, plus the set time
    monotonicMs() {
      furthest = Math.max(furthest, at.epochMilliseconds);
      return performance.now() + furthest - first;
    },
    set: (instant) => {
      at = Temporal.Instant.from(instant);
    },
    advance: (duration) => {
      at = at.add(duration);
    },
  };
}

/**
 * Where the process takes the time from, so that tests can set it.
 *
 * Leases, expiry and retries are decided by the database's clock, never by this one (nodes may disagree).
 */
export interface Clock {
  now(): Temporal.Instant;
  /** Milliseconds since the epoch, for hot paths. */
  nowMs(): number;
  /** Milliseconds that never step back, from nobody knows when: only what lies between two of them means something. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  nowMs: () => Temporal.Now.instant().epochMilliseconds,
  monotonicMs: () => performance.now(),
};

import { dayMs } from '#kernel/time/civil.ts';

/** A host of a pool who could take a time, with the criteria between them. */
export interface Candidate {
  id: string;
  /** How much of what comes they take, beside the others; over 0. */
  weight: number;
  /** Tie-breaker for equal shares: the lower goes first. */
  priority: number;
  /** Bookings of the last 30 days, without no-shows and cancellations a day ahead. */
  assigned: number;
  /** Assumed bookings of the days before the host joined: `calibrationNow`. */
  calibration: number;
  /** When they were last given something that counts, epoch ms. */
  lastMs: number | null;
}

/** So far back it counts what somebody was given. */
export const countedMs = 30 * dayMs;

const shareOf = ({ assigned, calibration, weight }: Pick<Candidate, 'assigned' | 'calibration' | 'weight'>) =>
  (assigned + calibration) / weight;

/**
 * The order in which candidates get it (semantics 8): who has had the least for their weight, then by priority, then who
 * waits longest, then by id. `owner`, where they are among them, knows the guest and goes first.
 */
export function orderHosts<One extends Candidate>(candidates: readonly One[], owner: string | null = null): One[] {
  const never = Number.NEGATIVE_INFINITY;
  return candidates.toSorted(
    (one, other) =>
      Number(other.id === owner) - Number(one.id === owner) ||
      shareOf(one) - shareOf(other) ||
      one.priority - other.priority ||
      compare(one.lastMs ?? never, other.lastMs ?? never) ||
      compare(one.id, other.id),
  );
}

const compare = <T extends string | number>(one: T, other: T) => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Returns the assumed bookings of a new member, as if always present: the median of the others' shares, times the
 * weight.
 */
export function calibrationOf(others: readonly Omit<Candidate, 'id'>[], weight: number): number {
  const shares = others.map(shareOf).sort((one, other) => one - other);
  const middle = shares.length / 2;
  const median = ((shares[Math.ceil(middle) - 1] ?? 0) + (shares[Math.floor(middle)] ?? 0)) / 2;
  return median * weight;
}

/**
 * A calibration stands for what was not given in the 30 days before somebody came; as these days go by it leaves the count
 * like what the others were given in them. Kept for ever it would leave its host behind for ever.
 */
export function calibrationNow(calibration: number, sinceMs: number, nowMs: number): number {
  const left = 1 - (nowMs - sinceMs) / countedMs;
  return calibration * Math.min(1, Math.max(0, left));
}

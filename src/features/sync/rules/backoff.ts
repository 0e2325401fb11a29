/** 30 s x 2^n with jitter of a fifth either way, at most an hour; `floorMs` (a Retry-After) only raises it. */
export function backoffMs(attempt: number, random: number, floorMs = 0): number {
  const plain = Math.min(3_600_000, 30_000 * 2 ** Math.max(0, attempt - 1));
  return Math.max(floorMs, Math.round(plain * (0.8 + 0.4 * random)));
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A block that nobody changed for this long is restored at once again. The time exceeds the longest wait. */
const forgottenMs = 2 * dayMs;

export interface Restoring {
  /** How often a block is written again after others had changed or deleted it, with this time. */
  times: number;
  /** Null: at once. */
  notBeforeMs: number | null;
}

/**
 * When a block that others changed or deleted is written again: four times at once, then after an hour, two, four, at
 * most a day. Another program that never agrees, or a server that never gives back what it was given, costs a write a day
 * instead of one at every look.
 */
export function restoring(
  { restored, restoredAtMs }: { restored: number; restoredAtMs: number | null },
  nowMs: number,
): Restoring {
  const times = restoredAtMs === null || nowMs - restoredAtMs >= forgottenMs ? 1 : restored + 1;
  return { times, notBeforeMs: times <= 4 ? null : nowMs + Math.min(dayMs, hourMs * 2 ** (times - 5)) };
}

/** A mirror that failed this often for its own reasons waits for its person. */
export const maxAttempts = 5;

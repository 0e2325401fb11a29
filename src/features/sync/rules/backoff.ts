/** 30 s x 2^n with jitter of a fifth either way, at most an hour; `floorMs` (a Retry-After) only raises it. */
export function backoffMs(attempt: number, random: number, floorMs = 0): number {
  const plain = Math.min(3_600_000, 30_000 * 2 ** Math.max(0, attempt - 1));
  return Math.max(floorMs, Math.round(plain * (0.8 + 0.4 * random)));
}

/** A mirror that failed this often for its own reasons waits for its person. */
export const maxAttempts = 5;

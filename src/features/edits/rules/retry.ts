/** An edit that nobody answers fails after this: ten minutes in all. */
export const maxAttempts = 12;

/** People wait for it: 1 s x 2^n, at most two minutes. */
export function retryAfterMs(attempts: number): number {
  return Math.min(120_000, 1_000 * 2 ** Math.max(0, attempts - 1));
}

/** One attempt and five retries: after 10 s, 30 s, 90 s, 4.5 min and 13.5 min. */
const mostAttempts = 6;
const firstMs = 10_000;

/** When an attempt that failed is followed by the next, at least as late as the other side asks for; null: it was the last. */
export function retryAfterMs(attempt: number, askedMs: number | undefined): number | null {
  if (attempt >= mostAttempts) return null;
  if (askedMs === 0) return 0;
  return Math.max(firstMs * 3 ** (attempt - 1), askedMs ?? 0);
}

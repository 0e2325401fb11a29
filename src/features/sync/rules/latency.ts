/** Where each bucket of `sync.call_sums.latency` ends, in ms; the last one has no end. */
export const latencyEndsMs = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 30_000] as const;

/** The bucket of a duration, from 0. */
export function bucketOf(durationMs: number): number {
  const found = latencyEndsMs.findIndex((endMs) => durationMs <= endMs);
  return found === -1 ? latencyEndsMs.length : found;
}

/**
 * The duration that `share` of those counted stay under, in whole ms; null where none was counted. Within a bucket durations are
 * taken to lie evenly; what lasted longer than the last end is told as that.
 */
export function percentileMs(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = total * share;
  let before = 0;
  for (const [at, count] of counts.entries()) {
    if (count > 0 && before + count >= wanted) {
      const startMs = at === 0 ? 0 : (latencyEndsMs[at - 1] as number);
      const endMs = latencyEndsMs[at] ?? startMs;
      return Math.ceil(startMs + ((endMs - startMs) * (wanted - before)) / count);
    }
    before += count;
  }
  return latencyEndsMs.at(-1) ?? null;
}

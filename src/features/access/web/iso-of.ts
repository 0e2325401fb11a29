/** Epoch milliseconds as a text that `RelativeTime` and `<time>` take. */
export function isoOf(atMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toString();
}

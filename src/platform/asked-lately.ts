/** How long somebody is expected to be followed by others who want the same. */
const latelyMs = 10_000;

const askedOf = new WeakMap<object, Map<string, number>>();

/** Whether `what` was asked for in this process within the last ten seconds; from now on it was. */
export function askedLately(of: object, what: string, nowMs = performance.now()): boolean {
  const asked = askedOf.get(of) ?? new Map<string, number>();
  askedOf.set(of, asked);
  const isAsked = (asked.get(what) ?? Number.NEGATIVE_INFINITY) > nowMs - latelyMs;
  // in order of asking, so that the oldest are in front
  asked.delete(what);
  asked.set(what, nowMs);
  for (const [other, atMs] of asked) {
    if (atMs > nowMs - latelyMs) break;
    asked.delete(other);
  }
  return isAsked;
}

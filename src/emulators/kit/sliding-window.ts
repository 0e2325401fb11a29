/**
 * At most `most` in any `windowMs`, half-open; what is refused does not count.
 * Gives the ms until there is room again, or null where it was let in.
 */
export function waitForRoom(times: number[], nowMs: number, windowMs: number, most: number): number | null {
  let old = 0;
  while (old < times.length && times[old]! <= nowMs - windowMs) old += 1;
  times.splice(0, old);
  if (times.length >= most) return times[times.length - most]! + windowMs - nowMs;
  times.push(nowMs);
  return null;
}

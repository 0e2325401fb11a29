/** FNV-1a: the same everywhere, and spread evenly enough for percentages. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  // the low bits depend on the last character too much
  hash ^= hash >>> 16;
  return Math.imul(hash, 0x7feb352d) >>> 0;
}

/**
 * Whether somebody is among the first `rolloutPct` percent for whom a flag is on. The same person is at the same place for a
 * flag always, so that a greater percentage only adds people; another flag orders them otherwise.
 */
export function isInRollout(flag: string, userId: string, rolloutPct: number): boolean {
  return hashOf(`${flag}:${userId}`) % 100 < rolloutPct;
}

/** Unsaved input, kept in this browser until it is saved. Other people who sign in here do not see it. */
const prefix = 'holdfast-draft:';
const ownerKey = 'holdfast-draft-owner';
/** Older than this, nobody remembers what it was. Epoch ms. */
const keptMs = 7 * 86_400_000;

interface Kept {
  savedMs: number;
  value: unknown;
}

/** Says who is signed in; what somebody else has left is forgotten. */
export function claimDrafts(ownerId: string): void {
  if (localStorage.getItem(ownerKey) !== ownerId) forgetDrafts();
  localStorage.setItem(ownerKey, ownerId);
}

/** Deletes all drafts, so that a sign-out leaves nothing behind. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix) || key === ownerKey) localStorage.removeItem(key);
  }
}

/** *Units*: `nowMs` epoch ms. A full or forbidden storage keeps nothing. */
export function keepDraft(name: string, value: unknown, nowMs: number): void {
  try {
    localStorage.setItem(prefix + name, JSON.stringify({ savedMs: nowMs, value } satisfies Kept));
  } catch {
    dropDraft(name);
  }
}

/** Returns the draft under this name; undefined without one, or when it has expired. */
export function readDraft(name: string, nowMs: number): unknown {
  const text = localStorage.getItem(prefix + name);
  if (text === null) return undefined;
  try {
    const kept = JSON.parse(text) as Partial<Kept> | null;
    if (typeof kept?.savedMs === 'number' && nowMs - kept.savedMs < keptMs) return kept.value;
  } catch {
    // Not ours, or cut short.
  }
  dropDraft(name);
  return undefined;
}

export function dropDraft(name: string): void {
  localStorage.removeItem(prefix + name);
}

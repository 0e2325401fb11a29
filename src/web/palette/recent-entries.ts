import type { Entry } from './entries.ts';

const most = 5;
let recent: { userId: string; entries: readonly Entry[] } = { userId: '', entries: [] };

/**
 * Returns the person's last choices, newest first. They are kept only while the page is open, because titles are
 * private.
 */
export function listRecent(userId: string): readonly Entry[] {
  return recent.userId === userId ? recent.entries : [];
}

export function addRecent(userId: string, entry: Entry): void {
  const others = listRecent(userId).filter(({ id }) => id !== entry.id);
  recent = { userId, entries: [{ ...entry, group: 'recent' as const }, ...others].slice(0, most) };
}

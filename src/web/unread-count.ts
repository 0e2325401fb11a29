import { useSyncExternalStore } from 'react';

/** How many notices are unread, for the title of the tab; set where they are shown. */
let unread = 0;
const listeners = new Set<() => void>();

export function setUnreadCount(count: number): void {
  if (count === unread) return;
  unread = count;
  for (const notify of listeners) notify();
}

export function useUnreadCount(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => unread,
  );
}

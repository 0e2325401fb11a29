import { useSyncExternalStore } from 'react';

/** Whether the server can reach this page with news; set by the shell's stream, shown where a screen says "Real-time". */
let isLive = false;
const listeners = new Set<() => void>();

export function setLive(live: boolean): void {
  if (live === isLive) return;
  isLive = live;
  for (const notify of listeners) notify();
}

export function useIsLive(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLive,
  );
}

import { useSyncExternalStore } from 'react';

/** Whether the server can reach this page with news; set by the shell's stream, shown where a screen says "Real-time". */
let isLive = false;
/** When the server last said what is on screen, where it cannot be reached and a copy is shown. */
let seenMs: number | null = null;
const listeners = new Set<() => void>();

function notifyAll(): void {
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setLive(live: boolean): void {
  if (live === isLive) return;
  isLive = live;
  if (live) seenMs = null;
  notifyAll();
}

/** A copy of what the server said then, in epoch milliseconds, is on screen; null: none is. */
export function setSeen(ms: number | null): void {
  seenMs = ms;
  notifyAll();
}

export function useIsLive(): boolean {
  return useSyncExternalStore(subscribe, () => isLive);
}

export function useSeen(): number | null {
  return useSyncExternalStore(subscribe, () => seenMs);
}

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Whether the browser has a network. */
export const useOnline = (): boolean => useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);

/** Whether the screen shows the present: there is a network, and no copy of an earlier answer is shown. */
export function useIsCurrent(): boolean {
  const isOnline = useOnline();
  return useSeen() === null && isOnline;
}

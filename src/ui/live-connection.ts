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

/**
 * Whether the screen shows the present: no copy of an earlier answer is shown, and the server is reached or there is a network.
 * Heard with the next change of the connection, which a lost network ends.
 */
export function useIsCurrent(): boolean {
  const live = useIsLive();
  return useSeen() === null && (live || navigator.onLine);
}

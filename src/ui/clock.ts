import { useSyncExternalStore } from 'react';

/** Now, in epoch milliseconds: the only place of the browser code that asks the machine's clock. */
export function nowMs(): number {
  return Date.now();
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let tickMs = nowMs();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tickMs = nowMs();
    for (const notify of listeners) notify();
  }, 20_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Now, re-rendered every 20 seconds by one timer for the whole page: for relative times and the now line. */
export function useNowMs(): number {
  return useSyncExternalStore(subscribe, () => {
    const current = nowMs();
    if (Math.abs(current - tickMs) > 20_000) tickMs = current;
    return tickMs;
  });
}

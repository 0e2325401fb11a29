import { useSyncExternalStore } from 'react';

/** Whether the server serves another build than this page runs, or has thrown this one's files away. */
let isNewer = false;
const listeners = new Set<() => void>();

function setNewer(): void {
  if (isNewer) return;
  isNewer = true;
  for (const notify of listeners) notify();
}

// A part of this page that is fetched when it is needed is no longer there.
window.addEventListener('vite:preloadError', setNewer);

const own = document.querySelector('script[type="module"]')?.getAttribute('src');

/** The server has said what it serves. */
export function compareBuild(served: string): void {
  if (own?.startsWith('/assets/') && served !== own) setNewer();
}

export function useIsNewBuild(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isNewer,
  );
}

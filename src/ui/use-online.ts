import { useSyncExternalStore } from 'react';
import { useSeen } from './live-connection.ts';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Whether the browser has a network. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** What is on screen is of now: there is a network, and no copy of an earlier answer is shown. */
export function useIsCurrent(): boolean {
  const isOnline = useOnline();
  return useSeen() === null && isOnline;
}

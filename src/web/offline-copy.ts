import { setSeen } from '#ui/live-connection.ts';

/** The service worker's copy for times without a connection: see `offline-worker.ts`. */

/**
 * Keeps a copy of the shell and of the weeks that are seen, where the browser lets a page: over TLS, and on this machine.
 * `onKept`: from now on what is asked for is kept; what was asked for before was not. `onOpen`: a notice was pressed.
 */
export function startOfflineCopy(onKept: () => void, onOpen: (to: string) => void): void {
  const { serviceWorker } = navigator;
  if (!import.meta.env.PROD || serviceWorker === undefined) return;
  if (serviceWorker.controller === null) serviceWorker.addEventListener('controllerchange', onKept, { once: true });
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ seenMs: number } | { openTo: string }>) =>
    'openTo' in data ? onOpen(data.openTo) : setSeen(data.seenMs),
  );
  serviceWorker.startMessages();
  // a browser that refuses (private windows, policies) has no copy, and works as before
  void serviceWorker.register('/service-worker.js').catch(() => undefined);
}

/** Throws away what was seen here, with the session that saw it. */
export function forgetSeen(): void {
  setSeen(null);
  if (!('caches' in window)) return;
  navigator.serviceWorker?.controller?.postMessage('forget');
  void caches.delete('seen');
}

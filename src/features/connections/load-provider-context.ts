import type { App } from '#platform/app.ts';
import type { ProviderContext } from '#providers/registry.ts';
import { caldavHttpOver } from '#providers/registry.ts';
import { loadMirrorSigner } from './load-mirror-signer.ts';

/** The context that every adapter of this process is opened with. */
export async function loadProviderContext(
  app: Pick<App, 'db' | 'keyring' | 'connectionFetch' | 'apiFetch' | 'clock'>,
): Promise<ProviderContext> {
  return {
    caldavHttp: caldavHttpOver(app.connectionFetch.dispatcher),
    fetch: app.connectionFetch.request,
    apiFetch: app.apiFetch,
    tags: await loadMirrorSigner(app),
    nowMs: () => app.clock.nowMs(),
  };
}

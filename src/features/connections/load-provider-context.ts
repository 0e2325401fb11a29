import type { App } from '#platform/app.ts';
import type { ProviderContext } from '#providers/registry.ts';
import { caldavHttpOver } from '#providers/registry.ts';
import { loadMirrorSigner } from './load-mirror-signer.ts';

/** What every adapter of this process is opened with. */
export async function loadProviderContext(
  app: Pick<App, 'db' | 'keyring' | 'fetch' | 'apiFetch' | 'clock'>,
): Promise<ProviderContext> {
  return {
    caldavHttp: caldavHttpOver(app.fetch.dispatcher),
    fetch: app.fetch.request,
    apiFetch: app.apiFetch,
    tags: await loadMirrorSigner(app),
    nowMs: () => app.clock.nowMs(),
  };
}

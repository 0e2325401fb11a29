import { Agent, fetch as undiciFetch } from 'undici';

/**
 * `fetch` for the APIs that the operator configured (Google, Microsoft and their token endpoints), emulators on loopback
 * included. Addresses that people enter go through the SSRF-safe fetch instead.
 */
export interface ApiFetch {
  fetch(url: string, init: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Keeps connections alive; all accounts of a provider share its one host, hence many of them. No retries, no cache. */
export function createApiFetch(): ApiFetch {
  const dispatcher = new Agent({
    connections: 128,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 120_000,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    connect: { timeout: 10_000 },
  });
  return {
    fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

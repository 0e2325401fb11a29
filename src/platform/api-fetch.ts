import { Agent, fetch as undiciFetch } from 'undici';

/**
 * Requests to services that the operator configured (Google, Microsoft), never to addresses that people enter: those go
 * through `fetch.ts`. Redirects are not followed: no API of ours redirects, and a token must not travel.
 */
export type ApiFetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface ApiFetchHandle {
  fetch: ApiFetch;
  close(): Promise<void>;
}

export function createApiFetch(): ApiFetchHandle {
  const dispatcher = new Agent({
    connections: 64,
    pipelining: 1,
    connect: { timeout: 10_000 },
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    maxResponseSize: 50_000_000,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 120_000,
  });
  return {
    fetch: (url, init) => undiciFetch(url, { ...init, redirect: 'manual', dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

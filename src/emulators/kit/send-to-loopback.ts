import { isLoopbackHost } from '#kernel/loopback-host.ts';
import type { Call, Heard } from './exchange.ts';

/** How long a provider waits for the receiver of a notification. */
const timeoutMs = 10_000;

/**
 * Carries a notification out, to this machine only: an emulator that calls addresses it was handed must not be a way
 * into anybody's network.
 */
export async function sendToLoopback({ method, url, headers, body }: Call): Promise<Heard> {
  const startedMs = performance.now();
  const tookMs = () => performance.now() - startedMs;
  if (!isLoopback(url)) return { status: null, body: '', tookMs: 0 };
  try {
    const init: RequestInit = { method, headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) };
    if (method === 'POST') init.body = body;
    const response = await fetch(url, init);
    const contentType = response.headers.get('content-type') ?? '';
    return { status: response.status, body: await response.text(), tookMs: tookMs(), contentType };
  } catch {
    // null means no server, or too slow
    return { status: null, body: '', tookMs: tookMs() };
  }
}

export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

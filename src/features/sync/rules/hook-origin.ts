import { isLoopbackHost } from '#kernel/loopback-host.ts';

/**
 * The origin under which a provider reaches us with notices, or null where it cannot: only https is called, and nobody
 * outside can call this machine by `localhost`. An emulated provider on this machine can.
 */
export function hookOriginOf(publicUrl: string, providerUrl: string): string | null {
  const own = new URL(publicUrl);
  if (isLoopbackHost(own.hostname)) return isLoopbackHost(new URL(providerUrl).hostname) ? own.origin : null;
  return own.protocol === 'https:' ? own.origin : null;
}

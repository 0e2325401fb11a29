/**
 * The origin under which a provider reaches us with notices, or null where it cannot: only https is called, and nobody
 * outside can call this machine by `localhost`. An emulated provider on this machine can.
 */
export function hookOriginOf(publicUrl: string, providerUrl: string): string | null {
  const own = new URL(publicUrl);
  if (isLoopback(own.hostname)) return isLoopback(new URL(providerUrl).hostname) ? own.origin : null;
  return own.protocol === 'https:' ? own.origin : null;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}

import ipaddr from 'ipaddr.js';

const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the public internet: global unicast, and not a tunnel or translation through which an
 * inner address could be reached.
 *
 * Source: IANA special-purpose registries for IPv4 and IPv6 (as of 2026-11).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.process(text); // ::ffff:127.0.0.1 becomes 127.0.0.1
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalIpv6);
}

/** A host as people, URLs and configurations write it, in one form: lower case, no brackets, no final dot. */
export function canonicalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** Hosts that may be reached although their addresses are private or their ports unusual. */
export interface AllowedHosts {
  has(host: string, port: number): boolean;
}

/** From `host:port` entries; IPv6 in brackets. An entry without a port allows nothing. */
export function allowedHosts(entries: readonly string[]): AllowedHosts {
  const allowed = new Set(
    entries.map((entry) => {
      const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry.trim()) ?? [];
      return `${canonicalHost(host)} ${port}`;
    }),
  );
  return { has: (host, port) => allowed.has(`${canonicalHost(host)} ${port}`) };
}

import { createHmac } from 'node:crypto';
import type { App } from '#platform/app.ts';
import { networkOf, siteOf } from '#platform/limits.ts';

/** 16 bytes for the IPv6 site of a guest, or the IPv4 host, and 16 for the network. No address can be read from them. */
export function hashNetwork({ keyring }: Pick<App, 'keyring'>, ip: string): Buffer {
  const key = keyring.derive('booking networks');
  const hash = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, 16);
  const network = networkOf(ip);
  return Buffer.concat([hash(siteOf(ip) ?? network), hash(network)]);
}

import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isLoopbackHost } from '#kernel/loopback-host.ts';

/** Whether a request was made on this machine, and not passed on by a proxy on it. */
export function isFromThisMachine({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const address = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via;
  return forwarded === undefined && isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';
}

/** Whether it names this machine: a page elsewhere whose name was made to point here does not. */
export function namesThisMachine({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const hostname = URL.parse(`http://${headers.host}`)?.hostname ?? '';
  return isLoopbackHost(hostname);
}

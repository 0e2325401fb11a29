import type { Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkOf } from './limits.ts';

/** Of one IPv4 host or one IPv6 /64. */
export const socketsPerAddress = 256;

/**
 * One address cannot take all sockets. The same machine is exempt (a proxy in front comes from there), and behind a
 * configured proxy every socket is the proxy's.
 */
export function capSockets(server: Pick<Server, 'on'>, behindProxy: boolean): void {
  if (behindProxy) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isIP(address) === 0 || ipaddr.process(address).range() === 'loopback') return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    if (count > socketsPerAddress) socket.destroy();
  });
}

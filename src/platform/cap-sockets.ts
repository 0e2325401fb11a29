import type { Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkOf, networksPerSite, siteOf } from './limits.ts';

/** Sockets of one IPv4 host or one IPv6 /64. An IPv6 site has three times as many. */
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
    const counted: [string, number][] = [[networkOf(address), socketsPerAddress]];
    const site = siteOf(address);
    if (site !== null) counted.push([site, socketsPerAddress * networksPerSite]);
    const add = (key: string, more: 1 | -1) => {
      const count = (open.get(key) ?? 0) + more;
      if (count === 0) open.delete(key);
      else open.set(key, count);
      return count;
    };
    const isOver = counted.map(([key, most]) => add(key, 1) > most).includes(true);
    socket.once('close', () => {
      for (const [key] of counted) add(key, -1);
    });
    if (isOver) socket.destroy();
  });
}

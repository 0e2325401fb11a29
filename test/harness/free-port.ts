import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a free port, for a server whose address must be known before it listens, or that restarts. Ports below 32,768
 * are never assigned by a system. An assigned and released port goes to the next socket, and a restarting server would
 * find it taken.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

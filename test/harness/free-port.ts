import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of this machine that nobody has, for a server whose address must be known before it listens or that closes and
 * comes back. From below 32,768, where no system gives out ports by itself: one that was given out and let go is given to
 * the next socket that asks, and then the server that comes back finds it taken.
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

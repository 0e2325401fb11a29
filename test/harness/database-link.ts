import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestDatabase } from './test-app.ts';
import type { TestDatabase } from './test-cluster.ts';

/** `cut`: connections break. `silent`: they are taken and never answered. */
type LinkState = 'whole' | 'cut' | 'silent';

export interface DatabaseLink {
  /** The same database, by a network that can fail. */
  database: TestDatabase;
  set(state: LinkState): void;
}

/** A database of the test's own behind a network that the test decides about. */
export async function openDatabaseLink(): Promise<DatabaseLink> {
  const own = await createTestDatabase();
  const url = new URL(own.url);
  const socketPath = `${url.searchParams.get('host')}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  let state: LinkState = 'whole';
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    if (state === 'cut') socket.resetAndDestroy();
    if (state !== 'whole') return;
    const there = connect(socketPath);
    sockets.add(there);
    there.on('error', () => socket.destroy());
    socket.on('close', () => there.destroy());
    there.on('close', () => socket.destroy());
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    database: {
      url: `postgres://postgres@127.0.0.1:${port}${url.pathname}`,
      async close() {
        breakAll();
        server.close();
        await own.close();
      },
    },
    set(next) {
      state = next;
      breakAll();
    },
  };
}

import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountedRequest {
  atMs: number;
  method: string;
  path: string;
  /** Only where nothing is yet: `If-None-Match: *`. */
  isInsert: boolean;
  status: number;
}

/** A server as it is, with somebody at the door who writes down every request. */
export interface CountedServer {
  /** Where it is reached through the door. */
  url: string;
  ledger: CountedRequest[];
  close(): Promise<void>;
}

export async function countRequests(target: string): Promise<CountedServer> {
  const ledger: CountedRequest[] = [];
  const door = createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const isInsert = headers['if-none-match'] === '*';
    const entry = { atMs: Temporal.Now.instant().epochMilliseconds, method, path, isInsert, status: 0 };
    ledger.push(entry);
    const onward = send(new URL(path, target), { method, headers }, (answer) => {
      entry.status = answer.statusCode ?? 0;
      response.writeHead(entry.status, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}/`,
    ledger,
    close: async () => {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
    },
  };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drive, type Final, type Served } from './drive.ts';
import type { Reply, Request } from './exchange.ts';

export interface Listening {
  url: string;
  close: () => Promise<void>;
}

/** Serves an emulator on loopback, never elsewhere; `/_emu/` is its control plane. */
export async function listen<World>(served: Served<World>, port = 0): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000, noDelay: true }, (message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const body = chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString();
      drive(served, toRequest(message, body)).then(
        (outcome) => finish(outcome, response),
        (error: Error) => response.destroy(error),
      );
    });
    // A client that dies while it sends has not sent its request: nothing is applied.
    message.on('error', () => response.destroy());
  });
  server.maxRequestsPerSocket = 0;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function toRequest(message: IncomingMessage, body: string): Request {
  const target = message.url ?? '/';
  const mark = target.indexOf('?');
  return {
    method: message.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    headers: message.headers as Record<string, string | undefined>,
    body,
  };
}

function finish(outcome: Final, response: ServerResponse): void {
  switch (outcome.kind) {
    case 'reply':
      send(response, outcome.reply);
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'stall':
      return;
    case 'truncated': {
      const { reply, keep } = outcome;
      const body = Buffer.from(reply.body);
      response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length });
      response.write(body.subarray(0, Math.floor(body.length * keep)), () => response.socket?.destroySoon());
      return;
    }
    case 'slow':
      trickle(response, outcome.reply, outcome.bytesPerSecond);
      return;
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.destroyed) return;
  if (status === 204 || status === 304) response.writeHead(status, headers).end();
  else response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function trickle(response: ServerResponse, reply: Reply, bytesPerSecond: number): void {
  const body = Buffer.from(reply.body);
  response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length });
  let sent = 0;
  const step = Math.max(1, Math.floor(bytesPerSecond / 10));
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + step));
    sent += step;
    if (sent < body.length) return;
    clearInterval(timer);
    response.end();
  }, 100);
  response.on('close', () => clearInterval(timer));
}

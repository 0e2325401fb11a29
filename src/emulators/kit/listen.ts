import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopbackHost } from '#kernel/loopback-host.ts';
import { isControlPath } from './control.ts';
import { drive, type Final, type Served } from './drive.ts';
import type { Reply, Request } from './exchange.ts';

export interface Listening {
  url: string;
  close: () => Promise<void>;
}

/** Microsoft Graph takes 4 MB, and no emulated contract takes more. */
const mostBodyBytes = 4 * 1024 * 1024;
const mostConnections = 512;
/** Times within which a client sends its headers and its whole request, and between checks of both. */
const usualLimits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 };

/**
 * Serves an emulator on loopback, never elsewhere; `/_emu/` is its control plane. `key`: everything but the control plane is
 * below it, `/{key}/…`, and nothing is there for others: each program of the machine can reach the port.
 */
export async function listen<World>(
  served: Served<World>,
  port = 0,
  { key, ...limits }: Partial<typeof usualLimits> & { key?: string } = {},
): Promise<Listening> {
  const server = createServer(
    { keepAliveTimeout: 60_000, noDelay: true, ...usualLimits, ...limits },
    (message, response) => {
      // A client that dies while it sends has not sent its request: nothing is applied.
      message.on('error', () => response.destroy());
      const below = key === undefined || isControlPath(message.url ?? '') ? '' : `/${key}`;
      const refused = refusalOf(message) ?? (isBelow(message.url ?? '', below) ? null : 404);
      if (refused !== null) return refuse(message, response, refused);
      const chunks: Buffer[] = [];
      let bytes = 0;
      message.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= mostBodyBytes) chunks.push(chunk);
        else if (!response.headersSent) refuse(message, response, 413);
      });
      message.on('end', () => {
        if (response.headersSent) return;
        const body = chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString();
        drive(served, toRequest(message, body, below)).then(
          (outcome) => finish(outcome, response),
          (error: Error) => response.destroy(error),
        );
      });
    },
  );
  server.maxRequestsPerSocket = 0;
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${key === undefined ? '' : `/${key}`}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The status of a refusal that needs no body; null where there is none. A host name that only leads here may be of any
 * page, and a browser sends forms of any page.
 */
function refusalOf({ method = 'GET', headers }: IncomingMessage): 403 | 413 | 421 | null {
  if (!isLoopbackHost(URL.parse(`http://${headers.host}`)?.hostname ?? '')) return 421;
  if (Number(headers['content-length'] ?? 0) > mostBodyBytes) return 413;
  // other pages cannot add this header, as no answer here allows them to
  if (method === 'GET' || method === 'HEAD' || headers.authorization !== undefined) return null;
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn = (site === undefined || site === 'same-origin') && (origin === undefined || origin === `http://${host}`);
  return isOwn ? null : 403;
}

/** The rest of the request is dropped for a moment: a close at once could overtake the answer. */
/** Compares hashes, so that the time of an answer does not show how much of a key is right. */
function isBelow(target: string, below: string): boolean {
  const [start, then] = [target.slice(0, below.length), target.at(below.length)];
  return hash('sha256', start) === hash('sha256', below) && then === '/';
}

function refuse(message: IncomingMessage, response: ServerResponse, status: number): void {
  message.resume();
  response.writeHead(status, { connection: 'close', 'content-length': 0 }).flushHeaders();
  setTimeout(() => response.end(() => response.socket?.destroy()), 200);
}

function toRequest(message: IncomingMessage, body: string, below: string): Request {
  const target = (message.url ?? '/').slice(below.length);
  const mark = target.indexOf('?');
  return {
    method: message.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    // an emulator writes its own addresses by this name
    headers: { ...(message.headers as Record<string, string | undefined>), host: `${message.headers.host}${below}` },
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

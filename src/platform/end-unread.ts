import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#kernel/errors.ts';
import { isLoopback, networkOf } from './limits.ts';

/**
 * Ends a connection that reads nothing of its answer for this long, because the rest would stay in memory. An
 * unfinished answer, and a stream without news, continue.
 */
export function endUnread(response: ServerResponse, unreadMs: number): void {
  response.setTimeout(unreadMs);
  response.on('timeout', () => {
    if (response.socket !== null && response.socket.writableLength > 0) response.socket.destroy();
  });
}

/** Shorter answers are not counted. */
const countedFrom = 64 * 1024;
/** Bytes of answers that wait in memory until their callers take them. */
const mostBytes = { ofNetwork: 32 * 1024 * 1024, inAll: 256 * 1024 * 1024 };

/**
 * Bounds the memory of answers whose callers read slowly or not at all. Past the bound an answer is refused (`LIMITED`).
 * Files are read while they are sent, and are not counted.
 */
export function boundUnsent(server: FastifyInstance, most: typeof mostBytes = mostBytes): void {
  const unsent = new Map<string, number>();
  let inAll = 0;
  const add = (network: string, bytes: number) => {
    inAll += bytes;
    const sum = (unsent.get(network) ?? 0) + bytes;
    if (sum === 0) unsent.delete(network);
    else unsent.set(network, sum);
  };
  server.addHook('onSend', async (request, reply, payload) => {
    const bytes = sizeOf(payload);
    if (bytes < countedFrom) return payload;
    const network = networkOf(request.ip);
    // behind a proxy that does not say for whom it asks, all callers would be one network
    const room = isLoopback(request.ip) ? most.inAll : most.ofNetwork - (unsent.get(network) ?? 0);
    if (bytes > Math.min(room, most.inAll - inAll)) {
      for (const name of ['content-encoding', 'etag', 'cache-control']) reply.removeHeader(name);
      throw new AppError('limited', 'LIMITED', 'Too many requests. Try again in a moment.', { retryAfterMs: 5_000 });
    }
    add(network, bytes);
    // the last byte was handed to the system, or the connection is gone
    finished(reply.raw, () => add(network, -bytes));
    return payload;
  });
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : 0;
}

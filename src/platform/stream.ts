import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from './app.ts';
import type { FeedEntry } from './feed.ts';
import type { Sessions } from './session-cookie.ts';

const heartbeatMs = 15_000;
/** A stream outlives requests: this often it is seen to that its session does too, and the session that it is used. */
const recheckMs = 120_000;
/** Each open tab takes one. */
const streamsPerUser = 20;
/** A browser that does not read this much any more is let go; it comes back and is given what it missed. */
const unreadMostBytes = 1_048_576;
/** With `sessionIds`: ends the streams of those sessions in every process. */
export const sessionEndedTopic = 'session.ended';

/**
 * `GET /api/stream`: live updates of the person, as server-sent events. `id` returns as Last-Event-ID after a break;
 * `data` is `{"topic", "payload"}`; the topic `reset` means "read everything again". An event named `build` comes first
 * and names the served build, so that an older page can offer a reload.
 */
export function addStream(server: FastifyInstance, app: App, sessions: Sessions, build: string | undefined): void {
  const open = new Set<ServerResponse>();
  const countOf = new Map<UserId, number>();

  server.get('/api/stream', async (request, reply) => {
    const actor = await sessions.identify(request, reply);
    // keys are for calls: a stream belongs to a session, and ends with it
    if (!actor || actor.scopes !== undefined)
      throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'Authentication required');
    // Gone while we looked: its close would never be heard.
    if (request.raw.socket.destroyed) return reply.hijack();
    const { userId, sessionId } = actor;
    const count = (countOf.get(userId) ?? 0) + 1;
    if (count > streamsPerUser) {
      throw new AppError('limited', 'LIMITED', 'Too many open windows. Close one.', { retryAfterMs: 30_000 });
    }
    countOf.set(userId, count);
    const lastId = /^\d{1,15}$/.exec(String(request.headers['last-event-id'] ?? ''))?.[0];

    reply.hijack();
    const { raw } = reply;
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    raw.write('retry: 2000\n\n');
    if (build !== undefined) raw.write(`event: build\ndata: ${JSON.stringify(build)}\n\n`);
    open.add(raw);
    app.metrics.streams.inc();

    // The browser is told first: one that is only cut off comes back to ask, which takes it seconds.
    const leave = () => {
      if (!raw.writableEnded) raw.end(`data: ${JSON.stringify({ topic: sessionEndedTopic, payload: {} })}\n\n`);
    };
    const recheck = () => {
      sessions.identify(request, reply).then(
        (still) => {
          if (!still) leave();
        },
        (error: unknown) => request.log.warn({ err: error }, 'the session of a stream could not be looked at'),
      );
    };
    const tell = (entry: FeedEntry) => {
      if (raw.destroyed || raw.writableEnded) return;
      if (entry.topic === sessionEndedTopic) {
        if ((entry.payload.sessionIds as readonly string[]).includes(sessionId)) leave();
        return;
      }
      // Some entries were missed; the end of this session may be one of them.
      if (entry.topic === 'reset') recheck();
      raw.write(`id: ${entry.id}\ndata: ${JSON.stringify({ topic: entry.topic, payload: entry.payload })}\n\n`);
      if (raw.writableLength > unreadMostBytes) raw.destroy();
    };
    const subscription = app.feed.subscribe(userId, lastId === undefined ? 'recent' : Number(lastId), tell);
    const heartbeat = setInterval(() => {
      if (raw.writableLength > unreadMostBytes) raw.destroy();
      else raw.write(': \n\n');
    }, heartbeatMs);
    // Once now: what ended the session may have been said between our looking and our listening.
    recheck();
    const rechecks = setInterval(recheck, recheckMs);
    raw.once('close', () => {
      clearInterval(heartbeat);
      clearInterval(rechecks);
      subscription.close();
      open.delete(raw);
      app.metrics.streams.dec();
      const left = (countOf.get(userId) ?? 1) - 1;
      if (left === 0) countOf.delete(userId);
      else countOf.set(userId, left);
    });
  });

  server.addHook('preClose', async () => {
    for (const raw of open) raw.end();
  });
}

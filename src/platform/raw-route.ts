import type { FastifyInstance } from 'fastify';
import { isOneLine } from '#kernel/codecs.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from './app.ts';
import { type FairShare, isAwaited } from './fair-share.ts';
import { mostValuesIn, parseJson } from './http-input.ts';
import { networkOf } from './limits.ts';

/**
 * An address for others than our own clients: a provider's server that brings a notice, a calendar program that reads a
 * feed, a browser that a provider's page sends back with a form. No session counts here, so that other sites may send
 * people here; who calls proves itself by what it brings, and may send more than we know of.
 */
export interface RawRoute {
  method: 'GET' | 'POST';
  /** With `{name}` for parameters. */
  path: string;
  /** Largest body in bytes; default 256 KiB. */
  bodyLimit?: number;
  /** The limit of a caller that its address proves. Others have to announce how much they send. */
  provedBody?: { bytes: number; isProved(app: App, query: RawCall['query']): boolean };
  handle(app: App, call: RawCall): Promise<RawAnswer>;
}

export interface RawCall {
  params: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | undefined>>;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  /** As it came: a signature may cover it. */
  bytes: Uint8Array;
  /** The body as JSON, of at most so many values. *Errors*: AppError invalid, too-large. */
  json(mostElements?: number): unknown;
}

export interface RawAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export const defaultBodyLimit = 256 * 1024;

export function addRawRoutes(
  server: FastifyInstance,
  app: App,
  routes: readonly RawRoute[],
  share: FairShare,
): Promise<void> {
  return Promise.resolve(
    server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      for (const route of routes) {
        scope.route({
          method: route.method,
          url: route.path.replace(/\{([^{}]+)\}/g, ':$1'),
          bodyLimit: route.provedBody?.bytes ?? route.bodyLimit ?? defaultBodyLimit,
          async onRequest(request) {
            const { provedBody, bodyLimit = defaultBodyLimit } = route;
            if (!provedBody || provedBody.isProved(app, singles(request.query))) return;
            const { 'content-length': announced, 'transfer-encoding': coding } = request.headers;
            if (coding !== undefined || Number(announced ?? 0) > bodyLimit) {
              throw new AppError('too-large', 'TOO_LARGE', 'The request is too large.');
            }
          },
          async handler(request, reply) {
            const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
            const params = request.params as Record<string, string>;
            if (!Object.values(params).every(isOneLine)) {
              throw new AppError('not-found', 'NOT_FOUND', 'Not found.');
            }
            const answer = await share.run(
              networkOf(request.ip),
              () =>
                route.handle(app, {
                  params,
                  query: singles(request.query),
                  headers: singles(request.headers),
                  bytes,
                  json: (mostElements = mostValuesIn(defaultBodyLimit)) => parseJson(bytes, mostElements),
                }),
              () => isAwaited(request),
            );
            // content for other programs must never run as a page of ours
            return reply
              .headers({ 'x-content-type-options': 'nosniff', ...answer.headers })
              .code(answer.status)
              .send(typeof answer.body === 'object' ? Buffer.from(answer.body) : (answer.body ?? ''));
          },
        });
      }
    }),
  );
}

/** Returns the values that were sent once. Repeated ones are dropped, because honest clients never repeat them. */
function singles(given: unknown): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}

import type { FastifyInstance } from 'fastify';
import type { App } from './app.ts';
import { parseJson } from './http-input.ts';

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
  handle(app: App, call: RawCall): Promise<RawAnswer>;
}

export interface RawCall {
  params: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | undefined>>;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  /** As it came: a signature may cover it. */
  bytes: Uint8Array;
  /** The body as JSON. *Errors*: AppError invalid. */
  json(): unknown;
}

export interface RawAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export function addRawRoutes(server: FastifyInstance, app: App, routes: readonly RawRoute[]): Promise<void> {
  return Promise.resolve(
    server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      for (const route of routes) {
        scope.route({
          method: route.method,
          url: route.path.replace(/\{([^{}]+)\}/g, ':$1'),
          ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
          async handler(request, reply) {
            const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
            const answer = await route.handle(app, {
              params: request.params as RawCall['params'],
              query: singles(request.query),
              headers: singles(request.headers),
              bytes,
              json: () => parseJson(bytes),
            });
            // what somebody else's program reads is never run as a page of ours
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

/** Of what was sent more than once, nothing is taken: nobody who means well does it. */
function singles(given: unknown): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}

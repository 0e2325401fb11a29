import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { AppError } from '#kernel/errors.ts';
import type { App } from './app.ts';
import { isSameSecret } from './crypto.ts';
import { isFromThisMachine } from './this-machine.ts';

/** What whoever runs an install asks: does it live, can it serve, how is it doing. */
export function addOperations(server: FastifyInstance, app: App): void {
  server.get('/healthz', async () => ({ status: 'ok' }));

  server.get('/readyz', async (request) => {
    try {
      await sql`select 1`.execute(app.db);
    } catch (cause) {
      request.log.warn({ err: cause }, 'not ready: the database does not answer');
      throw new AppError('unavailable', 'UNAVAILABLE', 'The database does not answer.', { cause, retryAfterMs: 5_000 });
    }
    return { status: 'ready' };
  });

  server.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, app.config.metricsToken))
      throw new AppError('not-found', 'NOT_FOUND', 'There is nothing here.');
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics());
  });
}

/** With the token from anywhere; without one from this machine, and not through a proxy on it. */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined) return given !== undefined && isSameSecret(given, token);
  return isFromThisMachine(request);
}

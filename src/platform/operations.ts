import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { AppError } from '#kernel/errors.ts';
import type { App } from './app.ts';
import { isSameSecret } from './crypto.ts';
import { sqlStateOf } from './db.ts';
import { noWrites } from './sql-states.ts';
import { nothingHere, requireOperator } from './this-machine.ts';

export interface Readiness {
  /** *Errors*: AppError unavailable. */
  check(): Promise<void>;
  /** A write failed for want of space: the next check tries one. */
  doubtWrites(): void;
}

/** How long a write that worked stands for the next ones. */
const writesTrustedMs = 60_000;
const retryAfterMs = 5_000;

/** Whether requests can be served: the database answers and takes writes. */
export function createReadiness({ db }: Pick<App, 'db'>): Readiness {
  let writesTrustedUntilMs = 0;
  return {
    doubtWrites() {
      writesTrustedUntilMs = 0;
    },
    async check() {
      try {
        await sql`select 1`.execute(db);
      } catch (cause) {
        throw new AppError('unavailable', 'UNAVAILABLE', 'The database does not answer.', { cause, retryAfterMs });
      }
      if (performance.now() < writesTrustedUntilMs) return;
      try {
        // a new file of one page: a full disk has no room for it, though other tables may have free pages
        await sql`create temporary table holdfast_readiness on commit drop as select 1 as one`.execute(db);
      } catch (cause) {
        if (!noWrites.has(sqlStateOf(cause) ?? '')) throw cause;
        throw new AppError('unavailable', 'UNAVAILABLE', 'The database takes no writes.', { cause, retryAfterMs });
      }
      writesTrustedUntilMs = performance.now() + writesTrustedMs;
    },
  };
}

/** The operator's endpoints: liveness, readiness, and metrics. */
export function addOperations(server: FastifyInstance, app: App, readiness: Readiness): void {
  server.get('/healthz', async () => ({ status: 'ok' }));

  server.get('/readyz', async (request) => {
    try {
      await readiness.check();
    } catch (cause) {
      request.log.warn({ err: cause }, 'not ready');
      throw cause;
    }
    return { status: 'ready' };
  });

  server.get('/metrics', async (request, reply) => {
    const { metricsToken } = app.config;
    if (metricsToken === undefined) requireOperator(app, request, reply);
    else requireToken(request, metricsToken);
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics());
  });
}

function requireToken({ headers }: FastifyRequest, token: string): void {
  const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (given === undefined || !isSameSecret(given, token)) throw nothingHere();
}

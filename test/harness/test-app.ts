import { randomBytes } from 'node:crypto';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { inject } from 'vitest';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { App, Role } from '#platform/app.ts';
import type { Clock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import type { Feature } from '#platform/feature.ts';
import type { SafeFetch } from '#platform/fetch.ts';
import { createHttpServer, type HttpOptions } from '#platform/http.ts';
import { createLog, type Log } from '#platform/log.ts';
import { openApp } from '#platform/open-app.ts';
import { cloneTemplate, type TestDatabase } from './test-cluster.ts';
import { waitFor } from './wait-for.ts';

/** A database of the test file's own. Close it in `afterAll`. */
export function createTestDatabase(): Promise<TestDatabase> {
  return cloneTemplate(inject('clusterUrl'));
}

export interface TestAppOptions {
  /** All of the product by default. */
  features?: readonly Feature[];
  http?: HttpOptions;
  /** `all` by default: jobs run. */
  role?: Role;
  clock?: Clock;
  fetch?: SafeFetch;
  apiFetch?: ApiFetch;
  config?: Partial<Config>;
  log?: Log;
  /** To share secrets with another process. */
  encryptionKeys?: string;
  /** One to share with another app; it is then not closed with this one. */
  database?: TestDatabase;
  /** Fifty calls at once on a busy machine wait longer for each other than people would: 30 s by default. */
  patienceMs?: number;
  /** `sent`: scheduled jobs run at the start and at each beat, as in the product. They are most of the work of a start. */
  beats?: 'sent';
  /** `limited`: as the product has them. On a busy machine a statement takes longer than one of a request may. */
  statements?: 'limited';
}

export interface TestApp {
  app: App;
  database: TestDatabase;
  /** A request without a network. */
  inject(options: InjectOptions): Promise<LightMyRequestResponse>;
  /** Served routes, with `:name` for parameters. */
  routes(): readonly { method: string; url: string }[];
  /** Listens on a free port of this machine, for what needs a real connection. */
  listen(): Promise<string>;
  /** Waits until no job runs or is due; what is scheduled for later stays. */
  settle(timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** A test names the pages that it asks for: those in `dist` may be of another state of the sources. */
const notBuilt = { webRoot: '/nonexistent', pageRoot: '/nonexistent' };

/** The real thing on a database of its own: only the clock, the network and the features may be chosen. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { role = 'all', clock, fetch, apiFetch, patienceMs = 30_000 } = options;
  const features = options.features ?? (await import('../../src/features.ts')).features;
  const database = options.database ?? (await createTestDatabase());
  const log = options.log ?? (await createLog({ level: process.env.TEST_LOG_LEVEL ?? 'silent', format: 'json' }));
  const config: Config = {
    ...loadConfig({
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: 'http://localhost',
      DATA_DIR: '/nonexistent',
    }),
    role,
    // the outbox of a test is read as mail
    canMail: true,
    ...options.config,
  };
  const opened = await openApp({
    config,
    databaseUrl: database.url,
    encryptionKeys: options.encryptionKeys ?? `test:${randomBytes(32).toString('base64')}`,
    log,
    features: options.beats === 'sent' ? features : features.map((feature) => ({ ...feature, schedules: [] })),
    patienceMs,
    ...(options.statements === 'limited' ? {} : { statementMs: 60_000 }),
    ...(clock === undefined ? {} : { clock }),
    ...(fetch === undefined ? {} : { fetch }),
    ...(apiFetch === undefined ? {} : { apiFetch }),
  });
  const server =
    role === 'worker'
      ? undefined
      : await createHttpServer(opened.app, features, { callsAtATime: 1_000, ...notBuilt, ...options.http });
  if (role !== 'web') await opened.work();
  const needServer = () => {
    if (server === undefined) throw new Error('a worker serves no requests');
    return server;
  };
  return {
    app: opened.app,
    database,
    inject: (request) => needServer().fastify.inject(request),
    routes: () => needServer().routes,
    listen: () => needServer().listen(),
    async settle(timeoutMs = 30_000) {
      const isIdle = async () => (await opened.app.jobs.countPending()) === 0;
      await waitFor('an empty job queue', isIdle, { timeoutMs, intervalMs: 10 }).catch(async (error: unknown) => {
        const queues = JSON.stringify(await opened.app.jobs.listQueues());
        throw new Error(`The job queue is not empty: ${queues}`, { cause: error });
      });
    },
    async close() {
      await server?.close();
      await opened.stopWork(500);
      await opened.close();
      if (options.database === undefined) await database.close();
    },
  };
}

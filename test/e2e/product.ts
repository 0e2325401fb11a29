import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { freePort } from '../harness/free-port.ts';
import { startSmtpServer, type TestSmtpServer } from '../harness/smtp-server.ts';
import { type Holdfast, spawnHoldfast } from '../harness/spawn-holdfast.ts';
import { cloneTemplate } from '../harness/test-cluster.ts';
import { clusterOfRun } from './cluster-of-run.ts';

/** The product as its owner runs it: one process, its own data directory. */
export interface Product {
  url: string;
  /** URL of the database; empty with embedded PostgreSQL. */
  databaseUrl: string;
  /** Output of the current process. */
  output(): string;
  /** Where its mail goes. */
  smtp: TestSmtpServer;
  /** kill -9, then a new process on the same data and port. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startProduct(options: {
  allow: string[];
  env?: Record<string, string | undefined>;
  /** Under which name browsers reach this machine. */
  host?: 'localhost' | '127.0.0.1';
  /** With a PostgreSQL of its own that it makes, migrates and takes along: 3 s more than a clone in that of the run. */
  embedded?: boolean;
  /** Entry file in place of `src/main.ts`. */
  entry?: string;
}): Promise<Product> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-journey-'));
  const port = await freePort();
  const url = `http://${options.host ?? '127.0.0.1'}:${port}`;
  const smtp = await startSmtpServer();
  const database = options.embedded ? undefined : await cloneTemplate(clusterOfRun());
  const env = {
    DATABASE_URL: database?.url,
    PORT: String(port),
    PUBLIC_URL: url,
    HOST: '127.0.0.1',
    DATA_DIR: dir,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    CALDAV_ALLOW_PRIVATE: options.allow.map((address) => new URL(address).host).join(','),
    LOG_LEVEL: 'warn',
    SMTP_URL: smtp.url,
    ...options.env,
  };
  const start = { env, ...(options.entry === undefined ? {} : { entry: options.entry }) };
  let running: Holdfast | undefined = await spawnHoldfast(start);
  const end = async (signal: NodeJS.Signals) => {
    running?.kill(signal);
    await running?.exited;
    running = undefined;
  };
  return {
    url,
    databaseUrl: database?.url ?? '',
    output: () => running?.output() ?? '',
    smtp,
    crash: () => end('SIGKILL'),
    async restart() {
      running = await spawnHoldfast(start);
    },
    async stop() {
      // only a process that ends regularly stops its PostgreSQL
      if (running === undefined) running = await spawnHoldfast(start);
      else if (hasFailed()) process.stdout.write(`The product's own words:\n${running.output().slice(-20_000)}\n`);
      await end('SIGTERM');
      await smtp.close();
      await database?.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Whether the journey that ends did not go as it should; what fills a product for pictures is none. */
function hasFailed(): boolean {
  try {
    const { status, expectedStatus } = test.info();
    return status !== expectedStatus;
  } catch {
    return false;
  }
}

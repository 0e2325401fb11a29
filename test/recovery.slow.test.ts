import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Holdfast, killAll, runToEnd, spawnHoldfast } from './harness/spawn-holdfast.ts';
import { waitFor } from './harness/wait-for.ts';

/** The product on its private PostgreSQL, with processes killed under it: nothing acknowledged may be lost. */

let dataDir: string;

const start = (args: string[] = []) =>
  spawnHoldfast({ entry: 'test/harness/probe.ts', args, env: { DATA_DIR: dataDir } });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hf-crash-'));
});
afterEach(async () => {
  killAll();
  for (const pid of await clusterPids()) process.kill(pid, 'SIGKILL');
  await waitFor('the end of PostgreSQL', async () => (await clusterPids()).length === 0);
  await rm(dataDir, { recursive: true, force: true });
});

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** The postmaster and its children: every process that works in the cluster's directory. */
async function clusterPids(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (cwd === join(dataDir, 'postgres/data')) found.push(Number(pid));
  }
  return found;
}

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ host: join(dataDir, 'postgres/run'), user: 'postgres', database: 'holdfast' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function sendProbe(holdfast: Holdfast, key: string, ms: number): Promise<void> {
  const answer = await fetch(`${holdfast.url}/api/probe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key, ms }),
  });
  expect(answer.status).toBe(200);
}

const attempts = (key: string) =>
  query<{ attempt: number; ended_at: Date | null }>('select * from public.probe where key = $1 order by attempt', [
    key,
  ]);

const waitForRun = (key: string) => waitFor(`${key} to run`, async () => (await attempts(key)).length === 1);
const waitForEnd = (key: string, attempt: number, timeoutMs = 30_000) =>
  waitFor(
    `the end of attempt ${attempt} at ${key}`,
    async () => (await attempts(key)).some((run) => run.attempt === attempt && run.ended_at !== null),
    { timeoutMs },
  );
/** 0.7 s on a quiet machine; heartbeats run out after 10 s. */
const atOnceMs = 6_000;

describe('killed processes', () => {
  it('a restart after a kill of Node adopts the running PostgreSQL and reruns the interrupted job', async () => {
    const first = await start();
    const pid = await postmasterPid();
    await sendProbe(first, 'a', 120_000);
    await waitForRun('a');
    first.kill('SIGKILL');
    await first.exited;
    const second = await start();
    expect(await postmasterPid()).toBe(pid);
    await waitForEnd('a', 1, atOnceMs);
    second.kill('SIGTERM');
    expect(await second.exited).toBe(0);
    expect(await clusterPids()).toEqual([]);
  });

  it('a killed PostgreSQL is restarted, and the interrupted job runs again', async () => {
    const holdfast = await start();
    await sendProbe(holdfast, 'b', 120_000);
    await waitForRun('b');
    const pid = await postmasterPid();
    process.kill(pid, 'SIGKILL');
    await waitFor('PostgreSQL to be back', () => query('select'));
    await waitForEnd('b', 1, atOnceMs);
    expect(await postmasterPid()).not.toBe(pid);
    await waitFor('the process to be ready', async () => (await fetch(`${holdfast.url}/readyz`)).status === 200);
    await sendProbe(holdfast, 'c', 0);
    await waitForEnd('c', 0);
    holdfast.kill('SIGTERM');
    expect(await holdfast.exited).toBe(0);
  });

  it('all processes killed three times during inserts lose no acknowledged row', async () => {
    let acknowledged = 0;
    for (let round = 0; round < 3; round += 1) {
      const holdfast = await start();
      await query('create table if not exists public.kept (n int primary key)');
      const [found] = await query<{ count: number }>('select count(*)::int as count from public.kept');
      expect(found?.count).toBeGreaterThanOrEqual(acknowledged);
      acknowledged = found?.count ?? 0;
      const client = new pg.Client({ host: join(dataDir, 'postgres/run'), user: 'postgres', database: 'holdfast' });
      client.on('error', () => undefined);
      await client.connect();
      const inserting = (async () => {
        for (;;) {
          await client.query('insert into public.kept values ($1)', [acknowledged]);
          acknowledged += 1;
        }
      })().catch(() => undefined);
      const before = acknowledged;
      await waitFor('40 more rows', () => acknowledged >= before + 40, { intervalMs: 1 });
      for (const pid of [holdfast.pid, ...(await clusterPids())]) process.kill(pid, 'SIGKILL');
      await Promise.all([inserting, holdfast.exited]);
    }
    const last = await start();
    const rows = await query<{ n: number }>('select n from public.kept order by n');
    expect(acknowledged).toBeGreaterThan(100);
    // The row in flight when the lights went out may be there or not; every acknowledged one is.
    expect(rows.slice(0, acknowledged).map((row) => row.n)).toEqual(Array.from({ length: acknowledged }, (_, n) => n));
    expect(rows.length - acknowledged).toBeLessThanOrEqual(1);
    last.kill('SIGTERM');
    expect(await last.exited).toBe(0);
  }, 60_000);

  it('a killed bootstrap stops the server and the PostgreSQL behind it', async () => {
    const bootstrap = spawn(process.execPath, ['scripts/bootstrap.mjs', 'start'], {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'test' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    bootstrap.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    await waitFor('the server to be ready', () => output.includes('Holdfast is ready'), { timeoutMs: 60_000 });
    bootstrap.kill('SIGKILL');
    await waitFor('the end of PostgreSQL', async () => (await clusterPids()).length === 0);
  }, 70_000);
});

describe('several processes on one data directory', () => {
  // two starts and two stops, which took 20 s beside fifteen other busy processes
  it('two processes on one data directory share PostgreSQL, and the last one stops it', {
    timeout: 90_000,
  }, async () => {
    const [web, worker] = await Promise.all([start(['--role', 'web']), start(['--role', 'worker'])]);
    await sendProbe(web, 'd', 0);
    await waitForEnd('d', 0);
    web.kill('SIGTERM');
    expect(await web.exited).toBe(0);
    expect((await clusterPids()).length).toBeGreaterThan(0);
    worker.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    expect(await clusterPids()).toEqual([]);
  });
});

describe('failing starts', () => {
  let server: ReturnType<typeof createServer>;
  let port: number;
  beforeAll(async () => {
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  });
  afterAll(() => void server.close());

  it('a start on a taken port fails with one line and starts nothing', async () => {
    const { code, output } = await runToEnd(['src/main.ts'], { PORT: `${port}`, HOST: '127.0.0.1', DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^Port \d+ is taken: .*PORT=\d+ npm start$/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('a start with a wrong setting fails with one line that names it', async () => {
    const { code, output } = await runToEnd(['src/main.ts'], { LOG_LEVEL: 'loud', DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      'LOG_LEVEL is not usable: expected one of trace, debug, info, warn, error, fatal, silent',
    );
  });
});

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Holdfast, killAll, runToEnd, spawnHoldfast } from './harness/spawn-holdfast.ts';
import { createTestDatabase } from './harness/test-app.ts';
import type { TestDatabase } from './harness/test-cluster.ts';
import { waitFor } from './harness/wait-for.ts';

/** Two web and two worker processes on one database: real processes, nothing shared but Postgres. */

let database: TestDatabase;
let client: pg.Client;
let webs: Holdfast[];
let workers: Holdfast[];

interface ProbeRow {
  key: string;
  pid: number;
  attempt: number;
  started_at: Date;
  ended_at: Date | null;
}

const spawnRole = (role: string) =>
  spawnHoldfast({
    entry: 'test/harness/probe.ts',
    args: ['--role', role],
    env: { DATABASE_URL: database.url, ENCRYPTION_KEYS: keys },
  });
const keys = `k1:${randomBytes(32).toString('base64')}`;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const [one, two, three, four] = await Promise.all(['web', 'web', 'worker', 'worker'].map(spawnRole));
  webs = [one, two] as Holdfast[];
  workers = [three, four] as Holdfast[];
}, 60_000);
afterAll(async () => {
  killAll();
  await client.end();
  await database.close();
});

async function call(path: string, body: unknown, at = 0, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${webs[at]?.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function rows(key: string): Promise<ProbeRow[]> {
  const found = await client.query<ProbeRow>('select * from public.probe where key like $1 order by started_at', [key]);
  return found.rows;
}

describe('two web and two worker processes on one database', () => {
  it('two web processes share sessions', async () => {
    const account = { email: 'ada@example.org', password: 'correct horse battery staple' };
    const signedUp = await call('/auth/signup', account, 0);
    expect(signedUp.status).toBe(201);
    await client.query('update accounts.users set email_verified_at = now()'); // as the mail's link does
    const signedIn = await call('/auth/login', { ...account, app: 'user' }, 0);
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers
      .getSetCookie()
      .map((text) => text.split(';', 1)[0])
      .join('; ');
    const known = await fetch(`${webs[1]?.url}/auth/profile`, { headers: { cookie, accept: 'application/json' } });
    expect(known.status).toBe(200);
    expect(await known.text()).toContain('ada@example.org');
    const stranger = await fetch(`${webs[1]?.url}/auth/profile`, { headers: { accept: 'application/json' } });
    expect(stranger.status).toBe(401);
  });

  it('every job sent by two web processes runs in exactly one worker, and both workers take part', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `once-${n}`);
    const answers = await Promise.all(names.map((key, n) => call('/api/probe', { key, ms: 40 }, n % 2)));
    expect(answers.map((answer) => answer.status)).toEqual(names.map(() => 200));
    const ended = async () => (await rows('once-%')).filter((row) => row.ended_at !== null);
    await waitFor('the end of all 40 jobs', async () => (await ended()).length >= 40);
    const found = await rows('once-%');
    expect(found.map((row) => row.key).toSorted()).toEqual(names.toSorted());
    const pids = new Set(found.map((row) => row.pid));
    expect(pids).toEqual(new Set(workers.map((worker) => worker.pid)));
  });

  it('a job of a killed worker moves to another worker, and web processes continue', async () => {
    await call('/api/probe', { key: 'orphan', ms: 120_000 });
    await waitFor('the job to run', async () => (await rows('orphan')).length === 1);
    const [first] = await rows('orphan');
    const victim = workers.find((worker) => worker.pid === first?.pid) as Holdfast;
    const survivor = workers.find((worker) => worker !== victim) as Holdfast;
    victim.kill('SIGKILL');
    await victim.exited;
    // The survivor cannot know that the other one is gone before its heartbeats run out (10 s, looked at every 5 s).
    const hasEndedBy = async (key: string, { pid }: Holdfast) =>
      (await rows(key)).some((row) => row.pid === pid && row.ended_at !== null);
    await waitFor('its end in the other worker', () => hasEndedBy('orphan', survivor), { timeoutMs: 25_000 });

    await call('/api/probe', { key: 'alone', ms: 120_000 });
    await waitFor('the job to run', async () => (await rows('alone')).length === 1);
    survivor.kill('SIGKILL');
    await survivor.exited;
    const next = await spawnRole('worker');
    // 0.7 s after the kill on a quiet machine; what waits for heartbeats waits 10 s
    await waitFor('its end in the next worker', () => hasEndedBy('alone', next), { timeoutMs: 6_000 });
    expect((await fetch(`${webs[0]?.url}/healthz`)).status).toBe(200);
    next.kill('SIGTERM');
    expect(await next.exited).toBe(0);
  }, 60_000);

  it('web and worker processes stop cleanly, also with a running job', async () => {
    const worker = await spawnRole('worker');
    await call('/api/probe', { key: 'long', ms: 120_000 });
    await waitFor('the job to run', async () => (await rows('long')).length === 1);
    const startMs = performance.now();
    worker.kill('SIGTERM');
    for (const web of webs) web.kill('SIGINT');
    expect(await Promise.all([worker, ...webs].map((holdfast) => holdfast.exited))).toEqual([0, 0, 0]);
    // 3 s are for what is in hand; Docker kills after ten
    expect(performance.now() - startMs).toBeLessThan(10_000);
    const { rows: left } = await client.query(
      "select state from jobs.job where name = 'probe.run' and singleton_key = 'long'",
    );
    expect(left).toEqual([{ state: 'retry' }]);
  }, 30_000);
});

describe('a process with the role migrate', () => {
  const migrate = (url: string) =>
    runToEnd(['src/main.ts', '--role', 'migrate'], {
      DATABASE_URL: url,
      ENCRYPTION_KEYS: keys,
      BACKUP_BEFORE_UPGRADE: 'false',
    });

  it('brings an empty database up to date, ends, and can run again', async () => {
    const name = `empty_${randomBytes(4).toString('hex')}`;
    await client.query(`create database ${name} template template0`);
    const url = database.url.replace(/\/[^/?]+\?/, `/${name}?`);
    const tables = async (address: string) => {
      const other = new pg.Client({ connectionString: address });
      await other.connect();
      const { rows } = await other.query<{ name: string }>(
        `select schemaname || '.' || tablename as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema', 'public') order by 1`,
      );
      await other.end();
      return rows.map((row) => row.name);
    };
    for (const round of [1, 2]) {
      const { code, output } = await migrate(url);
      expect([round, code, output]).toEqual([round, 0, expect.stringContaining('The database is up to date.')]);
      expect(output).not.toContain('Holdfast is ready');
    }
    const made = await tables(url);
    expect(made).toContain('booking.bookings');
    expect(made).toEqual((await tables(database.url)).filter((table) => !table.startsWith('jobs.')));
    await client.query(`drop database ${name} with (force)`);
  });

  it('says in one line that no database answers, and fails', async () => {
    const { code, output } = await migrate('postgres://nobody@127.0.0.1:1/none');
    expect(code).toBe(1);
    expect(output.trim()).toBe('No PostgreSQL answers at 127.0.0.1:1: start it, or correct DATABASE_URL');
  });
});

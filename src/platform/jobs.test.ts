import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestDatabase } from '../../test/harness/test-app.ts';
import type { TestDatabase } from '../../test/harness/test-cluster.ts';
import type { App } from './app.ts';
import { type DatabaseHandle, openDatabase } from './db.ts';
import { type AnyJob, createJobs, defineJob, type JobsHandle } from './jobs.ts';
import { createLog } from './log.ts';

const log = await createLog({ level: 'silent', format: 'json' });
const app = {} as App;
const anything = z.object({ n: z.number() });

let database: TestDatabase;
let handle: DatabaseHandle;
const open: JobsHandle[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  handle = openDatabase({ url: database.url, log });
});
afterAll(async () => {
  await Promise.all(open.map((jobs) => jobs.close(100)));
  await handle.close();
  await database.close();
});

async function start(jobs: AnyJob[], work = true): Promise<JobsHandle> {
  const made = createJobs({ url: database.url, log, jobs });
  open.push(made);
  await made.start();
  if (work) await made.work(app);
  return made;
}

async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 5000): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error('waited in vain');
    await sleep(5);
  }
}

describe('jobs', () => {
  it('jobs start within milliseconds after being sent, in the same process and in another', async () => {
    const waits: number[] = [];
    const job = defineJob({
      name: 'test.latency',
      payload: z.object({ sentMs: z.number() }),
      handle: async (_, { sentMs }) => void waits.push(performance.now() - sentMs),
    });
    const worker = await start([job]);
    const web = await start([job], false);
    for (const sender of [worker, web]) {
      waits.length = 0;
      for (let n = 0; n < 40; n += 1) {
        await sender.send(job, { sentMs: performance.now() });
        await until(() => waits.length === n + 1);
      }
      const sorted = waits.toSorted((a, b) => a - b);
      // 3 ms on a quiet machine; a poll interval instead of a notice would be a second.
      expect(sorted[20]).toBeLessThan(50);
    }
  });

  it('jobs exist only if the transaction that sent them commits', async () => {
    const ran: number[] = [];
    const job = defineJob({ name: 'test.tx', payload: anything, handle: async (_, { n }) => void ran.push(n) });
    const jobs = await start([job]);
    await expect(
      handle.db.transaction().execute(async (tx) => {
        await jobs.send(job, { n: 1 }, { tx });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await handle.db.transaction().execute(async (tx) => {
      await jobs.send(job, { n: 2 }, { tx });
      await sleep(50);
      expect(ran).toEqual([]);
    });
    await until(() => ran.length > 0);
    expect(ran).toEqual([2]);
  });

  it('jobs with one key never run at once, and a busy key does not block other keys', async () => {
    const running = new Map<string, number>();
    const runs: string[] = [];
    let worst = 0;
    const job = defineJob({
      name: 'test.stately',
      payload: z.object({ key: z.string() }),
      policy: 'stately',
      concurrency: 4,
      handle: async (_, { key }) => {
        running.set(key, (running.get(key) ?? 0) + 1);
        worst = Math.max(worst, running.get(key) ?? 0);
        runs.push(key);
        await sleep(key === 'slow' ? 300 : 10);
        running.set(key, (running.get(key) ?? 0) - 1);
      },
    });
    const [one] = await Promise.all([start([job]), start([job])]);
    await one.send(job, { key: 'slow' }, { key: 'slow' });
    await until(() => runs.length === 1);
    await one.send(job, { key: 'slow' }, { key: 'slow' }); // waits for the first one
    const sentMs = performance.now();
    const burst = Array.from({ length: 60 }, (_, n) => `k${n % 6}`);
    await Promise.all(burst.map((key) => one.send(job, { key }, { key })));
    await until(() => [0, 1, 2, 3, 4, 5].every((n) => runs.includes(`k${n}`)));
    expect(performance.now() - sentMs).toBeLessThan(2000);
    await until(async () => (await one.countPending()) === 0);
    expect(worst).toBe(1);
    expect(runs.filter((key) => key === 'slow')).toHaveLength(2);
    expect(runs.length).toBeLessThan(45); // most of the 62 sends were coalesced
  });

  it('a job sees the change of a sender whose job was coalesced with a waiting one', async () => {
    // Without holding the waiting job, it runs before the second sender commits and nobody looks again.
    const seen: number[] = [];
    await handle.db.schema.createTable('platform.seen_test').addColumn('n', 'integer').execute();
    const job = defineJob({
      name: 'test.look-again',
      payload: z.object({}),
      policy: 'stately',
      handle: async () => {
        const { rows } = await handle.pool.query('select count(*)::int as n from platform.seen_test');
        seen.push(rows[0].n);
      },
    });
    const jobs = await start([job], false);
    await jobs.send(job, {}, { key: 'k', startAfterMs: 60_000 });
    const worker = createJobs({ url: database.url, log, jobs: [job] });
    open.push(worker);
    await worker.start();
    await handle.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('platform.seen_test' as never)
        .values({ n: 1 } as never)
        .execute();
      expect(await jobs.send(job, {}, { key: 'k', tx })).toBeNull();
      await worker.work(app);
      await sleep(200);
      expect(seen).toEqual([]);
    });
    await until(() => seen.length > 0);
    expect(seen).toEqual([1]);
  });

  it('jobs of one batch are coalesced by key and stored exactly as pg-boss stores them', async () => {
    const stately = { payload: anything, policy: 'stately', handle: async () => undefined } as const;
    const first = defineJob({ name: 'test.batch-one', ...stately });
    const second = defineJob({ name: 'test.batch-two', ...stately });
    const plain = defineJob({ name: 'test.batch-plain', payload: anything, handle: async () => undefined });
    const jobs = await start([first, second, plain], false);
    await jobs.send(first, { n: 1 }, { key: '1', startAfterMs: 60_000 });
    const more = { payload: { n: 1 }, startAfterMs: 30_000 };
    await jobs.sendAll([
      { job: plain, ...more },
      { job: second, ...more, key: '1' },
      { job: first, ...more, key: '1' },
      { job: second, ...more, key: '1' },
      { job: plain, ...more },
      { job: first, ...more, key: '2' },
    ]);
    const { rows } = await handle.pool.query(
      `select name, singleton_key as key, extract(epoch from start_after - now())::int > 40 as late
         from jobs.job where name like 'test.batch-%' order by name, key`,
    );
    expect(rows).toEqual([
      { name: 'test.batch-one', key: '1', late: false },
      { name: 'test.batch-one', key: '2', late: false },
      { name: 'test.batch-plain', key: null, late: false },
      { name: 'test.batch-plain', key: null, late: false },
      { name: 'test.batch-two', key: '1', late: false },
    ]);
    // it is inserted as pg-boss itself would have done
    await jobs.send(plain, { n: 2 }, { key: 'ours', priority: 3, startAfterMs: 60_000 });
    const boss = new PgBoss({ connectionString: database.url, schema: 'jobs', supervise: false, schedule: false });
    boss.on('error', () => undefined);
    await boss.start();
    const like = { singletonKey: 'theirs', group: { id: 'theirs' }, priority: 3, startAfter: 60 };
    await boss.send('test.batch-plain', { n: 2 }, like);
    await boss.stop({ graceful: false });
    const { rows: both } = await handle.pool.query<{ row: object }>(
      `select to_jsonb(j) - '{id,singleton_key,group_id,start_after,created_on,keep_until}'::text[] ||
          jsonb_build_object('kept', keep_until - start_after, 'waits', start_after - created_on) as row
         from jobs.job j where name = 'test.batch-plain' and singleton_key is not null`,
    );
    expect(both).toHaveLength(2);
    expect(both[0]).toEqual(both[1]);
  });

  it('a delayed job starts when its delay is over', async () => {
    let startedMs = 0;
    const job = defineJob({
      name: 'test.delay',
      payload: z.object({}),
      handle: async () => {
        startedMs = performance.now();
      },
    });
    const jobs = await start([job]);
    const sentMs = performance.now();
    await jobs.send(job, {}, { startAfterMs: 300 });
    await until(() => startedMs > 0);
    expect(startedMs - sentMs).toBeGreaterThan(290);
    expect(startedMs - sentMs).toBeLessThan(1000);
  });

  it('failed jobs are retried, end as dead letters, and can be sent again', async () => {
    let fail = true;
    let attempts = 0;
    const job = defineJob({
      name: 'test.failing',
      payload: anything,
      retryLimit: 2,
      retryDelaySeconds: 0,
      retryDelayMaxSeconds: undefined,
      handle: async () => {
        attempts += 1;
        if (fail) throw new Error('it does not work');
      },
    });
    const jobs = await start([job]);
    await jobs.send(job, { n: 7 });
    await until(async () => (await jobs.listDeadLetters()).length === 1);
    expect(attempts).toBe(3);
    const [letter] = await jobs.listDeadLetters();
    expect(letter).toMatchObject({ job: 'test.failing', payload: { n: 7 }, attempts: 3 });
    expect(JSON.stringify(letter?.error)).toContain('it does not work');
    fail = false;
    expect(await jobs.redrive([letter?.id ?? ''])).toBe(1);
    await until(() => attempts === 4);
    expect(await jobs.listDeadLetters()).toEqual([]);
  });

  it('a job scheduled by several processes runs once per interval', async () => {
    let runs = 0;
    const job = defineJob({
      name: 'test.beat',
      payload: z.object({}),
      handle: async () => {
        runs += 1;
      },
    });
    const processes = [1, 2, 3].map(() =>
      createJobs({ url: database.url, log, jobs: [job], schedules: [{ job, everyMs: 3_600_000, payload: {} }] }),
    );
    open.push(...processes);
    for (const made of processes) {
      await made.start();
      await made.work(app);
    }
    await sleep(150);
    expect(runs).toBe(1);
  });

  it('closing a worker drains its jobs, and an unfinished job is aborted and runs elsewhere', async () => {
    const log_: string[] = [];
    const job = defineJob({
      name: 'test.drain',
      payload: z.object({ ms: z.number() }),
      handle: async (_, { ms }, signal, { attempt }) => {
        log_.push(`start ${ms} ${attempt}`);
        await sleep(attempt === 0 ? ms : 0, undefined, { signal });
        log_.push(`end ${ms} ${attempt}`);
      },
    });
    const first = createJobs({ url: database.url, log, jobs: [job] });
    await first.start();
    await first.work(app);
    await first.send(job, { ms: 100 });
    await first.send(job, { ms: 60_000 });
    await until(() => log_.length === 2);
    const closedMs = performance.now();
    await first.close(1_000);
    expect(performance.now() - closedMs).toBeLessThan(5_000);
    expect(log_.slice(0, 2).sort()).toEqual(['start 100 0', 'start 60000 0']);
    expect(log_.slice(2)).toEqual(['end 100 0']);
    await start([job]);
    await until(() => log_.includes('end 60000 1'), 2000);
  });

  it('a job with an invalid payload is refused', async () => {
    const job = defineJob({ name: 'test.payload', payload: anything, handle: async () => undefined });
    const jobs = await start([job], false);
    await expect(jobs.send(job, { n: 'x' } as never)).rejects.toThrow();
  });
});

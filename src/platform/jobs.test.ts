import { once } from 'node:events';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestDatabase } from '../../test/harness/test-app.ts';
import type { TestDatabase } from '../../test/harness/test-cluster.ts';
import { waitFor } from '../../test/harness/wait-for.ts';
import type { App } from './app.ts';
import { type DatabaseHandle, inTransaction, openDatabase } from './db.ts';
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
        await waitFor('the job to run', () => waits.length === n + 1, { intervalMs: 1 });
      }
      const sorted = waits.toSorted((a, b) => a - b);
      // 3 ms on a quiet machine; a poll interval instead of a notice would be a second.
      expect(sorted[20]).toBeLessThan(500);
    }
  });

  it('jobs exist only if the transaction that sent them commits', async () => {
    const ran: number[] = [];
    const job = defineJob({ name: 'test.tx', payload: anything, handle: async (_, { n }) => void ran.push(n) });
    const jobs = await start([job]);
    await expect(
      inTransaction(handle.db, async (tx) => {
        await jobs.send(job, { n: 1 }, { tx });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await inTransaction(handle.db, async (tx) => {
      await jobs.send(job, { n: 2 }, { tx });
      await jobs.send(job, { n: 3 });
      await waitFor('the job that was sent later', () => ran.length > 0);
    });
    await waitFor('both jobs', () => ran.length > 1);
    expect(ran).toEqual([3, 2]);
  });

  it('jobs with one key never run at once, and a busy key does not block other keys', async () => {
    const running = new Map<string, number>();
    const runs: string[] = [];
    let worst = 0;
    const allAreSent = Promise.withResolvers<void>();
    const othersHaveRun = Promise.withResolvers<void>();
    const job = defineJob({
      name: 'test.stately',
      payload: z.object({ key: z.string() }),
      policy: 'stately',
      concurrency: 4,
      handle: async (_, { key }) => {
        running.set(key, (running.get(key) ?? 0) + 1);
        worst = Math.max(worst, running.get(key) ?? 0);
        runs.push(key);
        await (key === 'slow' ? othersHaveRun : allAreSent).promise;
        running.set(key, (running.get(key) ?? 0) - 1);
      },
    });
    const [one] = await Promise.all([start([job]), start([job])]);
    await one.send(job, { key: 'slow' }, { key: 'slow' });
    await waitFor('the slow job to run', () => runs.length === 1);
    await one.send(job, { key: 'slow' }, { key: 'slow' }); // waits for the first one
    const burst = Array.from({ length: 60 }, (_, n) => `k${n % 6}`);
    await Promise.all(burst.map((key) => one.send(job, { key }, { key })));
    allAreSent.resolve();
    await waitFor('each other key to run', () => [0, 1, 2, 3, 4, 5].every((n) => runs.includes(`k${n}`)));
    othersHaveRun.resolve();
    await waitFor('an empty job queue', async () => (await one.countPending()) === 0);
    expect(worst).toBe(1);
    expect(runs.filter((key) => key === 'slow')).toHaveLength(2);
    // all 62 sends came while the first of their key ran: at most one more of each
    expect(runs.length).toBeLessThanOrEqual(14);
  });

  it('many jobs of one owner that never end leave room for the jobs of others, and each of them runs in the end', async () => {
    const released = Promise.withResolvers<void>();
    const ran = new Set<string>();
    let [running, most] = [0, 0];
    const job = defineJob({
      name: 'test.shares',
      payload: z.object({ owner: z.string(), key: z.string() }),
      policy: 'stately',
      concurrency: 8,
      share: { most: 2, ownerOf: async (_, { owner }) => owner },
      handle: async (_, { owner, key }) => {
        if (owner === 'ada') {
          most = Math.max(most, ++running);
          await released.promise;
          running -= 1;
        }
        ran.add(key);
      },
    });
    const jobs = await start([job]);
    const sent = (owner: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({ job, payload: { owner, key: `${owner}${n}` }, key: `${owner}${n}` }));
    await jobs.sendAll(sent('ada', 45));
    await waitFor('two jobs of one owner to run', () => running === 2);
    const startedMs = performance.now();
    await jobs.sendAll(sent('ben', 10));
    await waitFor('the jobs of the other owner', () => ran.size === 10);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    released.resolve();
    await waitFor('all jobs', () => ran.size === 55, { timeoutMs: 20_000 });
    expect(most).toBe(2);
  }, 30_000);

  it('a job sees the change of a sender whose job was coalesced with a waiting one', async () => {
    // Without holding the waiting job, it runs before the second sender commits and nobody looks again.
    const seen: string[] = [];
    await handle.db.schema.createTable('platform.seen_test').addColumn('n', 'integer').execute();
    const job = defineJob({
      name: 'test.look-again',
      payload: z.object({ key: z.string() }),
      policy: 'stately',
      handle: async (_, { key }) => {
        const { rows } = await handle.pool.query('select count(*)::int as n from platform.seen_test');
        seen.push(`${key}: ${rows[0].n}`);
      },
    });
    const jobs = await start([job], false);
    await jobs.send(job, { key: 'k' }, { key: 'k', startAfterMs: 60_000 });
    const worker = createJobs({ url: database.url, log, jobs: [job] });
    open.push(worker);
    await worker.start();
    await inTransaction(handle.db, async (tx) => {
      await tx
        .insertInto('platform.seen_test' as never)
        .values({ n: 1 } as never)
        .execute();
      await jobs.send(job, { key: 'k' }, { key: 'k', tx });
      await worker.work(app);
      await jobs.send(job, { key: 'later' }, { key: 'later' });
      await waitFor('the job that was sent later', () => seen.length > 0);
    });
    await waitFor('both jobs', () => seen.length > 1);
    expect(seen).toEqual(['later: 0', 'k: 1']);
  });

  it('a transaction that sent jobs holds none of them while it waits for other rows', async () => {
    const job = defineJob({
      name: 'test.last-lock',
      payload: z.object({ key: z.string() }),
      policy: 'stately',
      handle: async () => undefined,
    });
    const jobs = await start([job], false);
    const later = { startAfterMs: 60_000 };
    for (const key of ['a', 'b']) await jobs.send(job, { key }, { key, ...later });
    await handle.pool.query(
      'create table platform.last_lock_test (n int); insert into platform.last_lock_test values (0)',
    );
    let runs = 0;
    const rowIsHeld = Promise.withResolvers<void>();
    const jobsAreSent = Promise.withResolvers<void>();
    const first = inTransaction(handle.db, async (tx) => {
      runs += 1;
      for (const key of ['a', 'b']) await jobs.send(job, { key }, { key, tx, ...later });
      jobsAreSent.resolve();
      await rowIsHeld.promise;
      await sql`update platform.last_lock_test set n = n + 1`.execute(tx);
    });
    const second = inTransaction(handle.db, async (tx) => {
      runs += 1;
      await sql`update platform.last_lock_test set n = n + 1`.execute(tx);
      rowIsHeld.resolve();
      await jobsAreSent.promise;
      for (const key of ['b', 'a', 'b']) await jobs.send(job, { key }, { key, tx, ...later });
    });
    await Promise.all([first, second]);
    // a deadlock would have had one of them run again
    expect(runs).toBe(2);
    const { rows } = await handle.pool.query("select count(*)::int as n from jobs.job where name = 'test.last-lock'");
    expect(rows[0].n).toBe(2);
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
    await waitFor('the job to run', () => startedMs > 0);
    expect(startedMs - sentMs).toBeGreaterThan(290);
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
    await waitFor('a dead letter', async () => (await jobs.listDeadLetters()).length === 1);
    expect(attempts).toBe(3);
    const [letter] = await jobs.listDeadLetters();
    expect(letter).toMatchObject({ job: 'test.failing', payload: { n: 7 }, attempts: 3 });
    expect(JSON.stringify(letter?.error)).toContain('it does not work');
    fail = false;
    expect(await jobs.redrive([letter?.id ?? ''])).toBe(1);
    await waitFor('the fourth attempt', () => attempts === 4);
    expect(await jobs.listDeadLetters()).toEqual([]);
  });

  it('a job that ended its process waits longer each time, with all of its key, and rests from the third time on', async () => {
    const own = await createTestDatabase();
    const pool = openDatabase({ url: own.url, log });
    let runs = 0;
    const job = defineJob({
      name: 'test.deadly',
      payload: anything,
      policy: 'stately',
      handle: async () => {
        runs += 1;
      },
    });
    let others = 0;
    const other = defineJob({
      name: 'test.harmless',
      payload: anything,
      handle: async () => {
        others += 1;
      },
    });
    const schedules = [{ job, everyMs: 3_600_000, payload: { n: 1 }, key: 'one' }];
    const make = () => createJobs({ url: own.url, log, jobs: [job, other], schedules });
    const jobs = make();
    await jobs.start();
    await jobs.send(job, { n: 1 }, { key: 'one' });
    const waiting = async () => {
      const { rows } = await sql<{ state: string; seconds: number }>`
        select state, extract(epoch from start_after - now())::float8 as seconds from jobs.job
        where name = 'test.deadly' and state < 'completed'`.execute(pool.db);
      return rows;
    };
    const waits: number[] = [];
    for (let death = 1; death <= 5; death += 1) {
      // as a process leaves it that died while it ran
      await sql`update jobs.job set state = 'active', started_on = now(), heartbeat_on = now()
        where name = 'test.deadly' and state < 'active'`.execute(pool.db);
      // sent meanwhile
      await sql`insert into jobs.job (name, data, singleton_key, policy, state)
        values ('test.deadly', '{"n":1}', 'one', 'stately', 'created')`.execute(pool.db);
      jobs.rest(true);
      const next = make();
      await next.start();
      next.rest(true); // the first wait may be over before it is read
      await next.work(app);
      await next.send(job, { n: 1 }, { key: 'one' });
      const found = await waiting();
      expect(found).toMatchObject([{ state: 'retry' }]);
      waits.push(found[0]?.seconds ?? 0);
      if (death === 3) {
        next.rest(false);
        await next.send(job, { n: 1 }, { key: 'one' });
        await next.send(other, { n: 1 });
        await waitFor('a job of another kind to run', () => others === 1);
      }
      await next.close(100);
    }
    expect(runs).toBe(0);
    const [first = 0, second = 0, ...rests] = waits;
    expect(first).toBeLessThanOrEqual(1);
    expect(second).toBeGreaterThan(5);
    expect(second).toBeLessThanOrEqual(40);
    expect(rests.map((seconds) => Math.ceil(seconds / 60))).toEqual([10, 60, 360]);

    await sql`update jobs.job set start_after = now() where name = 'test.deadly' and state = 'retry'`.execute(pool.db);
    const last = make();
    await last.start();
    await last.work(app);
    await waitFor('the rested job to run', () => runs > 0);
    await Promise.all([last.close(100), jobs.close(100)]);
    await pool.close();
    await own.close();
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
    const isWaiting = async () => (await processes[0]?.listQueues())?.some(({ name }) => name === 'test.beat');
    await waitFor('no beat that runs or waits', async () => !(await isWaiting()));
    expect(runs).toBe(1);
  });

  it('closing a worker drains its jobs, and an unfinished job is aborted and runs elsewhere', async () => {
    const told: string[] = [];
    const isClosing = Promise.withResolvers<void>();
    const job = defineJob({
      name: 'test.drain',
      payload: z.object({ name: z.string() }),
      handle: async (_, { name }, signal, { attempt }) => {
        told.push(`start ${name} ${attempt}`);
        if (name === 'short') await isClosing.promise;
        else if (attempt === 0) await once(signal, 'abort');
        signal.throwIfAborted();
        told.push(`end ${name} ${attempt}`);
      },
    });
    const first = createJobs({ url: database.url, log, jobs: [job] });
    await first.start();
    await first.work(app);
    await first.send(job, { name: 'short' });
    await first.send(job, { name: 'endless' });
    await waitFor('both jobs to run', () => told.length === 2);
    const closing = first.close(1_000);
    isClosing.resolve();
    await closing;
    expect(told.slice(0, 2).sort()).toEqual(['start endless 0', 'start short 0']);
    expect(told.slice(2)).toEqual(['end short 0']);
    await start([job]);
    await waitFor('the end of the second attempt', () => told.includes('end endless 1'));
  });

  it('a job with an invalid payload is refused', async () => {
    const job = defineJob({ name: 'test.payload', payload: anything, handle: async () => undefined });
    const jobs = await start([job], false);
    await expect(jobs.send(job, { n: 'x' } as never)).rejects.toThrow();
  });
});

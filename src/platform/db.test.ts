import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../test/harness/test-app.ts';
import type { TestDatabase } from '../../test/harness/test-cluster.ts';
import { type DatabaseHandle, inTransaction, isViolationOf, jsonb, openDatabase, type Tx } from './db.ts';
import { createLog } from './log.ts';

let database: TestDatabase;
let handle: DatabaseHandle;
const lines: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const log = await createLog({
    level: 'warn',
    format: 'json',
    destination: { write: (line) => void lines.push(line) },
  });
  handle = openDatabase({ url: database.url, log, slowQueryMs: 100 });
  await sql`create table public.t (
    n int primary key, big bigint, at timestamptz, day date, body jsonb, bytes bytea, tags text[], ats timestamptz[]
  )`.execute(handle.db);
});
afterAll(async () => {
  await handle.close();
  await database.close();
});

describe('values', () => {
  it('keep their meaning on the way in and out: Temporal to the microsecond, numbers, JSON as it is', async () => {
    const at = Temporal.Instant.from('2027-03-28T01:30:00.123456Z');
    const day = Temporal.PlainDate.from('2027-03-28');
    const body = { list: [1, 'two', null], nested: { ok: true } };
    await sql`insert into public.t values
      (1, ${Number.MAX_SAFE_INTEGER}, ${at}, ${day}, ${body}, ${Buffer.from([0, 255])}, ${['a,b', '"']}, ${[at]})`.execute(
      handle.db,
    );
    const { rows } = await sql<Record<string, unknown>>`select * from public.t where n = 1`.execute(handle.db);
    expect(rows[0]).toMatchObject({ n: 1, big: Number.MAX_SAFE_INTEGER, body, tags: ['a,b', '"'] });
    expect(String(rows[0]?.at)).toBe(at.toString());
    expect(rows[0]?.at).toBeInstanceOf(Temporal.Instant);
    expect(rows[0]?.day).toBeInstanceOf(Temporal.PlainDate);
    expect(String(rows[0]?.day)).toBe('2027-03-28');
    expect(rows[0]?.bytes).toEqual(Buffer.from([0, 255]));
  });

  it('of a list arrive as they were, whatever signs they hold', async () => {
    const words = ['', ' ', 'NULL', 'a,b', '{}', '"', '\\', '\\"', "it's", 'line\nline', 'caf\u00E9 \u{1F4C5}', null];
    const { rows } = await sql<{ words: unknown; numbers: unknown; flags: unknown; none: unknown }>`
      select ${words}::text[] as words, ${[1, -2.5, 1e21, null]}::float8[] as numbers, ${[true, false]}::boolean[] as flags,
        ${[]}::text[] as none`.execute(handle.db);
    expect(rows).toEqual([{ words, numbers: [1, -2.5, 1e21, null], flags: [true, false], none: [] }]);
  });

  it('of a jsonb column may be arrays and scalars when they say so', async () => {
    await sql`insert into public.t (n, body) values (2, ${jsonb(['a', { b: 1 }])}), (3, ${jsonb('text')})`.execute(
      handle.db,
    );
    const { rows } = await sql<{ body: unknown }>`select body from public.t where n in (2, 3) order by n`.execute(
      handle.db,
    );
    expect(rows.map((row) => row.body)).toEqual([['a', { b: 1 }], 'text']);
  });

  it('that do not fit a number are refused instead of rounded', async () => {
    await expect(sql`select 9007199254740993::bigint as n`.execute(handle.db)).rejects.toThrow(RangeError);
  });

  it('do not depend on the zone of the server', async () => {
    await sql`alter database ${sql.id(new URL(database.url).pathname.slice(1))} set timezone to 'Asia/Kolkata'`.execute(
      handle.db,
    );
    const other = openDatabase({ url: database.url, log: await createLog({ level: 'silent', format: 'json' }) });
    const { rows } = await sql<{ at: Temporal.Instant }>`select timestamptz '2027-01-01 00:00:00+05:30' as at`.execute(
      other.db,
    );
    expect(rows[0]?.at.toString()).toBe('2026-12-31T18:30:00Z');
    await other.close();
  });
});

describe('plans that are kept', () => {
  it('are made anew after some seconds, for the tables as they have become', async () => {
    const log = await createLog({ level: 'silent', format: 'json' });
    // as in a process that has just begun: only so many statements are prepared, and this one has run other tests
    vi.resetModules();
    const own = await import('./db.ts');
    const kept = own.openDatabase({ url: database.url, log, plans: 'kept', poolSize: 1 });
    await sql`create table public.growing as select n from generate_series(1, 10) n`.execute(kept.db);
    await sql`create unique index on public.growing (n)`.execute(kept.db);
    const countScans = async (tx: Tx) => {
      const { rows } = await sql<{ scans: number }>`
        select pg_stat_get_xact_numscans('public.growing'::regclass) as scans`.execute(tx);
      return rows[0]?.scans ?? 0;
    };
    // in a transaction, as between two of them the counts may be handed in
    const readsWholeTable = () =>
      own.inTransaction(kept.db, async (tx) => {
        const before = await countScans(tx);
        await sql`select n from public.growing where n = ${7}`.execute(tx);
        return (await countScans(tx)) > before;
      });
    for (let time = 0; time < 8; time += 1) expect(await readsWholeTable()).toBe(true);
    await sql`insert into public.growing select n from generate_series(11, 20000) n`.execute(kept.db);
    expect(await readsWholeTable()).toBe(true);
    const laterMs = performance.now() + 6_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(laterMs);
    expect(await readsWholeTable()).toBe(false);
    clock.mockRestore();
    await kept.close();
  });
});

describe('a statement', () => {
  it('is prepared once it is met again, however many others are met only once', async () => {
    vi.resetModules();
    const own = await import('./db.ts');
    for (let n = 0; n < 5_000; n += 1) expect(own.nameOf(`select ${n}`)).toBeUndefined();
    expect(own.nameOf('select $1')).toBeUndefined();
    const name = own.nameOf('select $1');
    expect(name).toBeDefined();
    expect(own.nameOf('select $1')).toBe(name);
    expect(own.nameOf('select 7')).toBeUndefined();
  });
});

describe('a transaction', () => {
  it('has begun with its first statement, whatever that is, and is over with its last', async () => {
    const isolation = sql<{ is: string }>`select current_setting(${'transaction_isolation'}) as is`;
    const inside = inTransaction(handle.db, (tx) => isolation.execute(tx), { isolation: 'serializable' });
    expect((await inside).rows).toEqual([{ is: 'serializable' }]);
    const failing = inTransaction(handle.db, (tx) => sql`select 1 / ${0}::int`.execute(tx));
    await expect(failing).rejects.toThrow('division by zero');
    const early = inTransaction(handle.db, () => Promise.reject(new Error('before anything was asked')));
    await expect(early).rejects.toThrow('before anything was asked');
    expect((await isolation.execute(handle.db)).rows).toEqual([{ is: 'read committed' }]);
  });

  it('is run again after a serialization failure, until it succeeds', async () => {
    await sql`insert into public.t (n, big) values (10, 0)`.execute(handle.db);
    let runs = 0;
    const add = () =>
      inTransaction(
        handle.db,
        async (tx) => {
          runs += 1;
          const { rows } = await sql<{ big: number }>`select big from public.t where n = 10`.execute(tx);
          await sleep(20);
          await sql`update public.t set big = ${(rows[0]?.big ?? 0) + 1} where n = 10`.execute(tx);
        },
        { isolation: 'serializable', attempts: 20 },
      );
    await Promise.all([add(), add(), add(), add()]);
    const { rows } = await sql<{ big: number }>`select big from public.t where n = 10`.execute(handle.db);
    expect(rows[0]?.big).toBe(4);
    expect(runs).toBeGreaterThan(4);
  });

  it('is not run again for other errors, and leaves nothing', async () => {
    let runs = 0;
    const failing = inTransaction(handle.db, async (tx) => {
      runs += 1;
      await sql`insert into public.t (n) values (20)`.execute(tx);
      await sql`insert into public.t (n) values (20)`.execute(tx);
    });
    const error: unknown = await failing.catch((caught: unknown) => caught);
    expect(isViolationOf(error, 't_pkey')).toBe(true);
    expect(isViolationOf(error, 'other')).toBe(false);
    expect(runs).toBe(1);
    expect((await sql`select 1 from public.t where n = 20`.execute(handle.db)).rows).toEqual([]);
  });

  it('joins the one it is in', async () => {
    await inTransaction(handle.db, async (tx) => {
      await inTransaction(tx, async (inner) => void (await sql`insert into public.t (n) values (30)`.execute(inner)));
      throw new Error('undo');
    }).catch(() => undefined);
    expect((await sql`select 1 from public.t where n = 30`.execute(handle.db)).rows).toEqual([]);
  });
});

describe('the pool', () => {
  it('survives the loss of its connections and reports slow queries without their values', async () => {
    await sql`select 1`.execute(handle.db);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(handle.db);
    await sleep(50);
    const { rows } = await sql<{ n: number }>`select 1 as n`.execute(handle.db);
    expect(rows).toEqual([{ n: 1 }]);
    await sql`select pg_sleep(0.15), ${'a private value'}::text`.execute(handle.db);
    const slow = lines.filter((line) => line.includes('slow query') && line.includes('pg_sleep'));
    expect(slow).toHaveLength(1);
    expect(slow[0]).toContain('pg_sleep');
    expect(slow[0]).not.toContain('private');
  });
});

import type { Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../test/harness/test-app.ts';
import type { TestDatabase } from '../../test/harness/test-cluster.ts';
import { waitFor } from '../../test/harness/wait-for.ts';
import { byKey, type DatabaseHandle, inTransaction, isViolationOf, jsonb, openDatabase, send, type Tx } from './db.ts';
import { toErrorAnswer } from './http-errors.ts';
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

describe('database values', () => {
  it('database values keep their meaning both ways: Temporal to the microsecond, numbers, and JSON', async () => {
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

  it('array parameters reach the database unchanged, whatever characters they contain', async () => {
    const words = ['', ' ', 'NULL', 'a,b', '{}', '"', '\\', '\\"', "it's", 'line\nline', 'caf\u00E9 \u{1F4C5}', null];
    const { rows } = await sql<{ words: unknown; numbers: unknown; flags: unknown; none: unknown }>`
      select ${words}::text[] as words, ${[1, -2.5, 1e21, null]}::float8[] as numbers, ${[true, false]}::boolean[] as flags,
        ${[]}::text[] as none`.execute(handle.db);
    expect(rows).toEqual([{ words, numbers: [1, -2.5, 1e21, null], flags: [true, false], none: [] }]);
  });

  it('jsonb columns take arrays and scalars that are marked as such', async () => {
    await sql`insert into public.t (n, body) values (2, ${jsonb(['a', { b: 1 }])}), (3, ${jsonb('text')})`.execute(
      handle.db,
    );
    const { rows } = await sql<{ body: unknown }>`select body from public.t where n in (2, 3) order by n`.execute(
      handle.db,
    );
    expect(rows.map((row) => row.body)).toEqual([['a', { b: 1 }], 'text']);
  });

  it('a bigint beyond the safe integers is refused instead of rounded', async () => {
    await expect(sql`select 9007199254740993::bigint as n`.execute(handle.db)).rejects.toThrow(RangeError);
  });

  it('timestamps do not depend on the time zone of the server', async () => {
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

it('a statement past the limit of its pool ends, and its connection serves the next one', async () => {
  const log = await createLog({ level: 'silent', format: 'json' });
  const limited = openDatabase({ url: database.url, log, poolSize: 1, statementMs: 50 });
  for (const one of [limited.db, byKey(limited.db)]) {
    const error: unknown = await sql`select pg_sleep(600)`.execute(one).catch((reason: unknown) => reason);
    const { answer, logged } = toErrorAnswer(error, 'en');
    expect(answer).toMatchObject({ status: 503, retryAfterSeconds: 30, body: { detail: { code: 'UNAVAILABLE' } } });
    expect(logged).toBe('error');
    expect((await sql`select 1 as n`.execute(one)).rows).toEqual([{ n: 1 }]);
  }
  await limited.close();
});

describe('cached query plans', () => {
  it('a cached query plan is replaced after some seconds and fits the grown table', async () => {
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

describe('prepared statements', () => {
  it('a statement is prepared on its second use, however many others are used once', async () => {
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

describe('transactions', () => {
  it('a transaction begins with its first statement and ends with its last', async () => {
    const isolation = sql<{ is: string }>`select current_setting(${'transaction_isolation'}) as is`;
    const inside = inTransaction(handle.db, (tx) => isolation.execute(tx), { isolation: 'serializable' });
    expect((await inside).rows).toEqual([{ is: 'serializable' }]);
    const failing = inTransaction(handle.db, (tx) => sql`select 1 / ${0}::int`.execute(tx));
    await expect(failing).rejects.toThrow('division by zero');
    const early = inTransaction(handle.db, () => Promise.reject(new Error('before anything was asked')));
    await expect(early).rejects.toThrow('before anything was asked');
    expect((await isolation.execute(handle.db)).rows).toEqual([{ is: 'read committed' }]);
  });

  it('a transaction is retried after a serialization failure until it succeeds', async () => {
    await sql`insert into public.t (n, big) values (10, 0)`.execute(handle.db);
    let runs = 0;
    const allHaveRead = Promise.withResolvers<void>();
    const add = () =>
      inTransaction(
        handle.db,
        async (tx) => {
          const { rows } = await sql<{ big: number }>`select big from public.t where n = 10`.execute(tx);
          runs += 1;
          if (runs === 4) allHaveRead.resolve();
          await allHaveRead.promise;
          await sql`update public.t set big = ${(rows[0]?.big ?? 0) + 1} where n = 10`.execute(tx);
        },
        { isolation: 'serializable', attempts: 20 },
      );
    await Promise.all([add(), add(), add(), add()]);
    const { rows } = await sql<{ big: number }>`select big from public.t where n = 10`.execute(handle.db);
    expect(rows[0]?.big).toBe(4);
    expect(runs).toBeGreaterThan(4);
  });

  it('a transaction is not retried for other errors and leaves nothing', async () => {
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

  it('a nested transaction joins the outer one', async () => {
    await inTransaction(handle.db, async (tx) => {
      await inTransaction(tx, async (inner) => void (await sql`insert into public.t (n) values (30)`.execute(inner)));
      throw new Error('undo');
    }).catch(() => undefined);
    expect((await sql`select 1 from public.t where n = 30`.execute(handle.db)).rows).toEqual([]);
  });
});

describe('pipelined statements', () => {
  const add = (tx: Tx, n: number, big: number | null = null) =>
    sql`insert into public.t (n, big) values (${n}, ${big})`.execute(tx);
  const count = async (from: number) => {
    const { rows } = await sql<{ n: number }>`
      select n from public.t where n between ${from} and ${from + 9} order by n`.execute(handle.db);
    return rows.map((row) => row.n);
  };

  it('pipelined statements run at once and take effect in the order they were issued', async () => {
    const answered: string[] = [];
    const last = await inTransaction(handle.db, async (tx) => {
      await sql`select 1`.execute(tx);
      const slow = sql`select pg_sleep(0.05)`.execute(tx).then(() => answered.push('slow'));
      await add(tx, 40, 1).then(() => answered.push('insert'));
      // the earlier statement has ended too, though nobody awaited it
      expect(answered).toEqual(['slow', 'insert']);
      const asked = Array.from({ length: 20 }, () =>
        sql<{ big: number }>`update public.t set big = big * 2 - 1 + ${1}::int where n = 40 returning big`.execute(tx),
      );
      await slow;
      return (await Promise.all(asked)).map(({ rows }) => rows[0]?.big);
    });
    expect(last).toEqual(Array.from({ length: 20 }, (_, index) => 2 ** (index + 1)));
  });

  it('pipelined statements leave in one network write with the start of the transaction', async () => {
    const { own, writes } = await watchWrites();
    await inTransaction(own.db, async (tx) => {
      await Promise.all([1, 2, 3, 4].map((n) => sql`select ${n}::int`.execute(tx)));
    });
    // all four, and what ends the transaction
    expect(writes()).toBe(2);
    await own.close();
  });

  it('pipelined statements fail together with the first error and leave nothing', async () => {
    const failing = inTransaction(handle.db, async (tx) => {
      await Promise.all([add(tx, 50), sql`select 1 / ${0}::int`.execute(tx), add(tx, 51)]);
    });
    await expect(failing).rejects.toThrow('division by zero');
    const sentFails = inTransaction(handle.db, async (tx) => {
      send(
        tx,
        add(tx, 52).then(() => add(tx, 53)),
        sql`select 1 / ${0}::int`.execute(tx),
      );
      await add(tx, 54);
    });
    await expect(sentFails).rejects.toThrow('division by zero');
    const onlySent = inTransaction(handle.db, async (tx) => {
      await add(tx, 55);
      send(tx, sql`select 1 / ${0}::int`.execute(tx));
      return 'answered';
    });
    await expect(onlySent).rejects.toThrow('division by zero');
    expect(await count(50)).toEqual([]);
  });

  it('a deadlock in a statement that nobody awaits retries the transaction', async () => {
    await sql`insert into public.t (n, big) values (60, 0), (61, 0)`.execute(handle.db);
    let locked = 0;
    const bothAreLocked = Promise.withResolvers<void>();
    const both = async (first: number, second: number) => {
      let runs = 0;
      await inTransaction(handle.db, async (tx) => {
        runs += 1;
        await sql`update public.t set big = big + 1 where n = ${first}`.execute(tx);
        locked += 1;
        if (locked === 2) bothAreLocked.resolve();
        await bothAreLocked.promise;
        send(tx, sql`update public.t set big = big + 1 where n = ${second}`.execute(tx));
        await sql`select 1`.execute(tx);
      });
      return runs;
    };
    const runs = await Promise.all([both(60, 61), both(61, 60)]);
    expect(Math.max(...runs)).toBeGreaterThan(1);
    const { rows } = await sql<{ big: number }>`select big from public.t where n in (60, 61)`.execute(handle.db);
    expect(rows.map((row) => row.big)).toEqual([2, 2]);
  });

  it('a deadlock is recognized behind statements that failed because of it', async () => {
    await sql`insert into public.t (n, big) values (62, 0), (63, 0)`.execute(handle.db);
    let locked = 0;
    const bothAreLocked = Promise.withResolvers<void>();
    // the failure takes more turns of the event loop than those of the statements behind it
    const slowly = async (statement: Promise<unknown>, turns: number): Promise<unknown> =>
      turns === 0 ? statement : await slowly(statement, turns - 1);
    const both = async (first: number, second: number) => {
      let runs = 0;
      await inTransaction(handle.db, async (tx) => {
        runs += 1;
        await sql`update public.t set big = big + 1 where n = ${first}`.execute(tx);
        locked += 1;
        if (locked === 2) bothAreLocked.resolve();
        await bothAreLocked.promise;
        const next = sql`update public.t set big = big + 1 where n = ${second}`.execute(tx);
        await Promise.all([slowly(next, 50), sql`select 1`.execute(tx)]);
      });
      return runs;
    };
    const runs = await Promise.all([both(62, 63), both(63, 62)]);
    expect(Math.max(...runs)).toBeGreaterThan(1);
  });

  it('a pipelined statement does not run outside its transaction after that failed', async () => {
    // sooner or later after the failure: before it is undone, while it is, and after
    for (let ticks = 0; ticks < 80; ticks += 1) {
      let goesOn: Promise<unknown> = Promise.resolve();
      const failing = inTransaction(handle.db, async (tx) => {
        const fails = sql`select 1 / ${0}::int`.execute(tx);
        const afterwards = async () => {
          await fails.catch(() => undefined);
          for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
          return add(tx, 70);
        };
        goesOn = afterwards();
        goesOn.catch(() => undefined);
        await fails;
      });
      await expect(failing).rejects.toThrow('division by zero');
      await expect(goesOn).rejects.toThrow();
    }
    expect(await count(70)).toEqual([]);
  });

  it('statements sent without awaiting them finish before their transaction ends', async () => {
    await inTransaction(handle.db, async (tx) => {
      send(
        tx,
        sql`select pg_sleep(0.05)`.execute(tx).then(() => add(tx, 80)),
        add(tx, 81),
      );
      return Promise.resolve();
    });
    expect(await count(80)).toEqual([80, 81]);
    expect(() => send(handle.db as Tx, Promise.resolve())).toThrow('outside a transaction');
  });
});

/** A handle of one connection, and how often that was written to since it was opened. */
async function watchWrites() {
  const log = await createLog({ level: 'silent', format: 'json' });
  const own = openDatabase({ url: database.url, log, poolSize: 1 });
  let count = 0;
  own.pool.on('connect', (client) => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    for (const way of ['_write', '_writev'] as const) {
      const write = stream[way]?.bind(stream) as (...args: unknown[]) => void;
      Object.assign(stream, {
        [way]: (...args: unknown[]) => {
          count += 1;
          write(...args);
        },
      });
    }
  });
  await sql`select ${1}::int`.execute(own.db);
  count = 0;
  return { own, writes: () => count };
}

describe('connection pool', () => {
  it('the connection pool survives lost connections and logs slow queries without their values', async () => {
    await sql`select 1`.execute(handle.db);
    const { own } = await watchWrites();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(own.db);
    await own.close();
    await waitFor('the pool to miss its connections', () => handle.pool.totalCount === 0);
    const { rows } = await sql<{ n: number }>`select 1 as n`.execute(handle.db);
    expect(rows).toEqual([{ n: 1 }]);
    await sql`select pg_sleep(0.15), ${'a private value'}::text`.execute(handle.db);
    const slow = lines.filter((line) => line.includes('slow query') && line.includes('pg_sleep'));
    expect(slow).not.toEqual([]);
    for (const line of slow) expect(line).not.toContain('private');
  });
});

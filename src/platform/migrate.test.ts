import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../test/harness/test-app.ts';
import type { TestDatabase } from '../../test/harness/test-cluster.ts';
import { type Database, type DatabaseHandle, openDatabase } from './db.ts';
import { createLog } from './log.ts';
import { listPending, migrate } from './migrate.ts';

let database: TestDatabase;
let dir: string;
const handles: DatabaseHandle[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const log = await createLog({ level: 'silent', format: 'json' });
  for (let n = 0; n < 4; n += 1) handles.push(openDatabase({ url: database.url, log }));
  // the product's own migrations are in the template: start without them
  await sql`drop schema platform_migrations cascade`.execute(first());
});
afterAll(async () => {
  await Promise.all(handles.map((handle) => handle.close()));
  await database.close();
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hf-migrate-'));
});
afterEach(async () => {
  await sql`drop schema if exists platform_migrations cascade`.execute(first());
  await rm(dir, { recursive: true, force: true });
});

const first = () => (handles[0] as DatabaseHandle).db;

describe('migrations', () => {
  it('migrations run once each and in order, however many processes start together', async () => {
    await writeFile(join(dir, '0001_one.sql'), 'create table public.m (n int); insert into public.m values (1);');
    await writeFile(
      join(dir, '0002_two.sql'),
      'select pg_sleep(0.1); insert into public.m select count(*) + 1 from public.m;',
    );
    await writeFile(join(dir, 'schema.sql'), 'this is not one');
    const ran = await Promise.all(handles.map(({ db }) => migrate(db, dir)));
    expect(ran.filter((names) => names.length > 0)).toEqual([['0001_one', '0002_two']]);
    expect((await sql`select n from public.m order by n`.execute(first())).rows).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await migrate(first(), dir)).toEqual([]);
  });

  it('a new database has no pending upgrade, also while another process migrates it', async () => {
    await writeFile(join(dir, '0001_one.sql'), 'select pg_advisory_xact_lock(1);');
    const [, other, third] = handles.map(({ db }) => db) as [Database, Database, Database];
    const hasTable = async () =>
      (await sql`select from pg_tables where tablename = 'kysely_migration'`.execute(other)).rows.length > 0;
    const brought = await third.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(tx);
      const bringing = migrate(first(), dir);
      await expect.poll(hasTable, { message: 'whether the list of migrations is there', interval: 10 }).toBe(true);
      expect(await listPending(other, dir)).toBeNull();
      return { bringing };
    });
    expect(await brought.bringing).toEqual(['0001_one']);
    expect(await listPending(other, dir)).toEqual([]);
  });

  it('a failed migration leaves nothing behind and is named', async () => {
    await writeFile(join(dir, '0001_good.sql'), 'create table public.half (n int);');
    await writeFile(join(dir, '0002_bad.sql'), 'create table public.half (n int);');
    await expect(migrate(first(), dir)).rejects.toThrow('0002_bad');
    expect((await sql`select to_regclass('public.half') as found`.execute(first())).rows).toEqual([{ found: null }]);
  });

  it('a migration with a lower number that was added later still runs', async () => {
    await writeFile(join(dir, '0002_two.sql'), 'create table public.two (n int);');
    await migrate(first(), dir);
    await writeFile(join(dir, '0001_one.sql'), 'create table public.one (n int);');
    expect(await migrate(first(), dir)).toEqual(['0001_one']);
  });

  it('migrations do not run on a database with migrations this version does not know', async () => {
    await writeFile(join(dir, '0001_old.sql'), 'select 1;');
    await writeFile(join(dir, '0002_new.sql'), 'select 1;');
    await migrate(first(), dir);
    await rm(join(dir, '0002_new.sql'));
    await writeFile(join(dir, '0003_other.sql'), 'create table public.other (n int);');
    await expect(migrate(first(), dir)).rejects.toThrow('it has run 0002_new');
    expect((await sql`select to_regclass('public.other') as found`.execute(first())).rows).toEqual([{ found: null }]);
  });

  it('migrations refuse to run from an empty folder', async () => {
    await expect(migrate(first(), dir)).rejects.toThrow('no migrations');
  });
});

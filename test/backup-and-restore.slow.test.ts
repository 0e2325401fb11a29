import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import { connectionsContract } from '#features/connections/contract.ts';
import { syncContract } from '#features/sync/contract.ts';
import { type BackupSeal, readBackup } from '#platform/backup-file.ts';
import { backUpInto, findLastBackup } from '#platform/backup-job.ts';
import { createKeyring } from '#platform/crypto.ts';
import { inTransaction, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { makeBackup } from '#platform/make-backup.ts';
import { migrate, migrationsDir } from '#platform/migrate.ts';
import { restoreBackup } from '#platform/restore-backup.ts';
import { dumpDatabase } from './harness/dump-database.ts';
import { runToEnd } from './harness/spawn-holdfast.ts';
import { type SyncWorld, startSyncWorld } from './harness/sync-world.ts';
import { createTestDatabase, startTestApp } from './harness/test-app.ts';
import { clientOf, testPassword } from './harness/test-client.ts';
import type { TestDatabase } from './harness/test-cluster.ts';

/**
 * A person mirrors two calendars. A backup is made while everything runs; then the world moves on, at the provider and here;
 * then the backup is put back, and what stands in the calendars must be what it would have been.
 */

const keys = `test:${randomBytes(32).toString('base64')}`;
const seal: BackupSeal = { keyring: createKeyring(keys) };

let dir: string;
let database: TestDatabase;
let world: SyncWorld;
let path = '';
let saved: Map<string, string[]>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-restore-'));
  await mkdir(join(dir, 'simulated/google'), { recursive: true });
  await writeFile(join(dir, 'simulated/google/world.json'), '{"events":[]}');
  await writeFile(join(dir, 'encryption-keys'), `${keys}\n`);
  database = await createTestDatabase();
  world = await startSyncWorld({ database, encryptionKeys: keys });
  const { left, right } = world;
  left.put('moved', event('moved', '10', 'Moves later'));
  left.put('gone', event('gone', '11', 'Goes away'));
  left.put('kept', event('kept', '12', 'Stays'));
  left.put('unblocked', event('unblocked', '13', 'Its block is taken away'));
  right.put('other', event('other', '14', 'The other way'));
  await world.pass();
  await world.pass();
  const { app } = world.server;
  await inTransaction(app.db, async (tx) => {
    await sql`insert into platform.mails (id, key, message_id, kind, recipient, body, expires_at)
      values (gen_random_uuid(), 'waits', 'waits', 'test', 'a@example.org', 'sealed', now() + interval '1 day')`.execute(
      tx,
    );
  });
  // as what is kept changes under it: until nothing did
  for (let before: unknown = null; before === null || !isDeepStrictEqual(before, saved); ) {
    before = await lastingRows(database.url);
    await rm(path, { force: true });
    path = await backUpInto(dir, { databaseUrl: database.url, dataDir: dir, seal }, app.db, app.log);
    saved = await lastingRows(database.url);
  }
}, 60_000);
afterAll(async () => {
  await world.close();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

function event(uid: string, hour: string, title: string): string {
  return `UID:${uid}\nSUMMARY:${title}\nDTSTART:20270302T${hour}0000Z\nDTEND:20270302T${hour}3000Z`;
}

const options = (more: Partial<Parameters<typeof restoreBackup>[0]> = {}) => ({
  path,
  databaseUrl: database.url,
  dataDir: join(dir, 'restored'),
  seal,
  sendsWaiting: false,
  ...more,
});

/** A version of the past: its migrations, as a directory. */
async function migrationsUpTo(last: string): Promise<string> {
  const past = await mkdtemp(join(dir, 'past-'));
  const names = (await readdir(migrationsDir)).filter(
    (name) => /^\d{4}_/.test(name) && name.slice(0, last.length) <= last,
  );
  for (const name of names) await copyFile(join(migrationsDir, name), join(past, name));
  return past;
}

/** Rows that a backup has to restore: all but those of @momentary tables, of the job library and the migrator. */
async function lastingRows(url: string): Promise<Map<string, string[]>> {
  const log = await createLog({ level: 'silent', format: 'json' });
  const { db, close } = openDatabase({ url, log, poolSize: 1 });
  try {
    const { rows } = await sql<{ name: string }>`
      select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where obj_description(c.oid, 'pg_class') ~ '@momentary'`.execute(db);
    const momentary = new Set(rows.map(({ name }) => name));
    const dump = await dumpDatabase(db);
    return new Map(
      [...dump]
        .filter(([name]) => !momentary.has(name) && !/^(jobs|platform_migrations)\./.test(name))
        .map(([name, found]) => [name, found.map((row) => row.replace(/"next_pull_at": "[^"]*"/, '')).sort()]),
    );
  } finally {
    await close();
  }
}

test('a backup of a running install reports its age and contains no keys or sessions', async () => {
  const { db } = world.server.app;
  const last = await findLastBackup(db);
  expect(last).toMatchObject({ file: path });
  expect(last?.ageMs).toBeLessThan(60_000);
  const tables: string[] = [];
  let text = '';
  const { files } = await readBackup(path, seal, async (head, body) => {
    if ('table' in head) tables.push(head.table);
    for await (const chunk of body) text += chunk.toString('utf8');
  });
  expect(files).toEqual(['simulated/google/world.json']);
  expect(text).toContain('person@example.org');
  expect(text).not.toContain(keys.slice(5));
  for (const name of ['accounts.sessions', 'access.mail_codes', 'analytics.salts', 'platform.limits'])
    expect(tables).not.toContain(name);
  expect(tables).toEqual(expect.arrayContaining(['sync.mirrors', 'calendar.items', 'platform.mails']));
});

test('tables in a backup have no foreign keys to tables left out of it', async () => {
  const { rows } = await sql`
    select conrelid::regclass::text as kept, confrelid::regclass::text as gone from pg_constraint
    where contype = 'f' and obj_description(confrelid, 'pg_class') ~ '@momentary'
      and coalesce(obj_description(conrelid, 'pg_class'), '') !~ '@momentary'`.execute(world.server.app.db);
  expect(rows).toEqual([]);
});

test('a restore into an empty install brings back every row and file, and a failed restore changes nothing', {
  timeout: 60_000,
}, async () => {
  const empty = await createTestDatabase();
  try {
    const fresh = join(dir, 'fresh');
    const { rows } = await restoreBackup(options({ databaseUrl: empty.url, dataDir: fresh }));
    const after = await lastingRows(empty.url);
    expect(after).toEqual(saved);
    expect(rows).toBeGreaterThan(20);
    expect(await readFile(join(fresh, 'simulated/google/world.json'), 'utf8')).toBe('{"events":[]}');
    // with people in it now, it is not empty any more
    const env = { DATABASE_URL: empty.url, DATA_DIR: fresh, ENCRYPTION_KEYS: keys };
    const full = await runToEnd(['scripts/restore.ts', path], env);
    expect([full.code, full.output]).toEqual([1, expect.stringContaining('Add --replace to replace everything in it')]);
    await expect(restoreBackup(options())).rejects.toThrow('Holdfast runs on this database');
    const unusable = { databaseUrl: empty.url, dataDir: fresh };
    const other = { keyring: createKeyring(`test:${randomBytes(32).toString('base64')}`) };
    await expect(restoreBackup(options({ ...unusable, seal: other }))).rejects.toThrow('Nothing was changed');
    const cut = join(dir, 'cut.backup');
    await writeFile(cut, (await readFile(path)).subarray(0, -10));
    await expect(restoreBackup(options({ ...unusable, path: cut }))).rejects.toThrow('damaged');
    const older = await migrationsUpTo('001');
    await expect(restoreBackup(options({ ...unusable, migrations: older }))).rejects.toThrow('a newer Holdfast');
    // one that fails half way: it was made whole again by the database
    const broken = await migrationsUpTo('999');
    await writeFile(join(broken, '9999_broken.sql'), 'create table accounts.half (id int); select 1 / 0;');
    await expect(restoreBackup(options({ ...unusable, migrations: broken }))).rejects.toThrow('9999_broken failed');
    expect(await lastingRows(empty.url)).toEqual(saved);
    // the migrator and the job library go on from here
    const again = await startTestApp({
      database: { url: empty.url, close: async () => undefined },
      encryptionKeys: keys,
    });
    await again.close();
  } finally {
    await empty.close();
  }
});

test('a backup of an older version, without later tables, is restored and migrated', {
  timeout: 60_000,
}, async () => {
  const old = await createTestDatabase();
  const log = await createLog({ level: 'silent', format: 'json' });
  const { db, close } = openDatabase({ url: old.url, log, poolSize: 1 });
  const past = await migrationsUpTo('0049');
  try {
    const { rows } = await sql<{ name: string }>`
      select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema|public)'`.execute(db);
    for (const { name } of rows) await sql`drop schema ${sql.id(name)} cascade`.execute(db);
    await migrate(db, past);
    await sql`insert into accounts.users (id, email) values (gen_random_uuid(), 'old@example.org')`.execute(db);
    const file = join(dir, 'old.backup');
    await makeBackup({ databaseUrl: old.url, dataDir: dir, seal, path: file });
    await sql`delete from accounts.users`.execute(db);
    await close();
    const summary = await restoreBackup(options({ path: file, databaseUrl: old.url, dataDir: join(dir, 'older') }));
    expect(summary.header.migrations.at(-1)).toMatch(/^004/);
    const again = await startTestApp({
      database: { url: old.url, close: async () => undefined },
      encryptionKeys: keys,
    });
    const people = await sql<{ email: string }>`select email from accounts.users`.execute(again.app.db);
    expect(people.rows).toEqual([{ email: 'old@example.org' }]);
    await again.close();
  } finally {
    await old.close();
  }
});

test('the backup and restore commands report an error in one line and exit with 1', async () => {
  const env = { DATABASE_URL: database.url, DATA_DIR: dir, ENCRYPTION_KEYS: keys };
  const none = await runToEnd(['scripts/restore.ts', join(dir, 'none.backup')], env);
  expect([none.code, none.output.trim()]).toEqual([1, `${join(dir, 'none.backup')} is not there.`]);
  const keysToo = await runToEnd(['scripts/backup.ts', '--with-keys'], env);
  expect([keysToo.code, keysToo.output]).toEqual([1, expect.stringContaining('BACKUP_PASSPHRASE')]);
});

test('restored calendars converge without duplicate or lost blocks and leave other events unchanged', {
  timeout: 60_000,
}, async () => {
  const { left, right, clock } = world;
  // changes after the backup, all of them mirrored
  left.put('moved', event('moved', '16', 'Moves later'));
  left.remove('gone');
  left.put('later', event('later', '17', 'Came later'));
  await world.pass();
  await world.pass();
  expect(right.blocks()).toHaveLength(4);
  // and what its person did to a block meanwhile
  const block = right.blocks().find(({ body }) => body.includes('20270302T13'));
  right.remove(block?.name ?? '');
  const untouched = () =>
    left
      .objects()
      .filter(({ body }) => !body.includes('X-HOLDFAST-MIRROR'))
      .map(({ etag }) => etag);
  const before = untouched();
  await world.server.app.db.updateTable('accounts.users').set({ company: 'Named later' }).execute();
  await world.server.close();

  await restoreBackup(options());
  const restored = await startTestApp({
    clock,
    database,
    encryptionKeys: keys,
    config: { caldavAllowPrivate: [new URL(world.emulatorUrl).host] },
  });
  try {
    const old = clientOf(restored, accountsContract, world.person.token);
    await expect(old.readProfile()).rejects.toMatchObject({ status: 401 });
    const { session_token: token } = await clientOf(restored, accessContract).login({
      body: { email: 'person@example.org', password: testPassword },
    });
    const as = clientOf(restored, connectionsContract, token ?? '');
    const sync = clientOf(restored, syncContract, token ?? '');
    const people = await sql`select company from accounts.users`.execute(restored.app.db);
    expect(people.rows).toEqual([{ company: null }]);
    const pass = async () => {
      for (const { accountId } of (await as.listAccounts()).accounts) await sync.syncAccount({ params: { accountId } });
      await restored.settle();
    };
    for (let n = 0; n < 4; n += 1) await pass();
    const starts = (blocks: readonly { body: string }[]) =>
      blocks.map(({ body }) => /DTSTART[^:]*:(\S+)/.exec(body)?.[1] ?? '').sort();
    expect(starts(right.blocks())).toEqual(['12', '13', '16', '17'].map((hour) => `20270302T${hour}0000Z`));
    expect(starts(left.blocks())).toEqual(['20270302T140000Z']);
    expect(untouched()).toEqual(before);
    world.writes();
    await pass();
    expect(world.writes()).toBe(0);
    const { rows } = await sql`select state, error from platform.mails where key = 'waits'`.execute(restored.app.db);
    expect(rows).toEqual([{ state: 'failed', error: expect.stringContaining('may have been sent since') }]);
  } finally {
    await restored.close();
  }
});

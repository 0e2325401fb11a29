import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { bookingContract } from '#features/booking/contract.ts';
import { calendarContract } from '#features/calendar/contract.ts';
import { loadMirrorSigner } from '#features/connections/adapters.ts';
import { meetingsContract } from '#features/meetings/contract.ts';
import { syncContract } from '#features/sync/contract.ts';
import { readBackup } from '#platform/backup-file.ts';
import { createKeyring } from '#platform/crypto.ts';
import { type Database, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { listPending, migrate, migrationsDir } from '#platform/migrate.ts';
import { dumpDatabase } from './harness/dump-database.ts';
import { fixedClock } from './harness/fixed-clock.ts';
import { createTestDatabase, startTestApp } from './harness/test-app.ts';
import { clientOf, testPassword } from './harness/test-client.ts';

/**
 * Installs of the past, row by row as Holdfast wrote them then (test/fixtures/installs), brought up to date by a start of
 * today: everything is still there, and works.
 */

const encryptionKeys = 'test:VfXnKqvR0Yq3s0B7lGJmO1c9yD5wZt8HhUeA2iPkL4Q=';
/** A second or two of work, which waits its turn where other tests run. */
const slow = { timeout: 90_000 };
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let next = closers.pop(); next !== undefined; next = closers.pop()) await next();
});

/** A database as it was left by the version that a fixture is of. */
async function openInstall(name: string) {
  const text = await readFile(join(import.meta.dirname, 'fixtures/installs', `${name}.sql`), 'utf8');
  const numbers = /^-- migrations: (.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  const database = await createTestDatabase();
  closers.push(database.close);
  const past = await mkdtemp(join(tmpdir(), 'hf-upgrade-'));
  closers.push(() => rm(past, { recursive: true, force: true }));
  const hash = createHash('sha256');
  const names = (await readdir(migrationsDir)).filter((file) => numbers.includes(file.slice(0, 4))).sort();
  for (const file of names) {
    hash.update(await readFile(join(migrationsDir, file)));
    await copyFile(join(migrationsDir, file), join(past, file));
  }
  // installs have run them as they were then: one that is changed afterwards is two different ones
  expect(hash.digest('hex')).toBe(/^-- sha256 of their texts: (.*)$/m.exec(text)?.[1]);
  const log = await createLog({ level: 'silent', format: 'json' });
  const { db, close } = openDatabase({ url: database.url, log, poolSize: 1 });
  closers.push(close);
  await emptyDatabase(db);
  await migrate(db, past);
  const tables = [...text.matchAll(/^insert into (\S+)/gm)].map(([, table]) => table);
  // migrations leave rows of their own
  await sql.raw(`truncate ${tables.join(', ')} cascade; ${text}`).execute(db);
  return { database, db, dataDir: past, guest: /^-- booking (.*)$/m.exec(text)?.[1] ?? '' };
}

async function emptyDatabase(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema|public)'`.execute(db);
  for (const { name } of rows) await sql`drop schema ${sql.id(name)} cascade`.execute(db);
}

/** Where what a version kept in a column is kept since, as `table.column` of both. */
const moved: Record<string, string> = { 'accounts.users.password_hash': 'access.passwords.hash' };

/** Every value of every row that was there and is not: `table.column: value`. */
function listLost(before: Map<string, string[]>, after: Map<string, string[]>): string[] {
  const lost: string[] = [];
  for (const [table, rows] of before) {
    if (/^(jobs|platform_migrations)\./.test(table)) continue;
    const now = (after.get(table) ?? []).map((row) => JSON.parse(row) as Record<string, unknown>);
    for (const row of rows.map((text) => JSON.parse(text) as Record<string, unknown>)) {
      const same = now.find((one) =>
        Object.entries(row).every(([key, value]) => !(key in one) || isSame(one[key], value)),
      );
      if (same === undefined) lost.push(`${table}: ${JSON.stringify(row)}`);
      for (const [key, value] of Object.entries(row)) {
        if (value === null || same === undefined || key in same) continue;
        const [schema, name, column] = (moved[`${table}.${key}`] ?? '').split('.');
        const there = (after.get(`${schema}.${name}`) ?? []).map((text) => JSON.parse(text) as Record<string, unknown>);
        if (!there.some((one) => isSame(one[column ?? ''], value)))
          lost.push(`${table}.${key}: ${JSON.stringify(value)}`);
      }
    }
  }
  return lost;
}

/** A body that was kept as JSON is kept as its text since 0014 and 0025. */
function isSame(now: unknown, before: unknown): boolean {
  return isDeepStrictEqual(
    typeof now === 'string' && typeof before === 'object' && before !== null ? parse(now) : now,
    before,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function upgrade(name: string) {
  const install = await openInstall(name);
  const before = await dumpDatabase(install.db);
  await migrate(install.db);
  const { rows: blocks } = await sql<{ id: string }>`
    select id from calendar.items where provenance = 'own'`.execute(install.db);
  // computed of the blocks, which are expanded where they are shown, since 0155
  const timesOfBlocks = new RegExp(`^calendar\\.spans: .*"item_id":"(${blocks.map(({ id }) => id).join('|')})"`);
  const lost = listLost(before, await dumpDatabase(install.db)).filter((line) => !timesOfBlocks.test(line));
  const server = await startTestApp({
    database: install.database,
    encryptionKeys,
    clock: fixedClock('2027-03-01T09:05:00Z'),
    role: 'web',
  });
  closers.push(server.close);
  const { session_token: token } = await clientOf(server, accessContract).login({
    body: { email: 'person@example.org', password: testPassword },
  });
  return { ...install, lost, server, token: token ?? '' };
}

const march = { from: '2027-03-01T00:00:00Z', to: '2027-04-01T00:00:00Z' };

test('an upgrade from the first schema keeps users, events, mirrors, and secrets', slow, async () => {
  const { lost, server, token, db } = await upgrade('first-schema');
  // computed of two columns beside it, until 0025
  expect(lost.filter((line) => !line.startsWith('calendar.spans.long: '))).toEqual([]);
  const { events } = await clientOf(server, calendarContract, token).listEvents({ query: march });
  const own = events.filter(({ title }) => title !== 'Busy');
  expect(own.map(({ title, start_time }) => `${start_time.slice(0, 16)} ${title}`).sort()).toEqual([
    '2027-03-01T20:00 Weekly review',
    '2027-03-02T11:00 Dentist, later',
    '2027-03-03T17:00 Lunch with Jérôme ☕',
    '2027-03-05T00:00 Day off',
    '2027-03-08T20:00 Weekly review',
    '2027-03-22T19:00 Weekly review',
    '2027-03-29T19:00 Weekly review',
  ]);
  // each is blocked in the other calendar, and shown so
  const blocks = events.filter((event) => event.is_holdfast_block);
  expect(blocks.map((block) => block.start_time).sort()).toEqual(own.map((event) => event.start_time).sort());
  const { groups } = await clientOf(server, syncContract, token).listGroups({});
  expect(groups.map((group) => [group.name, group.members.length])).toEqual([['All', 2]]);
  const { mirrors, counts } = await clientOf(server, meetingsContract, token).listMeetings({
    query: { scope: 'mirrors' },
  });
  expect(counts).toMatchObject({ mirrors: 4, created: 4, pending: 0, failed: 0 });
  const dentist = mirrors.find(({ title }) => title === 'Dentist, later');
  const { logs } = await clientOf(server, meetingsContract, token).readAudit({ params: { id: dentist?.id ?? '' } });
  expect(logs.map(({ type }) => type)).toEqual(['mirror.updated', 'mirror.created']);
  // old sealed data can be opened, and blocks in calendars are recognized as ours
  const { keyring } = server.app;
  const { rows: secrets } = await sql<{
    id: string;
    secret: string;
  }>`select id, secret from connections.connections`.execute(db);
  for (const { id: row, secret } of secrets)
    expect(keyring.open(secret, { table: 'connections.connections', row, column: 'secret' })).toBe('secret');
  const signer = await loadMirrorSigner(server.app);
  const { rows: ledger } = await sql<{ key: string; target: string; origin: string; uid: string }>`
    select identity_key as key, target_calendar_id as target, origin_calendar_id as origin, origin_uid as uid
    from sync.mirrors`.execute(db);
  expect(ledger.map(({ key }) => key)).toEqual(
    ledger.map(({ target, origin, uid }) =>
      signer.keyOf({ targetCalendarId: target, originCalendarId: origin, originUid: uid, recId: '' }),
    ),
  );
});

test('an upgrade from the first bookings keeps them for host and guest', slow, async () => {
  const { lost: changed, server, token, guest } = await upgrade('first-bookings');
  // reminders are part of an event type since 0179
  const lost = changed.filter((line) => !line.startsWith('booking.event_types: '));
  expect(lost).toEqual([]);
  const host = clientOf(server, bookingContract, token);
  const { bookings } = await host.listBookings({ query: { scope: 'upcoming' } });
  expect(bookings.map(({ name, seat, start_time }) => [name, seat, start_time])).toEqual([
    ['Bo Li', 1, 1804514400000],
    ['Di Ott', 1, 1804528800000],
    ['Ed Pym', 2, 1804528800000],
  ]);
  const ended = await host.listBookings({ query: { scope: 'ended' } });
  expect(ended.bookings.map(({ name, state, reason }) => [name, state, reason])).toEqual([
    ['Cy Marsh', 'cancelled', 'Ill'],
  ]);
  const { booking } = await clientOf(server, bookingContract).readBooked({ params: { token: guest } });
  expect(booking).toMatchObject({ state: 'confirmed', title: 'Intro' });
});

test('an upgrade makes one backup before it migrates, and does nothing if the backup fails', slow, async () => {
  const { database, db, dataDir } = await openInstall('first-schema');
  const people = await sql`select id, email from accounts.users`.execute(db);
  await writeFile(join(dataDir, 'full'), '');
  const nowhere = { dataDir, backupDir: join(dataDir, 'full/backups'), backsUpBeforeUpgrade: true };
  await expect(startTestApp({ database, encryptionKeys, features: [], config: nowhere })).rejects.toThrow(
    /backup before that could not be written to .*\. Nothing was changed\./,
  );
  expect(await listPending(db)).not.toEqual([]);
  const start = () =>
    startTestApp({
      database,
      encryptionKeys,
      role: 'web',
      features: [],
      config: { dataDir, backsUpBeforeUpgrade: true },
    });
  // a try before this one, which failed; an upgrade of long ago; something of the operator's
  const last = (await readdir(migrationsDir))
    .filter((name) => /^\d/.test(name))
    .sort()
    .at(-1)
    ?.slice(0, 4);
  const kept = ['before-upgrade-0001-20260101T000000Z.backup', `before-upgrade-${last}-mine.backup`];
  await mkdir(join(dataDir, 'backups'));
  for (const name of [...kept, `before-upgrade-${last}-20260102T000000Z.backup`])
    await writeFile(join(dataDir, 'backups', name), '');
  const first = await start();
  await first.close();
  const again = await start();
  await again.close();
  const made = (await readdir(join(dataDir, 'backups'))).filter((name) => !kept.includes(name));
  expect(made).toEqual([expect.stringMatching(new RegExp(`^before-upgrade-${last}-\\d{8}T\\d{6}Z\\.backup$`))]);
  expect(await readdir(join(dataDir, 'backups'))).toHaveLength(3);
  const tables = new Map<string, string>();
  const { header } = await readBackup(
    join(dataDir, 'backups', made[0] ?? ''),
    { keyring: createKeyring(encryptionKeys) },
    async (head, body) => {
      let text = '';
      for await (const chunk of body) text += chunk.toString('utf8');
      if ('table' in head) tables.set(head.table, text);
    },
  );
  expect(header.migrations.at(-1)).toBe('0004_sync');
  expect(tables.get('accounts.users')).toContain('person@example.org');
  expect(tables.get('sync.mirrors')?.trim().split('\n')).toHaveLength(4);
  expect((await sql`select id, email from accounts.users`.execute(db)).rows).toEqual(people.rows);
});

test('an older version on a newer database refuses to start and explains how to go back', slow, async () => {
  const database = await createTestDatabase();
  closers.push(database.close);
  const log = await createLog({ level: 'silent', format: 'json' });
  const { db, close } = openDatabase({ url: database.url, log, poolSize: 1 });
  closers.push(close);
  await sql`insert into platform_migrations.kysely_migration values ('9990_newer', '2027-01-01')`.execute(db);
  await expect(startTestApp({ database, features: [] })).rejects.toThrow(
    /of a newer Holdfast, which has changed it \(9990_newer\).* npm run restore -- before-upgrade-/,
  );
});

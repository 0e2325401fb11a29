import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  BackupError,
  type BackupHeader,
  type BackupSeal,
  type BackupSummary,
  explainFullDisk,
  readBackup,
  readBackupHeader,
  verifyBackup,
} from './backup-file.ts';
import { clientOptions } from './db.ts';
import { heard } from './heard.ts';
import { jobsSchema } from './job-sql.ts';
import { migrationsDir } from './migrate.ts';

export interface RestoreOptions {
  path: string;
  databaseUrl: string;
  dataDir: string;
  seal: BackupSeal;
  /** Mails that waited then are sent, though they may have been sent since. */
  sendsWaiting: boolean;
  /** Where the migrations lie, for tests of upgrades. */
  migrations?: string;
  onProgress?: (progress: { tables: number }) => void;
}

/**
 * Restores an install over the current database. The file is read whole before any change. One transaction then creates
 * the tables as they were, fills them, and migrates them to this version: all of it, or nothing. The remaining steps
 * run at the next start (settle-restore). *Errors*: BackupError.
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupSummary> {
  const header = await readBackupHeader(options.path);
  const plan = await planMigrations(header, options.migrations ?? migrationsDir);
  const summary = await verifyBackup(options.path, options.seal);
  const client = new pg.Client(clientOptions(options.databaseUrl, 'holdfast restore'));
  client.on('error', () => undefined); // the statement that waits says so
  await client.connect();
  try {
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin');
    await demandAlone(client);
    await restoreRows(client, header, plan, options);
    await client.query('commit');
    await putFiles(staged(options.dataDir), options.dataDir);
    await client.query('analyze').catch(() => undefined); // plans are better at once; autovacuum would do it later
    return summary;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    await rm(staged(options.dataDir), { recursive: true, force: true });
    throw explainFullDisk(error, `DATA_DIR (${options.dataDir})`, 'Nothing was changed.');
  } finally {
    await client.end();
  }
}

interface Plan {
  before: Migration[];
  after: Migration[];
  schemas: string[];
}

interface Migration {
  name: string;
  text: string;
}

/** *Errors*: BackupError for a backup of a newer version. */
async function planMigrations(header: BackupHeader, dir: string): Promise<Plan> {
  const names = (await readdir(dir)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const all = await Promise.all(
    names.map(async (name) => ({ name: name.slice(0, -4), text: await readFile(join(dir, name), 'utf8') })),
  );
  const had = new Set(header.migrations);
  const unknown = header.migrations.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0) {
    throw new BackupError(
      `This backup was made by a newer Holdfast (with ${unknown.at(-1)}). Install that version, then restore. Nothing was changed.`,
    );
  }
  const schemas = all.flatMap(({ text }) =>
    [...text.matchAll(/^create schema (\w+)/gim)].map(([, name]) => name ?? ''),
  );
  return {
    before: all.filter(({ name }) => had.has(name)),
    after: all.filter(({ name }) => !had.has(name)),
    schemas: [...schemas, 'platform_migrations', jobsSchema],
  };
}

/** One that was just stopped is still seen for a moment. *Errors*: BackupError while a Holdfast uses the database. */
async function demandAlone(client: pg.Client): Promise<void> {
  for (let left = 20; left > 0 && (await isUsed(client)); left -= 1) await sleep(100);
  if (await isUsed(client))
    throw new BackupError('Holdfast runs on this database. Stop all of its processes first. Nothing was changed.');
}

async function isUsed(client: pg.Client): Promise<boolean> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and application_name like 'holdfast%' and application_name <> 'holdfast supervisor'`,
  );
  return rows.length > 0;
}

async function restoreRows(
  client: pg.Client,
  header: BackupHeader,
  plan: Plan,
  options: RestoreOptions,
): Promise<void> {
  for (const schema of plan.schemas) await client.query(`drop schema if exists ${schema} cascade`);
  for (const { text } of plan.before) await client.query(text);
  const tables = await listOwnTables(client, plan.schemas);
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  // rows that migrations inserted are in the backup, too
  await client.query(`truncate ${tables.join(', ')}`);
  const keys = await dropForeignKeys(client, plan.schemas);
  let done = 0;
  const staging = staged(options.dataDir);
  await rm(staging, { recursive: true, force: true });
  await readBackup(options.path, options.seal, async (head, body) => {
    if ('table' in head) {
      const columns = head.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      const [schema = '', name = ''] = head.table.split('.');
      const text = `copy ${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)} (${columns}) from stdin`;
      await pipeline(Readable.from(body, { objectMode: false }), heard(client.query(copyFrom(text))));
      done += 1;
      options.onProgress?.({ tables: done });
      return;
    }
    if ('file' in head) {
      await stageFile(staging, head.file, body);
      return;
    }
    for await (const _ of body);
    if ('sequence' in head) await client.query('select setval($1, $2, false)', [head.sequence, head.next]);
  });
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${pg.escapeIdentifier(name)} ${definition}`);
  }
  for (const { name, text } of plan.after) {
    await client.query(text).catch((cause: unknown) => {
      throw new BackupError(`The migration ${name} failed on the data of this backup. Nothing was changed.`, { cause });
    });
  }
  await noteMigrations(client, [...plan.before, ...plan.after]);
  await client.query('insert into platform.restores (id, taken_at, sends_waiting) values ($1, $2, $3)', [
    randomUUID(),
    header.takenAt,
    options.sendsWaiting,
  ]);
}

async function listOwnTables(client: pg.Client, schemas: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any ($1) order by 1`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

/** Drops the foreign keys until the tables are filled in any order; restoring them checks the rows. */
async function dropForeignKeys(
  client: pg.Client,
  schemas: string[],
): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(k.oid) as definition
       from pg_constraint k join pg_namespace n on n.oid = k.connamespace
      where contype = 'f' and n.nspname = any ($1) order by 1, 2`,
    [schemas],
  );
  for (const { table, name } of rows) {
    await client.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(name)}`);
  }
  return rows;
}

/** Writes the migrator's own records, so that it continues from here. */
async function noteMigrations(client: pg.Client, migrations: Migration[]): Promise<void> {
  await client.query('create schema platform_migrations');
  await client.query(`create table platform_migrations.kysely_migration
    (name varchar(255) not null primary key, timestamp varchar(255) not null)`);
  await client.query(`create table platform_migrations.kysely_migration_lock
    (id varchar(255) not null primary key, is_locked integer not null default 0)`);
  await client.query(`insert into platform_migrations.kysely_migration_lock values ('migration_lock', 0)`);
  await client.query(
    `insert into platform_migrations.kysely_migration select name, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
       from unnest($1::text[]) name`,
    [migrations.map(({ name }) => name).sort()],
  );
}

// --- files --------------------------------------------------------------------------------------------------------

const staged = (dataDir: string) => join(dataDir, 'restored.part');

async function stageFile(dir: string, name: string, body: AsyncIterable<Buffer>): Promise<void> {
  const path = resolve(dir, name);
  if (!path.startsWith(`${resolve(dir)}/`)) throw new BackupError('A file in this backup is outside DATA_DIR.');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(Readable.from(body, { objectMode: false }), createWriteStream(path, { mode: 0o600 }));
}

/** Puts restored files in place. Existing files are moved aside, never overwritten. */
async function putFiles(staging: string, dataDir: string): Promise<void> {
  for (const name of await readdir(staging).catch(() => [])) {
    const target = join(dataDir, name);
    const isThere = await stat(target).then(
      () => true,
      () => false,
    );
    if (isThere) await rename(target, `${target}.before-${randomUUID().slice(0, 8)}`);
    await rename(join(staging, name), target);
  }
  await rm(staging, { recursive: true, force: true });
}

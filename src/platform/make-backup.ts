import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type BackupSeal, type BackupSummary, explainFullDisk, type Part, writeBackup } from './backup-file.ts';
import { clientOptions } from './db.ts';
import { heard } from './heard.ts';
import { jobsSchema } from './job-sql.ts';

export interface BackupOptions {
  databaseUrl: string;
  /**
   * Directory of the install's `simulated` accounts and `site` texts; the private cluster is read through
   * `databaseUrl`.
   */
  dataDir: string;
  seal: BackupSeal;
  /** The keys themselves, where they are to be in the file. */
  keys?: string;
  path: string;
  /** The operator's name for the directory, e.g. `BACKUP_DIR`; its path by default. */
  place?: string;
  /** Another target than a file, for tests of full disks. */
  openTarget?: (draft: string) => Writable;
  onProgress?: (progress: { tables: number; of: number }) => void;
}

interface Table {
  schema: string;
  name: string;
  columns: string[];
}

/**
 * Everything an install needs to come back, as one consistent state, whatever is written meanwhile: rows by COPY in one
 * snapshot, without the tables that are @momentary; jobs that wait; files. No program of PostgreSQL's is needed.
 * *Errors*: BackupError where the disk is full; of the database, and of the disk.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupSummary> {
  const client = new pg.Client(clientOptions(options.databaseUrl, 'holdfast backup'));
  client.on('error', () => undefined); // the statement that waits says so
  await client.connect();
  try {
    // a large table may take longer than the house lets a transaction idle: the disk may be slow to take it
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin isolation level repeatable read, read only');
    const { rows } = await client.query<{ name: string; at: string }>(
      `select name, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
         from platform_migrations.kysely_migration order by name`,
    );
    const takenAt = rows[0]?.at;
    if (takenAt === undefined) throw new Error('there is no install in this database');
    const migrations = rows.map(({ name }) => name);
    const about = { takenAt, migrations };
    return await writeBackup(options.path, about, options.seal, listParts(client, options), options.openTarget);
  } catch (error) {
    throw explainFullDisk(error, options.place ?? dirname(options.path), 'No backup was made.');
  } finally {
    await client.end();
  }
}

async function* listParts(client: pg.Client, options: BackupOptions): AsyncGenerator<Part> {
  const tables = await listTables(client);
  let done = 0;
  for (const { schema, name, columns } of tables) {
    const quoted = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const text = `copy ${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)} (${quoted}) to stdout`;
    yield* copied(client, { table: `${schema}.${name}`, columns }, text);
    done += 1;
    options.onProgress?.({ tables: done, of: tables.length });
  }
  yield* listSequences(client);
  yield* listJobs(client);
  for (const name of ['simulated', 'site']) {
    for (const path of await listFiles(join(options.dataDir, name)))
      yield { head: { file: relative(options.dataDir, path) }, body: heard(createReadStream(path)) };
  }
  if (options.keys !== undefined) yield { head: { file: 'encryption-keys' }, body: textOf(`${options.keys}\n`) };
}

/** Tables of the product that outlive an hour; columns that are computed are computed again. */
async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and n.nspname <> all ($1) and n.nspname not like 'pg\\_%'
        and coalesce(obj_description(c.oid, 'pg_class'), '') !~ '@momentary'
        and not exists (select 1 from pg_depend x where x.objid = c.oid and x.deptype = 'e')
      group by 1, 2 order by 1, 2`,
    [['information_schema', 'public', 'platform_migrations', jobsSchema]],
  );
  return rows;
}

/** A name that was given is not given again, e.g. of what a browser was told last. */
async function* listSequences(client: pg.Client): AsyncGenerator<Part> {
  const { rows } = await client.query<{ sequence: string; next: string }>(
    `select schemaname || '.' || sequencename as sequence, coalesce(last_value + increment_by, start_value)::text as next
       from pg_sequences where schemaname <> all ($1) order by 1`,
    [['public', 'platform_migrations', jobsSchema]],
  );
  for (const head of rows) yield { head, body: textOf('') };
}

/** Waiting jobs, independent of the job library's tables, which change with its version. */
async function* listJobs(client: pg.Client): AsyncGenerator<Part> {
  const { rows } = await client.query(
    `select 1 where to_regclass('${jobsSchema}.job') is not null and to_regclass('platform.restored_jobs') is not null`,
  );
  if (rows.length === 0) return;
  const text = `copy (select id, name, data, singleton_key, priority, start_after from ${jobsSchema}.job
      where state in ('created', 'retry', 'active') and name !~ '^(dead-letters|__pgboss)'
        and singleton_on is null) to stdout`;
  const columns = ['id', 'name', 'payload', 'key', 'priority', 'start_after'];
  yield* copied(client, { table: 'platform.restored_jobs', columns }, text);
}

/** Rows by COPY. The stream is over before the client ends, also where the file could not be written. */
async function* copied(client: pg.Client, head: Part['head'], text: string): AsyncGenerator<Part> {
  const body = heard(client.query(copyTo(text)));
  try {
    yield { head, body };
  } finally {
    body.destroy();
  }
}

async function listFiles(dir: string): Promise<string[]> {
  const found = await readdir(dir, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function* textOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text, 'utf8');
}

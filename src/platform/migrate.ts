import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Migrator } from 'kysely/migration';
import type { Database } from './db.ts';

export const migrationsDir = join(import.meta.dirname, '../../migrations');

/** One that could not run; it and all that ran with it were rolled back. */
export class MigrationError extends Error {
  constructor(migration: string, cause: unknown) {
    super(`migration ${migration} failed`, { cause });
    this.name = 'MigrationError';
  }
}

/** The database was made by a newer version, which knows a migration that this one does not. */
export class NewerDatabaseError extends Error {
  readonly migration: string;
  constructor(migration: string) {
    super(`The database is of a newer version: it has run ${migration}. Start that version.`);
    this.name = 'NewerDatabaseError';
    this.migration = migration;
  }
}

/**
 * Brings the database to the newest schema; several processes may call it at once (one works, the others wait).
 * Forward only: every `NNNN_name.sql` runs once, in order, all pending ones in one transaction.
 *
 * @returns the names of the migrations that ran
 *
 * *Errors*: MigrationError, NewerDatabaseError; nothing was changed then.
 */
export async function migrate(db: Database, dir: string = migrationsDir): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => readMigrations(dir) },
    migrationTableSchema: 'platform_migrations',
    // one of a branch that came later may have a lower number
    allowUnorderedMigrations: true,
  });
  const known = Object.keys(await readMigrations(dir));
  const done = await listDone(db);
  const unknown = done?.findLast((name) => !known.includes(name));
  if (unknown !== undefined) throw new NewerDatabaseError(unknown);
  // the migrator first reads every table of the database
  if (done?.length === known.length) return [];
  const { error, results } = await migrator.migrateToLatest();
  const failed = results?.find((result) => result.status === 'Error');
  if (failed) throw new MigrationError(failed.migrationName, error);
  if (error !== undefined) throw error instanceof Error ? error : new Error('migrating failed', { cause: error });
  return (results ?? []).map((result) => result.migrationName);
}

/** Migrations of this version that have not run; null where none ever has. */
export async function listPending(db: Database, dir: string = migrationsDir): Promise<string[] | null> {
  const done = await listDone(db);
  return done === null ? null : Object.keys(await readMigrations(dir)).filter((name) => !done.includes(name));
}

/** In their order; null where none ever ran: while the first process brings them, their table stands there empty. */
async function listDone(db: Database): Promise<string[] | null> {
  const { rows: tables } = await sql`
    select 1 from pg_tables where schemaname = 'platform_migrations' and tablename = 'kysely_migration'`.execute(db);
  if (tables.length === 0) return null;
  const { rows } = await sql<{ name: string }>`
    select name from platform_migrations.kysely_migration order by name`.execute(db);
  return rows.length === 0 ? null : rows.map((row) => row.name);
}

async function readMigrations(dir: string): Promise<Record<string, Migration>> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql') && name !== 'schema.sql').sort();
  const misnamed = names.find((name) => !/^\d{4}_[a-z0-9-]+\.sql$/.test(name));
  if (misnamed !== undefined) throw new Error(`${misnamed} is not named like a migration: 0001_a-name.sql`);
  if (names.length === 0) throw new Error(`no migrations in ${dir}`);
  const entries = names.map((name): [string, Migration] => {
    // each start lists them, and few starts run one
    const up = async (db: Parameters<Migration['up']>[0]) =>
      void (await sql.raw(await readFile(join(dir, name), 'utf8')).execute(db));
    return [name.slice(0, -'.sql'.length), { up }];
  });
  return Object.fromEntries(entries);
}

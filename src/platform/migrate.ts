import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Migrator } from 'kysely/migration';
import type { Database } from './db.ts';

export const migrationsDir = join(import.meta.dirname, '../../migrations');

/**
 * Brings the database to the newest schema; several processes may call it at once (one works, the others wait).
 * Forward only: every `NNNN_name.sql` runs once, in order, all pending ones in one transaction.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(db: Database, dir: string = migrationsDir): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => readMigrations(dir) },
    migrationTableSchema: 'platform_migrations',
  });
  const { error, results } = await migrator.migrateToLatest();
  const failed = results?.find((result) => result.status === 'Error');
  if (failed) throw new Error(`migration ${failed.migrationName} failed`, { cause: error });
  if (error !== undefined) throw error instanceof Error ? error : new Error('migrating failed', { cause: error });
  return (results ?? []).map((result) => result.migrationName);
}

/** Migrations of this version that have not run; null where none ever has. */
export async function listPending(db: Database, dir: string = migrationsDir): Promise<string[] | null> {
  const { rows: tables } = await sql`
    select 1 from pg_tables where schemaname = 'platform_migrations' and tablename = 'kysely_migration'`.execute(db);
  if (tables.length === 0) return null;
  const { rows } = await sql<{ name: string }>`select name from platform_migrations.kysely_migration`.execute(db);
  const done = new Set(rows.map((row) => row.name));
  return Object.keys(await readMigrations(dir)).filter((name) => !done.has(name));
}

async function readMigrations(dir: string): Promise<Record<string, Migration>> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql') && name !== 'schema.sql').sort();
  const misnamed = names.find((name) => !/^\d{4}_[a-z0-9-]+\.sql$/.test(name));
  if (misnamed !== undefined) throw new Error(`${misnamed} is not named like a migration: 0001_a-name.sql`);
  if (names.length === 0) throw new Error(`no migrations in ${dir}`);
  const entries = names.map(async (name) => {
    const text = await readFile(join(dir, name), 'utf8');
    return [
      name.slice(0, -'.sql'.length),
      { up: async (db) => void (await sql.raw(text).execute(db)) },
    ] as const satisfies [string, Migration];
  });
  return Object.fromEntries(await Promise.all(entries));
}

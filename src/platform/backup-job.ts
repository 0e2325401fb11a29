import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Config } from './config.ts';
import type { Keyring } from './crypto.ts';
import type { Database } from './db.ts';
import { type AnyJob, defineJob, type Schedule } from './jobs.ts';
import type { Log } from './log.ts';
import { type BackupOptions, makeBackup } from './make-backup.ts';
import { makeDirectory } from './make-directory.ts';

/** Backups by themselves, into `BACKUP_DIR`: one for each beat, the newest `BACKUP_KEEP` of them kept. */

const scheduled = 'holdfast';
const stampPattern = /^-\d{8}T\d{6}Z\.backup$/;

/** `holdfast-20261122T154500Z.backup`: sorts by time. */
export function nameBackup(at: Temporal.Instant, prefix = scheduled): string {
  const stamp = at.round('second').toString().replace(/[-:]/g, '');
  return `${prefix}-${stamp}.backup`;
}

/** The file name prefix of the backup before this migration. */
export function nameUpgrade(migration: string): string {
  return `before-upgrade-${migration.slice(0, 4)}`;
}

interface Install {
  config: Pick<Config, 'backupDir' | 'backupKeep' | 'backupEveryHours' | 'dataDir'>;
  databaseUrl: string;
  keyring: Keyring;
}

export function backupJobs({ config, databaseUrl, keyring }: Install): {
  jobs: AnyJob[];
  schedules: Schedule[];
} {
  const { backupDir: dir, backupKeep: keep, backupEveryHours: hours, dataDir } = config;
  const job = defineJob({
    name: 'platform.back-up',
    payload: z.strictObject({}),
    policy: 'stately',
    retryLimit: 3,
    retryDelaySeconds: 300,
    concurrency: 1,
    timeoutSeconds: 6 * 3600,
    async handle(app) {
      if (dir === undefined) return;
      await backUpInto(dir, { databaseUrl, dataDir, seal: { keyring } }, app.db, app.log);
      await keepNewest(dir, keep);
    },
  });
  const schedule: Schedule = { job, everyMs: hours * 3_600_000, payload: {}, key: 'back-up' };
  return { jobs: [job], schedules: dir === undefined ? [] : [schedule] };
}

/** One more file there, noted in the database. *Errors*: of `makeBackup`, and of the disk. */
export async function backUpInto(
  dir: string,
  install: Omit<BackupOptions, 'path'>,
  db: Database,
  log: Log,
  prefix?: string,
): Promise<string> {
  await makeDirectory(dir, 0o700);
  const { rows } = await sql<{ now: Temporal.Instant }>`select now() as now`.execute(db);
  const path = join(dir, nameBackup(rows[0]?.now ?? Temporal.Instant.fromEpochMilliseconds(0), prefix));
  const { bytes, tables, rows: saved } = await makeBackup({ place: `BACKUP_DIR (${dir})`, ...install, path });
  await noteBackup(db, { path, bytes });
  log.info({ file: path, bytes, tables, rows: saved }, 'a backup was made and read back');
  return path;
}

/** So that its age can be told. A database of before this table has no place for it. */
export async function noteBackup(db: Database, { path, bytes }: { path: string; bytes: number }): Promise<void> {
  const { rows } = await sql`select 1 where to_regclass('platform.backups') is not null`.execute(db);
  if (rows.length === 0) return;
  await db
    .insertInto('platform.backups')
    .values({ id: randomUUID(), taken_at: sql<Temporal.Instant>`now()`, file: path, bytes })
    .execute();
  await sql`delete from platform.backups where taken_at < now() - interval '400 days'`.execute(db);
}

/** Deletes older backups with this prefix. Other files in the directory are kept. */
export async function keepNewest(dir: string, keep: number, prefix = scheduled): Promise<void> {
  const isOurs = (name: string) => name.startsWith(prefix) && stampPattern.test(name.slice(prefix.length));
  const made = (await readdir(dir)).filter(isOurs).sort();
  for (const name of made.slice(0, Math.max(0, made.length - keep))) await rm(join(dir, name), { force: true });
}

/** When the newest backup was made; null where none ever was. */
export async function findLastBackup(
  db: Database,
): Promise<{ takenAtMs: number; ageMs: number; file: string; bytes: number } | null> {
  const { rows } = await sql<{ takenAtMs: number; ageMs: number; file: string; bytes: number }>`
    select (extract(epoch from taken_at) * 1000)::float8 as "takenAtMs",
      (extract(epoch from now() - taken_at) * 1000)::float8 as "ageMs", file, bytes
    from platform.backups order by taken_at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

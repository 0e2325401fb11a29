import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '#platform/db.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { type AnyJob, createJobs } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { migrate } from '#platform/migrate.ts';

export interface TestCluster {
  /** URL of the database `postgres`, where clones are made. */
  url: string;
  close(): Promise<void>;
}

/** Nothing in a test cluster needs to survive, so nothing waits for the disk. */
const hasty = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
const prefix = 'holdfast-test-';

/** A throw-away cluster in memory with a migrated database called `template`, which has the queues of these jobs. */
export async function startTestCluster(queuesOf: readonly AnyJob[] = []): Promise<TestCluster> {
  const log = await createLog({ level: 'error', format: 'json' });
  const base = await memoryDir();
  await removeLeftovers(base);
  const dir = await mkdtemp(join(base, `${prefix}${process.pid}-`));
  const cluster = await startEmbeddedPostgres({ dir, log, database: 'template', settings: hasty });
  const database = openDatabase({ url: cluster.url, log });
  await migrate(database.db);
  // or each app would compute what its test has just stored again
  await sql`update calendar.zone_data set version = ${process.versions.tz}`.execute(database.db);
  const jobs = createJobs({ url: cluster.url, log, jobs: queuesOf });
  await jobs.start();
  await jobs.close();
  await database.close();
  return {
    url: cluster.url.replace('/template?', '/postgres?'),
    async close() {
      await cluster.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function memoryDir(): Promise<string> {
  const shared = '/dev/shm';
  return stat(shared).then(
    (found) => (found.isDirectory() ? shared : tmpdir()),
    () => tmpdir(),
  );
}

/** Clusters of test runs that were killed: nobody would ever stop them. */
async function removeLeftovers(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    const dir = join(base, name);
    if (pid === undefined || isAlive(Number(pid)) || !(await isOurs(dir))) continue;
    const log = await createLog({ level: 'silent', format: 'json' });
    // Starting is the one way to find out whether it runs; closing as its last user stops it.
    const old = await startEmbeddedPostgres({ dir, log, settings: hasty }).catch(() => undefined);
    await old?.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Another user's can neither be read nor removed. */
async function isOurs(dir: string): Promise<boolean> {
  return stat(dir).then(
    ({ uid }) => uid === process.getuid?.(),
    () => false,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export interface TestDatabase {
  url: string;
  close(): Promise<void>;
}

let clones = 0;

/** A database of one's own, cloned from the template (about 20 ms). */
export async function cloneTemplate(clusterUrl: string): Promise<TestDatabase> {
  const log = await createLog({ level: 'error', format: 'json' });
  const admin = openDatabase({ url: clusterUrl, log, poolSize: 1 });
  clones += 1;
  const name = `t_${process.pid}_${clones}_${Math.random().toString(36).slice(2, 8)}`;
  await sql`create database ${sql.id(name)} template template strategy file_copy`.execute(admin.db);
  return {
    url: clusterUrl.replace('/postgres?', `/${name}?`),
    async close() {
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin.db);
      await admin.close();
    },
  };
}

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { createLog } from './log.ts';

/** One process at a time here; several, and those that are killed, are in test/recovery.slow.test.ts. */

const log = await createLog({ level: 'silent', format: 'json' });
const hasty = { fsync: 'off', shared_buffers: '1MB' };
let dir: string;
const open = new Set<EmbeddedPostgres>();

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hf-pg-'));
});
afterEach(async () => {
  for (const cluster of open) await stop(cluster);
  await rm(dir, { recursive: true, force: true });
});

async function start(at = dir): Promise<EmbeddedPostgres> {
  const cluster = await startEmbeddedPostgres({ dir: at, log, settings: hasty });
  open.add(cluster);
  return cluster;
}

async function stop(cluster: EmbeddedPostgres): Promise<void> {
  open.delete(cluster);
  await cluster.close();
}

async function query(cluster: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('embedded PostgreSQL', () => {
  it('embedded PostgreSQL is created, kept over a stop, adopted while it runs, and stopped by its last user', async () => {
    const first = await start();
    expect(first.found).toBe('created');
    await query(first, 'create table kept (n int); insert into kept values (7)');
    const second = await start();
    expect(second.found).toBe('running');
    await stop(first);
    expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }]);
    await stop(second);
    const third = await start();
    expect(third.found).toBe('stopped');
    expect(await query(third, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('embedded PostgreSQL is created once when several callers start it together', async () => {
    const clusters = await Promise.all([start(), start(), start()]);
    expect(clusters.filter((cluster) => cluster.found === 'created').length).toBeGreaterThan(0);
    expect(new Set(clusters.map((cluster) => cluster.url)).size).toBe(1);
    expect((await readdir(dir)).toSorted()).toEqual(['data', 'postgres.log', 'run']);
  });

  it.each([
    ['of a process that is somebody else now', `${process.pid}\n/somewhere\n`],
    ['of a process that is gone', '999999999\n/somewhere\n'],
    ['that a power cut left empty', ''],
  ])('embedded PostgreSQL starts despite a lock file %s', async (_, text) => {
    await stop(await start());
    await writeFile(join(dir, 'data/postmaster.pid'), text);
    await writeFile(join(dir, 'run/.s.PGSQL.5432.lock'), text);
    const startedMs = performance.now();
    expect(await query(await start(), 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  it('embedded PostgreSQL removes the remains of an interrupted creation', async () => {
    await mkdir(join(dir, 'data.new.999999999'), { recursive: true });
    await start();
    expect(await readdir(dir)).not.toContain('data.new.999999999');
  });

  it('embedded PostgreSQL works in paths that are long or contain quotes and spaces', async () => {
    const far = join(dir, "it's a long name ".repeat(5).trim(), 'x'.repeat(40));
    expect(await query(await start(far), 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('embedded PostgreSQL refuses a cluster of another version at once', async () => {
    await stop(await start());
    await writeFile(join(dir, 'data/PG_VERSION'), '12\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 12, this is 18/);
    await writeFile(join(dir, 'data/PG_VERSION'), '18\n');
  });

  it('embedded PostgreSQL listens on no network', async () => {
    const cluster = await start();
    expect(await query(cluster, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(await readFile(join(dir, 'data/holdfast.conf'), 'utf8')).toContain("unix_socket_permissions = '0700'");
  });
});

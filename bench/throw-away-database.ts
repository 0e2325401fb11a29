import type pg from 'pg';
import { type Database, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { cloneTemplate, startTestCluster } from '../test/harness/test-cluster.ts';

export interface ThrowAwayDatabase {
  url: string;
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** A cluster of the bench's own, in memory and without fsync, so that rows compare code and not disks. */
export async function openThrowAwayDatabase(): Promise<ThrowAwayDatabase> {
  const cluster = await startTestCluster();
  const database = await cloneTemplate(cluster.url);
  const log = await createLog({ level: 'error', format: 'json' });
  const handle = openDatabase({ url: database.url, log, poolSize: 10, slowQueryMs: 60_000 });
  return {
    url: database.url,
    db: handle.db,
    pool: handle.pool,
    async close() {
      await handle.close();
      await database.close();
      await cluster.close();
    },
  };
}

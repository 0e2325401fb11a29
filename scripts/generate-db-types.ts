import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#platform/db.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog } from '#platform/log.ts';
import { migrate } from '#platform/migrate.ts';
import { renderSchema, renderTables } from './describe-database.ts';

// Migrates an empty throw-away cluster and writes down what came out of it.
const root = join(import.meta.dirname, '..');
const log = await createLog({ level: 'warn', format: 'json' });
const dir = await mkdtemp(join(tmpdir(), 'holdfast-types-'));
const cluster = await startEmbeddedPostgres({ dir, log, settings: { fsync: 'off' } });
const { db, close } = openDatabase({ url: cluster.url, log });
try {
  await migrate(db);
  await writeFile(join(root, 'src/platform/db-types.ts'), await renderTables(db));
  await writeFile(join(root, 'migrations/schema.sql'), await renderSchema(db));
} finally {
  await close();
  await cluster.close();
  await rm(dir, { recursive: true, force: true });
}

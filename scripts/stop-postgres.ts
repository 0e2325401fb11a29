import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, loadEnvFile } from '#platform/config.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog } from '#platform/log.ts';

/** Adopts the private PostgreSQL of a server that was killed and stops it, unless another process uses it. */
loadEnvFile(join(import.meta.dirname, '../.env'));
const { databaseUrl, dataDir } = loadConfig(process.env, process.argv.slice(2));
const dir = join(dataDir, 'postgres');
if (databaseUrl === undefined && existsSync(join(dir, 'data/postmaster.pid'))) {
  const log = await createLog({ level: 'silent', format: 'json' });
  await (await startEmbeddedPostgres({ dir, log })).close();
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Config, ConfigError, loadConfig, loadEnvFile } from '#platform/config.ts';
import { type Database, openDatabase } from '#platform/db.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog, type Log } from '#platform/log.ts';
import { type Outcome, runCommand } from './admin/run-command.ts';

// `npm run admin -- grant|revoke|list|mfa-off|suspend|resume|verify <email>`: what the operator decides by hand, on the machine itself. Works on
// the database of this install, whether Holdfast runs or not.
const nothingHere: Outcome = { lines: ['There is no install here yet: run npm start first.'], failed: true };

const outcome = await run().catch((error: unknown): Outcome => {
  if (error instanceof ConfigError) return { lines: [error.message], failed: true };
  return {
    lines: [`The database does not answer: ${error instanceof Error ? error.message : String(error)}`],
    failed: true,
  };
});
for (const line of outcome.lines) console[outcome.failed ? 'error' : 'log'](line);
process.exitCode = outcome.failed ? 1 : 0;

async function run(): Promise<Outcome> {
  loadEnvFile(join(import.meta.dirname, '../.env'));
  const config = loadConfig(process.env);
  const log = await createLog({ level: 'silent', format: 'json' });
  return withDatabase(config, log, async (db) => {
    const { rows } = await sql<{ found: string | null }>`select to_regclass('accounts.trail') as found`.execute(db);
    if (rows[0]?.found == null) return nothingHere;
    return runCommand(db, process.argv.slice(2), config.publicUrl);
  });
}

async function withDatabase(config: Config, log: Log, act: (db: Database) => Promise<Outcome>): Promise<Outcome> {
  const dir = join(config.dataDir, 'postgres');
  if (config.databaseUrl === undefined && !existsSync(dir)) return nothingHere;
  const postgres = config.databaseUrl === undefined ? await startEmbeddedPostgres({ dir, log }) : undefined;
  const { db, close } = openDatabase({ url: config.databaseUrl ?? postgres?.url ?? '', log });
  try {
    return await act(db);
  } finally {
    await close();
    await postgres?.close();
  }
}

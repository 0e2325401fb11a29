import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BackupError } from '#platform/backup-file.ts';
import { type Config, ConfigError, loadConfig, loadEnvFile } from '#platform/config.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog, type Log } from '#platform/log.ts';

/** Runs a command on the database of this install, whether Holdfast runs or not; says in one line what does not work. */
export async function withInstall(
  act: (install: { config: Config; databaseUrl: string; log: Log }) => Promise<void>,
  { mayBeNew = false }: { mayBeNew?: boolean } = {},
): Promise<void> {
  try {
    loadEnvFile(join(import.meta.dirname, '../../.env'));
    const config = loadConfig(process.env);
    const log = await createLog({ level: 'silent', format: 'json' });
    const dir = join(config.dataDir, 'postgres');
    if (config.databaseUrl === undefined && !mayBeNew && !existsSync(dir))
      throw new ConfigError('There is no install here yet: run npm start first.');
    const postgres = config.databaseUrl === undefined ? await startEmbeddedPostgres({ dir, log }) : undefined;
    try {
      await act({ config, databaseUrl: config.databaseUrl ?? postgres?.url ?? '', log });
    } finally {
      await postgres?.close();
    }
  } catch (error) {
    const isOurs = error instanceof ConfigError || error instanceof BackupError;
    console.error(
      isOurs ? error.message : `It did not work: ${error instanceof Error ? error.message : String(error)}`,
    );
    process.exitCode = 1;
  }
}

/** A line to the terminal every two seconds at most. */
export function sayNowAndThen(): (line: string) => void {
  let saidMs = performance.now();
  return (line) => {
    if (performance.now() - saidMs < 2000) return;
    saidMs = performance.now();
    console.log(line);
  };
}

/** Returns the seal of a backup: the passphrase of BACKUP_PASSPHRASE, or nothing. */
export function readPassphrase(): string | undefined {
  const given = process.env.BACKUP_PASSPHRASE;
  if (given === undefined || given === '') return undefined;
  if (given.length < 12) throw new BackupError('BACKUP_PASSPHRASE is too short. Use at least 12 characters.');
  return given;
}

export const asMegabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;

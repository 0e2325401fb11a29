import { sql } from 'kysely';
import { hasUsers } from '#features/accounts/users/public.ts';
import { BackupError, readBackupHeader } from '#platform/backup-file.ts';
import { createKeyring } from '#platform/crypto.ts';
import { prepareDataDir } from '#platform/data-dir.ts';
import { openDatabase } from '#platform/db.ts';
import { findEncryptionKeys } from '#platform/encryption-keys.ts';
import type { Log } from '#platform/log.ts';
import { restoreBackup } from '#platform/restore-backup.ts';
import { readPassphrase, sayNowAndThen, withInstall } from './install/open-install.ts';

// `npm run restore -- <file> [--replace] [--send-waiting]`: brings an install back. Holdfast must not run.
const usage = 'Usage: npm run restore -- <file> [--replace] [--send-waiting]';
const options = ['--replace', '--send-waiting'];

await withInstall(
  async ({ config, databaseUrl, log }) => {
    const args = process.argv.slice(2);
    const [path, ...rest] = args.filter((arg) => !options.includes(arg));
    if (path === undefined || rest.length > 0 || path.startsWith('-')) throw new BackupError(usage);
    const header = await readBackupHeader(path);
    const passphrase = readPassphrase();
    if (header.key === undefined && passphrase === undefined)
      throw new BackupError('This backup has a passphrase: set BACKUP_PASSPHRASE. Nothing was changed.');
    await prepareDataDir(config);
    const seal =
      header.key === undefined && passphrase !== undefined
        ? { passphrase }
        : { keyring: createKeyring((await findEncryptionKeys(config)).keys) };
    if (!args.includes('--replace')) await demandRoom(databaseUrl, log);
    const say = sayNowAndThen();
    const { rows, tables, files } = await restoreBackup({
      path,
      databaseUrl,
      dataDir: config.dataDir,
      seal,
      sendsWaiting: args.includes('--send-waiting'),
      onProgress: ({ tables: done }) => say(`Restoring … ${done} tables`),
    });
    console.log(`Restored the state of ${header.takenAt}: ${rows} rows of ${tables} tables, ${files.length} files.`);
    if (files.includes('encryption-keys') && config.encryptionKeys !== undefined) {
      console.log(
        `Its keys are in ${config.dataDir}/encryption-keys now, but ENCRYPTION_KEYS is set and wins: take that away, or put them there.`,
      );
    }
    console.log(
      'Start Holdfast now. Everybody signs in again, and calendars are compared with what became of them meanwhile.',
    );
  },
  { mayBeNew: true },
);

async function demandRoom(url: string, log: Log): Promise<void> {
  const { db, close } = openDatabase({ url, log });
  try {
    const { rows } = await sql<{ found: string | null }>`select to_regclass('accounts.users') as found`.execute(db);
    if (rows[0]?.found == null || !(await hasUsers(db))) return;
  } finally {
    await close();
  }
  throw new BackupError(
    'This installation already has users. Add --replace to replace everything in it. Nothing was changed.',
  );
}

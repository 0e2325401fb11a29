import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { BackupError } from '#platform/backup-file.ts';
import { nameBackup, noteBackup } from '#platform/backup-job.ts';
import { createKeyring } from '#platform/crypto.ts';
import { openDatabase } from '#platform/db.ts';
import { findEncryptionKeys } from '#platform/encryption-keys.ts';
import { makeBackup } from '#platform/make-backup.ts';
import { makeDirectory } from '#platform/make-directory.ts';
import { asMegabytes, readPassphrase, sayNowAndThen, withInstall } from './install/open-install.ts';

// `npm run backup [-- <file or directory>] [--with-keys]`: everything this install has, in one sealed file that was read back.
// Holdfast may run meanwhile.
const usage = 'Usage: npm run backup [-- <file or directory>] [--with-keys, with a passphrase in BACKUP_PASSPHRASE]';

await withInstall(async ({ config, databaseUrl, log }) => {
  const args = process.argv.slice(2);
  const withKeys = args.includes('--with-keys');
  const [target, ...rest] = args.filter((arg) => arg !== '--with-keys');
  if (rest.length > 0 || target?.startsWith('-')) throw new BackupError(usage);
  const passphrase = withKeys ? readPassphrase() : undefined;
  if (withKeys && passphrase === undefined) {
    throw new BackupError(
      'With --with-keys, set BACKUP_PASSPHRASE to encrypt the file. Anyone with the keys and the data could read everything.',
    );
  }
  const { keys } = await findEncryptionKeys(config);
  const keyring = createKeyring(keys);
  const path = await nameFile(target ?? config.backupDir ?? join(config.dataDir, 'backups'));
  const say = sayNowAndThen();
  const { bytes, rows, tables, files } = await makeBackup({
    databaseUrl,
    dataDir: config.dataDir,
    seal: passphrase === undefined ? { keyring } : { passphrase },
    ...(withKeys ? { keys } : {}),
    path,
    ...(target === undefined && config.backupDir !== undefined ? { place: `BACKUP_DIR (${config.backupDir})` } : {}),
    onProgress: ({ tables: done, of }) => say(`Saving … ${done} of ${of} tables`),
  });
  const { db, close } = openDatabase({ url: databaseUrl, log });
  try {
    await noteBackup(db, { path, bytes });
  } finally {
    await close();
  }
  console.log(`${path}: ${asMegabytes(bytes)}, ${rows} rows of ${tables} tables, ${files.length} files, read back.`);
  console.log(
    withKeys
      ? 'The keys are in it: its passphrase opens everything.'
      : `The keys are not in it: it opens with the key ${keyring.currentKeyName} of this install only. Keep a copy of that elsewhere.`,
  );
});

async function nameFile(target: string): Promise<string> {
  const path = resolve(target);
  const isFile = path.endsWith('.backup');
  await makeDirectory(isFile ? dirname(path) : path, 0o700);
  if (!isFile) return join(path, nameBackup(Temporal.Now.instant()));
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new BackupError(`${path} already exists. Choose another name. Nothing was overwritten.`);
  return path;
}

import { join } from 'node:path';
import { loadConfig, loadEnvFile } from '#platform/config.ts';
import { createKeyring } from '#platform/crypto.ts';
import { openDatabase } from '#platform/db.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { findEncryptionKeys } from '#platform/encryption-keys.ts';
import { createLog } from '#platform/log.ts';
import { resealAll } from '#platform/reseal.ts';

// 1. Put a new key in front of ENCRYPTION_KEYS (or on a first line of the key file), keep the old one, restart.
// 2. Run this; it may be stopped and run again. 3. Take the old key away, restart.
loadEnvFile(join(import.meta.dirname, '../.env'));
const config = loadConfig(process.env);
const log = await createLog({ level: 'warn', format: 'pretty' });
const { keys } = await findEncryptionKeys(config);
const postgres =
  config.databaseUrl === undefined
    ? await startEmbeddedPostgres({ dir: join(config.dataDir, 'postgres'), log })
    : undefined;
const { db, close } = openDatabase({ url: config.databaseUrl ?? postgres?.url ?? '', log });
try {
  const keyring = createKeyring(keys);
  for (const { table, column, changed, total } of await resealAll(db, keyring)) {
    console.log(`${table}.${column}: ${changed} sealed anew, ${total} in all, with the key ${keyring.currentKeyName}`);
  }
  console.log('The older keys are no longer needed once every process has been restarted with the new one in front.');
} finally {
  await close();
  await postgres?.close();
}

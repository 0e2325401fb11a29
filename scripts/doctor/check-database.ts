import { sql } from 'kysely';
import { createKeyring } from '#platform/crypto.ts';
import type { Database } from '#platform/db.ts';
import { listPending } from '#platform/migrate.ts';
import type { Finding } from './finding.ts';
import { unsealAll } from './unseal-all.ts';

/** The database answers, has the schema of this version, and its secrets open with the keys at hand. */
export async function checkDatabase(db: Database, keys: string): Promise<Finding[]> {
  const subject = 'Database';
  let version: string;
  try {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db);
    version = rows[0]?.version ?? '?';
  } catch (error) {
    return [
      {
        subject,
        state: 'bad',
        says: `does not answer: ${(error as Error).message}`,
        mend: 'Check DATABASE_URL, and check that PostgreSQL is running and accepts connections from this machine.',
      },
    ];
  }
  if (Number.parseInt(version, 10) < 15) {
    return [{ subject, state: 'bad', says: `is PostgreSQL ${version}`, mend: 'Use PostgreSQL 15 or newer.' }];
  }
  const missing = await listPending(db);
  if (missing === null) {
    return [{ subject, state: 'note', says: `PostgreSQL ${version}, empty: npm start creates its tables` }];
  }
  const state: Finding =
    missing.length === 0
      ? { subject, state: 'ok', says: `PostgreSQL ${version}, tables of this version` }
      : {
          subject,
          state: 'note',
          says: `PostgreSQL ${version}, ${missing.length} migrations behind: npm start runs them`,
        };
  return [state, ...(missing.length === 0 ? [await checkSecrets(db, keys)] : [])];
}

async function checkSecrets(db: Database, keys: string): Promise<Finding> {
  const subject = 'Encryption key';
  const { total, unreadable, old } = await unsealAll(db, createKeyring(keys));
  if (unreadable > 0) {
    return {
      subject,
      state: 'bad',
      says: `${unreadable} of ${total} stored secrets cannot be decrypted`,
      mend: 'Add their key to ENCRYPTION_KEYS or DATA_DIR/encryption-keys again, after the current one.',
    };
  }
  if (old > 0) {
    return {
      subject,
      state: 'note',
      says: `${old} of ${total} stored secrets are still encrypted with an older key`,
      mend: 'Run node_modules/.bin/node scripts/rotate-keys.ts, then remove the older key.',
    };
  }
  return {
    subject,
    state: 'ok',
    says: total === 0 ? 'nothing is encrypted yet' : `decrypts all ${total} stored secrets`,
  };
}

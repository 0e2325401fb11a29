import { randomBytes } from 'node:crypto';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { hashBackupCode } from './hash-backup-code.ts';
import { backupCodeSigns, readBackupCode, writeBackupCode } from './rules/backup-code.ts';
import { backupCodeCount } from './rules/second-factor.ts';
import { deleteBackupCodes, insertBackupCodes } from './store/backup-codes.ts';

/** New codes in place of all older ones. Shown this once: only their hashes are kept. */
export async function renewBackupCodes(tx: Tx, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: backupCodeCount }, () => writeBackupCode(randomBytes(backupCodeSigns)));
  await deleteBackupCodes(tx, userId);
  await insertBackupCodes(
    tx,
    userId,
    codes.map((code) => hashBackupCode(userId, readBackupCode(code) ?? '')),
  );
  return codes;
}

import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

export async function insertBackupCodes(tx: Tx, userId: UserId, hashes: readonly Buffer[]): Promise<void> {
  await tx
    .insertInto('access.backup_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute();
}

/** True for the one who takes this code first. */
export async function consumeBackupCodeHash(tx: Tx, userId: UserId, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('access.backup_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteBackupCodes(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('access.backup_codes').where('user_id', '=', userId).execute();
}

export async function countBackupCodes(db: Database, userId: UserId): Promise<number> {
  const row = await db
    .selectFrom('access.backup_codes')
    .select(sql<number>`count(*)`.as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.n;
}

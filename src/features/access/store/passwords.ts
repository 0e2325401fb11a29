import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { deleteChallengesOf } from './challenges.ts';

/** Sets or replaces the password of an account. A sign-in that waits for its second factor starts again. */
export async function savePassword(tx: Tx, userId: UserId, hash: string): Promise<void> {
  await tx
    .insertInto('access.passwords')
    .values({ user_id: userId, hash })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ hash, changed_at: sql<Temporal.Instant>`now()` }),
    )
    .execute();
  await deleteChallengesOf(tx, userId);
}

export async function findPasswordHash(db: Database, userId: UserId): Promise<string | null> {
  const row = await db.selectFrom('access.passwords').select('hash').where('user_id', '=', userId).executeTakeFirst();
  return row?.hash ?? null;
}

/** Deletes the password of an account that its person did not choose. A sign-in that waits for its second factor ends. */
export async function deletePassword(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('access.passwords').where('user_id', '=', userId).execute();
  await deleteChallengesOf(tx, userId);
}

import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** The sealed key of somebody's authenticator app. */
export async function findTotpSecret(db: Database, userId: UserId): Promise<string | null> {
  const row = await db.selectFrom('access.totp').select('secret').where('user_id', '=', userId).executeTakeFirst();
  return row?.secret ?? null;
}

/** Sets or replaces it; `step` is that of the code by which it was set up. */
export async function saveTotp(tx: Tx, userId: UserId, secret: string, step: number): Promise<void> {
  await tx
    .insertInto('access.totp')
    .values({ user_id: userId, secret, last_step: step })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret, last_step: step, created_at: sql<Temporal.Instant>`clock_timestamp()` }),
    )
    .execute();
}

/** True for the one who takes this step's code first; no code of it or of an earlier step is taken again. */
export async function takeStep(tx: Tx, userId: UserId, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('access.totp')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteTotp(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('access.totp').where('user_id', '=', userId).execute();
}

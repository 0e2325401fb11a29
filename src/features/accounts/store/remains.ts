import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Blocks of ours that stay where we could not remove them. */
export interface Remains {
  /** The account at its provider, as its person knows it. */
  place: string;
  blocks: number;
  reason: string;
}

export async function insertRemains(tx: Tx, userId: UserId, { place, blocks, reason }: Remains): Promise<void> {
  await tx.insertInto('accounts.remains').values({ user_id: userId, place, blocks, reason }).execute();
}

export function listRemains(db: Database, userId: UserId): Promise<Remains[]> {
  return db
    .selectFrom('accounts.remains')
    .select(['place', 'blocks', 'reason'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(25)
    .execute();
}

import { type RawBuilder, sql } from 'kysely';
import type { ItemId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { Rank } from '../rules/hold-rules.ts';

/** Stores or updates the rank of a hold, whose item may not be written yet. */
export async function keepMadeHold(
  tx: Tx,
  hold: { itemId: ItemId; userId: UserId; rank: Rank; hardenMs: number | null },
): Promise<void> {
  await sql`
    insert into availability.holds (item_id, user_id, rank, harden_ms)
    values (${hold.itemId}, ${hold.userId}, ${hold.rank}, ${hold.hardenMs})
    on conflict (item_id) do update set rank = excluded.rank, harden_ms = excluded.harden_ms`.execute(tx);
}

/** Removes the hold marks of these items, which may not exist any more. */
export async function dropMadeHolds(tx: Tx, itemIds: readonly ItemId[]): Promise<void> {
  await sql`delete from availability.holds where item_id = any(${itemIds}::uuid[])`.execute(tx);
}

/** `item_id`, `harden_ms` of the holds that a person made: part of a statement of who knows when they stand. */
export const madeHoldsOf = (userId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select item_id, harden_ms from availability.holds where user_id = ${userId}`;

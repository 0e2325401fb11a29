import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Whether somebody has to be told before a person goes. */
export async function hasFarewell(db: Database, userId: UserId): Promise<boolean> {
  const { rows } = await sql`select from accounts.farewells where user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/** Removes the deletion blocker once everybody was notified; false without one. */
export async function dropFarewell(tx: Tx, userId: UserId): Promise<boolean> {
  const { rows } = await sql`delete from accounts.farewells where user_id = ${userId} returning user_id`.execute(tx);
  return rows.length > 0;
}

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

/** True for the first who says so. */
export async function markLeaving(tx: Tx, userId: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts.users')
    .set({ leaving_at: sql<Temporal.Instant>`now()` })
    .where('id', '=', userId)
    .where('leaving_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** An account that is being deleted; its row is locked until the transaction ends. */
export function findLeaver(tx: Tx, userId: UserId) {
  return tx
    .selectFrom('accounts.users')
    .select(['id', 'email', 'locale'])
    .where('id', '=', userId)
    .where('leaving_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function isLeaving(db: Database, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('accounts.users')
    .select('id')
    .where('id', '=', userId)
    .where('leaving_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** People whose deletion takes longer than usual. */
export async function listLeavers(db: Database): Promise<UserId[]> {
  const rows = await db
    .selectFrom('accounts.users')
    .select('id')
    .where('leaving_at', '<', sql<Temporal.Instant>`now() - interval '5 minutes'`)
    .execute();
  return rows.map((row) => row.id);
}

/** Everything that is theirs goes with them. *Errors*: foreign key violation while blocks of theirs are in the ledger. */
export async function deleteUser(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('accounts.users').where('id', '=', userId).execute();
}

/**
 * Accounts whose address nobody confirmed within a week. Nobody has been signed in there, so nothing but the address is
 * lost, which is free again for its owner.
 */
export async function deleteUnconfirmedUsers(db: Database): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('accounts.users as u')
    .where('email_verified_at', 'is', null)
    .where('created_at', '<', sql<Temporal.Instant>`now() - interval '7 days'`)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('accounts.sessions as s').select('s.id').whereRef('s.user_id', '=', 'u.id'))),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

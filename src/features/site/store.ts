import { sql } from 'kysely';
import type { Database, Tx } from '#platform/db.ts';

/** Keeps an address that was typed; gives the id it has, new or known. */
export async function createSubscriber(tx: Tx, id: string, email: string): Promise<string> {
  const row = await tx
    .insertInto('site.subscribers')
    .values({ id, email })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ asked_at: sql<Temporal.Instant>`now()` }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function lockSubscriber(tx: Tx, id: string): Promise<{ email: string; confirmed: boolean } | null> {
  const row = await tx
    .selectFrom('site.subscribers')
    .select(['email', 'confirmed_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { email: row.email, confirmed: row.confirmed_at !== null };
}

/** The link that went there before is void. */
export async function awaitConfirmation(tx: Tx, id: string, tokenHash: Buffer): Promise<void> {
  await tx.updateTable('site.subscribers').set({ token_hash: tokenHash }).where('id', '=', id).execute();
}

export async function findWaiting(db: Database, tokenHash: Buffer): Promise<string | null> {
  const row = await db
    .selectFrom('site.subscribers')
    .select('email')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row?.email ?? null;
}

/** Gives the address; null where the link was used or has ended. */
export async function confirmWaiting(db: Database, tokenHash: Buffer): Promise<string | null> {
  const row = await db
    .updateTable('site.subscribers')
    .set({ token_hash: null, confirmed_at: sql<Temporal.Instant>`now()` })
    .where('token_hash', '=', tokenHash)
    .returning('email')
    .executeTakeFirst();
  return row?.email ?? null;
}

export async function findSubscribed(db: Database, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('site.subscribers')
    .select('email')
    .where('id', '=', id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row?.email ?? null;
}

export async function deleteSubscriber(db: Database, id: string): Promise<void> {
  await db.deleteFrom('site.subscribers').where('id', '=', id).where('confirmed_at', 'is not', null).execute();
}

export async function deleteWaiting(db: Database, days: number): Promise<void> {
  await db
    .deleteFrom('site.subscribers')
    .where('confirmed_at', 'is', null)
    .where('asked_at', '<', sql<Temporal.Instant>`now() - make_interval(days => ${days}::int)`)
    .execute();
}

interface Subscriber {
  id: string;
  email: string;
  confirmedAt: string;
}

/** Confirmed subscribers by address, after the last one of the previous page. */
export async function listConfirmed(db: Database, after: string, most: number): Promise<Subscriber[]> {
  const rows = await db
    .selectFrom('site.subscribers')
    .select(['id', 'email', 'confirmed_at'])
    .where('confirmed_at', 'is not', null)
    .where('email', '>', after)
    .orderBy('email')
    .limit(most)
    .execute();
  return rows.map(({ id, email, confirmed_at }) => ({ id, email, confirmedAt: String(confirmed_at) }));
}

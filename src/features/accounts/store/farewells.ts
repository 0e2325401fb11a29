import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Whether somebody has to be told before a person goes. */
export async function hasFarewell(db: Database, userId: UserId): Promise<boolean> {
  const { rows } = await sql`select from accounts.farewells where user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/** Everybody has been told; false where nobody had to be. */
export async function dropFarewell(tx: Tx, userId: UserId): Promise<boolean> {
  const { rows } = await sql`delete from accounts.farewells where user_id = ${userId} returning user_id`.execute(tx);
  return rows.length > 0;
}

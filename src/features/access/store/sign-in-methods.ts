import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { SignInProvider } from '../rules/sign-in-providers.ts';

/** Serializes changes of an account's sign-in methods. */
export async function lockSignInMethods(tx: Tx, userId: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('access.ways-in ' || ${userId}, 0))`.execute(tx);
}

/** In how many ways this person can sign in, at these providers or without one. */
export async function countSignInMethods(
  tx: Tx,
  userId: UserId,
  providers: readonly SignInProvider[],
): Promise<number> {
  const { rows } = await sql<{ ways: number }>`
    select (select count(*) from access.passwords where user_id = ${userId})::int
      + (select count(*) from access.passkeys where user_id = ${userId})::int
      + (select count(*) from access.identities where user_id = ${userId} and provider = any(${providers}))::int as ways`.execute(
    tx,
  );
  return rows[0]?.ways ?? 0;
}

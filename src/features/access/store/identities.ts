import { sql } from 'kysely';
import type { IdentityId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { ProviderPerson } from '../rules/provider-person.ts';

/** The owner of an identity; null without one. Records its use and its current label. */
export async function findIdentityOwner(tx: Tx, { issuer, subject, label }: ProviderPerson): Promise<UserId | null> {
  const row = await tx
    .updateTable('access.identities')
    .set({ label, last_used_at: sql<Temporal.Instant>`now()` })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** False where it is somebody's already. */
export async function insertIdentity(
  tx: Tx,
  { id, userId, person }: { id: IdentityId; userId: UserId; person: ProviderPerson },
): Promise<boolean> {
  const { provider, issuer, subject, label } = person;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('access.identities')
    .values({ id, user_id: userId, provider, issuer, subject, label })
    .onConflict((conflict) => conflict.constraint('identities_subject').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export function listIdentitiesOf(db: Database, userId: UserId) {
  return db
    .selectFrom('access.identities')
    .select(['id', 'provider', 'label', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** Deletes every identity of an account that its person did not make: none is theirs. */
export async function deleteIdentitiesOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('access.identities').where('user_id', '=', userId).execute();
}

/** Deletes an identity and returns it; undefined if the person has no such identity. */
export function deleteIdentity(tx: Tx, userId: UserId, id: string) {
  return tx
    .deleteFrom('access.identities')
    .where('id', '=', id as IdentityId)
    .where('user_id', '=', userId)
    .returning(['provider', 'label'])
    .executeTakeFirst();
}

import { sql } from 'kysely';
import type { PasskeyId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database, Tx } from '#platform/db.ts';
import { passkeysPerAccount } from '../rules/passkey.ts';

export interface NewPasskey {
  id: PasskeyId;
  userId: UserId;
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
  isSynced: boolean;
  name: string;
}

/** `taken` where the credential belongs to somebody already, `full` where the person has enough of them. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<'added' | 'taken' | 'full'> {
  // Two at once wait here for each other, so that the count holds.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`access.passkeys ${passkey.userId}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('access.passkeys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', passkey.userId)
    .executeTakeFirstOrThrow();
  if (count >= passkeysPerAccount) return 'full';
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('access.passkeys')
    .values({
      id: passkey.id,
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports: passkey.transports,
      is_synced: passkey.isSynced,
      name: passkey.name,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n ? 'added' : 'taken';
}

export function listPasskeys(db: Database, actor: Actor) {
  return db
    .selectFrom('access.passkeys')
    .select(['id', 'credential_id', 'transports', 'is_synced', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', actor.userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Finds a passkey of any person: an unknown browser sends only the credential's id. */
export function findPasskeyByCredential(db: Database, credentialId: Buffer) {
  return db
    .selectFrom('access.passkeys')
    .select(['id', 'user_id', 'public_key', 'name'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

/**
 * Records a use. Returns false if the authenticator's count did not go up, which means that there are two of them.
 * Authenticators that do not count stay at 0.
 */
export async function recordUse(db: Database, id: PasskeyId, signCount: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('access.passkeys')
    .set({ sign_count: signCount, last_used_at: sql<Temporal.Instant>`now()` })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('sign_count', '<', signCount),
        where.and([where('sign_count', '=', 0), where.val(signCount === 0)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The name it had; undefined where the person has no such passkey. */
export async function updatePasskeyName(
  tx: Tx,
  actor: Actor,
  id: PasskeyId,
  name: string,
): Promise<string | undefined> {
  const before = await tx
    .selectFrom('access.passkeys')
    .select('name')
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .forUpdate()
    .executeTakeFirst();
  if (before) await tx.updateTable('access.passkeys').set({ name }).where('id', '=', id).execute();
  return before?.name;
}

/** The name it had; undefined where the person has no such passkey. */
export async function deletePasskey(tx: Tx, actor: Actor, id: PasskeyId): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('access.passkeys')
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

export async function hasPasskey(db: Database, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('access.passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

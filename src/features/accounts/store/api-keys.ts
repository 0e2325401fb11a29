import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Scope } from '../rules/scopes.ts';

interface KeyRow {
  id: string;
  name: string;
  masked: string;
  scopes: Scope[];
  /** The person that the key acts for. */
  userId: UserId;
  email: string;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
}

/** More than anybody makes; the oldest beyond them are still there to be revoked by newer ones going. */
const keysShown = 200;

/** Keys that are good, the newest first. */
export async function listApiKeys(db: Database): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select k.id, k.name, k.masked, k.scopes, k.user_id as "userId", u.email,
      floor(extract(epoch from k.created_at) * 1000)::float8 as "createdAt",
      floor(extract(epoch from k.expires_at) * 1000)::float8 as "expiresAt",
      floor(extract(epoch from k.last_used_at) * 1000)::float8 as "lastUsedAt"
    from accounts.api_keys k join accounts.users u on u.id = k.user_id
    where k.revoked_at is null and k.expires_at > now() order by k.created_at desc, k.id limit ${keysShown}`.execute(
    db,
  );
  return rows;
}

export async function insertApiKey(
  tx: Tx,
  key: {
    id: string;
    userId: UserId;
    name: string;
    tokenHash: Buffer;
    masked: string;
    scopes: readonly Scope[];
    secondFactor: boolean;
    days: number;
  },
): Promise<{ expiresAt: number }> {
  const { rows } = await sql<{ expiresAt: number }>`
    insert into accounts.api_keys (id, user_id, name, token_hash, masked, scopes, second_factor, expires_at)
    values (${key.id}, ${key.userId}, ${key.name}, ${key.tokenHash}, ${key.masked}, ${key.scopes}::text[],
      ${key.secondFactor}, now() + make_interval(days => ${key.days}))
    returning floor(extract(epoch from expires_at) * 1000)::float8 as "expiresAt"`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('an insert gave no row');
  return row;
}

/** Which keys of a person end: one, all, or those that a session without a second factor made. */
export type WhichKeys = { only: string } | { madeWithoutFactor: boolean };

/** Good for nothing from now on. Gives those that were good. */
export async function revokeKeys(tx: Tx, userId: UserId, which: WhichKeys): Promise<{ id: string; name: string }[]> {
  let query = tx
    .updateTable('accounts.api_keys')
    .set({ revoked_at: sql<Temporal.Instant>`now()` })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Temporal.Instant>`now()`);
  if ('only' in which) query = query.where('id', '=', which.only);
  else if (which.madeWithoutFactor) query = query.where('second_factor', '=', false);
  return query.returning(['id', 'name']).execute();
}

/** The person for whom a key acts. */
export async function findKeyOwner(db: Database, id: string): Promise<UserId | undefined> {
  const row = await db.selectFrom('accounts.api_keys').select('user_id').where('id', '=', id).executeTakeFirst();
  return row?.user_id;
}

/** The person and scopes of a valid key, by its hash. Its use is recorded once a minute. */
export async function findKey(db: Database, tokenHash: Buffer) {
  const { rows } = await sql<{
    id: string;
    userId: UserId;
    role: 'user' | 'admin';
    scopes: Scope[];
    second_factor: boolean;
    require_admin_mfa: boolean;
    due: boolean;
  }>`
    select k.id, k.user_id as "userId", u.role, k.scopes, k.second_factor, s.require_admin_mfa,
      coalesce(k.last_used_at < now() - interval '1 minute', true) as due
    from accounts.api_keys k join accounts.users u on u.id = k.user_id cross join accounts.settings s
    where k.token_hash = ${tokenHash} and k.revoked_at is null and k.expires_at > now() and u.leaving_at is null
      and u.suspended_at is null`.execute(db);
  return rows[0];
}

export async function noteKeyUse(db: Database, id: string): Promise<void> {
  await sql`update accounts.api_keys set last_used_at = now() where id = ${id}`.execute(db);
}

/** For the export of a person's data. */
export async function listOwnKeys(db: Database, userId: UserId) {
  return db
    .selectFrom('accounts.api_keys')
    .select(['name', 'masked', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

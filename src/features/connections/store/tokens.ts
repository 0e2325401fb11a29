import { sql } from 'kysely';
import type { ConnectionId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** A grant of an account, its tokens still sealed. */
export interface TokenRow {
  revision: number;
  refreshToken: string;
  accessToken: string;
  accessExpiresMs: number;
  scopes: string[];
  refusedCode: string | null;
  refusedMessage: string | null;
}

export type NewTokens = Pick<TokenRow, 'refreshToken' | 'accessToken' | 'accessExpiresMs' | 'scopes'>;

const columns = sql`revision, refresh_token as "refreshToken", access_token as "accessToken",
  (extract(epoch from access_expires_at) * 1000)::bigint as "accessExpiresMs", scopes, refused_code as "refusedCode",
  refused_message as "refusedMessage"`;

export async function findTokens(db: Database, id: ConnectionId): Promise<TokenRow | null> {
  const { rows } = await sql<TokenRow>`
    select ${columns} from connections.tokens where connection_id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Stores a grant, the first or a new one: work under the old grant comes too late. */
export async function insertGrant(tx: Tx, id: ConnectionId, tokens: NewTokens): Promise<void> {
  await sql`
    insert into connections.tokens as t (connection_id, refresh_token, access_token, access_expires_at, scopes)
    values (${id}, ${tokens.refreshToken}, ${tokens.accessToken}, to_timestamp(${tokens.accessExpiresMs / 1000}::float8),
      ${tokens.scopes}::text[])
    on conflict (connection_id) do update set refresh_token = excluded.refresh_token,
      access_token = excluded.access_token, access_expires_at = excluded.access_expires_at, scopes = excluded.scopes,
      revision = t.revision + 1, lease = null, lease_until = '-infinity',
      refused_code = null, refused_message = null`.execute(tx);
}

/** True for the one that may ask for new tokens now: nobody else does, and nobody has since `revision`. */
export async function acquireLease(
  db: Database,
  id: ConnectionId,
  wish: { revision: number; lease: string; seconds: number },
): Promise<boolean> {
  const { rows } = await sql`
    update connections.tokens set lease = ${wish.lease}, lease_until = clock_timestamp() + make_interval(secs => ${wish.seconds})
    where connection_id = ${id} and revision = ${wish.revision} and refused_code is null
      and lease_until < clock_timestamp()
    returning revision`.execute(db);
  return rows.length > 0;
}

/** Gives the lease back without new tokens. */
export async function releaseLease(db: Database, id: ConnectionId, lease: string): Promise<void> {
  await sql`
    update connections.tokens set lease = null, lease_until = '-infinity'
    where connection_id = ${id} and lease = ${lease}`.execute(db);
}

/** True if stored; false where the grant is another one by now, or another process refreshed meanwhile. */
export async function updateTokens(
  db: Database,
  id: ConnectionId,
  revision: number,
  tokens: NewTokens,
): Promise<boolean> {
  const { rows } = await sql`
    update connections.tokens set refresh_token = ${tokens.refreshToken}, access_token = ${tokens.accessToken},
      access_expires_at = to_timestamp(${tokens.accessExpiresMs / 1000}::float8), scopes = ${tokens.scopes}::text[],
      revision = revision + 1, lease = null, lease_until = '-infinity'
    where connection_id = ${id} and revision = ${revision}
    returning revision`.execute(db);
  return rows.length > 0;
}

/** The server said that this grant is gone; a newer one is not touched. True for the one that wrote it. */
export async function refuseGrant(
  db: Database,
  id: ConnectionId,
  revision: number,
  reason: { code: string; message: string },
): Promise<boolean> {
  const { rows } = await sql`
    update connections.tokens set refused_code = ${reason.code}, refused_message = ${reason.message}, lease = null,
      lease_until = '-infinity'
    where connection_id = ${id} and revision = ${revision} and refused_code is null
    returning revision`.execute(db);
  return rows.length > 0;
}

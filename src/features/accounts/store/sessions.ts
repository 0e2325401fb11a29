import { sql } from 'kysely';
import type { SessionId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db.ts';
import { activeMinutes, sessionRenewalMinutes, sessionSeconds } from '../rules/session.ts';

// The database's clock decides: processes need not agree on the time.
const lifetime = sql`make_interval(secs => ${sessionSeconds}::float8)`;

export interface NewSession {
  id: SessionId;
  userId: UserId;
  tokenHash: Buffer;
  ip: string;
  userAgent: string | undefined;
  method: string;
  secondFactor: boolean;
}

export async function insertSession(db: Database, session: NewSession): Promise<void> {
  await db
    .insertInto('accounts.sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      token_hash: session.tokenHash,
      ip: session.ip,
      user_agent: session.userAgent ?? null,
      method: session.method,
      second_factor: session.secondFactor,
      expires_at: sql<Temporal.Instant>`now() + ${lifetime}`,
    })
    .execute();
}

/** The session of a token while it lasts. `due` when it should be prolonged. */
export function findSession(db: Database, tokenHash: Buffer) {
  return db
    .selectFrom('accounts.sessions as s')
    .innerJoin('accounts.users as u', 'u.id', 's.user_id')
    .select([
      's.id',
      's.user_id',
      'u.role',
      sql<boolean>`s.last_seen_at < now() - make_interval(mins => ${sessionRenewalMinutes})`.as('due'),
    ])
    .where('s.token_hash', '=', tokenHash)
    .where('s.expires_at', '>', sql<Temporal.Instant>`now()`)
    .executeTakeFirst();
}

export async function prolongSession(db: Database, id: SessionId): Promise<void> {
  await db
    .updateTable('accounts.sessions')
    .set({ last_seen_at: sql<Temporal.Instant>`now()`, expires_at: sql<Temporal.Instant>`now() + ${lifetime}` })
    .where('id', '=', id)
    .execute();
}

export async function deleteSession(db: Database, actor: Actor): Promise<void> {
  await db.deleteFrom('accounts.sessions').where('id', '=', actor.sessionId).execute();
}

/** People with a session that was used a moment ago. */
export async function listActiveUsers(db: Database): Promise<UserId[]> {
  const rows = await db
    .selectFrom('accounts.sessions')
    .select('user_id')
    .distinct()
    .where('last_seen_at', '>', sql<Temporal.Instant>`now() - make_interval(mins => ${activeMinutes})`)
    .where('expires_at', '>', sql<Temporal.Instant>`now()`)
    .execute();
  return rows.map((row) => row.user_id);
}

export async function deleteExpiredSessions(db: Database): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('accounts.sessions')
    .where('expires_at', '<', sql<Temporal.Instant>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

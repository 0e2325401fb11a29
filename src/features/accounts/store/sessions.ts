import { sql } from 'kysely';
import type { SessionId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database, Tx } from '#platform/db.ts';
import {
  activeMinutes,
  recentProofMinutes,
  sessionDays,
  sessionRenewalMinutes,
  sessionSeconds,
} from '../rules/session.ts';

/** More than anybody looks through; what scripts leave behind is not worth a page. */
const sessionsShown = 200;
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
  /** Opened by an administrator in the person's place. */
  impersonation?: { by: UserId; from: SessionId; minutes: number } | undefined;
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
      impersonator_id: session.impersonation?.by ?? null,
      opened_from: session.impersonation?.from ?? null,
      expires_at: session.impersonation
        ? sql<Temporal.Instant>`now() + make_interval(mins => ${session.impersonation.minutes})`
        : sql<Temporal.Instant>`now() + ${lifetime}`,
    })
    .execute();
  if (session.impersonation) return;
  await sql`update accounts.users set last_active_at = now() where id = ${session.userId}`.execute(db);
}

/**
 * The session of a token while it lasts. `due` when it should be prolonged. At an account with a second factor none
 * counts that was opened without, whichever door let it in.
 */
export function findSession(db: Database, tokenHash: Buffer) {
  return db
    .selectFrom('accounts.sessions as s')
    .innerJoin('accounts.users as u', 'u.id', 's.user_id')
    .innerJoin('accounts.settings as i', (join) => join.onTrue())
    .select([
      's.id',
      's.user_id',
      'u.role',
      's.second_factor',
      's.impersonator_id',
      's.opened_from',
      's.expires_at',
      'i.require_admin_mfa',
      sql<boolean>`s.authenticated_at > now() - make_interval(mins => ${recentProofMinutes})
        and s.impersonator_id is null`.as('proved_recently'),
      sql<boolean>`s.last_seen_at < now() - make_interval(mins => ${sessionRenewalMinutes})
        and s.impersonator_id is null`.as('due'),
    ])
    .where('s.token_hash', '=', tokenHash)
    .where((where) => where.or([where('s.second_factor', '=', true), where('u.mfa_enabled_at', 'is', null)]))
    .where('s.expires_at', '>', sql<Temporal.Instant>`now()`)
    .where('u.leaving_at', 'is', null)
    .where('u.suspended_at', 'is', null)
    .executeTakeFirst();
}

export async function prolongSession(db: Database, id: SessionId): Promise<void> {
  await sql`
    with used as (
      update accounts.sessions set last_seen_at = now(),
        expires_at = least(now() + ${lifetime}, created_at + make_interval(days => ${sessionDays}))
      where id = ${id}
      returning user_id)
    update accounts.users set last_active_at = now() where id = (select user_id from used)`.execute(db);
}

/** Puts another token in the place of a session's own; false where the session is gone. */
export async function replaceToken(
  tx: Tx,
  actor: Pick<Actor, 'sessionId'>,
  tokenHash: Buffer,
  proof: { method?: string | undefined; secondFactor?: boolean | undefined } | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts.sessions')
    .set({
      token_hash: tokenHash,
      ...(proof === undefined ? {} : { authenticated_at: sql<Temporal.Instant>`now()` }),
      ...(proof?.method === undefined ? {} : { method: proof.method }),
      ...(proof?.secondFactor === undefined ? {} : { second_factor: proof.secondFactor }),
    })
    .where('id', '=', actor.sessionId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Removes sessions of one person: all, one, or all but one. Gives those that were there. */
export async function deleteSessions(
  tx: Tx,
  userId: UserId,
  which: { only?: SessionId | undefined; except?: SessionId | undefined } = {},
): Promise<SessionId[]> {
  let query = tx.deleteFrom('accounts.sessions').where('user_id', '=', userId);
  if (which.only !== undefined) query = query.where('id', '=', which.only);
  if (which.except !== undefined) query = query.where('id', '<>', which.except);
  return (await query.returning('id').execute()).map((row) => row.id);
}

/** Living sessions of a person, the last used first. */
export function listSessions(db: Database, actor: Actor) {
  return db
    .selectFrom('accounts.sessions')
    .select(['id', 'user_agent', 'ip', 'method', 'second_factor', 'created_at', 'last_seen_at'])
    .where('user_id', '=', actor.userId)
    .where('expires_at', '>', sql<Temporal.Instant>`now()`)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sessionsShown)
    .execute();
}

/** People with a session that was used a moment ago. */
export async function listActiveUserIds(db: Database): Promise<UserId[]> {
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

import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

export async function listMemberRows(db: Database, userId: UserId): Promise<unknown[]> {
  const { rows } = await sql`
    select t.id, t.name, t.about, m.role, m.shares, m.joined_at as "joinedAt", t.deleted_at as "deletedAt"
    from teams.members m join teams.teams t on t.id = m.team_id
    where m.user_id = ${userId} order by m.joined_at`.execute(db);
  return rows;
}

/** Those that nobody has answered; never the link. */
export async function listSentRows(db: Database, userId: UserId): Promise<unknown[]> {
  const { rows } = await sql`
    select team_id as "teamId", email, role, sent_at as "sentAt", expires_at as "expiresAt"
    from teams.invitations where invited_by = ${userId} order by sent_at`.execute(db);
  return rows;
}

/** What somebody did in teams, and what was done to them. */
export async function listDeedRows(db: Database, userId: UserId): Promise<unknown[]> {
  const { rows } = await sql`
    select team_id as "teamId", at, kind, details, actor_id is not distinct from ${userId}::uuid as "byYou"
    from teams.trail where actor_id = ${userId} or subject_id = ${userId} order by seq`.execute(db);
  return rows;
}

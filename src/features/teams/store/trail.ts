import { sql } from 'kysely';
import type { TeamId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import { type DeedDetails, type TeamDeed, teamDeeds, trailKeptMonths } from '../rules.ts';

interface NewDeed {
  teamId: TeamId;
  kind: TeamDeed;
  /** Null: the product itself. */
  actorId: UserId | null;
  /** Whom it was done to. */
  subjectId?: UserId | undefined;
  details?: DeedDetails | undefined;
}

export async function insertDeed(tx: Tx, { teamId, kind, actorId, subjectId, details = {} }: NewDeed): Promise<void> {
  await sql`
    insert into teams.trail (team_id, kind, actor_id, subject_id, details)
    values (${teamId}, ${kind}, ${actorId}, ${subjectId ?? null}, ${jsonb(details)})`.execute(tx);
}

interface Deed {
  seq: number;
  atMs: number;
  kind: TeamDeed;
  actorId: UserId | null;
  subjectId: UserId | null;
  details: DeedDetails;
}

/** The newest first; kinds that a newer version wrote are passed over. */
export async function listDeeds(
  db: Database,
  teamId: TeamId,
  { before, most }: { before: number | undefined; most: number },
): Promise<Deed[]> {
  const { rows } = await sql<Deed>`
    select seq, (extract(epoch from at) * 1000)::bigint as "atMs", kind, actor_id as "actorId",
      subject_id as "subjectId", details
    from teams.trail
    where team_id = ${teamId} and seq < ${before ?? Number.MAX_SAFE_INTEGER} and kind = any(${[...teamDeeds]}::text[])
    order by seq desc limit ${most}`.execute(db);
  return rows;
}

export async function deleteOldDeeds(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from teams.trail where at < now() - make_interval(months => ${trailKeptMonths})`.execute(db);
  return Number(numAffectedRows);
}

export async function listMemberRows(db: Database, userId: UserId): Promise<unknown[]> {
  const { rows } = await sql`
    select t.id, t.name, t.about, m.role, m.shares, m.joined_at as "joinedAt", t.deleted_at as "deletedAt"
    from teams.members m join teams.teams t on t.id = m.team_id
    where m.user_id = ${userId} order by m.joined_at`.execute(db);
  return rows;
}

/** Unanswered invitations, without their links. */
export async function listSentRows(db: Database, userId: UserId): Promise<unknown[]> {
  const { rows } = await sql`
    select team_id as "teamId", email, role, sent_at as "sentAt", expires_at as "expiresAt"
    from teams.invitations where invited_by = ${userId} order by sent_at`.execute(db);
  return rows;
}

/** Entries in the audit logs of teams by or about a user. */
export async function listDeedRows(db: Database, userId: UserId): Promise<unknown[]> {
  const { rows } = await sql`
    select team_id as "teamId", at, kind, details, actor_id is not distinct from ${userId}::uuid as "byYou"
    from teams.trail where actor_id = ${userId} or subject_id = ${userId} order by seq`.execute(db);
  return rows;
}

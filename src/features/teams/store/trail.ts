import { sql } from 'kysely';
import type { TeamId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import { trailKeptMonths } from '../rules/team-limits.ts';
import { type DeedDetails, type TeamDeed, teamDeeds } from '../rules/team-trail.ts';

export interface NewDeed {
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

export interface Deed {
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

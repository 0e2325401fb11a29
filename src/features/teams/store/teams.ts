import { sql } from 'kysely';
import type { TeamId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Expression, type Reading, reading } from '#platform/reading.ts';
import { restorableDays } from '../rules.ts';

/** A team as anybody may see it. */
export interface Team {
  id: TeamId;
  name: string;
  about: string;
  /** Path of its picture. */
  logoUrl: string | null;
}

export const teamColumns = sql`t.id, t.name, t.about, '/team-logos/' || l.file as "logoUrl"`;
export const teamTables = sql`teams.teams t left join teams.logos l on l.team_id = t.id`;

/** By its id, or by an expression for it in the asker's own tables; null for one that is deleted. */
export function teamReading(team: TeamId | Expression<TeamId>): Reading<Team | null> {
  const query = sql<Team>`select ${teamColumns} from ${teamTables} where t.id = ${team} and t.deleted_at is null`;
  return reading(query, ([row]) => row ?? null);
}

export async function insertTeam(tx: Tx, team: { id: TeamId; name: string }): Promise<void> {
  await sql`insert into teams.teams (id, name) values (${team.id}, ${team.name})`.execute(tx);
}

/** Locks a team against concurrent changes. Returns false if there is none. `deleted` looks among deleted teams. */
export async function lockTeam(tx: Tx, teamId: TeamId, { deleted = false } = {}): Promise<boolean> {
  const { rows } = await sql`
    select from teams.teams where id = ${teamId} and (deleted_at is not null) = ${deleted} for no key update`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Keys that are undefined stay as they are. */
export async function updateTeam(
  tx: Tx,
  teamId: TeamId,
  { name, about }: { name?: string | undefined; about?: string | undefined },
): Promise<void> {
  await sql`
    update teams.teams set name = coalesce(${name ?? null}, name), about = coalesce(${about ?? null}, about)
    where id = ${teamId}`.execute(tx);
}

export async function markDeleted(tx: Tx, teamId: TeamId): Promise<void> {
  await sql`update teams.teams set deleted_at = now() where id = ${teamId} and deleted_at is null`.execute(tx);
}

/** False where it cannot be taken back any more. */
export async function markRestored(tx: Tx, teamId: TeamId): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update teams.teams set deleted_at = null
    where id = ${teamId} and deleted_at > now() - make_interval(days => ${restorableDays})`.execute(tx);
  return numAffectedRows === 1n;
}

/** Teams after the end of their time for restoring. */
export async function deleteExpiredTeams(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from teams.teams where deleted_at <= now() - make_interval(days => ${restorableDays})`.execute(db);
  return Number(numAffectedRows);
}

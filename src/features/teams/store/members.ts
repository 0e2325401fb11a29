import { sql } from 'kysely';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Expression, type Reading, reading } from '#platform/reading.ts';
import { type GivenRole, restorableDays, rolesThatMay, type TeamPermission, type TeamRole } from '../rules.ts';
import { type Team, teamColumns, teamTables } from './teams.ts';

/** How much other members see of a member's calendars. */
export type Shares = 'busy' | 'details';

/** Somebody's place in a team. */
export interface Membership extends Team {
  role: TeamRole;
  shares: Shares;
}

/** The teams somebody is in, by name. */
export async function listTeamsOf(db: Database, userId: UserId): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select ${teamColumns}, m.role, m.shares
    from teams.members m join ${teamTables} on t.id = m.team_id
    where m.user_id = ${userId} and t.deleted_at is null order by lower(t.name), t.id`.execute(db);
  return rows;
}

/** Teams of theirs that they deleted and can take back. */
export async function listDeletedOf(
  db: Database,
  userId: UserId,
): Promise<{ id: TeamId; name: string; untilMs: number }[]> {
  const { rows } = await sql<{ id: TeamId; name: string; untilMs: number }>`
    select t.id, t.name,
      (extract(epoch from t.deleted_at + make_interval(days => ${restorableDays})) * 1000)::bigint as "untilMs"
    from teams.members m join teams.teams t on t.id = m.team_id
    where m.user_id = ${userId} and m.role = 'owner'
      and t.deleted_at > now() - make_interval(days => ${restorableDays})
    order by t.deleted_at desc`.execute(db);
  return rows;
}

/**
 * Null where they are not in it, or it is deleted. `lock`: a change of the role waits for the transaction. Never of the team too,
 * which changes of roles lock first.
 */
export async function findMembership(
  db: Database,
  userId: UserId,
  teamId: TeamId,
  how: 'read' | 'lock' = 'read',
): Promise<Membership | null> {
  const { rows } = await sql<Membership>`
    select ${teamColumns}, m.role, m.shares
    from teams.members m join ${teamTables} on t.id = m.team_id
    where m.user_id = ${userId} and m.team_id = ${teamId} and t.deleted_at is null
    ${how === 'lock' ? sql`for share of m` : sql``}`.execute(db);
  return rows[0] ?? null;
}

export interface MemberRow {
  userId: UserId;
  role: TeamRole;
  shares: Shares;
  joinedMs: number;
}

export function memberRowsReading(teamId: TeamId): Reading<MemberRow[]> {
  const query = sql<MemberRow>`
    select user_id as "userId", role, shares, (extract(epoch from joined_at) * 1000)::bigint as "joinedMs"
    from teams.members where team_id = ${teamId}`;
  return reading(query, (rows) => rows);
}

/** Query fragment: the members of a team. */
export const memberIdsOf = (teamId: TeamId): Expression<UserId[]> =>
  sql<UserId[]>`array(select user_id from teams.members where team_id = ${teamId})`;

/** Query fragment: the owner of a team. */
export const ownerOf = (teamId: TeamId): Expression<UserId | null> =>
  sql<UserId | null>`(select user_id from teams.members where team_id = ${teamId} and role = 'owner')`;

/** Null for a team that is no more. */
export async function findOwnerId(db: Database, teamId: TeamId): Promise<UserId | null> {
  const { rows } = await sql<{ id: UserId | null }>`select ${ownerOf(teamId)} as id`.execute(db);
  return rows[0]?.id ?? null;
}

export async function listMemberIds(db: Database, teamId: TeamId): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select user_id as id from teams.members where team_id = ${teamId} order by user_id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Members of a team with a permission. */
export async function listMembersWhoMay(db: Database, teamId: TeamId, permission: TeamPermission): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select user_id as id from teams.members
    where team_id = ${teamId} and role = any(${rolesThatMay(permission)}::text[]) order by user_id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The roles of all members of these teams, without deleted teams. */
export async function listRoles(db: Database, teamIds: readonly TeamId[]): Promise<Map<TeamId, Map<UserId, TeamRole>>> {
  if (teamIds.length === 0) return new Map();
  const { rows } = await sql<{ teamId: TeamId; userId: UserId; role: TeamRole }>`
    select m.team_id as "teamId", m.user_id as "userId", m.role
    from teams.members m join teams.teams t on t.id = m.team_id
    where m.team_id = any(${teamIds}::uuid[]) and t.deleted_at is null`.execute(db);
  const teams = new Map(teamIds.map((teamId) => [teamId, new Map<UserId, TeamRole>()]));
  for (const { teamId, userId, role } of rows) teams.get(teamId)?.set(userId, role);
  return teams;
}

/** False where they are in it already. */
export async function insertMember(
  tx: Tx,
  member: { teamId: TeamId; userId: UserId; role: TeamRole },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into teams.members (team_id, user_id, role) values (${member.teamId}, ${member.userId}, ${member.role})
    on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

/** Never the owner's. */
export async function setMemberRole(tx: Tx, teamId: TeamId, userId: UserId, role: GivenRole): Promise<void> {
  await sql`
    update teams.members set role = ${role} where team_id = ${teamId} and user_id = ${userId} and role <> 'owner'`.execute(
    tx,
  );
}

export async function setShares(tx: Tx, teamId: TeamId, userId: UserId, shares: Shares): Promise<void> {
  await sql`update teams.members set shares = ${shares} where team_id = ${teamId} and user_id = ${userId}`.execute(tx);
}

export async function deleteMember(tx: Tx, teamId: TeamId, userId: UserId): Promise<void> {
  await sql`delete from teams.members where team_id = ${teamId} and user_id = ${userId}`.execute(tx);
}

/** The old owner is an administrator from here on: first, as there is one owner at any moment. */
export async function replaceOwner(tx: Tx, teamId: TeamId, userId: UserId): Promise<void> {
  await sql`update teams.members set role = 'admin' where team_id = ${teamId} and role = 'owner'`.execute(tx);
  await sql`update teams.members set role = 'owner' where team_id = ${teamId} and user_id = ${userId}`.execute(tx);
}

/** Lists all members of a person's teams, the person included. */
export async function listTeammates(db: Database, userId: UserId): Promise<{ teamId: TeamId; userId: UserId }[]> {
  const { rows } = await sql<{ teamId: TeamId; userId: UserId }>`
    select o.team_id as "teamId", o.user_id as "userId"
    from teams.members m join teams.teams t on t.id = m.team_id join teams.members o on o.team_id = m.team_id
    where m.user_id = ${userId} and t.deleted_at is null`.execute(db);
  return rows;
}

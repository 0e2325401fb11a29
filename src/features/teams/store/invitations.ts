import { sql } from 'kysely';
import type { TeamId, TeamInvitationId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Expression, type Reading, reading } from '#platform/reading.ts';
import { type GivenRole, invitationDays, rolesThatMay } from '../rules.ts';

export interface Invitation {
  id: TeamInvitationId;
  teamId: TeamId;
  /** Canonical. */
  email: string;
  role: GivenRole;
  invitedBy: UserId | null;
  sentMs: number;
  expiresMs: number;
}

const columns = sql`i.id, i.team_id as "teamId", i.email, i.role, i.invited_by as "invitedBy",
  (extract(epoch from i.sent_at) * 1000)::bigint as "sentMs", (extract(epoch from i.expires_at) * 1000)::bigint as "expiresMs"`;

/** An invitation ends with the right of its inviter to invite. */
const isMeant = sql`exists (select from teams.members m where m.team_id = i.team_id and m.user_id = i.invited_by
  and m.role = any(${rolesThatMay('manage-members')}::text[]))`;

/** Invitations of a team, expired ones included: they can be resent. */
export function invitationsReading(teamId: TeamId): Reading<Invitation[]> {
  const query = sql<Invitation>`
    select ${columns} from teams.invitations i where i.team_id = ${teamId} and ${isMeant} order by i.sent_at desc, i.id`;
  return reading(query, (rows) => rows);
}

/** Asked again, the link and the role are those of the last time. */
export async function saveInvitation(
  tx: Tx,
  one: { id: TeamInvitationId; teamId: TeamId; email: string; role: GivenRole; tokenHash: Buffer; invitedBy: UserId },
): Promise<Invitation> {
  const { rows } = await sql<Invitation>`
    insert into teams.invitations as i (id, team_id, email, role, token_hash, invited_by, expires_at)
    values (${one.id}, ${one.teamId}, ${one.email}, ${one.role}, ${one.tokenHash}, ${one.invitedBy},
      now() + make_interval(days => ${invitationDays}))
    on conflict (team_id, email) do update set role = excluded.role, token_hash = excluded.token_hash,
      invited_by = excluded.invited_by, sent_at = now(), expires_at = excluded.expires_at
    returning ${columns}`.execute(tx);
  return rows[0] as Invitation;
}

export async function countInvitations(db: Database, teamId: TeamId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from teams.invitations where team_id = ${teamId}`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function findInvitation(db: Database, teamId: TeamId, id: TeamInvitationId): Promise<Invitation | null> {
  const { rows } = await sql<Invitation>`
    select ${columns} from teams.invitations i where i.id = ${id} and i.team_id = ${teamId}`.execute(db);
  return rows[0] ?? null;
}

export async function deleteInvitation(tx: Tx, id: TeamInvitationId): Promise<void> {
  await sql`delete from teams.invitations where id = ${id}`.execute(tx);
}

/** An invitation as who is invited sees it. */
export interface Invited extends Invitation {
  team: string;
  logoUrl: string | null;
}

const invited = sql<Invited>`
  select ${columns}, t.name as team, '/team-logos/' || l.file as "logoUrl"
  from teams.invitations i join teams.teams t on t.id = i.team_id left join teams.logos l on l.team_id = t.id
  where t.deleted_at is null and i.expires_at > now() and ${isMeant}`;

/** The ones that somebody with this address can take. */
export async function listInvited(db: Database, email: string): Promise<Invited[]> {
  const { rows } = await sql<Invited>`${invited} and i.email = ${email} order by i.sent_at desc limit 100`.execute(db);
  return rows;
}

export async function findByToken(db: Database, tokenHash: Buffer): Promise<Invited | null> {
  const { rows } = await sql<Invited>`${invited} and i.token_hash = ${tokenHash}`.execute(db);
  return rows[0] ?? null;
}

/** One to this address. */
export async function findInvited(db: Database, id: TeamInvitationId, email: string): Promise<Invited | null> {
  const { rows } = await sql<Invited>`${invited} and i.id = ${id} and i.email = ${email}`.execute(db);
  return rows[0] ?? null;
}

/** Takes it, once; null where it is gone, its time is over or its team is deleted. */
export async function spendInvitation(tx: Tx, id: TeamInvitationId, email: string): Promise<Invitation | null> {
  const { rows } = await sql<Invitation>`
    delete from teams.invitations i where i.id = ${id} and i.email = ${email} and i.expires_at > clock_timestamp() and ${isMeant}
    returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

/** Deletes invitations that expired 30 days ago. */
export async function deleteOldInvitations(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from teams.invitations where expires_at < now() - interval '30 days'`.execute(db);
  return Number(numAffectedRows);
}

/** Query fragment: the inviter. */
export const invitersOf = (teamId: TeamId): Expression<UserId[]> =>
  sql<UserId[]>`array(select invited_by from teams.invitations where team_id = ${teamId})`;

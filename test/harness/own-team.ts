import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { TeamRole } from '#features/teams/rules.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import type { TestApp } from './test-app.ts';
import type { TestUser } from './test-client.ts';

/** Data of one team for its routes. */
export interface OwnTeam {
  teamId: string;
  /** Another member, an editor. */
  userId: string;
  /** Invitation of a person without an account. */
  invitationId: string;
  token: string;
}

/** A team that somebody is in, in this role; the only one, as one can be in so many. */
export async function insertOwnTeam(
  { app: { db } }: TestApp,
  { userId: ownId }: Pick<TestUser, 'userId'>,
  { role = 'owner', asked = false }: { role?: TeamRole; asked?: boolean } = {},
): Promise<OwnTeam> {
  const [teamId, invitationId, mateId, token] = [randomUUID(), randomUUID(), randomUUID(), mintToken()];
  await sql`delete from teams.teams where id in (select team_id from teams.members where user_id = ${ownId})`.execute(
    db,
  );
  await sql`
    insert into accounts.users (id, email, name, email_verified_at)
    values (${mateId}, ${`${mateId}@example.org`}, 'Team Mate', now())`.execute(db);
  await sql`insert into teams.teams (id, name) values (${teamId}, 'Sales')`.execute(db);
  await sql`insert into teams.members (team_id, user_id, role)
    values (${teamId}, ${ownId}, ${role}), (${teamId}, ${mateId}, 'editor')`.execute(db);
  if (role !== 'owner') {
    const ownerId = randomUUID();
    await sql`
      insert into accounts.users (id, email, email_verified_at)
      values (${ownerId}, ${`${ownerId}@example.org`}, now())`.execute(db);
    await sql`insert into teams.members (team_id, user_id, role) values (${teamId}, ${ownerId}, 'owner')`.execute(db);
  }
  await sql`
    insert into teams.invitations (id, team_id, email, role, token_hash, invited_by, expires_at)
    select ${invitationId}, ${teamId}, ${`${invitationId}@example.org`}, 'viewer', ${hashToken(token)}, user_id,
      now() + interval '1 day' from teams.members where team_id = ${teamId} and role = 'owner'`.execute(db);
  if (asked || role === 'owner')
    await sql`insert into teams.transfers (team_id, user_id) values (${teamId}, ${asked ? ownId : mateId})`.execute(db);
  return { teamId, userId: mateId, invitationId, token };
}

import { findUser, hostsReading } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { readAlone } from '#platform/reading.ts';
import type { teamsContract } from './contract.ts';
import { mayHaveTeams } from './rules/team-limits.ts';
import { viewMembership } from './rules/view-membership.ts';
import { listInvited } from './store/invitations.ts';
import { listDeletedOf, listTeamsOf } from './store/members.ts';

/** The teams of somebody, who invited them, and what they deleted; a constant number of statements. */
export async function listTeams(
  { db }: Pick<App, 'db'>,
  { userId }: Actor,
): Promise<Output<typeof teamsContract.listTeams>> {
  const [teams, deleted, user] = await Promise.all([
    listTeamsOf(db, userId),
    listDeletedOf(db, userId),
    findUser(db, userId),
  ]);
  const invited = user?.email_verified_at ? await listInvited(db, user.email) : [];
  const inviters = await readAlone(db, hostsReading(invited.flatMap(({ invitedBy }) => invitedBy ?? [])));
  const nameOf = new Map(inviters.map((one) => [one.userId, one.name]));
  return {
    may_create: mayHaveTeams(),
    teams: teams.map(viewMembership),
    invitations: invited.map(({ id, team, role, invitedBy, expiresMs }) => ({
      id,
      team,
      role,
      invited_by: invitedBy === null ? null : (nameOf.get(invitedBy) ?? null),
      expires_at: expiresMs,
    })),
    deleted: deleted.map(({ id, name, untilMs }) => ({ id, name, until: untilMs })),
  };
}

import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { teamsContract } from './contract.ts';
import { listReceived } from './list-received.ts';
import { mayHaveTeams } from './rules/team-limits.ts';
import { viewMembership } from './rules/view-membership.ts';
import { listDeletedOf, listTeamsOf } from './store/members.ts';

/** The teams of somebody, who invited them, and what they deleted; a constant number of statements. */
export async function listTeams(
  { db }: Pick<App, 'db'>,
  { userId }: Actor,
): Promise<Output<typeof teamsContract.listTeams>> {
  const [teams, deleted, invitations] = await Promise.all([
    listTeamsOf(db, userId),
    listDeletedOf(db, userId),
    listReceived(db, userId),
  ]);
  return {
    may_create: mayHaveTeams(),
    teams: teams.map(viewMembership),
    invitations,
    deleted: deleted.map(({ id, name, untilMs }) => ({ id, name, until: untilMs })),
  };
}

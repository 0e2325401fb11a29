import { findEntitlement } from '#features/billing/public.ts';
import { hasRoom } from '#features/billing/rules/entitlements.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { teamsContract } from './contract.ts';
import { listReceived } from './list-received.ts';
import { viewMembership } from './rules/view-membership.ts';
import { listDeletedOf, listTeamsOf } from './store/members.ts';

/** The teams of somebody, who invited them, and what they deleted; a constant number of statements. */
export async function listTeams(
  app: Pick<App, 'db' | 'config' | 'clock'>,
  { userId }: Actor,
): Promise<Output<typeof teamsContract.listTeams>> {
  const { db } = app;
  const [teams, deleted, invitations, { limits }] = await Promise.all([
    listTeamsOf(db, userId),
    listDeletedOf(db, userId),
    listReceived(db, userId),
    findEntitlement(app, db, userId),
  ]);
  return {
    may_create: hasRoom(limits.teams, teams.filter(({ role }) => role === 'owner').length),
    teams: teams.map(viewMembership),
    invitations,
    deleted: deleted.map(({ id, name, untilMs }) => ({ id, name, until: untilMs })),
  };
}

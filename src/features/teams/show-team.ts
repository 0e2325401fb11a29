import { hostsReading } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { readTogether } from '#platform/reading.ts';
import type { teamsContract } from './contract.ts';
import { type Member, membersReading } from './list-members.ts';
import { requirePermission } from './require-permission.ts';
import { may } from './rules/permissions.ts';
import { viewMembership } from './rules/view-membership.ts';
import { invitationsReading, invitersOf } from './store/invitations.ts';
import { transferReading } from './store/transfers.ts';

type TeamView = Output<typeof teamsContract.readTeam>;

/** A team as the caller may see it, in two statements. *Errors*: as `requirePermission`. */
export async function showTeam({ db }: Pick<App, 'db'>, actor: Actor, teamId: TeamId): Promise<TeamView> {
  const membership = await requirePermission(db, actor, teamId, 'see-team');
  const [members, invitations, inviters, transfer] = await readTogether(db, [
    membersReading(teamId),
    invitationsReading(teamId),
    hostsReading(invitersOf(teamId)),
    transferReading(teamId),
  ]);
  const { role } = membership;
  const nameOf = new Map([...inviters, ...members].map(({ userId, name }) => [userId, name]));
  const seesTransfer = transfer !== null && (role === 'owner' || transfer.userId === actor.userId);
  return {
    team: viewMembership(membership),
    members: members.map(viewMember),
    invitations: may(role, 'manage-members')
      ? invitations.map(({ id, email, role: asWhat, invitedBy, sentMs, expiresMs }) => ({
          id,
          email,
          role: asWhat,
          invited_by: invitedBy === null ? null : (nameOf.get(invitedBy) ?? null),
          sent_at: sentMs,
          expires_at: expiresMs,
        }))
      : [],
    transfer: seesTransfer
      ? { to: { user_id: transfer.userId, name: nameOf.get(transfer.userId) ?? '' }, asked_at: transfer.askedMs }
      : null,
  };
}

const viewMember = ({ userId, name, email, avatarUrl, zone, role, shares, joinedMs }: Member) => ({
  user_id: userId,
  name,
  email,
  avatar_url: avatarUrl,
  zone,
  role,
  shares,
  joined_at: joinedMs,
});

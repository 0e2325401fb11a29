import { canonicalEmail } from '#features/accounts/rules/email.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import type { teamsContract } from './contract.ts';
import { listMembers } from './list-members.ts';
import { mintInvitation } from './mint-invitation.ts';
import { mostInvited } from './rules/team-limits.ts';
import { countInvitations } from './store/invitations.ts';
import { insertDeed } from './store/trail.ts';

/**
 * Asks an address to join, with or without an account: nobody is told which.
 * *Errors*: as `requirePermission`; AppError invalid (`INVALID_INPUT`), conflict (`ALREADY_MEMBER`, `TOO_MANY`), limited.
 */
export function inviteMember(
  app: Pick<App, 'db' | 'feed' | 'mail' | 'config'>,
  actor: Actor,
  teamId: TeamId,
  body: Input<typeof teamsContract.inviteMember>['body'],
): Promise<void> {
  const email = canonicalEmail(body.email);
  return actInTeam(app, actor, teamId, 'manage-members', async (tx, team) => {
    if (email === null) {
      const message = 'This is not an email address. The invitation was not sent.';
      throw new AppError('invalid', 'INVALID_INPUT', message, { fields: { email: message } });
    }
    if ((await listMembers(tx, teamId)).some((member) => member.email === email)) {
      const message = 'Somebody with this address is in the team already.';
      throw new AppError('conflict', 'ALREADY_MEMBER', message, { fields: { email: message } });
    }
    if ((await countInvitations(tx, teamId)) >= mostInvited)
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `${mostInvited} people are invited already. Withdraw an invitation first.`,
      );
    await mintInvitation(app, tx, actor, { team, email, role: body.role });
    await insertDeed(tx, {
      teamId,
      kind: 'member-invited',
      actorId: actor.userId,
      details: { email, role: body.role },
    });
  });
}

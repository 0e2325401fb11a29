import type { TeamId, TeamInvitationId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import { demandInvitation } from './demand-invitation.ts';
import { deleteInvitation } from './store/invitations.ts';
import { insertDeed } from './store/trail.ts';

/** Its link is void. *Errors*: as `requirePermission`; AppError not-found. */
export function withdrawInvitation(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  teamId: TeamId,
  id: TeamInvitationId,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'manage-members', async (tx) => {
    const { email } = await demandInvitation(tx, teamId, id);
    await deleteInvitation(tx, id);
    await insertDeed(tx, { teamId, kind: 'invitation-withdrawn', actorId: actor.userId, details: { email } });
  });
}

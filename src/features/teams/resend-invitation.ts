import type { TeamId, TeamInvitationId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import { demandInvitation } from './demand-invitation.ts';
import { mintInvitation } from './mint-invitation.ts';
import { insertDeed } from './store/trail.ts';

/** Another mail with a new link. *Errors*: as `requirePermission`; AppError not-found, limited. */
export function resendInvitation(
  app: Pick<App, 'db' | 'feed' | 'mail' | 'config'>,
  actor: Actor,
  teamId: TeamId,
  id: TeamInvitationId,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'manage-members', async (tx, team) => {
    const { email, role } = await demandInvitation(tx, teamId, id);
    await mintInvitation(app, tx, actor, { team, email, role });
    await insertDeed(tx, { teamId, kind: 'member-invited', actorId: actor.userId, details: { email, role } });
  });
}

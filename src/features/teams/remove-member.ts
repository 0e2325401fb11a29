import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import { memberLeft } from './events.ts';
import { findMember } from './find-member.ts';
import { deleteMember } from './store/members.ts';
import { insertDeed } from './store/trail.ts';

/**
 * Somebody goes, or is made to. What they were to do for the team is handed over by whoever listens.
 * *Errors*: as `requirePermission`; AppError not-found, conflict (`IS_OWNER`).
 */
export function removeMember(
  app: Pick<App, 'db' | 'feed' | 'news'>,
  actor: Actor,
  teamId: TeamId,
  userId: UserId,
): Promise<void> {
  const leaves = userId === actor.userId;
  return actInTeam(app, actor, teamId, leaves ? 'see-team' : 'manage-members', async (tx) => {
    await findMember(tx, teamId, userId);
    await deleteMember(tx, teamId, userId);
    await insertDeed(tx, {
      teamId,
      kind: leaves ? 'member-left' : 'member-removed',
      actorId: actor.userId,
      subjectId: userId,
    });
    await app.news.announce(tx, memberLeft, { teamId, userId, why: leaves ? 'left' : 'removed' });
  });
}

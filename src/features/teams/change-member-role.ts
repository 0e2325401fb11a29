import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import { memberRoleChanged } from './events.ts';
import { findMember } from './find-member.ts';
import type { GivenRole } from './rules/permissions.ts';
import { setMemberRole } from './store/members.ts';
import { insertDeed } from './store/trail.ts';

/** *Errors*: as `requirePermission`; AppError not-found, conflict (`IS_OWNER`). */
export function changeMemberRole(
  app: Pick<App, 'db' | 'feed' | 'news'>,
  actor: Actor,
  teamId: TeamId,
  { userId, role }: { userId: UserId; role: GivenRole },
): Promise<void> {
  return actInTeam(app, actor, teamId, 'manage-members', async (tx) => {
    const before = await findMember(tx, teamId, userId);
    if (before.role === role) return;
    await setMemberRole(tx, teamId, userId, role);
    await insertDeed(tx, {
      teamId,
      kind: 'role-changed',
      actorId: actor.userId,
      subjectId: userId,
      details: { from: before.role, to: role },
    });
    await app.news.announce(tx, memberRoleChanged, { teamId, userId, role });
  });
}

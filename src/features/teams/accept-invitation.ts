import { findHost, lockUser } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { TeamId, TeamInvitationId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { demandRoom } from './demand-room.ts';
import { invitationGone } from './rules/invitation-gone.ts';
import { mostMembers } from './rules/team-limits.ts';
import { findInvited, spendInvitation } from './store/invitations.ts';
import { insertMember, listMemberIds } from './store/members.ts';
import { lockTeam } from './store/teams.ts';
import { insertDeed } from './store/trail.ts';
import { tellMembers } from './tell-members.ts';

/**
 * Joins, with the address that was invited and no other: reading its mail is what the account was opened with.
 * *Errors*: AppError not-found, conflict (`TOO_MANY`).
 */
export function acceptInvitation(
  app: Pick<App, 'db' | 'feed'>,
  { userId }: Actor,
  id: TeamInvitationId,
): Promise<TeamId> {
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    const invited = user?.email_verified_at ? await findInvited(tx, id, user.email) : null;
    if (user === null || invited === null || !(await lockTeam(tx, invited.teamId))) throw invitationGone();
    // nobody acts for a suspended account
    if (invited.invitedBy === null || (await findHost(tx, invited.invitedBy)) === null) throw invitationGone();
    await demandRoom(tx, userId);
    if ((await listMemberIds(tx, invited.teamId)).length >= mostMembers)
      throw new AppError('conflict', 'TOO_MANY', `This team has ${mostMembers} members already. Tell who invited you.`);
    const spent = await spendInvitation(tx, id, user.email);
    if (spent === null) throw invitationGone();
    const { teamId, role } = spent;
    if (await insertMember(tx, { teamId, userId, role }))
      await insertDeed(tx, { teamId, kind: 'member-joined', actorId: userId, details: { role } });
    await tellMembers(app, tx, teamId);
    return teamId;
  });
}

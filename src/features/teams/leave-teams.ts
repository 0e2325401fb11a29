import { isLeaving } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { memberLeft } from './events.ts';
import { deleteMember, listTeamsOf } from './store/members.ts';
import { lockTeam, markDeleted } from './store/teams.ts';
import { insertDeed } from './store/trail.ts';
import { tellMembers } from './tell-members.ts';

/**
 * A person's account goes: they are in no team any more, and a team that they own is over, as nobody was asked to take
 * it. The database ends it as well, should they be gone before this runs.
 */
export async function leaveTeams(app: Pick<App, 'db' | 'feed' | 'news'>, userId: UserId): Promise<void> {
  if (!(await isLeaving(app.db, userId))) return;
  for (const { id: teamId, role } of await listTeamsOf(app.db, userId)) {
    await inTransaction(app.db, async (tx) => {
      if (!(await lockTeam(tx, teamId))) return;
      await tellMembers(app, tx, teamId);
      if (role === 'owner') {
        await markDeleted(tx, teamId);
        await insertDeed(tx, { teamId, kind: 'team-deleted', actorId: null });
      }
      await deleteMember(tx, teamId, userId);
      await insertDeed(tx, { teamId, kind: 'member-left', actorId: null });
      await app.news.announce(tx, memberLeft, { teamId, userId, why: 'leaver' });
    });
  }
}

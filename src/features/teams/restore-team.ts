import { lockUser } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { demandRoom } from './demand-room.ts';
import { demandTeam } from './demand-team.ts';
import { listDeletedOf } from './store/members.ts';
import { lockTeam, markRestored } from './store/teams.ts';
import { insertDeed } from './store/trail.ts';
import { tellMembers } from './tell-members.ts';

/** Takes a deletion back, everybody's place included. *Errors*: AppError not-found, conflict (`TOO_MANY`), forbidden (`PLAN_LIMIT`). */
export function restoreTeam(
  app: Pick<App, 'db' | 'feed' | 'config' | 'clock'>,
  { userId }: Actor,
  teamId: TeamId,
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, userId);
    await demandRoom(tx, userId);
    await demandTeam(app, tx, userId);
    await lockTeam(tx, teamId, { deleted: true });
    const theirs = await listDeletedOf(tx, userId);
    if (!theirs.some(({ id }) => id === teamId) || !(await markRestored(tx, teamId)))
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such team, or it was deleted too long ago.');
    await insertDeed(tx, { teamId, kind: 'team-restored', actorId: userId });
    await tellMembers(app, tx, teamId);
  });
}

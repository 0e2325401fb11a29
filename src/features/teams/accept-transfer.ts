import { AppError } from '#kernel/errors.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import { demandTeam } from './demand-team.ts';
import { replaceOwner } from './store/members.ts';
import { insertDeed } from './store/trail.ts';
import { findTransfer, takeTransfer } from './store/transfers.ts';

/** The team is theirs; who owned it is an admin of it now. *Errors*: as `requirePermission`; AppError not-found, forbidden (`PLAN_LIMIT`). */
export function acceptTransfer(
  app: Pick<App, 'db' | 'feed' | 'config' | 'clock'>,
  actor: Actor,
  teamId: TeamId,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'see-team', async (tx) => {
    if ((await findTransfer(tx, teamId)) !== actor.userId)
      throw new AppError('not-found', 'NOT_FOUND', 'Nobody asks you to own this team (any more).');
    await demandTeam(app, tx, actor.userId);
    await takeTransfer(tx, teamId);
    await replaceOwner(tx, teamId, actor.userId);
    await insertDeed(tx, { teamId, kind: 'transfer-accepted', actorId: actor.userId });
  });
}

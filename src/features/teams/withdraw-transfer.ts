import { AppError } from '#kernel/errors.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import { insertDeed } from './store/trail.ts';
import { findTransfer, takeTransfer } from './store/transfers.ts';

/** By the owner who asked, or by who was asked and says no. *Errors*: as `requirePermission`; AppError not-found. */
export function withdrawTransfer(app: Pick<App, 'db' | 'feed'>, actor: Actor, teamId: TeamId): Promise<void> {
  return actInTeam(app, actor, teamId, 'see-team', async (tx, { role }) => {
    const asked = await findTransfer(tx, teamId);
    const declines = asked === actor.userId;
    if (asked === null || (role !== 'owner' && !declines))
      throw new AppError('not-found', 'NOT_FOUND', 'Nobody is asked to own this team.');
    await takeTransfer(tx, teamId);
    const kind = declines ? 'transfer-declined' : 'transfer-withdrawn';
    await insertDeed(tx, { teamId, kind, actorId: actor.userId, subjectId: asked });
  });
}

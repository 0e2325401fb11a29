import { AppError } from '#kernel/errors.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import { markDeleted } from './store/teams.ts';
import { insertDeed } from './store/trail.ts';

/**
 * Nobody is in it from now on, and nothing can be booked with it; what was booked stays with its hosts.
 * *Errors*: as `requirePermission`; AppError invalid (`WRONG_NAME`).
 */
export function deleteTeam(app: Pick<App, 'db' | 'feed'>, actor: Actor, teamId: TeamId, typed: string): Promise<void> {
  return actInTeam(app, actor, teamId, 'delete-team', async (tx, { name }) => {
    if (typed.normalize('NFC').trim() !== name) {
      const message = 'This is not the name of the team. Nothing was deleted.';
      throw new AppError('invalid', 'WRONG_NAME', message, { fields: { name: message } });
    }
    await markDeleted(tx, teamId);
    await insertDeed(tx, { teamId, kind: 'team-deleted', actorId: actor.userId });
  });
}

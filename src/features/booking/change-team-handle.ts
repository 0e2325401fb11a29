import { actInTeam, recordDeed } from '#features/teams/public.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { takeHandle } from './take-handle.ts';

/** A team takes a name. *Errors*: as `requirePermission` of teams and `takeHandle`. */
export function changeTeamHandle(app: App, actor: Actor, teamId: TeamId, handle: string): Promise<void> {
  return actInTeam(app, actor, teamId, 'change-team', async (tx) => {
    if (await takeHandle(tx, { teamId }, handle))
      await recordDeed(tx, { teamId, kind: 'handle-changed', actorId: actor.userId, details: { to: handle } });
  });
}

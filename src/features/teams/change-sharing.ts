import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import { type Shares, setShares } from './store/members.ts';
import { insertDeed } from './store/trail.ts';

/** What the others see of the caller's calendars. Nobody else says so for them. *Errors*: as `requirePermission`. */
export function changeSharing(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  teamId: TeamId,
  shares: Shares,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'see-team', async (tx, before) => {
    if (before.shares === shares) return;
    await setShares(tx, teamId, actor.userId, shares);
    await insertDeed(tx, { teamId, kind: 'sharing-changed', actorId: actor.userId, details: { shares } });
  });
}

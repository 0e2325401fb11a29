import type { Input } from '#kernel/contract.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { actInTeam } from './act-in-team.ts';
import type { teamsContract } from './contract.ts';
import { updateTeam } from './store/teams.ts';
import { insertDeed } from './store/trail.ts';

/** *Errors*: as `requirePermission`. */
export function changeTeam(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  teamId: TeamId,
  body: Input<typeof teamsContract.changeTeam>['body'],
): Promise<void> {
  return actInTeam(app, actor, teamId, 'change-team', async (tx, before) => {
    const name = body.name?.normalize('NFC').trim();
    const about = body.about?.normalize('NFC').trim();
    if ((name ?? before.name) === before.name && (about ?? before.about) === before.about) return;
    await updateTeam(tx, teamId, { name, about });
    await insertDeed(tx, {
      teamId,
      kind: 'team-changed',
      actorId: actor.userId,
      details: name === undefined || name === before.name ? {} : { from: before.name, to: name },
    });
  });
}

import { requirePermission } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { bookingContract } from './contract.ts';
import { readHandle } from './read-handle.ts';

/** That of a team of the caller. *Errors*: as `requirePermission` of teams. */
export async function readTeamHandle(
  app: Pick<App, 'db' | 'config'>,
  actor: Actor,
  teamId: TeamId,
): Promise<Output<typeof bookingContract.readTeamHandle>> {
  const { name } = await requirePermission(app.db, actor, teamId, 'see-team');
  return readHandle(app, { id: teamId, loadName: async () => name });
}

import { requirePermission } from '#features/teams/public.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { listHosted } from './store/team-bookings.ts';

const most = 500;

/**
 * Counts the upcoming bookings of a team's host. The host sees the count before leaving, and so do people who may
 * remove the host. *Errors*: as `requirePermission`.
 */
export async function countToCome(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  teamId: TeamId,
  hostId: UserId,
): Promise<number> {
  await requirePermission(db, actor, teamId, hostId === actor.userId ? 'see-team' : 'manage-members');
  return (await listHosted(db, teamId, { hostId, nowMs: clock.nowMs(), limit: most })).length;
}

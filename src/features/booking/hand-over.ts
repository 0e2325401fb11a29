import { requirePermission } from '#features/teams/public.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { handOverOne } from './hand-over-one.ts';
import { listHosted } from './store/team-bookings.ts';

const most = 500;

/**
 * Transfers all upcoming bookings of one host to another, or to the next by the rule. The caller may manage the team's
 * bookings. Bookings for which nobody is free stay. *Errors*: as `requirePermission`.
 */
export async function handOver(
  app: App,
  actor: { userId: UserId },
  teamId: TeamId,
  { from, to }: { from: UserId; to?: UserId | undefined },
): Promise<{ given: number; left: number }> {
  await requirePermission(app.db, actor, teamId, 'manage-bookings');
  const asked = await listHosted(app.db, teamId, { hostId: from, nowMs: app.clock.nowMs(), limit: most });
  let given = 0;
  for (const id of asked) if (await handOverOne(app, id, { from, to, actor: 'host', by: actor.userId })) given += 1;
  return { given, left: asked.length - given };
}

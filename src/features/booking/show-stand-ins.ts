import { listMembers, may, requirePermission } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { teamBookingEndpoints } from './rules/team-endpoints.ts';
import { listStandIns } from './store/stand-ins.ts';

type Shown = Output<(typeof teamBookingEndpoints)['listStandIns']>;

/** Lists the stand-ins of a team. *Errors*: as `requirePermission`. */
export async function showStandIns(app: App, actor: { userId: UserId }, teamId: TeamId): Promise<Shown> {
  const { role } = await requirePermission(app.db, actor, teamId, 'see-team');
  const [rows, members] = await Promise.all([
    listStandIns(app.db, teamId, app.clock.nowMs()),
    listMembers(app.db, teamId),
  ]);
  const nameOf = new Map(members.map(({ userId, name }) => [userId, name]));
  return {
    stand_ins: rows.map(({ id, userId, toUserId, fromMs, untilMs }) => ({
      id,
      user_id: userId,
      name: nameOf.get(userId) ?? '',
      to_user_id: toUserId,
      to_name: nameOf.get(toUserId) ?? '',
      from: fromMs,
      until: untilMs,
      can_end: userId === actor.userId || may(role, 'manage-bookings'),
    })),
    colleagues: members
      .filter(({ userId }) => userId !== actor.userId)
      .map(({ userId, name }) => ({ user_id: userId, name })),
  };
}

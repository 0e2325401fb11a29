import { randomUUIDv7 } from 'node:crypto';
import { requirePermission } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { insertStandIn, listStandIns, notOfTeam, overlapsAnother } from './store/stand-ins.ts';
import { tellOwner } from './tell-owner.ts';

const most = 200;

/**
 * Somebody says who stands in for them; for others says who may manage their bookings.
 * *Errors*: as `requirePermission`; AppError invalid (INVALID), conflict (OVERLAPS, TOO_MANY).
 */
export async function addStandIn(
  app: App,
  actor: { userId: UserId },
  teamId: TeamId,
  {
    user_id: userId = actor.userId,
    to_user_id: toUserId,
    from,
    until,
  }: {
    user_id?: UserId | undefined;
    to_user_id: UserId;
    from: number;
    until: number;
  },
): Promise<void> {
  const need = userId === actor.userId ? 'see-team' : 'manage-bookings';
  await requirePermission(app.db, actor, teamId, need);
  const nowMs = app.clock.nowMs();
  if (userId === toUserId) throw refused('Choose another person.', 'to_user_id');
  if (until <= from || until <= nowMs) throw refused('The end must be after the start and in the future.', 'until');
  try {
    await inTransaction(app.db, async (tx) => {
      await requirePermission(tx, actor, teamId, need, 'lock');
      if ((await listStandIns(tx, teamId, nowMs)).length >= most)
        throw new AppError('conflict', 'TOO_MANY', `A team can have up to ${most} stand-ins. Remove one first.`);
      await insertStandIn(tx, { id: randomUUIDv7(), teamId, userId, toUserId, fromMs: from, untilMs: until });
      await tellOwner(app, tx, { userId: null, teamId });
    });
  } catch (error) {
    if (overlapsAnother(error))
      throw new AppError(
        'conflict',
        'OVERLAPS',
        "There's already a stand-in for part of this time. Nothing was saved.",
      );
    if (notOfTeam(error)) throw refused("This person isn't in the team.", 'to_user_id');
    throw error;
  }
}

const refused = (message: string, field: string) =>
  new AppError('invalid', 'INVALID', message, { fields: { [field]: message } });

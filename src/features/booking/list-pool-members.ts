import { listMembers } from '#features/teams/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { listConferences } from './conferences/conferences.ts';
import type { bookingContract } from './contract.ts';
import { listCandidates } from './list-candidates.ts';
import { loadType } from './load-type.ts';

type Members = Output<typeof bookingContract.listPoolMembers>;

/** Lists the possible hosts of an event type, with their share of its bookings. *Errors*: as `loadType`. */
export async function listPoolMembers(app: App, actor: Actor, id: EventTypeId): Promise<Members> {
  const type = await loadType(app.db, actor, id, 'see-team');
  if (type.teamId === null) return { members: [] };
  const [members, pool] = await Promise.all([
    listMembers(app.db, type.teamId),
    listCandidates(app.db, type, app.clock.nowMs()),
  ]);
  const given = new Map(pool.map((one) => [one.id, one]));
  const { kind } = type.settings.location;
  const makes = kind === 'google-meet' || kind === 'teams' ? kind : null;
  const conferences =
    makes === null
      ? null
      : await listConferences(
          app.db,
          members.map(({ userId }) => userId),
        );
  return {
    members: members.map(({ userId, name, avatarUrl }) => {
      const isAble = makes === null || conferences?.get(userId)?.includes(makes);
      return {
        user_id: userId,
        name,
        avatar_url: avatarUrl,
        assigned: given.get(userId)?.assigned ?? 0,
        calibration: given.get(userId)?.calibration ?? 0,
        lacks: isAble ? null : makes,
      };
    }),
  };
}

import { listMemberIds, requirePermission } from '#features/teams/public.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import { showHostBookings } from './show-host-bookings.ts';
import { hasCopies } from './store/copies.ts';
import { type HostRow, type ListedScope, listHostRows } from './store/host-bookings.ts';

const usual = 50;

interface Asked {
  scope: ListedScope;
  limit?: number | undefined;
  after?: string | undefined;
  /** All of a team's instead of those of which the caller is a host. */
  team_id?: TeamId | undefined;
}

/**
 * Bookings of a host or a team, by their time: what comes first the soonest, what is over the latest.
 * *Errors*: as `requirePermission`.
 */
export async function listBookings(
  app: App,
  { userId }: { userId: UserId },
  { scope, limit = usual, after, team_id: teamId }: Asked,
): Promise<HostBooking[]> {
  const page = { scope, nowMs: app.clock.nowMs(), limit, after: after ?? null };
  if (teamId !== undefined) {
    await requirePermission(app.db, { userId }, teamId, 'see-bookings');
    const [rows, memberIds] = await Promise.all([
      listHostRows(app.db, { teamId }, page),
      listMemberIds(app.db, teamId),
    ]);
    return showHostBookings(app.db, rows, memberIds);
  }
  const [own, hasOthers] = await Promise.all([listHostRows(app.db, { userId }, page), hasCopies(app.db, userId)]);
  const others = hasOthers ? await listHostRows(app.db, { coHostId: userId }, page) : [];
  return showHostBookings(app.db, others.length === 0 ? own : merge(own, others, page));
}

/** Two pages of the same order as one. */
function merge(own: HostRow[], others: HostRow[], { scope, limit }: { scope: ListedScope; limit: number }): HostRow[] {
  const sign = scope === 'past' || scope === 'ended' ? -1 : 1;
  return [...own, ...others]
    .sort((one, other) => sign * (one.startMs - other.startMs || (one.id < other.id ? -1 : 1)))
    .slice(0, limit);
}

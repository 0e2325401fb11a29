import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { listHostsOf } from './list-hosts-of.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import { showHostBooking } from './rules/host-booking-view.ts';
import type { HostRow } from './store/host-bookings.ts';
import { listUntoldOf } from './store/lapsed-invitations.ts';

/**
 * Bookings as their hosts see them; those of teams name who takes part, and with `memberIds` who is in the team no more.
 * One query for the names, and one for guests whom no mail could reach; none where there is nothing to ask.
 */
export async function showHostBookings(
  db: Database,
  rows: readonly HostRow[],
  memberIds: readonly UserId[] | null = null,
): Promise<HostBooking[]> {
  const ids = [...new Set(rows.flatMap(({ teamId, hostIds }) => (teamId === null ? [] : hostIds)))];
  const people = ids.length === 0 ? [] : await listHostsOf(db, ids);
  const nameOf = new Map(people.map(({ userId, name }) => [userId, name]));
  const bringing = rows.filter(({ guests }) => guests.length > 0).map(({ id }) => id);
  const untold = bringing.length === 0 ? new Map() : await listUntoldOf(db, bringing);
  return rows.map((row) => showHostBooking(row, nameOf, memberIds, untold.get(row.id)));
}

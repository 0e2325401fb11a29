import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { listUntoldOf } from './brought/untold-guests.ts';
import { listHostsOf } from './list-hosts-of.ts';
import { listUnmailed } from './list-strangers.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import { showHostBooking } from './rules/host-booking-view.ts';
import type { HostRow } from './store/host-bookings.ts';

/**
 * Bookings as their hosts see them; those of teams name who takes part, and with `memberIds` who is in the team no more.
 * No query is sent where there is nothing to ask.
 */
export async function showHostBookings(
  db: Database,
  rows: readonly HostRow[],
  memberIds: readonly UserId[] | null = null,
): Promise<HostBooking[]> {
  const ids = [...new Set(rows.flatMap(({ teamId, hostIds }) => (teamId === null ? [] : hostIds)))];
  const people = ids.length === 0 ? [] : await listHostsOf(db, ids);
  const nameOf = new Map(people.map(({ userId, name }) => [userId, name]));
  const untold = await listUntoldOf(db, rows);
  const stopped = await listUnmailed(db, rows);
  return rows.map((row) =>
    showHostBooking(row, nameOf, memberIds, { untold: untold.get(row.id), isStopped: stopped.has(row.id) }),
  );
}

import { sql } from 'kysely';
import type { AppointmentId, EventTypeId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

const dayMs = 86_400_000;

/**
 * How often it was whose turn in a pool since then, and when last, epoch ms: of what is held or booked; without what its
 * guest did not come to or cancelled more than a day ahead.
 */
export async function countTurns(
  db: Database,
  eventTypeId: EventTypeId,
  { sinceMs, nowMs, without = null }: { sinceMs: number; nowMs: number; without?: AppointmentId | null },
): Promise<Map<UserId, { count: number; lastMs: number }>> {
  const { rows } = await sql<{ userId: UserId; count: number; lastMs: number }>`
    select a.turn_of as "userId", count(*)::int as count, max(a.assigned_ms) as "lastMs"
    from booking.appointments a join booking.bookings b on b.appointment_id = a.id
    where a.event_type_id = ${eventTypeId} and a.assigned_ms > ${sinceMs} and a.turn_of is not null
      and a.id is distinct from ${without}::uuid and not b.guest_no_show
      and (b.taken and (b.expires_ms is null or b.expires_ms > ${nowMs})
        or b.state = 'cancelled' and b.ended_ms > a.start_ms - ${dayMs})
    group by 1`.execute(db);
  return new Map(rows.map(({ userId, ...turns }) => [userId, turns]));
}

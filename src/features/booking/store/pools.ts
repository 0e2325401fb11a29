import { sql } from 'kysely';
import type { AppointmentId, EventTypeId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

const dayMs = 86_400_000;

const counts = (nowMs: number) => sql`not b.guest_no_show
  and (b.taken and (b.expires_ms is null or b.expires_ms > ${nowMs})
    or b.state = 'cancelled' and b.ended_ms > a.start_ms - ${dayMs})`;

/**
 * How often it was whose turn in a pool since then, and when last, epoch ms: of what is held or booked; without what its
 * guest did not come to or cancelled more than a day ahead.
 */
export async function countTurns(
  db: Database,
  eventTypeId: EventTypeId,
  {
    sinceMs,
    untilMs = Number.MAX_SAFE_INTEGER,
    nowMs,
    without = null,
  }: { sinceMs: number; untilMs?: number; nowMs: number; without?: AppointmentId | null },
): Promise<Map<UserId, { count: number; lastMs: number }>> {
  const { rows } = await sql<{ userId: UserId; count: number; lastMs: number }>`
    select a.turn_of as "userId", count(*)::int as count, max(a.assigned_ms) as "lastMs"
    from booking.appointments a join booking.bookings b on b.appointment_id = a.id
    where a.event_type_id = ${eventTypeId} and a.assigned_ms > ${sinceMs} and a.assigned_ms < ${untilMs} and a.turn_of is not null
      and a.id is distinct from ${without}::uuid and ${counts(nowMs)}
    group by 1`.execute(db);
  return new Map(rows.map(({ userId, ...turns }) => [userId, turns]));
}

/** How often a pool passed whom over, and why, of the turns that `countTurns` counts between two moments. */
export async function countPassed(
  db: Database,
  eventTypeId: EventTypeId,
  { fromMs, toMs, nowMs }: { fromMs: number; toMs: number; nowMs: number },
): Promise<{ userId: UserId; why: string; times: number }[]> {
  const { rows } = await sql<{ userId: UserId; why: string; times: number }>`
    select p.key::uuid as "userId", p.value as why, count(*)::int as times
    from booking.appointments a join booking.bookings b on b.appointment_id = a.id, jsonb_each_text(a.passed) p
    where a.event_type_id = ${eventTypeId} and a.assigned_ms >= ${fromMs} and a.assigned_ms < ${toMs}
      and a.turn_of is not null and ${counts(nowMs)}
    group by 1, 2 order by 1, 3 desc, 2`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { AppointmentId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/**
 * Finds the hosts of an appointment, and the team of its event type. The team is null for a person's or a deleted type.
 */
export async function findStanding(
  db: Database,
  id: AppointmentId,
): Promise<{ hostIds: UserId[]; teamId: TeamId | null }> {
  const { rows } = await sql<{ hostIds: UserId[]; teamId: TeamId | null }>`
    select a.host_ids as "hostIds", t.team_id as "teamId"
    from booking.appointments a left join booking.event_types t on t.id = a.event_type_id where a.id = ${id}`.execute(
    db,
  );
  return rows[0] ?? { hostIds: [], teamId: null };
}

export interface Stranded {
  id: AppointmentId;
  eventTypeId: EventTypeId;
  hostIds: UserId[];
}

/** Appointments to come of a team with a host who is none of these; the soonest first. */
export async function listStranded(
  db: Database,
  teamId: TeamId,
  { memberIds, nowMs, limit }: { memberIds: readonly UserId[]; nowMs: number; limit: number },
): Promise<Stranded[]> {
  const { rows } = await sql<Stranded>`
    select a.id, a.event_type_id as "eventTypeId", a.host_ids as "hostIds"
    from booking.event_types t join booking.appointments a on a.event_type_id = t.id
    where t.team_id = ${teamId} and a.live and a.end_ms > ${nowMs} and not (a.host_ids <@ ${memberIds}::uuid[])
    order by a.start_ms, a.id limit ${limit}`.execute(db);
  return rows;
}

/** Appointments to come of a team that somebody is a host of; the soonest first. */
export async function listHosted(
  db: Database,
  teamId: TeamId,
  { hostId, nowMs, limit }: { hostId: UserId; nowMs: number; limit: number },
): Promise<AppointmentId[]> {
  const { rows } = await sql<{ id: AppointmentId }>`
    select a.id from booking.blocks k join booking.appointments a on a.id = k.appointment_id
      join booking.event_types t on t.id = a.event_type_id
    where k.host_id = ${hostId} and t.team_id = ${teamId} and a.live and a.end_ms > ${nowMs}
    order by a.start_ms, a.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

import { sql } from 'kysely';
import type { EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import { type Database, isViolationOf, type Tx } from '#platform/db.ts';

export interface KeptHost {
  userId: UserId;
  weight: number;
  priority: number;
  optional: boolean;
  /** Assumed bookings of new hosts; the others keep theirs. */
  calibration: number;
}

/**
 * Has an event type be booked with these, in this order, and with nobody else.
 * *Errors*: the database's, where one of them is in the team no more (`notInTeam`).
 */
export async function keepHosts(
  tx: Tx,
  { id, teamId }: { id: EventTypeId; teamId: TeamId },
  hosts: readonly KeptHost[],
  nowMs: number,
): Promise<void> {
  const placed = JSON.stringify(hosts.map((host, n) => ({ ...host, n })));
  const given = sql`jsonb_to_recordset(${placed}::jsonb)
    as g("userId" uuid, weight smallint, priority smallint, optional boolean, calibration float8, n smallint)`;
  await sql`
    delete from booking.hosts where event_type_id = ${id}
      and not user_id = any(${hosts.map(({ userId }) => userId)}::uuid[])`.execute(tx);
  await sql`
    insert into booking.hosts as h (event_type_id, team_id, user_id, position, weight, priority, optional, calibration, since_ms)
    select ${id}::uuid, ${teamId}::uuid, g."userId", g.n, g.weight, g.priority, g.optional, g.calibration, ${nowMs}::bigint
    from ${given} order by g."userId"
    on conflict (event_type_id, user_id) do update set position = excluded.position, weight = excluded.weight,
      priority = excluded.priority, optional = excluded.optional`.execute(tx);
  await sql`
    update booking.event_types set panel = ${hosts.filter(({ optional }) => !optional).length}
    where id = ${id}`.execute(tx);
}

/** Collective event types of these teams: how many hosts who are needed were chosen, and those who are left. */
export async function listPanels(
  db: Database,
  teamIds: readonly TeamId[],
): Promise<{ id: EventTypeId; title: string; teamId: TeamId; panel: number; hostIds: UserId[] }[]> {
  const { rows } = await sql<{ id: EventTypeId; title: string; teamId: TeamId; panel: number; hostIds: UserId[] }>`
    select t.id, t.title, t.team_id as "teamId", t.panel, array(
        select h.user_id from booking.hosts h where h.event_type_id = t.id and not h.optional) as "hostIds"
    from booking.event_types t
    where t.team_id = any(${teamIds}::uuid[]) and t.kind = 'collective' and t.deleted_at is null and t.panel > 0
    order by t.title, t.id`.execute(db);
  return rows;
}

export const notInTeam = (error: unknown) => isViolationOf(error, 'hosts_team_id_user_id_fkey');

/** Exports the team event types that a person hosts, with stand-ins in both directions. */
export async function listHostings(db: Database, userId: UserId): Promise<object[]> {
  const { rows } = await sql<object>`
    select t.title, t.slug, h.weight, h.priority, h.optional, to_timestamp(h.since_ms / 1000.0) as since,
      (select coalesce(jsonb_agg(jsonb_build_object('of', case when s.user_id = ${userId} then 'mine' else 'for another' end,
        'from', to_timestamp(s.from_ms / 1000.0), 'until', to_timestamp(s.until_ms / 1000.0)) order by s.from_ms), '[]')
        from booking.stand_ins s where s.team_id = h.team_id and ${userId} in (s.user_id, s.to_user_id)) as "standIns"
    from booking.hosts h join booking.event_types t on t.id = h.event_type_id and t.deleted_at is null
    where h.user_id = ${userId} order by t.title, t.id`.execute(db);
  return rows;
}

import { type RawBuilder, sql } from 'kysely';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import type { MirroredTime } from '../rules/mirrored-share.ts';
import type { FactScope } from './read-facts.ts';

/** As calendar's two indexes have it (calendar/store/spans.ts). */
const shortMs = 93_600_000;

const overlapping = (from: RawBuilder<unknown>, { startMs, endMs }: Span) => sql`
  (select * from ${from} and end_ms - start_ms <= 93600000 and start_ms > ${startMs - shortMs - 1} and start_ms < ${endMs}
    and end_ms > ${startMs}
  union all
  select * from ${from} and end_ms - start_ms > 93600000 and end_ms > ${startMs} and start_ms < ${endMs})`;

/** Time of these people in the span that events other than bookings take. */
export async function listTaken(
  db: Database,
  userIds: readonly UserId[],
  span: Span,
): Promise<(Span & { userId: UserId })[]> {
  const { rows } = await sql<Span & { userId: UserId }>`
    select user_id as "userId", start_ms as "startMs", end_ms as "endMs"
    from ${overlapping(sql`calendar.taken where user_id = any(${userIds}::uuid[])`, span)} t order by start_ms, end_ms`.execute(
    db,
  );
  return rows;
}

export interface StateRow {
  id: CalendarId;
  name: string;
  provider: string;
  profile: string;
  label: string;
  status: string;
  isChecked: boolean;
  isTarget: boolean;
  failures: number;
  pushLive: boolean;
  lastSyncedMs: number | null;
  pollSeconds: number | null;
  total: number;
  created: number;
  pendingYoung: number;
  ops: number;
  failedOps: number;
}

/** How a person's calendars stand, with their blocks and what was written to them in the last 24 hours. */
export async function listStates(
  db: Database,
  userId: UserId,
  { nowMs, pendingSlaMs }: { nowMs: number; pendingSlaMs: number },
): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    with blocks as materialized (select * from sync.blocks where user_id = ${userId}),
    standing as (
      select target_calendar_id as id, count(*) filter (where state in ('created', 'pending', 'failed'))::int as total,
        count(*) filter (where state = 'created')::int as created,
        count(*) filter (where state = 'pending' and updated_ms > ${nowMs - pendingSlaMs})::int as young
      from blocks group by 1),
    written as (
      select b.target_calendar_id as id, count(*)::int as ops, count(*) filter (where w.status = 'error')::int as failed
      from blocks b join sync.writes w on w.mirror_id = b.id
      where b.updated_ms > ${nowMs - dayMs} and w.at_ms > ${nowMs - dayMs} group by 1)
    select c.id, c.name, c.provider, c.profile, c.label, c.status, c.include_in_unified as "isChecked",
      exists (select from sync.targets t where t.calendar_id = c.id) as "isTarget", c.failures, c.push_live as "pushLive",
      c.last_synced_ms as "lastSyncedMs",
      (select poll_seconds from sync.polls p where p.user_id = c.user_id) as "pollSeconds",
      coalesce(s.total, 0) as total, coalesce(s.created, 0) as created, coalesce(s.young, 0) as "pendingYoung",
      coalesce(w.ops, 0) as ops, coalesce(w.failed, 0) as "failedOps"
    from connections.states c left join standing s on s.id = c.id left join written w on w.id = c.id
    where c.user_id = ${userId} order by c.created_at, c.name, c.id`.execute(db);
  return rows;
}

export interface MirroredRow extends MirroredTime {
  id: string;
  targetId: CalendarId;
}

/** Blocks in the span that other calendars should have. */
export async function listMirrored(
  db: Database,
  userId: UserId,
  span: Span,
  verifiedSinceMs: number,
): Promise<MirroredRow[]> {
  const { rows } = await sql<MirroredRow>`
    select b.id, b.target_calendar_id as "targetId", n.start_ms as "startMs", n.end_ms as "endMs",
      b.state = 'created' and coalesce(b.verified_ms, 0) > ${verifiedSinceMs} as "isVerified"
    from ${overlapping(sql`calendar.instances where user_id = ${userId}`, span)} n
      join sync.blocks b on b.origin_item_id = n.item_id and b.rec_id in ('', n.rec_id)
    where b.user_id = ${userId} and b.state in ('created', 'pending', 'failed')
    order by n.start_ms desc, b.id`.execute(db);
  return rows;
}

export interface PreventedRow {
  itemId: ItemId;
  recId: string;
  kind: 'rejected' | 'masked';
  startMs: number;
  atMs: number;
  title: string | null;
}

/** Double bookings that did not happen, by when that was. */
export async function listPrevented(
  db: Database,
  { hostId, teamId, eventTypeIds, calendarId }: FactScope,
  { startMs, endMs }: Span,
): Promise<PreventedRow[]> {
  const { rows } = await sql<PreventedRow>`
    select p.item_id as "itemId", p.rec_id as "recId", p.kind, p.start_ms as "startMs", p.at_ms as "atMs",
      (select i.title from calendar.instances i where i.user_id = p.host_id and i.item_id = p.item_id limit 1) as title
    from booking.prevented p
    where ${hostId === null ? sql`true` : sql`p.host_id = ${hostId}`} and ${teamId === null ? sql`true` : sql`p.team_id = ${teamId}`}
      and ${eventTypeIds === null ? sql`true` : sql`p.event_type_id = any(${eventTypeIds}::uuid[])`}
      and ${calendarId === null ? sql`true` : sql`p.calendar_id = ${calendarId}`}
      and p.at_ms >= ${startMs} and p.at_ms < ${endMs}
    order by p.at_ms desc, p.item_id, p.rec_id`.execute(db);
  return rows;
}

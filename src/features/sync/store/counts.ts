import { sql } from 'kysely';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

export interface PairCounts {
  source: CalendarId;
  target: CalendarId;
  created: number;
  pending: number;
  failed: number;
  skipped: number;
}

/** Mirrors of a person by pair and state; what is being removed is pending. */
export async function countByGroupPair(db: Database, userId: UserId): Promise<PairCounts[]> {
  const { rows } = await sql<PairCounts>`
    select origin_calendar_id as source, target_calendar_id as target,
      count(*) filter (where state = 'created')::int as created,
      count(*) filter (where state in ('pending', 'deleting'))::int as pending,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'skipped')::int as skipped
    from sync.mirrors where user_id = ${userId} group by 1, 2`.execute(db);
  return rows;
}

/** A few of the blocks that a tripped breaker holds: what stands, though its origin is gone or no longer busy. */
export async function listDoomedTitles(
  db: Database,
  userId: UserId,
  pairs: { sourceCalendarId: CalendarId; targetCalendarId: CalendarId }[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ source: string; target: string; titles: string[] }>`
    select p.source, p.target, t.titles
    from unnest(${pairs.map((p) => p.sourceCalendarId)}::uuid[], ${pairs.map((p) => p.targetCalendarId)}::uuid[])
      as p(source, target)
    cross join lateral (
      select coalesce(array_agg(title order by near_ms, id), '{}') as titles from (
        select m.id, m.near_ms, coalesce(m.desired::json #>> '{core,title}', 'Busy') || ', ' || coalesce(m.desired::json #>> '{when,start}', '') as title
        from sync.mirrors m
        where m.user_id = ${userId} and m.origin_calendar_id = p.source and m.target_calendar_id = p.target
          and m.state in ('created', 'pending', 'failed') and m.ref is not null
        order by m.near_ms, m.id limit 5) e) t`.execute(db);
  return new Map(rows.map((row) => [`${row.source} ${row.target}`, row.titles]));
}

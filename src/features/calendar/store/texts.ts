import { sql } from 'kysely';
import type { EventBody } from '#kernel/event.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** Versions of a calendar's own items that changed since then, or of all, by id. Our blocks are left out. */
export async function listVersionsSince(
  db: Database,
  calendarId: CalendarId,
  since: Temporal.Instant | null,
  page: { after: string; limit: number },
): Promise<{ id: ItemId; version: string }[]> {
  const { rows } = await sql<{ id: ItemId; version: string }>`
    select id, version from calendar.items
    where calendar_id = ${calendarId} and provenance = 'foreign' and gone_at is null and id > ${page.after}
      and ${since === null ? sql`true` : sql`updated_at >= ${since}`}
    order by id limit ${page.limit}`.execute(db);
  return rows;
}

/** Reads whole items, and locks them against removal while the caller writes about them. */
export async function listSearchable(
  db: Database,
  ids: ItemId[],
): Promise<{ id: ItemId; version: string; body: EventBody; startsMs: number | null; endsMs: number | null }[]> {
  const { rows } = await sql<{
    id: ItemId;
    version: string;
    body: EventBody;
    startsMs: number | null;
    endsMs: number | null;
  }>`
    select id, version, body::json, starts_ms as "startsMs", ends_ms as "endsMs" from calendar.items
    where id = any(${ids}::uuid[]) and gone_at is null order by id for key share`.execute(db);
  return rows;
}

export interface ItemFace {
  calendarId: CalendarId;
  title: string | null;
  location: string | null;
  recurring: boolean;
  /** The representative instance: the nearest one that is not over, else the latest. */
  recId: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
}

/** How these items of a person are shown in a list; those that are gone, or have no time, are left out. */
export async function describeItems(
  db: Database,
  userId: UserId,
  ids: ItemId[],
  nowMs: number,
): Promise<Map<ItemId, ItemFace>> {
  const { rows } = await sql<ItemFace & { id: ItemId }>`
    select i.id, i.calendar_id as "calendarId", i.title, coalesce(i.body::json #>> '{core,location}', i.body::json #>> '{series,core,location}') as location, i.recurring,
      coalesce(s.rec_id, '') as "recId", coalesce(s.start_ms, i.starts_ms) as "startMs",
      coalesce(s.end_ms, i.ends_ms, i.starts_ms) as "endMs", coalesce(s.all_day, i.body::json #>> '{when,kind}' = 'all-day', false) as "allDay"
    from calendar.items i
    left join lateral (
      select rec_id, start_ms, end_ms, all_day from calendar.spans s where s.item_id = i.id
      order by (s.end_ms <= ${nowMs}), abs(s.start_ms - ${nowMs}) limit 1) s on true
    where i.user_id = ${userId} and i.id = any(${ids}::uuid[]) and i.gone_at is null
      and coalesce(s.start_ms, i.starts_ms) is not null`.execute(db);
  return new Map(rows.map(({ id, ...face }) => [id, face]));
}

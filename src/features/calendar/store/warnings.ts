import { sql } from 'kysely';
import type { CalendarId, ItemId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { kept, partly } from '../rules/reading-warning.ts';
import { tooDense } from '../rules/span-room.ts';

/** Events of a calendar that a reading could not take as they are. */
export interface WarningCount {
  calendarId: CalendarId;
  /** Events that take no time, the time they had before, or only the times that could be read. */
  unread: number;
  /** All of them. */
  count: number;
}

/** The canonical JSON of a withheld body begins like this. */
const isWithheld = sql`starts_with(i.body, '{"kind":"withheld"')`;

const isUnread = sql`(${isWithheld} or i.problem = ${tooDense} or starts_with(i.problem, ${kept})
  or starts_with(i.problem, ${partly}))`;

const isWarned = sql`i.problem is not null and i.gone_at is null and i.provenance = 'foreign'`;

export async function countWarnings(db: Database, calendarIds: CalendarId[]): Promise<WarningCount[]> {
  const { rows } = await sql<WarningCount>`
    select i.calendar_id as "calendarId", count(*)::int as count, count(*) filter (where ${isUnread})::int as unread
    from calendar.items i
    where i.calendar_id = any(${calendarIds}::uuid[]) and ${isWarned}
    group by i.calendar_id`.execute(db);
  return rows;
}

export interface WarnedItem {
  id: ItemId;
  title: string | null;
  problem: string;
  startMs: number | null;
  allDay: boolean;
  /** Whether it has an instance that takes time. */
  blocks: boolean;
}

/**
 * Events of a calendar with warnings, those that take no part first, then by how near they are to now; with the instance that
 * is on or comes next, else the last.
 */
export async function listWarned(
  db: Database,
  calendarId: CalendarId,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<WarnedItem[]> {
  const { rows } = await sql<WarnedItem>`
    select w.id, w.title, w.problem, coalesce(s.start_ms, w.starts_ms) as "startMs",
      coalesce(s.all_day, false) as "allDay",
      exists (select from calendar.spans b where b.item_id = w.id and b.class in ('busy', 'soft')) as blocks
    from (
      select i.id, i.title, i.problem, i.starts_ms, ${isUnread} as unread from calendar.items i
      where i.calendar_id = ${calendarId} and ${isWarned}
      order by unread desc, abs(i.starts_ms - ${nowMs}) nulls last, i.id limit ${limit}) w
    left join lateral (
      select start_ms, all_day from calendar.spans s where s.item_id = w.id
      order by (s.end_ms <= ${nowMs}), abs(s.start_ms - ${nowMs}) limit 1) s on true
    order by w.unread desc, abs(w.starts_ms - ${nowMs}) nulls last, w.id`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { overlapping } from '../store/overlapping.ts';
import type { ViewRow } from '../store/spans.ts';

/** An instance of an event that may wait for an answer. */
export interface UnansweredRow extends ViewRow {
  /** The series itself waits for an answer, not only one instance. */
  isWhole: boolean;
}

/** Instances in a range of events in which something waits for an answer, in order of start. One query. */
export async function listUnansweredRows(
  db: Database,
  userId: UserId,
  calendarIds: readonly CalendarId[],
  { fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number },
): Promise<UnansweredRow[]> {
  const { rows } = await sql<UnansweredRow>`
    select s.item_id as "itemId", s.calendar_id as "calendarId", s.rec_id as "recId", s.start_ms as "startMs",
      s.end_ms as "endMs", s.all_day as "allDay", s.class, i.provenance, i.recurring, i.ref, i.hash, i.problem,
      coalesce(i.body::json #>> '{core,self}' = 'needs-action', false) as "isWhole"
    from (${overlapping(userId, fromMs, toMs)}) s
    join calendar.items i on i.id = s.item_id
    where s.calendar_id = any(${calendarIds}::uuid[]) and i.provenance = 'foreign'
      and i.body like '%"self":"needs-action"%'
    order by s.start_ms, s.item_id
    limit ${limit}`.execute(db);
  return rows;
}

import { type RawBuilder, sql } from 'kysely';
import type { Rank } from '#features/availability/rules/hold-rules.ts';
import type { CalendarId, EditId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Time of an event whose edit is not written yet. */
export interface PendingSpan {
  itemId: ItemId;
  calendarId: CalendarId;
  recId: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
  class: 'busy' | 'soft';
  rank: Rank;
  title: string | null;
}

/**
 * Instances of unwritten edits that overlap [fromMs, toMs), in the columns of `calendar.spans`. Without those that the
 * index has too, such as the time of an event that only gets a new title.
 */
export const pendingIn = (userId: UserId | RawBuilder<unknown>, fromMs: number, toMs: number) => sql`
  select distinct user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class, rank, false as meeting
  from calendar.pending_spans p
  where user_id = ${userId} and start_ms < ${toMs} and end_ms > ${fromMs} and not exists (
    select from calendar.spans x where x.item_id = p.item_id and x.rec_id = p.rec_id and x.start_ms = p.start_ms
      and x.end_ms = p.end_ms and x.class = p.class)`;

export async function insertPending(
  tx: Tx,
  owner: { editId: EditId; userId: UserId },
  spans: PendingSpan[],
): Promise<void> {
  if (spans.length === 0) return;
  await sql`
    insert into calendar.pending_spans (edit_id, user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class, rank, title)
    select ${owner.editId}, ${owner.userId}, * from unnest(${spans.map((span) => span.calendarId)}::uuid[],
      ${spans.map((span) => span.itemId)}::uuid[], ${spans.map((span) => span.recId)}::text[],
      ${spans.map((span) => span.startMs)}::bigint[], ${spans.map((span) => span.endMs)}::bigint[],
      ${spans.map((span) => span.allDay)}::boolean[], ${spans.map((span) => span.class)}::text[],
      ${spans.map((span) => span.rank)}::smallint[], ${spans.map((span) => span.title)}::text[])`.execute(tx);
}

export async function deletePending(tx: Tx, editId: EditId): Promise<void> {
  await sql`delete from calendar.pending_spans where edit_id = ${editId}`.execute(tx);
}

/** Time of unwritten edits in [fromMs, toMs) that the index lacks, at most 100, by start. */
export async function listPending(
  db: Database,
  userId: UserId,
  range: { fromMs: number; toMs: number },
): Promise<PendingSpan[]> {
  const { rows } = await sql<PendingSpan>`
    select s.item_id as "itemId", s.calendar_id as "calendarId", s.rec_id as "recId", s.start_ms as "startMs",
      s.end_ms as "endMs", s.all_day as "allDay", s.class, s.rank,
      (select p.title from calendar.pending_spans p where p.item_id = s.item_id limit 1) as title
    from (${pendingIn(userId, range.fromMs, range.toMs)}) s order by s.start_ms, s.item_id limit 100`.execute(db);
  return rows;
}

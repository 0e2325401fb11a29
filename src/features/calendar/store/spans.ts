import { sql } from 'kysely';
import type { Core, EventBody, Provenance } from '#kernel/event.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { BusyClass } from '../rules/busy-class.ts';

/** Longest span of the main index: the scan for what overlaps starts this much earlier. Longer ones have their own. */
const shortSpanMs = 93_600_000;
/** As the two indexes have it, word for word: a parameter in its place would use neither. */
const isShort = sql`end_ms - start_ms <= 93600000`;
const isLong = sql`end_ms - start_ms > 93600000`;

export interface ViewSpan {
  itemId: ItemId;
  calendarId: CalendarId;
  recId: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
  class: BusyClass;
  provenance: Provenance;
  recurring: boolean;
  core: Core | null;
}

const overlapping = (userIds: UserId[], fromMs: number, toMs: number) => sql`
  select * from calendar.spans
  where user_id = any(${userIds}::uuid[]) and ${isShort} and start_ms > ${fromMs - shortSpanMs - 1} and start_ms < ${toMs}
    and (end_ms > ${fromMs} or start_ms >= ${fromMs})
  union all
  select * from calendar.spans
  where user_id = any(${userIds}::uuid[]) and ${isLong} and end_ms > ${fromMs} and start_ms < ${toMs}`;

/** Instances that overlap [fromMs, toMs) with what a screen shows of them, in order of start; one query. */
export async function listViewSpans(
  db: Database,
  userId: UserId,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; limit: number },
): Promise<ViewSpan[]> {
  const { rows } = await sql<ViewSpan>`
    select s.item_id as "itemId", s.calendar_id as "calendarId", s.rec_id as "recId", s.start_ms as "startMs",
      s.end_ms as "endMs", s.all_day as "allDay", s.class, i.provenance, i.recurring,
      coalesce(i.body::json #> array['overrides', s.rec_id, 'core'], i.body::json #> array['list', s.rec_id, 'core'],
        i.body::json -> 'core') as core
    from (${overlapping([userId], range.fromMs, range.toMs)}) s
    join calendar.items i on i.id = s.item_id
    where s.calendar_id = any(${calendarIds}::uuid[])
    order by s.start_ms, s.end_ms desc, s.item_id
    limit ${range.limit}`.execute(db);
  return rows;
}

/** Series that may have instances in the range: all of them, or only our blocks, whose instances are not kept ready. */
export async function listSeriesIn(
  db: Database,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; limit: number; onlyOwn: boolean },
): Promise<{ itemId: ItemId; calendarId: CalendarId; provenance: Provenance; body: EventBody }[]> {
  const { rows } = await sql<{ itemId: ItemId; calendarId: CalendarId; provenance: Provenance; body: EventBody }>`
    select id as "itemId", calendar_id as "calendarId", provenance, body::json from calendar.items
    where calendar_id = any(${calendarIds}::uuid[]) and recurring and gone_at is null
      and (provenance = 'own' or not ${range.onlyOwn}) and starts_ms < ${range.toMs} and (ends_ms is null or ends_ms > ${range.fromMs})
    order by id limit ${range.limit}`.execute(db);
  return rows;
}

export interface BusySpan {
  userId: UserId;
  calendarId: CalendarId;
  startMs: number;
  endMs: number;
}

/** Busy time of any number of people in [fromMs, toMs), straight from the index; one query. */
export async function listBusySpans(
  db: Database,
  userIds: UserId[],
  range: { fromMs: number; toMs: number },
): Promise<BusySpan[]> {
  const { rows } = await sql<BusySpan>`
    select user_id as "userId", calendar_id as "calendarId", start_ms as "startMs", end_ms as "endMs"
    from calendar.spans
    where user_id = any(${userIds}::uuid[]) and ${isShort} and start_ms > ${range.fromMs - shortSpanMs - 1}
      and start_ms < ${range.toMs} and end_ms > ${range.fromMs} and class = 'busy'
    union all
    select user_id, calendar_id, start_ms, end_ms
    from calendar.spans
    where user_id = any(${userIds}::uuid[]) and ${isLong} and end_ms > ${range.fromMs} and start_ms < ${range.toMs}
      and class = 'busy'`.execute(db);
  return rows;
}

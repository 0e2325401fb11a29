import { sql } from 'kysely';
import type { EventBody, Provenance } from '#kernel/event.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { type BodyPart, partOf } from '../rules/body-part.ts';
import type { Shown } from '../rules/event-view.ts';

/** Longest span of the main index: the scan for what overlaps starts this much earlier. Longer ones have their own. */
const shortSpanMs = 93_600_000;
/** As the two indexes have it, word for word: a parameter in its place would use neither. */
const isShort = sql`end_ms - start_ms <= 93600000`;
const isLong = sql`end_ms - start_ms > 93600000`;

const overlapping = (userIds: UserId[], fromMs: number, toMs: number) => sql`
  select * from calendar.spans
  where user_id = any(${userIds}::uuid[]) and ${isShort} and start_ms > ${fromMs - shortSpanMs - 1} and start_ms < ${toMs}
    and (end_ms > ${fromMs} or start_ms >= ${fromMs})
  union all
  select * from calendar.spans
  where user_id = any(${userIds}::uuid[]) and ${isLong} and end_ms > ${fromMs} and start_ms < ${toMs}`;

/**
 * Instances that overlap [fromMs, toMs) with what a screen shows of them, in order of start; two queries. A series is read
 * once, whatever the number of its instances.
 */
export async function listViewSpans(
  db: Database,
  userId: UserId,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; limit: number },
): Promise<Shown[]> {
  const { rows } = await sql<Omit<Shown, keyof BodyPart>>`
    select s.item_id as "itemId", s.calendar_id as "calendarId", s.rec_id as "recId", s.start_ms as "startMs",
      s.end_ms as "endMs", s.all_day as "allDay", s.class, i.provenance, i.recurring, i.ref, i.hash
    from (${overlapping([userId], range.fromMs, range.toMs)}) s
    join calendar.items i on i.id = s.item_id
    where s.calendar_id = any(${calendarIds}::uuid[])
    order by s.start_ms, s.end_ms desc, s.item_id
    limit ${range.limit}`.execute(db);
  return withBodies(db, rows);
}

/** These instances of a person, in no order; those that are gone are left out. */
export async function listInstances(
  db: Database,
  userId: UserId,
  keys: readonly { itemId: ItemId; recId: string }[],
): Promise<Shown[]> {
  const { rows } = await sql<Omit<Shown, keyof BodyPart>>`
    select s.item_id as "itemId", s.calendar_id as "calendarId", s.rec_id as "recId", s.start_ms as "startMs",
      s.end_ms as "endMs", s.all_day as "allDay", s.class, i.provenance, i.recurring, i.ref, i.hash
    from unnest(${keys.map((key) => key.itemId)}::uuid[], ${keys.map((key) => key.recId)}::text[]) as k(item_id, rec_id)
    join calendar.spans s on s.item_id = k.item_id and s.rec_id = k.rec_id
    join calendar.items i on i.id = s.item_id
    where s.user_id = ${userId}`.execute(db);
  return withBodies(db, rows);
}

async function withBodies(db: Database, rows: Omit<Shown, keyof BodyPart>[]): Promise<Shown[]> {
  const bodies = await readBodies(db, [...new Set(rows.map((row) => row.itemId))]);
  return rows.flatMap((row) => {
    const body = bodies.get(row.itemId);
    return body === undefined ? [] : [Object.assign(row, partOf(body, row.recId))];
  });
}

async function readBodies(db: Database, ids: ItemId[]): Promise<Map<ItemId, EventBody>> {
  const { rows } = await sql<{ id: ItemId; body: string }>`
    select id, body from calendar.items where id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as EventBody]));
}

interface SeriesItem {
  itemId: ItemId;
  calendarId: CalendarId;
  ref: string;
  provenance: Provenance;
  hash: string;
  body: EventBody;
}

/** Series that may have instances in the range: all of them, or only our blocks, whose instances are not kept ready. */
export async function listSeriesIn(
  db: Database,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; limit: number; onlyOwn: boolean },
): Promise<SeriesItem[]> {
  const { rows } = await sql<SeriesItem>`
    select id as "itemId", calendar_id as "calendarId", ref, provenance, hash, body::json from calendar.items
    where calendar_id = any(${calendarIds}::uuid[]) and recurring and gone_at is null
      and (provenance = 'own' or not ${range.onlyOwn}) and starts_ms < ${range.toMs} and (ends_ms is null or ends_ms > ${range.fromMs})
    order by id limit ${range.limit}`.execute(db);
  return rows;
}

/** Instances that block time in [fromMs, toMs) on these calendars, in no order; one query. */
export async function listBusyInstances(
  db: Database,
  userId: UserId,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number },
): Promise<{ itemId: ItemId; recId: string; startMs: number; endMs: number }[]> {
  const { rows } = await sql<{ itemId: ItemId; recId: string; startMs: number; endMs: number }>`
    select s.item_id as "itemId", s.rec_id as "recId", s.start_ms as "startMs", s.end_ms as "endMs"
    from (${overlapping([userId], range.fromMs, range.toMs)}) s
    where s.calendar_id = any(${calendarIds}::uuid[]) and s.class = 'busy'`.execute(db);
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

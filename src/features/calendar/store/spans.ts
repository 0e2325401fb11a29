import { type RawBuilder, sql } from 'kysely';
import type { Rank } from '#features/availability/rules/hold-rules.ts';
import type { EventBody, Provenance } from '#kernel/event.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import { mostStoredBytes } from '#kernel/work-limits.ts';
import type { Database } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { type Reading, reading } from '#platform/reading.ts';
import { type BodyPart, partOf } from '../rules/body-part.ts';
import type { Shown } from '../rules/event-view.ts';
import { blocking, isCounted, isLong, isShort, overlapping, shortSpanMs } from './overlapping.ts';

export type ViewRow = Omit<Shown, keyof BodyPart>;

/**
 * Instances that overlap [fromMs, toMs) with what a screen shows of them, in order of start; two queries. A series is read
 * once, whatever the number of its instances. Cut: their events are larger than one answer reads.
 */
export async function listViewSpans(
  db: Database,
  userId: UserId,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; limit: number },
): Promise<{ shown: Shown[]; isCut: boolean }> {
  return withBodies(db, await listViewRows(db, userId, calendarIds, range));
}

/** The same without what is read from the bodies of events; one query. `only`: of events with this provenance. */
export async function listViewRows(
  db: Database,
  userId: UserId,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; limit: number; only?: Provenance },
): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    select s.item_id as "itemId", s.calendar_id as "calendarId", s.rec_id as "recId", s.start_ms as "startMs",
      s.end_ms as "endMs", s.all_day as "allDay", s.class, i.provenance, i.recurring, i.ref, i.hash, i.problem
    from (${overlapping(userId, range.fromMs, range.toMs)}) s
    join calendar.items i on i.id = s.item_id
    where s.calendar_id = any(${calendarIds}::uuid[]) ${range.only === undefined ? sql`` : sql`and i.provenance = ${range.only}`}
    order by s.start_ms, s.end_ms desc, s.item_id
    limit ${range.limit}`.execute(db);
  return rows;
}

/** Returns these instances of a person, in no order; deleted ones are left out. */
export async function listInstances(
  db: Database,
  userId: UserId,
  keys: readonly { itemId: ItemId; recId: string }[],
): Promise<Shown[]> {
  const { rows } = await sql<ViewRow>`
    select s.item_id as "itemId", s.calendar_id as "calendarId", s.rec_id as "recId", s.start_ms as "startMs",
      s.end_ms as "endMs", s.all_day as "allDay", s.class, i.provenance, i.recurring, i.ref, i.hash, i.problem
    from unnest(${keys.map((key) => key.itemId)}::uuid[], ${keys.map((key) => key.recId)}::text[]) as k(item_id, rec_id)
    join calendar.spans s on s.item_id = k.item_id and s.rec_id = k.rec_id
    join calendar.items i on i.id = s.item_id
    where s.user_id = ${userId}`.execute(db);
  return (await withBodies(db, rows)).shown;
}

export async function withBodies(db: Database, rows: ViewRow[]): Promise<{ shown: Shown[]; isCut: boolean }> {
  const { bodies, isCut } = await readBodies(db, [...new Set(rows.map((row) => row.itemId))]);
  const shown = rows.flatMap((row) => {
    const body = bodies.get(row.itemId);
    return body === undefined ? [] : [Object.assign(row, partOf(body, row.recId))];
  });
  return { shown, isCut };
}

/** Reads event bodies in this order, up to `mostStoredBytes`. Their sizes are known without reading them. */
async function readBodies(db: Database, ids: ItemId[]): Promise<{ bodies: Map<ItemId, EventBody>; isCut: boolean }> {
  const { rows } = await sql<{ id: ItemId; body: string | null }>`
    select id, case when bytes <= ${mostStoredBytes} then body end as body from (
      select i.id, i.body, sum(octet_length(i.body)) over (order by k.n) as bytes
      from unnest(${ids}::uuid[]) with ordinality as k(id, n) join calendar.items i on i.id = k.id) sized`.execute(db);
  const bodies = await inSlices(parseBodies(rows));
  return { bodies, isCut: bodies.size < rows.length };
}

function* parseBodies(rows: readonly { id: ItemId; body: string | null }[]): Sliced<Map<ItemId, EventBody>> {
  const bodies = new Map<ItemId, EventBody>();
  for (const { id, body } of rows) {
    if (body === null) continue;
    bodies.set(id, JSON.parse(body) as EventBody);
    yield;
  }
  return bodies;
}

/** Rows in the busy index. */
export interface SpanCount {
  ofCalendar: number;
  ofPerson: number;
}

export const noSpans: SpanCount = { ofCalendar: 0, ofPerson: 0 };

/** How many rows a person and one of their calendars have in the busy index, those of some items left out; from its indexes. */
export async function countSpans(
  db: Database,
  userId: UserId,
  calendarId: CalendarId,
  withoutItems: readonly ItemId[],
): Promise<SpanCount> {
  const others = withoutItems.length === 0 ? sql`` : sql`and item_id <> all(${withoutItems}::uuid[])`;
  const { rows } = await sql<SpanCount>`
    select count(*) filter (where calendar_id = ${calendarId})::int as "ofCalendar", count(*)::int as "ofPerson"
    from (
      select calendar_id from calendar.spans where user_id = ${userId} and ${isShort} ${others}
      union all
      select calendar_id from calendar.spans where user_id = ${userId} and ${isLong} ${others}) s`.execute(db);
  return rows[0] ?? noSpans;
}

/** An event whose instances are not kept ready. */
interface UnreadyItem {
  itemId: ItemId;
  calendarId: CalendarId;
  ref: string;
  provenance: Provenance;
  hash: string;
  problem: string | null;
  body: EventBody;
}

/** Reads items in the order of a column, up to `mostStoredBytes`. `isCut`: there are more. */
async function readUnready(
  db: Database,
  { where, orderBy, limit }: { where: RawBuilder<unknown>; orderBy: RawBuilder<unknown>; limit: RawBuilder<unknown> },
): Promise<{ items: UnreadyItem[]; isCut: boolean }> {
  const { rows } = await sql<Omit<UnreadyItem, 'body'> & { body: EventBody | null }>`
    select id as "itemId", calendar_id as "calendarId", ref, provenance, hash, problem,
      (case when bytes <= ${mostStoredBytes} then body end)::json as body
    from (select *, sum(octet_length(body)) over (order by ${orderBy}, id) as bytes from calendar.items where ${where}) sized
    order by ${orderBy}, id ${limit}`.execute(db);
  const items = rows.flatMap(({ body, ...row }) => (body === null ? [] : [{ ...row, body }]));
  return { items, isCut: items.length < rows.length };
}

/** Bounds of an event are read with the zones it was stored under; its person may have moved since, by that much. */
const movedMs = 26 * 3_600_000;

const isNear = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
  sql`starts_ms < ${toMs + movedMs} and (ends_ms is null or ends_ms >= ${fromMs - movedMs})`;

/** Series of others' making that may have instances in the range. */
export async function listSeriesIn(
  db: Database,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; limit: number },
): Promise<{ items: UnreadyItem[]; isCut: boolean }> {
  return readUnready(db, {
    where: sql`calendar_id = any(${calendarIds}::uuid[]) and recurring and gone_at is null and provenance = 'foreign'
      and ${isNear(range)}`,
    orderBy: sql`id`,
    limit: sql`limit ${range.limit}`,
  });
}

/**
 * Blocks of ours that may have a moment in the range, in no order: a block blocks nothing, so none of its instances is in the
 * index. The earliest, at most so many series and, of short and of long ones each, so many others.
 */
export async function listBlocksIn(
  db: Database,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; limit: number; series: number },
): Promise<{ items: UnreadyItem[]; isCut: boolean }> {
  const ours = sql`
    select id from calendar.items where calendar_id = any(${calendarIds}::uuid[]) and provenance = 'own' and ${isNear(range)}`;
  // found by their ids, not joined: while statistics are old, that reads all events of all people
  return readUnready(db, {
    where: sql`id = any(array(
      (${ours} and recurring and gone_at is null order by starts_ms limit ${range.series})
      union all
      (${ours} and not recurring and ends_ms - starts_ms <= 93600000
        and starts_ms >= ${range.fromMs - movedMs - shortSpanMs} order by starts_ms limit ${range.limit})
      union all
      (${ours} and not recurring and ends_ms - starts_ms > 93600000 order by starts_ms limit ${range.limit})))`,
    orderBy: sql`starts_ms`,
    limit: sql``,
  });
}

/** At most so many instances that block time in [fromMs, toMs) on these calendars, in no order; one query. */
export async function listBusyInstances(
  db: Database,
  userId: UserId,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; limit: number },
): Promise<{ itemId: ItemId; recId: string; startMs: number; endMs: number }[]> {
  const { rows } = await sql<{ itemId: ItemId; recId: string; startMs: number; endMs: number }>`
    select s.item_id as "itemId", s.rec_id as "recId", s.start_ms as "startMs", s.end_ms as "endMs"
    from (${blocking(userId, range.fromMs, range.toMs)}) s
    where s.calendar_id = any(${calendarIds}::uuid[]) and s.class = 'busy' and ${isCounted([userId])} limit ${range.limit}`.execute(
    db,
  );
  return rows;
}

/** Which items of a person were made as holds, as `item_id`, `harden_ms`: availability's to say. */
export type MadeHolds = (userId: RawBuilder<unknown>) => RawBuilder<unknown>;

/** The rank of a span `s` at a moment, `h` being the hold that was made of it, if any: `rankAt` of availability. */
const rankNow = (nowMs: number) => sql`case when s.start_ms - h.harden_ms <= ${nowMs} then 1 else s.rank end`;

/** Taken time in [fromMs, toMs) in order; one query. `limitEach`: of what is in the way of this rank, and of other holds. */
export async function listTaken(
  db: Database,
  userId: UserId,
  calendarIds: CalendarId[],
  range: { fromMs: number; toMs: number; rank: number; limitEach: number; nowMs: number },
  made: MadeHolds,
): Promise<(Taken & { isInTheWay: boolean })[]> {
  const isInTheWay = sql`(s.class = 'busy' or ${rankNow(range.nowMs)} <= ${range.rank})`;
  const { rows } = await sql<Taken & { isInTheWay: boolean }>`
    select * from (select s.item_id as "itemId", s.calendar_id as "calendarId", s.rec_id as "recId", s.start_ms as "startMs",
      s.end_ms as "endMs", s.class, ${rankNow(range.nowMs)} as rank, case when h.item_id is not null then s.rank end as made,
      coalesce(i.title, (select p.title from calendar.pending_spans p where p.item_id = s.item_id limit 1)) as title,
      ${isInTheWay} as "isInTheWay", row_number() over (partition by ${isInTheWay} order by s.start_ms, s.end_ms desc, s.item_id, s.rec_id) as n
    from (${blocking(userId, range.fromMs, range.toMs)}) s
    left join calendar.items i on i.id = s.item_id left join (${made(sql`${userId}`)}) h on h.item_id = s.item_id
    where s.calendar_id = any(${calendarIds}::uuid[]) and s.class in ('busy', 'soft') and s.start_ms < s.end_ms
      and ${isCounted([userId])}) s
    where n <= ${range.limitEach} order by "startMs", "endMs" desc, "itemId", "recId"`.execute(db);
  return rows;
}

export interface Taken {
  itemId: ItemId;
  ref: string;
  calendarId: CalendarId;
  recId: string;
  startMs: number;
  endMs: number;
  class: 'busy' | 'soft';
  rank: Rank;
  title: string | null;
  /** A hold that was made here, and the rank that it was made with. */
  made: Rank | null;
}

/**
 * Busy time of other origin in each of these windows on a person's calendars, holds included. `window`: the index of
 * the window. At most 20 results per window; one query.
 */
export async function listTakenIn(
  db: Database,
  userId: UserId,
  windows: readonly { startMs: number; endMs: number }[],
  nowMs: number,
  made: MadeHolds,
): Promise<(Taken & { window: number })[]> {
  if (windows.length === 0) return [];
  const { rows } = await sql<Taken & { window: number }>`
    select (w.n - 1)::int as window, t.*
    from unnest(${windows.map(({ startMs }) => startMs)}::bigint[], ${windows.map(({ endMs }) => endMs)}::bigint[])
        with ordinality as w(from_ms, to_ms, n)
      cross join lateral (
        select s.item_id as "itemId", i.ref, s.calendar_id as "calendarId", s.rec_id as "recId", s.start_ms as "startMs",
          s.end_ms as "endMs", s.class, ${rankNow(nowMs)} as rank, case when h.item_id is not null then s.rank end as made, i.title
        from (
          select * from calendar.spans where user_id = ${userId} and ${isShort} and start_ms > w.from_ms - ${shortSpanMs + 1}
            and start_ms < w.to_ms and end_ms > w.from_ms
          union all
          select * from calendar.spans where user_id = ${userId} and ${isLong} and end_ms > w.from_ms and start_ms < w.to_ms) s
        join calendar.items i on i.id = s.item_id and i.provenance = 'foreign'
        left join (${made(sql`${userId}`)}) h on h.item_id = s.item_id
        where s.class in ('busy', 'soft') and s.start_ms < s.end_ms and ${isCounted([userId])}
        order by s.start_ms, s.item_id, s.rec_id limit 20) t
    order by w.n, t."startMs"`.execute(db);
  return rows;
}

/** A choice of people's busy time. */
export interface BusyFilter {
  /** Calendars to include; all of the person's by default. */
  calendarIds?: readonly CalendarId[] | null;
  /** Not these events. */
  withoutItems?: readonly ItemId[];
  /** Holds down to this rank count as well, by the rank that they have at this moment; none unless given. */
  holds?: { upTo: number; nowMs: number } | null;
}

const dayMs = 86_400_000;
/** Instances of one person that a day may have on average; more are not compared with what is asked about. */
const mostBusyADay = 300;

/**
 * Busy time of any number of people in [fromMs, toMs), straight from the index: columns that nobody asks about are not
 * named, since with those of the index alone no row of the table is read. A person with more instances than anybody has is
 * busy throughout.
 * *Shape*: by start, may overlap; nobody without any.
 */
export function busyTimeReading(
  userIds: readonly UserId[],
  range: { fromMs: number; toMs: number },
  { calendarIds = null, withoutItems = [], holds = null }: BusyFilter,
  made: MadeHolds,
): Reading<Map<UserId, Span[]>> {
  const on = sql`and ${isCounted(userIds)} ${calendarIds === null ? sql`` : sql`and calendar_id = any(${calendarIds}::uuid[])`}
    ${withoutItems.length === 0 ? sql`` : sql`and s.item_id <> all(${withoutItems}::uuid[])`}`;
  const counts = sql`(class = 'busy' ${holds === null ? sql`` : sql`or class = 'soft' and rank <= ${holds.upTo}`}) ${on}`;
  // critical by now, from whatever rank: few, found by their items
  const hardened =
    holds === null
      ? sql``
      : sql`union all
        select start_ms, end_ms from (${made(sql`u.id`)}) h join calendar.spans s on s.item_id = h.item_id
        where class = 'soft' and rank > ${holds.upTo} and start_ms - h.harden_ms <= ${holds.nowMs}
          and start_ms < ${range.toMs} and end_ms > ${range.fromMs} ${on}`;
  const most = Math.ceil((range.toMs - range.fromMs) / dayMs) * mostBusyADay;
  // as distances, which are shorter: the text of the numbers is most of what the answer costs, here and there
  const query = sql<{ userId: UserId; starts: number[]; lengths: number[] }>`
    select u.id as "userId", s.starts, s.lengths from unnest(${userIds}::uuid[]) as u(id), lateral (
      select array_agg(start_ms - ${range.fromMs}::bigint) as starts, array_agg(end_ms - start_ms) as lengths from (
        select start_ms, end_ms from calendar.spans s
        where user_id = u.id and ${isShort} and start_ms > ${range.fromMs - shortSpanMs - 1}
          and start_ms < ${range.toMs} and end_ms > ${range.fromMs} and ${counts}
        union all
        select start_ms, end_ms from calendar.spans s
        where user_id = u.id and ${isLong} and end_ms > ${range.fromMs} and start_ms < ${range.toMs} and ${counts}
        union all
        select start_ms, end_ms from calendar.pending_spans s
        where user_id = u.id and end_ms > ${range.fromMs} and start_ms < ${range.toMs} and ${counts}
        ${hardened}
        limit ${most + 1}) x) s
    where s.starts is not null`;
  return reading(
    query,
    (rows) =>
      new Map(
        rows.map(({ userId, starts, lengths }) => [
          userId,
          starts.length > most
            ? [{ startMs: range.fromMs, endMs: range.toMs }]
            : spansOf(range.fromMs, starts, lengths),
        ]),
      ),
  );
}

function spansOf(fromMs: number, starts: readonly number[], lengths: readonly number[]): Span[] {
  const spans = starts.map((start, n) => ({ startMs: fromMs + start, endMs: fromMs + start + (lengths[n] as number) }));
  return spans.sort((a, b) => a.startMs - b.startMs);
}

/** Busy time of somebody, with what where that may be told. */
export interface BusyOf extends Span {
  userId: UserId;
  /** Null: not to be told, private, or without one. */
  title: string | null;
}

/** Instances of one answer about several people. */
const mostBusyOf = 100_000;

/**
 * Events that block time of these people in [fromMs, toMs), by start; two queries. Titles of some of them only. A person with more
 * instances than anybody has, or with whom there are more than `mostBusyOf`, is busy throughout.
 */
export async function listBusyOf(
  db: Database,
  userIds: UserId[],
  { fromMs, toMs, withTitles }: { fromMs: number; toMs: number; withTitles: readonly UserId[] },
): Promise<BusyOf[]> {
  const most = Math.ceil((toMs - fromMs) / dayMs) * mostBusyADay;
  const { rows } = await sql<{ userId: UserId; itemId: ItemId; recId: string; startMs: number; endMs: number }>`
    select u.id as "userId", x.* from unnest(${userIds}::uuid[]) with ordinality as u(id, n), lateral (
      select item_id as "itemId", rec_id as "recId", start_ms as "startMs", end_ms as "endMs"
      from (${blocking(sql`u.id`, fromMs, toMs)}) s
      where class = 'busy' and start_ms < end_ms and ${isCounted(userIds)} limit ${most + 1}) x
    order by u.n limit ${mostBusyOf + 1}`.execute(db);
  const last = rows.length > mostBusyOf ? rows.at(-1)?.userId : undefined;
  const isOver = last === undefined ? [] : userIds.slice(userIds.indexOf(last));
  const throughout = new Set(isOver);
  const rowsOf = Map.groupBy(rows, ({ userId }) => userId);
  for (const [userId, own] of rowsOf) if (own.length > most) throughout.add(userId);
  const told = new Set(withTitles.filter((userId) => !throughout.has(userId)));
  const items = rows.filter(({ userId }) => told.has(userId)).map(({ itemId }) => itemId);
  const { bodies } = await readBodies(db, [...new Set(items)]);
  const busy = rows.flatMap(({ userId, itemId, recId, startMs, endMs }): BusyOf[] => {
    if (throughout.has(userId)) return [];
    const body = told.has(userId) ? bodies.get(itemId) : undefined;
    const core = body === undefined ? null : partOf(body, recId).core;
    return [{ userId, startMs, endMs, title: core === null || core.private ? null : (core.title ?? null) }];
  });
  for (const userId of throughout) busy.push({ userId, startMs: fromMs, endMs: toMs, title: null });
  return busy.sort((one, other) => one.startMs - other.startMs || other.endMs - one.endMs);
}

import { sql } from 'kysely';
import type { EventBody, Provenance } from '#kernel/event.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { StoredShape } from '../rules/materialise.ts';
import { partly } from '../rules/reading-warning.ts';
import { tooDense } from '../rules/span-room.ts';

export interface PlannedItem {
  id: ItemId;
  calendarId: CalendarId;
  ref: string;
  uid: string | null;
  body: EventBody;
  problem: string | null;
  startsMs: number | null;
  endsMs: number | null;
  gone: boolean;
  /** A block of ours: it mirrors nothing itself, whatever it was taken for before. */
  own: boolean;
  /** The change that was read: what changed after it stays unplanned. */
  change: number;
}

type ItemRow = StoredShape & { id: string };
type ItemOwner = { calendarId: CalendarId; userId: UserId };

/** So many at once are mostly new: an initial mirror, a calendar that was just connected. */
const bulkItems = 50;

/** An item that was there before; `change` where the planner has to look at it: 1 where it had not to until now. */
export interface KnownItem {
  id: ItemId;
  ref: string;
  change: number | null;
}

/**
 * Writes one page of items in one statement. An existing item becomes unplanned if a fact that mirrors depend on
 * changed: its hash, its UID, its provenance, or a deletion undone. A new ETag alone does not unplan it, and our blocks
 * are never planned. Returns the items that existed before, with their ids.
 */
export async function upsertItems(tx: Tx, owner: ItemOwner, given: ItemRow[]): Promise<KnownItem[]> {
  const rows = given.toSorted((one, other) => (one.ref < other.ref ? -1 : 1)); // two readings lock them in one order
  if (rows.length < bulkItems) return await replaceItems(tx, owner, rows);
  const { numAffectedRows } = await sql`
    ${insertInto(owner, rows)} on conflict (calendar_id, ref) do nothing`.execute(tx);
  if (Number(numAffectedRows) === rows.length) return [];
  const { rows: added } = await sql<{ id: string }>`
    select id from calendar.items where id = any(${rows.map((row) => row.id)}::uuid[])`.execute(tx);
  const isNew = new Set(added.map((row) => row.id));
  return await replaceItems(
    tx,
    owner,
    rows.filter((row) => !isNew.has(row.id)),
  );
}

const insertInto = (owner: ItemOwner, rows: ItemRow[]) => sql`
    insert into calendar.items
      (id, calendar_id, user_id, ref, uid, version, provenance, body, hash, title, starts_ms, ends_ms, recurring, problem)
    select unnest(${rows.map((row) => row.id)}::uuid[]), ${owner.calendarId}, ${owner.userId},
      unnest(${rows.map((row) => row.ref)}::text[]), unnest(${rows.map((row) => row.uid)}::text[]),
      unnest(${rows.map((row) => row.version)}::text[]), unnest(${rows.map((row) => row.provenance)}::text[]),
      unnest(string_to_array(${rows.map((row) => row.bodyText).join(between)}, ${between})),
      unnest(${rows.map((row) => row.hash)}::text[]), unnest(${rows.map((row) => row.title)}::text[]),
      unnest(${rows.map((row) => row.startsMs)}::bigint[]), unnest(${rows.map((row) => row.endsMs)}::bigint[]),
      unnest(${rows.map((row) => row.recurring)}::boolean[]), unnest(${rows.map((row) => row.problem)}::text[])`;

async function replaceItems(tx: Tx, owner: ItemOwner, rows: ItemRow[]): Promise<KnownItem[]> {
  const { rows: known } = await sql<KnownItem>`
    with before as (
      select id, ref, hash, provenance, uid, gone_at from calendar.items
      where calendar_id = ${owner.calendarId} and ref = any(${rows.map((row) => row.ref)}::text[])
    ), written as (
    ${insertInto(owner, rows)}
    on conflict (calendar_id, ref) do update set
      uid = excluded.uid, version = excluded.version, provenance = excluded.provenance, body = excluded.body,
      hash = excluded.hash, title = excluded.title, starts_ms = excluded.starts_ms, ends_ms = excluded.ends_ms,
      recurring = excluded.recurring, problem = excluded.problem, gone_at = null, updated_at = now()
    -- before is as old as this statement: it lacks a row that another transaction has just brought, and that had spans
    returning id, ref, hash, provenance, uid, xmax = 0 as created
    ), unplanned as (
    insert into calendar.unplanned as u (item_id, user_id)
    select w.id, ${owner.userId} from written w left join before b on b.ref = w.ref
    where not w.created and case when b.id is null then w.provenance = 'foreign'
      else b.provenance <> w.provenance or w.provenance = 'foreign' and (b.hash <> w.hash or b.gone_at is not null
        or b.uid is distinct from w.uid) end
    order by w.id
    on conflict (item_id) do update set version = u.version + 1
    returning item_id, version)
    select w.id, w.ref, u.version as change from written w left join unplanned u on u.item_id = w.id
    where not w.created`.execute(tx);
  return known;
}

/** Bodies travel beside their rows, so that the database reads them once; JSON escapes this sign wherever it stands. */
const between = '\u001E';

/** Bodies of these items as they were read last, where those were whole. */
export async function listKnown(
  tx: Tx,
  calendarId: CalendarId,
  refs: readonly string[],
): Promise<Map<string, { uid: string | null; body: EventBody }>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<{ ref: string; uid: string | null; body: EventBody }>`
    select ref, uid, body::json from calendar.items i
    where i.calendar_id = ${calendarId} and i.ref = any(${refs}::text[]) and i.gone_at is null
      and i.provenance = 'foreign' and i.body::json ->> 'kind' <> 'withheld'
      and not starts_with(coalesce(i.problem, ''), ${partly})
    order by i.id for update`.execute(tx);
  return new Map(rows.map((row) => [row.ref, row]));
}

interface SpanRow {
  itemId: ItemId;
  recId: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
  class: string;
  rank: number;
  meeting: boolean;
}

/** More rows than this in one statement would hold up everybody else of the process while they are written down. */
const spansPerStatement = 2_000;

/** Replaces the instances of the given items. `replaced` are those that may have old ones. */
export async function replaceSpans(tx: Tx, owner: ItemOwner, replaced: ItemId[], spans: SpanRow[]): Promise<void> {
  const emptied =
    replaced.length > 0 && sql`delete from calendar.spans where item_id = any(${replaced}::uuid[])`.execute(tx);
  await Promise.all([emptied, insertSpans(tx, owner, spans.slice(0, spansPerStatement))]);
  for (let from = spansPerStatement; from < spans.length; from += spansPerStatement) {
    await insertSpans(tx, owner, spans.slice(from, from + spansPerStatement));
  }
}

async function insertSpans(tx: Tx, owner: ItemOwner, spans: SpanRow[]): Promise<void> {
  if (spans.length === 0) return;
  await sql`
    insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class, rank, meeting)
    select ${owner.userId}, ${owner.calendarId},
      unnest(${spans.map((s) => s.itemId)}::uuid[]), unnest(${spans.map((s) => s.recId)}::text[]),
      unnest(${spans.map((s) => s.startMs)}::bigint[]), unnest(${spans.map((s) => s.endMs)}::bigint[]),
      unnest(${spans.map((s) => s.allDay)}::boolean[]), unnest(${spans.map((s) => s.class)}::text[]),
      unnest(${spans.map((s) => s.rank)}::smallint[]), unnest(${spans.map((s) => s.meeting)}::boolean[])`.execute(tx);
}

/** Notes which of these items are too dense for the busy index and which are not any more. Answers with those that changed. */
export async function markDensity(tx: Tx, dense: ItemId[], ready: ItemId[]): Promise<ItemId[]> {
  const { rows } = await sql<{ id: ItemId }>`
    update calendar.items set problem = case when problem is distinct from ${tooDense} then ${tooDense}::text end
    where id = any(${dense}::uuid[]) and problem is distinct from ${tooDense}
      or id = any(${ready}::uuid[]) and problem = ${tooDense}
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Versions we hold for these refs; gone items have none, so that they are read again when they come back. */
export async function readVersions(db: Database, calendarId: CalendarId, refs: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ ref: string; version: string }>`
    select ref, version from calendar.items
    where calendar_id = ${calendarId} and ref = any(${refs}::text[]) and gone_at is null`.execute(db);
  return new Map(rows.map((row) => [row.ref, row.version]));
}

/** Marks items as gone until the planner has dealt with them. Their time is free at once, or kept until then. */
export async function markGone(tx: Tx, calendarId: CalendarId, refs: string[], time: 'free' | 'keep'): Promise<void> {
  const { rows } = await sql<{ id: ItemId }>`
    with own as (
      delete from calendar.items where calendar_id = ${calendarId} and ref = any(${refs}::text[]) and provenance = 'own'
    ), gone as (
      update calendar.items set gone_at = now(), updated_at = now()
      where calendar_id = ${calendarId} and ref = any(${refs}::text[]) and provenance = 'foreign' and gone_at is null
      returning id
    ), emptied as (
      delete from calendar.spans where ${time === 'free'} and item_id in (select id from gone)
    )
    select id from gone`.execute(tx);
  await unplanItems(
    tx,
    rows.map((row) => row.id),
  );
}

/**
 * Every ref that we hold as present and knew before `since`, for the difference with a complete listing that began then:
 * what was written while it ran may be missing in it and is not gone. Only what has a moment in `within` where the
 * listing covers no more than that; what has no time of its own counts as within.
 */
export async function listRefs(
  db: Database,
  calendarId: CalendarId,
  since: Temporal.Instant,
  within: { fromMs: number; toMs: number } | null,
): Promise<string[]> {
  const inside =
    within === null
      ? sql`true`
      : sql`(starts_ms is null or starts_ms < ${within.toMs} and (ends_ms is null or ends_ms >= ${within.fromMs}))`;
  const { rows } = await sql<{ ref: string }>`
    select ref from calendar.items
    where calendar_id = ${calendarId} and gone_at is null and updated_at < ${since} and ${inside}`.execute(db);
  return rows.map((row) => row.ref);
}

/** True if a calendar holds anything that we did not write. */
export async function hasEvents(db: Database, calendarId: CalendarId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from calendar.items
    where calendar_id = ${calendarId} and provenance = 'foreign' and gone_at is null limit 1`.execute(db);
  return rows.length > 0;
}

/** Events of a calendar that we did not write, and their text. */
export async function measureEvents(db: Database, calendarId: CalendarId): Promise<{ events: number; bytes: number }> {
  const { rows } = await sql<{ events: number; bytes: number }>`
    select count(*)::int as events, coalesce(sum(octet_length(body)), 0)::float8 as bytes from calendar.items
    where calendar_id = ${calendarId} and provenance = 'foreign' and gone_at is null`.execute(db);
  return rows[0] ?? { events: 0, bytes: 0 };
}

/** Which of these items still stand. */
export async function listLiveIds(db: Database, ids: ItemId[]): Promise<Set<ItemId>> {
  const { rows } = await sql<{ id: ItemId }>`
    select id from calendar.items where id = any(${ids}::uuid[]) and gone_at is null`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** Blocks that we wrote and have known for a while, as they stand in a calendar. */
export async function listOwnItems(
  db: Database,
  calendarIds: CalendarId[],
  olderThan: Temporal.Instant,
): Promise<{ id: ItemId; calendarId: CalendarId; ref: string; uid: string | null; version: string }[]> {
  const { rows } = await sql<{ id: ItemId; calendarId: CalendarId; ref: string; uid: string | null; version: string }>`
    select id, calendar_id as "calendarId", ref, uid, version from calendar.items
    where calendar_id = any(${calendarIds}::uuid[]) and provenance = 'own' and updated_at <= ${olderThan}`.execute(db);
  return rows;
}

/** Titles of these items on screens, with their next start. */
export async function listTitles(
  db: Database,
  userId: UserId,
  ids: ItemId[],
  nowMs: number,
): Promise<Map<ItemId, { title: string | null; recurring: boolean; startMs: number | null; allDay: boolean }>> {
  const { rows } = await sql<{
    id: ItemId;
    title: string | null;
    recurring: boolean;
    startMs: number | null;
    allDay: boolean;
  }>`
    select i.id, i.title, i.recurring,
      case when i.provenance = 'own' then i.starts_ms else s.start_ms end as "startMs",
      coalesce(s.all_day, i.provenance = 'own' and i.body::json #>> '{when,kind}' = 'all-day', false) as "allDay"
    from calendar.items i
    left join lateral (
      select start_ms, all_day from calendar.spans s where s.item_id = i.id
      order by (s.end_ms <= ${nowMs}), abs(s.start_ms - ${nowMs}) limit 1) s on true
    where i.user_id = ${userId} and i.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}

/** A page of what the mirror planner has not seen yet, by id. */
export async function listUnplanned(
  db: Database,
  userId: UserId,
  page: { after: string; limit: number },
): Promise<PlannedItem[]> {
  const { rows } = await sql<PlannedItem>`
    select id, calendar_id as "calendarId", ref, uid, body::json, problem, starts_ms as "startsMs", ends_ms as "endsMs",
      gone_at is not null as gone, provenance = 'own' as own, u.version as change
    from calendar.unplanned u join calendar.items i on i.id = u.item_id
    where u.user_id = ${userId} and u.item_id > ${page.after}
    order by u.item_id limit ${page.limit}`.execute(db);
  return rows;
}

/** The same shape for a calendar's items whether planned or not, for dry runs. */
export async function listItems(
  db: Database,
  calendarIds: CalendarId[],
  page: { after: string; limit: number },
): Promise<PlannedItem[]> {
  const { rows } = await sql<PlannedItem>`
    select id, calendar_id as "calendarId", ref, uid, body::json, problem, starts_ms as "startsMs", ends_ms as "endsMs",
      gone_at is not null as gone, provenance = 'own' as own, 0 as change
    from calendar.items
    where calendar_id = any(${calendarIds}::uuid[]) and provenance = 'foreign' and id > ${page.after}
    order by id limit ${page.limit}`.execute(db);
  return rows;
}

/**
 * The planner has dealt with these items in the state it read; what changed meanwhile stays unplanned. Gone items leave
 * the store for good.
 */
export async function clearPlanned(tx: Tx, items: Pick<PlannedItem, 'id' | 'change' | 'gone'>[]): Promise<void> {
  if (items.length === 0) return;
  const cleared = sql`
    delete from calendar.unplanned u
    using unnest(${items.map((item) => item.id)}::uuid[], ${items.map((item) => item.change)}::int[]) as p(id, change)
    where u.item_id = p.id and u.version = p.change`.execute(tx);
  const gone = items.filter((item) => item.gone).map((item) => item.id);
  const left =
    gone.length > 0 &&
    sql`
    delete from calendar.items i where i.id = any(${gone}::uuid[]) and i.gone_at is not null
      and not exists (select 1 from calendar.unplanned u where u.item_id = i.id)`.execute(tx);
  await Promise.all([cleared, left]);
}

/**
 * Shared lock for storing and planning items of a calendar, taken before the rules are read. A concurrent change of
 * rules waits and then finds the items, or the lock waits and new rules are read.
 */
export async function holdPlans(tx: Tx, calendarId: CalendarId): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${calendarId}, 0))`.execute(tx);
}

/**
 * Waits for those who hold the plans of these calendars, and keeps new ones waiting until the transaction ends: for who
 * changes a rule, and who stores what was written there. Before all else of the transaction.
 */
export async function takePlans(tx: Tx, calendarIds: CalendarId[]): Promise<void> {
  if (calendarIds.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(hashtextextended(id, 0))
    from unnest(${calendarIds.toSorted()}::text[]) as id`.execute(tx);
}

/** Has the planner look again at everything of these calendars. */
export async function unplanCalendars(tx: Tx, calendarIds: CalendarId[]): Promise<void> {
  await takePlans(tx, calendarIds);
  await sql`
    insert into calendar.unplanned as u (item_id, user_id)
    select id, user_id from calendar.items where calendar_id = any(${calendarIds}::uuid[]) and provenance = 'foreign'
    order by id
    on conflict (item_id) do update set version = u.version + 1`.execute(tx);
}

/** Has the planner look again at these items; those that are not there any more are passed over. */
export async function unplanItems(tx: Tx, itemIds: ItemId[]): Promise<void> {
  if (itemIds.length === 0) return;
  await sql`
    insert into calendar.unplanned as u (item_id, user_id)
    select id, user_id from calendar.items where id = any(${itemIds}::uuid[]) order by id
    on conflict (item_id) do update set version = u.version + 1`.execute(tx);
}

/** One item of a person. */
export async function findItem(
  db: Database,
  userId: UserId,
  id: string,
): Promise<{ id: ItemId; calendarId: CalendarId; ref: string; provenance: 'foreign' | 'own' } | null> {
  const { rows } = await sql<{ id: ItemId; calendarId: CalendarId; ref: string; provenance: 'foreign' | 'own' }>`
    select id, calendar_id as "calendarId", ref, provenance from calendar.items
    where id = ${id} and user_id = ${userId} and gone_at is null`.execute(db);
  return rows[0] ?? null;
}

/** One item of a person as the planner sees it. */
export async function findBody(db: Database, userId: UserId, id: string): Promise<PlannedItem | null> {
  const { rows } = await sql<PlannedItem>`
    select id, calendar_id as "calendarId", ref, uid, body::json, problem, starts_ms as "startsMs", ends_ms as "endsMs",
      gone_at is not null as gone, provenance = 'own' as own, 0 as change
    from calendar.items where id = ${id} and user_id = ${userId} and gone_at is null`.execute(db);
  return rows[0] ?? null;
}

/** An item as its writer needs it. */
export interface StoredItem {
  itemId: ItemId;
  calendarId: CalendarId;
  ref: string;
  version: string;
  hash: string;
  provenance: Provenance;
  body: EventBody;
}

/** Returns these items of a person with their bodies; deleted ones are left out. */
export async function listStored(
  db: Database,
  userId: UserId,
  by: { ids: ItemId[] } | { calendarId: CalendarId; refs: string[] },
): Promise<StoredItem[]> {
  const asked =
    'ids' in by
      ? sql`id = any(${by.ids}::uuid[])`
      : sql`calendar_id = ${by.calendarId} and ref = any(${by.refs}::text[])`;
  const { rows } = await sql<StoredItem>`
    select id as "itemId", calendar_id as "calendarId", ref, version, hash, provenance, body::json from calendar.items
    where user_id = ${userId} and ${asked} and gone_at is null`.execute(db);
  return rows;
}

/** A single event, or a series as a whole, as it stands in a calendar. *Units*: epoch ms. */
export interface Standing {
  itemId: ItemId;
  calendarId: CalendarId;
  ref: string;
  body: EventBody;
  /** Start of the first instance, and end of the last one if the series ends. */
  startsMs: number | null;
  endsMs: number | null;
}

/** Returns these items of a person with their current time; deleted ones are left out. */
export async function listStanding(db: Database, userId: UserId, ids: readonly ItemId[]): Promise<Standing[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Standing>`
    select id as "itemId", calendar_id as "calendarId", ref, body::json, starts_ms as "startsMs", ends_ms as "endsMs"
    from calendar.items where user_id = ${userId} and id = any(${ids}::uuid[]) and gone_at is null`.execute(db);
  return rows;
}

/** Returns the items that were added or changed within this time before now. */
export async function listChangedSince(
  db: Database,
  userId: UserId,
  ids: readonly ItemId[],
  withinMs: number,
): Promise<Set<ItemId>> {
  const { rows } = await sql<{ id: ItemId }>`
    select id from calendar.items where user_id = ${userId} and id = any(${ids}::uuid[]) and gone_at is null
      and updated_at > now() - ${withinMs} * interval '1 millisecond'`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Where these items of a person stand, and whose they are; those that are gone are left out. */
export async function listPlaces(
  db: Database,
  userId: UserId,
  ids: ItemId[],
): Promise<{ id: ItemId; calendarId: CalendarId; ref: string; provenance: 'foreign' | 'own' }[]> {
  const { rows } = await sql<{ id: ItemId; calendarId: CalendarId; ref: string; provenance: 'foreign' | 'own' }>`
    select id, calendar_id as "calendarId", ref, provenance from calendar.items
    where id = any(${ids}::uuid[]) and user_id = ${userId} and gone_at is null`.execute(db);
  return rows;
}

/**
 * Items whose instances depend on the day (every series) or on their owner's zone (all of the calendars), a page at a
 * time; locked, so that nobody replaces a body while its instances are computed.
 */
export async function listRolling(
  tx: Tx,
  filter: { calendarIds: CalendarId[] | null; after: string; limit: number } | { itemIds: ItemId[] },
): Promise<{ id: ItemId; calendarId: CalendarId; userId: UserId; provenance: 'foreign' | 'own'; body: EventBody }[]> {
  const { rows } = await sql<{
    id: ItemId;
    calendarId: CalendarId;
    userId: UserId;
    provenance: 'foreign' | 'own';
    body: EventBody;
  }>`
    select id, calendar_id as "calendarId", user_id as "userId", provenance, body::json from calendar.items
    where gone_at is null and ${
      'itemIds' in filter
        ? sql`id = any(${filter.itemIds}::uuid[]) order by id`
        : sql`id > ${filter.after}
      and ${filter.calendarIds === null ? sql`recurring` : sql`calendar_id = any(${filter.calendarIds}::uuid[])`}
    order by id limit ${filter.limit}`
    } for update`.execute(tx);
  return rows;
}

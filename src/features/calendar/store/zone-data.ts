import { sql } from 'kysely';
import type { EventBody } from '#kernel/event.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Instant, Instants } from '../rules/moved-instants.ts';

/** The tz database that stored instants were computed with, and a walk that computes them again. */
interface ZoneData {
  /** The oldest that any of them may have been computed with. */
  version: string;
  /** The data of the walk, null between walks. */
  nextVersion: string | null;
  /** The last item that the walk has done. */
  doneTo: ItemId | null;
}

export async function readZoneData(db: Database): Promise<ZoneData> {
  const { rows } = await sql<ZoneData>`
    select version, next_version as "nextVersion", done_to as "doneTo" from calendar.zone_data`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('calendar.zone_data has no row');
  return row;
}

export async function writeZoneData(db: Database, { version, nextVersion, doneTo }: ZoneData): Promise<void> {
  await sql`
    update calendar.zone_data
    set version = ${version}, next_version = ${nextVersion}, done_to = ${doneTo}`.execute(db);
}

/** An item of others' making with its instants as they are stored. */
export interface TimedItem {
  id: ItemId;
  calendarId: CalendarId;
  userId: UserId;
  body: EventBody;
  stored: Instants;
}

/** A page of items in order of their ids, or these; our own blocks are left out, as they follow their events. */
export async function listTimed(
  db: Database,
  of: { after: string; limit: number } | { itemIds: ItemId[] },
): Promise<TimedItem[]> {
  const some =
    'itemIds' in of
      ? sql`id = any(${of.itemIds}::uuid[]) order by id`
      : sql`id > ${of.after} order by id limit ${of.limit}`;
  const { rows } = await sql<Omit<TimedItem, 'stored'> & Omit<Instants, 'instances'>>`
    select id, calendar_id as "calendarId", user_id as "userId", body::json, starts_ms as "startMs", ends_ms as "endMs"
    from calendar.items where gone_at is null and provenance = 'foreign' and ${some}`.execute(db);
  const { rows: spans } = await sql<Instant & { itemId: ItemId }>`
    select item_id as "itemId", rec_id as "recId", start_ms as "startMs", end_ms as "endMs" from calendar.spans
    where item_id = any(${rows.map(({ id }) => id)}::uuid[]) order by start_ms`.execute(db);
  const spansOf = Map.groupBy(spans, ({ itemId }) => itemId);
  return rows.map(({ startMs, endMs, ...item }) => ({
    ...item,
    stored: { startMs, endMs, instances: spansOf.get(item.id) ?? [] },
  }));
}

/** Bounds of items, and bodies whose instances have other names. */
export async function writeInstants(
  tx: Tx,
  rows: readonly { id: ItemId; startMs: number | null; endMs: number | null; bodyText: string; hash: string }[],
): Promise<void> {
  await sql`
    update calendar.items i
    set body = r.body::json, hash = r.hash, starts_ms = r.starts_ms, ends_ms = r.ends_ms, updated_at = now()
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ bodyText }) => bodyText)}::text[],
      ${rows.map(({ hash }) => hash)}::text[], ${rows.map(({ startMs }) => startMs)}::bigint[],
      ${rows.map(({ endMs }) => endMs)}::bigint[]) as r(id, body, hash, starts_ms, ends_ms)
    where i.id = r.id`.execute(tx);
}

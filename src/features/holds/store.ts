import { sql } from 'kysely';
import type { Rank } from '#features/availability/rules/hold-rules.ts';
import type { CalendarId, HoldId, ItemId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { AllowedRange } from './rules.ts';

type HoldState = 'held' | 'gave-way' | 'released' | 'removed';

/** Times are epoch ms. */
export interface Hold {
  id: HoldId;
  userId: UserId;
  calendarId: CalendarId;
  title: string;
  rank: Rank;
  range: AllowedRange;
  expiresMs: number | null;
  hardenMs: number | null;
  homeStartMs: number;
  homeEndMs: number;
  /** Null: it gave way. */
  startMs: number | null;
  endMs: number | null;
  state: HoldState;
  version: number;
  itemId: ItemId | null;
  seen: boolean;
  writes: number;
}

const columns = sql`id, user_id as "userId", calendar_id as "calendarId", title, rank, range, expires_ms as "expiresMs",
  harden_ms as "hardenMs", home_start_ms as "homeStartMs", home_end_ms as "homeEndMs", start_ms as "startMs",
  end_ms as "endMs", state, version, item_id as "itemId", seen, writes`;
const isAhead = (nowMs: number) => sql`greatest(home_end_ms, end_ms) > ${nowMs}`;

/** Holds of one person are dealt with one after the other: where one goes, the next one cannot. */
export async function lockHolds(tx: Tx, userId: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`holds ${userId}`}, 0))`.execute(tx);
}

type NewHold = Omit<Hold, 'startMs' | 'endMs' | 'state' | 'version' | 'itemId' | 'seen' | 'writes'>;

/** Null where there is one of this id. */
export async function insertHold(tx: Tx, made: NewHold, nowMs: number): Promise<Hold | null> {
  const { rows } = await sql<Hold>`
    insert into holds.holds (id, user_id, calendar_id, title, rank, range, expires_ms, harden_ms, home_start_ms, home_end_ms,
      start_ms, end_ms, state, created_ms)
    values (${made.id}, ${made.userId}, ${made.calendarId}, ${made.title}, ${made.rank}, ${jsonb(made.range)},
      ${made.expiresMs}, ${made.hardenMs}, ${made.homeStartMs}, ${made.homeEndMs}, ${made.homeStartMs}, ${made.homeEndMs},
      'held', ${nowMs})
    on conflict (id) do nothing returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

export async function findHold(db: Database, userId: UserId, id: HoldId): Promise<Hold | null> {
  const { rows } = await sql<Hold>`
    select ${columns} from holds.holds where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

type Change = Partial<Omit<Hold, 'id' | 'userId' | 'version' | 'itemId' | 'seen' | 'writes'>> & {
  endedMs?: number | null;
};

/** Changes a hold, the caller having locked its person's. */
export async function updateHold(tx: Tx, id: HoldId, change: Change): Promise<Hold> {
  const set = Object.entries(change).map(
    ([name, value]) => sql`${sql.id(snake(name))} = ${name === 'range' ? jsonb(value) : value}`,
  );
  const { rows } = await sql<Hold>`
    update holds.holds set version = version + 1, ${sql.join(set)} where id = ${id} returning ${columns}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error(`no hold ${id}`);
  return row;
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Holds of a person that stand, or may come back, and are not over, by time. */
export async function listAhead(
  db: Database,
  userId: UserId,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select ${columns} from holds.holds
    where user_id = ${userId} and state in ('held', 'gave-way') and ${isAhead(nowMs)}
    order by coalesce(start_ms, home_start_ms), id limit ${limit}`.execute(db);
  return rows;
}

/** Whether a hold of a person is elsewhere than where they put it. */
export async function hasDisplaced(db: Database, userId: UserId, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    select from holds.holds where user_id = ${userId} and state in ('held', 'gave-way') and home_start_ms > ${nowMs}
      and (start_ms, end_ms) is distinct from (home_start_ms, home_end_ms) limit 1`.execute(db);
  return rows.length > 0;
}

/** Holds with an event in a calendar. */
export async function listInCalendar(
  db: Database,
  calendarId: CalendarId,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select ${columns} from holds.holds
    where calendar_id = ${calendarId} and state = 'held' and item_id is not null and ${isAhead(nowMs)}
    order by start_ms, id limit ${limit}`.execute(db);
  return rows;
}

/** Expired holds, and the next expiry. */
export async function listExpired(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<{ due: Pick<Hold, 'id' | 'userId'>[]; nextMs: number | null }> {
  const { rows } = await sql<Pick<Hold, 'id' | 'userId'> & { expiresMs: number }>`
    select id, user_id as "userId", expires_ms as "expiresMs" from holds.holds
    where state in ('held', 'gave-way') and expires_ms is not null order by expires_ms limit ${limit}`.execute(db);
  return {
    due: rows.filter(({ expiresMs }) => expiresMs <= nowMs),
    nextMs: rows.find(({ expiresMs }) => expiresMs > nowMs)?.expiresMs ?? null,
  };
}

/** Counts a write of its event, and says which item the event is; another one was not seen yet. */
export async function recordWrite(tx: Tx, id: HoldId, itemId: ItemId | null): Promise<void> {
  await sql`
    update holds.holds set writes = writes + 1, item_id = ${itemId}, seen = seen and item_id is not distinct from ${itemId}
    where id = ${id}`.execute(tx);
}

export async function markSeen(db: Database, ids: readonly HoldId[]): Promise<void> {
  if (ids.length > 0) await sql`update holds.holds set seen = true where id = any(${ids}::uuid[])`.execute(db);
}

/** The event of a hold turned out to be another item. */
export async function renameItem(tx: Tx, userId: UserId, from: ItemId, to: ItemId): Promise<Hold | null> {
  const { rows } = await sql<Hold>`
    update holds.holds set item_id = ${to} where user_id = ${userId} and item_id = ${from} returning ${columns}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Deletes holds that ended before a time, with their history. Returns their items. */
export async function deleteOldHolds(tx: Tx, beforeMs: number): Promise<ItemId[]> {
  const { rows } = await sql<{ itemId: ItemId | null }>`
    delete from holds.holds where id in (
      select id from holds.holds where greatest(home_end_ms, end_ms, ended_ms) < ${beforeMs} limit 1000)
    returning item_id as "itemId"`.execute(tx);
  return rows.flatMap(({ itemId }) => itemId ?? []);
}

export interface HoldEntry {
  atMs: number;
  kind: string;
  details: { from?: Place | null; to?: Place | null; for?: string | null };
}
interface Place {
  startMs: number;
  endMs: number;
}

export async function insertEntry(
  tx: Tx,
  hold: Pick<Hold, 'id' | 'version'>,
  { atMs, kind, details }: HoldEntry,
): Promise<void> {
  await sql`
    insert into holds.audit (hold_id, n, at_ms, kind, details)
    values (${hold.id}, ${hold.version}, ${atMs}, ${kind}, ${jsonb(details)})`.execute(tx);
}

/** The history of a hold, newest first. */
export async function listEntries(db: Database, id: HoldId, limit: number): Promise<HoldEntry[]> {
  const { rows } = await sql<HoldEntry>`
    select at_ms as "atMs", kind, details from holds.audit where hold_id = ${id} order by n desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** All of a person's, for exports. */
export async function listEverything(db: Database, userId: UserId): Promise<(Hold & { history: HoldEntry[] })[]> {
  const { rows } = await sql<Hold & { history: HoldEntry[] }>`
    select ${columns}, coalesce((
        select jsonb_agg(jsonb_build_object('atMs', a.at_ms, 'kind', a.kind, 'details', a.details) order by a.n)
        from holds.audit a where a.hold_id = h.id), '[]') as history
    from holds.holds h where user_id = ${userId} order by created_ms, id`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { CalendarId, ConnectionId, ItemId, MirrorId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { MirrorBody } from '#providers/port.ts';
import type { LedgerRow } from '../rules/plan.ts';

/** Rows of these origins of a person: by item, and by UID for an item that came back under another id. */
export async function listLedger(
  db: Database,
  userId: UserId,
  origins: { itemId: ItemId; calendarId: CalendarId; uid: string }[],
): Promise<LedgerRow[]> {
  if (origins.length === 0) return [];
  const { rows } = await sql<LedgerRow>`
    with found as (
      -- not joined: while statistics are old, that reads all of a person's rows
      select m.id from sync.mirrors m
      where m.user_id = ${userId} and m.origin_item_id = any(${origins.map((o) => o.itemId)}::uuid[])
      union
      select m.id from sync.mirrors m
      join unnest(${origins.map((o) => o.calendarId)}::uuid[], ${origins.map((o) => o.uid)}::text[]) as o(calendar_id, uid)
        on m.origin_calendar_id = o.calendar_id and m.origin_uid = o.uid
    )
    select m.id, m.origin_item_id as "originItemId", m.origin_calendar_id as "originCalendarId",
      m.origin_uid as "originUid", m.rec_id as "recId", m.target_calendar_id as "targetCalendarId", m.generation, m.state,
      m.reason, m.desired_hash as "desiredHash", m.seen,
      (extract(epoch from m.user_deleted_at) * 1000)::bigint as "userDeletedAtMs", m.waits, m.restored,
      m.removal_tried as "removalTried",
      (extract(epoch from m.restored_at) * 1000)::bigint as "restoredAtMs"
    from sync.mirrors m where m.id in (select id from found)`.execute(db);
  return rows;
}

/** Which of these UIDs of a calendar any row is filed under. */
export async function listFiledUids(db: Database, calendarId: CalendarId, uids: string[]): Promise<Set<string>> {
  if (uids.length === 0) return new Set();
  const { rows } = await sql<{ uid: string }>`
    select distinct origin_uid as uid from sync.mirrors
    where origin_calendar_id = ${calendarId} and origin_uid = any(${uids}::text[])`.execute(db);
  return new Set(rows.map((row) => row.uid));
}

/** Holds these rows until the transaction ends; those that somebody else holds are not waited for. Answers with the held. */
export async function holdFree(tx: Tx, ids: MirrorId[]): Promise<Set<MirrorId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: MirrorId }>`
    select id from sync.mirrors where id = any(${ids}::uuid[]) for no key update skip locked`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

export interface DroppedMirror {
  id: MirrorId;
  waits: boolean;
}

/** Intents to delete; nothing shall stand any more. */
export async function dropMirrors(tx: Tx, rows: DroppedMirror[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update sync.mirrors m set state = 'deleting', desired = null, desired_hash = null, attempts = 0, waits = r.waits,
      next_attempt_at = 'epoch', error_code = null, error_message = null, seen = null, updated_at = now()
    from unnest(${rows.map((r) => r.id)}::uuid[], ${rows.map((r) => r.waits)}::boolean[]) as r(id, waits)
    where m.id = r.id and (m.state <> 'deleting' or r.waits and not m.waits)`.execute(tx);
}

/** We no longer manage these. */
export async function releaseMirrors(
  tx: Tx,
  ids: MirrorId[],
  reason: 'opted-out' | 'released' | 'kept',
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update sync.mirrors set state = 'skipped', reason = ${reason}, seen = null, updated_at = now()
    where id = any(${ids}::uuid[])`.execute(tx);
}

/** The item a row mirrors came back under another id. */
export async function rebindMirrors(tx: Tx, rows: { id: MirrorId; originItemId: ItemId }[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update sync.mirrors m set origin_item_id = r.item_id
    from unnest(${rows.map((r) => r.id)}::uuid[], ${rows.map((r) => r.originItemId)}::uuid[]) as r(id, item_id)
    where m.id = r.id`.execute(tx);
}

export async function deleteMirrors(tx: Tx, ids: MirrorId[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from sync.mirrors where id = any(${ids}::uuid[])`.execute(tx);
}

/** Events of each pair that have a live copy, for the breaker: it counts them alike whatever shape they stand in. */
export async function countLive(
  db: Database,
  pairs: { sourceCalendarId: CalendarId; targetCalendarId: CalendarId }[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ source: string; target: string; live: number }>`
    select origin_calendar_id as source, target_calendar_id as target, count(distinct origin_item_id)::int as live
    from sync.mirrors
    where state in ('created', 'pending', 'failed', 'deleting') and ref is not null
      and (origin_calendar_id, target_calendar_id) in (
        select * from unnest(${pairs.map((p) => p.sourceCalendarId)}::uuid[], ${pairs.map((p) => p.targetCalendarId)}::uuid[]))
    group by 1, 2`.execute(db);
  return new Map(rows.map((row) => [`${row.source} ${row.target}`, row.live]));
}

/** A row as the writer needs it. */
export interface DueMirror {
  id: MirrorId;
  userId: UserId;
  originItemId: ItemId;
  targetCalendarId: CalendarId;
  identityKey: string;
  generation: number;
  state: 'pending' | 'deleting';
  desired: MirrorBody | null;
  /** The same as it is stored. */
  desiredText: string | null;
  desiredHash: string | null;
  appliedHash: string | null;
  ref: string | null;
  version: string | null;
  attempts: number;
}

/** Texts of one answer: parsed at once, in some milliseconds. 1,000 rows may have 100 MB. */
const dueBytes = 6_000_000;

/** Not what its planner has yet to decide about: its copy was found gone, so writing it again would find that again. */
const decided = sql`(m.state = 'deleting' or m.seen is distinct from 'gone')`;

/**
 * Not what waits for others of its event in its target: a series for single instances that are not written yet, a
 * removal for all that shall stand, given up or not. A series does not wait for what was given up, or one instance that
 * is refused would hold up every other.
 */
const released = sql`(not m.waits or not exists (
  select 1 from sync.mirrors o
  where o.origin_calendar_id = m.origin_calendar_id and o.origin_uid = m.origin_uid
    and o.target_calendar_id = m.target_calendar_id and o.id <> m.id and o.desired is not null
    and case m.state when 'deleting' then o.state in ('pending', 'failed')
      else o.state = 'pending' and o.rec_id <> '' end))`;

/**
 * Due mirrors of an account: writes before removals, nearest first, so that time is never left open between. Each kind
 * is read in index order, up to the limit. A sort of the whole backlog took a tenth of the database's share in an
 * initial mirror. `without`: rows in hand, whose outcome is not stored yet. Long texts come in smaller numbers
 * (`dueBytes`).
 */
export async function listDue(
  db: Database,
  connectionId: ConnectionId,
  { nowMs, limit, without }: { nowMs: number; limit: number; without: MirrorId[] },
): Promise<DueMirror[]> {
  const dueOf = (state: DueMirror['state']) => sql`
    select id, user_id as "userId", origin_item_id as "originItemId", target_calendar_id as "targetCalendarId",
      identity_key as "identityKey", generation, state, desired as "desiredText", desired_hash as "desiredHash", applied_hash as "appliedHash", ref, version, attempts
    from sync.mirrors m
    where target_connection_id = ${connectionId} and state in ('pending', 'deleting') and state = ${state}
      and ${decided} and ${released} and next_attempt_at <= to_timestamp(${nowMs / 1000})
      and id not in (select unnest(${without}::uuid[]))
    order by near_ms, id
    limit ${limit}`;
  // the second is not looked at where the first has enough
  const { rows } = await sql<DueMirror>`
    select id, "userId", "originItemId", "targetCalendarId", "identityKey", generation, state, "desiredText", "desiredHash",
      "appliedHash", ref, version, attempts
    from (
      select *, row_number() over () as place,
        sum(octet_length("desiredText")) over (rows unbounded preceding) as bytes
      from ((${dueOf('pending')}) union all (${dueOf('deleting')}) limit ${limit}) due) counted
    where place = 1 or coalesce(bytes, 0) <= ${dueBytes}
    order by place`.execute(db);
  for (const row of rows) row.desired = row.desiredText === null ? null : (JSON.parse(row.desiredText) as MirrorBody);
  return rows;
}

/** When the account's next row is due, epoch ms, or null when nothing waits. */
export async function findNextDue(db: Database, connectionId: ConnectionId): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select (extract(epoch from min(next_attempt_at)) * 1000)::bigint as at
    from sync.mirrors m
    where target_connection_id = ${connectionId} and state in ('pending', 'deleting')
      and ${decided} and ${released}`.execute(db);
  return rows[0]?.at ?? null;
}

/** Accounts with rows that are due, for the safety tick. */
export async function listDueConnections(db: Database, nowMs: number): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    select distinct m.target_connection_id as id from sync.mirrors m
    left join sync.fences f on f.connection_id = m.target_connection_id
    where m.state in ('pending', 'deleting') and ${decided} and ${released} and m.next_attempt_at <= to_timestamp(${nowMs / 1000})
      and coalesce(f.not_before, '-infinity') <= to_timestamp(${nowMs / 1000})`.execute(db);
  return rows.map((row) => row.id);
}

/** The outcome of one call. */
export type Outcome =
  | { id: MirrorId; kind: 'written'; generation: number; hash: string; ref: string; version: string }
  | { id: MirrorId; kind: 'removed' }
  /** Permanent, or too often: its person is told. */
  | { id: MirrorId; kind: 'failed'; code: string; message: string }
  | { id: MirrorId; kind: 'later'; code: string; message: string; notBeforeMs: number; counts: boolean }
  /** The copy is not there any more: the planner decides what that means. */
  | { id: MirrorId; kind: 'gone'; generation: number }
  /** The identity can no longer be used: the next generation is tried. */
  | { id: MirrorId; kind: 'burnt'; generation: number };

/**
 * Stores outcomes. A row that the planner changed during the call stays pending. A row may have a newer generation by
 * now, because a pull found the block gone; its outcome is dropped. Returns the blocks that are known to match what was
 * written.
 */
export async function storeOutcomes(tx: Tx, outcomes: Outcome[]): Promise<Set<MirrorId>> {
  const standing = new Set<MirrorId>();
  const written = outcomes.filter((o) => o.kind === 'written');
  if (written.length > 0) {
    const { rows } = await sql<{ id: MirrorId; isGone: boolean }>`
      update sync.mirrors m set ref = r.ref, version = r.version, applied_hash = r.hash, applied_at = now(),
        verified_at = now(),
        state = case when m.state = 'pending' and m.desired_hash = r.hash then 'created' else m.state end,
        attempts = 0, error_code = null, error_message = null, removal_tried = false, updated_at = now(),
        -- nothing is written that was seen gone before
        seen = case when m.seen = 'gone' then m.seen end
      from unnest(${written.map((o) => o.id)}::uuid[], ${written.map((o) => o.generation)}::int[],
        ${written.map((o) => o.ref)}::text[], ${written.map((o) => o.version)}::text[],
        ${written.map((o) => o.hash)}::text[]) as r(id, generation, ref, version, hash)
      where m.id = r.id and m.generation = r.generation
      returning m.id, m.seen is not null as "isGone"`.execute(tx);
    for (const { id, isGone } of rows) if (!isGone) standing.add(id);
  }
  const removed = outcomes.filter((o) => o.kind === 'removed').map((o) => o.id);
  if (removed.length > 0) {
    // wanted again meanwhile: the old block is gone, so it is written under the next generation
    await sql`
      update sync.mirrors set ref = null, version = null, applied_hash = null, generation = generation + 1,
        removal_tried = false
      where id = any(${removed}::uuid[]) and state <> 'deleting'`.execute(tx);
    await sql`delete from sync.mirrors where id = any(${removed}::uuid[]) and state = 'deleting'`.execute(tx);
  }
  const failed = outcomes.filter((o) => o.kind === 'failed');
  if (failed.length > 0) {
    await sql`
      update sync.mirrors m set state = 'failed', attempts = m.attempts + 1, error_code = r.code, error_message = r.message,
        updated_at = now()
      from unnest(${failed.map((o) => o.id)}::uuid[], ${failed.map((o) => o.code)}::text[],
        ${failed.map((o) => o.message)}::text[]) as r(id, code, message)
      where m.id = r.id and m.state in ('pending', 'deleting')`.execute(tx);
  }
  const later = outcomes.filter((o) => o.kind === 'later');
  if (later.length > 0) {
    await sql`
      update sync.mirrors m set attempts = m.attempts + r.counts, next_attempt_at = to_timestamp(r.at / 1000.0),
        error_code = r.code, error_message = r.message, updated_at = now()
      from unnest(${later.map((o) => o.id)}::uuid[], ${later.map((o) => o.code)}::text[],
        ${later.map((o) => o.message)}::text[], ${later.map((o) => o.notBeforeMs)}::bigint[],
        ${later.map((o) => (o.counts ? 1 : 0))}::int[]) as r(id, code, message, at, counts)
      where m.id = r.id and m.state in ('pending', 'deleting')`.execute(tx);
  }
  const burnt = outcomes.filter((o) => o.kind === 'burnt');
  if (burnt.length > 0) {
    await sql`
      update sync.mirrors m set generation = m.generation + 1, ref = null, version = null, applied_hash = null,
        removal_tried = false, attempts = attempts + 1, state = case when attempts >= 4 then 'failed' else state end,
        error_code = 'IDENTITY_BURNT', error_message = 'Its calendar refuses the name of this block.', updated_at = now()
      from ${generationsOf(burnt)}
      where m.id = r.id and m.generation = r.generation`.execute(tx);
  }
  const gone = outcomes.filter((o) => o.kind === 'gone');
  if (gone.length > 0) {
    await sql`
      update sync.mirrors m set seen = 'gone', updated_at = now()
      from ${generationsOf(gone)}
      where m.id = r.id and m.generation = r.generation`.execute(tx);
  }
  return standing;
}

const generationsOf = (outcomes: { id: MirrorId; generation: number }[]) => sql`
  unnest(${outcomes.map((o) => o.id)}::uuid[], ${outcomes.map((o) => o.generation)}::int[]) as r(id, generation)`;

/** Retries the rows that were given up. Returns their accounts. */
export async function retryFailed(tx: Tx, userId: UserId): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    update sync.mirrors set state = case when desired is null then 'deleting' else 'pending' end, attempts = 0,
      next_attempt_at = 'epoch', updated_at = now()
    where user_id = ${userId} and state = 'failed'
    returning target_connection_id as id`.execute(tx);
  return [...new Set(rows.map((row) => row.id))];
}

/** Mirrors from these calendars. */
export async function countMirrors(db: Database, userId: UserId, originCalendarIds: CalendarId[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sync.mirrors
    where user_id = ${userId} and origin_calendar_id = any(${originCalendarIds}::uuid[])
      and state in ('created', 'pending', 'failed')`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Retries now the rows that an account's calendars refused, because a different write may succeed. */
export async function writeSoon(tx: Tx, connectionId: ConnectionId): Promise<void> {
  await sql`
    update sync.mirrors set next_attempt_at = 'epoch'
    where target_connection_id = ${connectionId} and state in ('pending', 'deleting') and error_code is not null
      and next_attempt_at > 'epoch'`.execute(tx);
}

/**
 * Events are at other instants, because the time zone data changed. Rows of renamed instances keep their blocks. Series, which
 * hold the rules of their zone, look different to the planner even where they say the same; it writes them with their new
 * exceptions.
 */
export async function moveMirrors(
  tx: Tx,
  moved: { userId: string; itemIds: string[]; renamed: { itemId: string; from: string; to: string }[] },
): Promise<void> {
  const { userId, itemIds, renamed } = moved;
  await sql`
    update sync.mirrors m set rec_id = r.new_name
    from unnest(${renamed.map(({ itemId }) => itemId)}::uuid[], ${renamed.map(({ from }) => from)}::text[],
      ${renamed.map(({ to }) => to)}::text[]) as r(item_id, old_name, new_name)
    where m.user_id = ${userId} and m.origin_item_id = r.item_id and m.rec_id = r.old_name
      -- a block of its own is there under the new name
      and not exists (
        select from sync.mirrors o where o.origin_calendar_id = m.origin_calendar_id and o.origin_uid = m.origin_uid
          and o.target_calendar_id = m.target_calendar_id and o.rec_id = r.new_name)`.execute(tx);
  await sql`
    update sync.mirrors set desired_hash = '', applied_hash = null, updated_at = now()
    where user_id = ${userId} and origin_item_id = any(${itemIds}::uuid[]) and state in ('created', 'pending', 'failed')
      and desired is not null and desired::json ->> 'kind' = 'series'
      and desired::json #>> '{when,kind}' = 'zoned'`.execute(tx);
}

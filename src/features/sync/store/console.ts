import { sql } from 'kysely';
import type { CalendarId, ConnectionId, ItemId, MirrorId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** A mirror as the console shows it. */
export interface ConsoleMirror {
  id: MirrorId;
  originItemId: ItemId;
  originCalendarId: CalendarId;
  targetCalendarId: CalendarId;
  recId: string;
  ref: string | null;
  state: 'pending' | 'created' | 'failed' | 'deleting' | 'skipped';
  reason: string | null;
  shownAs: string | null;
  plannedMs: number;
  appliedMs: number | null;
  /** Whether the target matches the wanted block. */
  applied: boolean;
  verifiedMs: number | null;
  attempts: number;
  nextAttemptMs: number | null;
  errorCode: string | null;
  errorMessage: string | null;
}

const columns = sql`id, origin_item_id as "originItemId", origin_calendar_id as "originCalendarId",
  target_calendar_id as "targetCalendarId", rec_id as "recId", ref, state, reason, desired::json #>> '{core,title}' as "shownAs",
  (extract(epoch from created_at) * 1000)::bigint as "plannedMs",
  (extract(epoch from applied_at) * 1000)::bigint as "appliedMs",
  coalesce(applied_hash = desired_hash, false) as applied,
  (extract(epoch from verified_at) * 1000)::bigint as "verifiedMs", attempts,
  case when state in ('pending', 'deleting') and next_attempt_at > 'epoch'
    then (extract(epoch from next_attempt_at) * 1000)::bigint end as "nextAttemptMs",
  error_code as "errorCode", error_message as "errorMessage"`;

/** Returns these mirrors of a person, in no order. */
export async function listMirrorsById(db: Database, userId: UserId, ids: MirrorId[]): Promise<ConsoleMirror[]> {
  const { rows } = await sql<ConsoleMirror>`
    select ${columns} from sync.mirrors where user_id = ${userId} and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Trouble first; what is skipped speaks only where nothing stands or shall stand. */
const troubleRank = sql`case state when 'failed' then 0 when 'pending' then 1 when 'deleting' then 1 when 'created' then 2 else 3 end`;

/**
 * One mirror of an event for each target, the one in trouble before the others: a series may stand as a hundred blocks in
 * a calendar, and is mirrored to one calendar all the same.
 */
export async function listMirrorsOf(db: Database, userId: UserId, itemId: ItemId): Promise<ConsoleMirror[]> {
  const { rows } = await sql<ConsoleMirror>`
    select ${columns} from (
      select distinct on (target_calendar_id) *, ${troubleRank} as rank from sync.mirrors
      where user_id = ${userId} and origin_item_id = ${itemId}
      order by target_calendar_id, rank, near_ms, id) m
    order by rank, near_ms, id`.execute(db);
  return rows;
}

/** Blocks of one event, as a whole or of these instances, in every target. */
export async function listBlocksOf(
  db: Database,
  userId: UserId,
  itemId: ItemId,
  recIds: string[],
): Promise<ConsoleMirror[]> {
  const { rows } = await sql<ConsoleMirror>`
    select ${columns} from sync.mirrors
    where user_id = ${userId} and origin_item_id = ${itemId} and rec_id = any(${recIds}::text[])`.execute(db);
  return rows;
}

/** The row that wrote a block, by where the block stands. */
export async function findByBlock(
  db: Database,
  userId: UserId,
  block: { calendarId: CalendarId; ref: string },
): Promise<ConsoleMirror | null> {
  const { rows } = await sql<ConsoleMirror>`
    select ${columns} from sync.mirrors
    where user_id = ${userId} and target_calendar_id = ${block.calendarId} and ref = ${block.ref}`.execute(db);
  return rows[0] ?? null;
}

/** To how many calendars each origin is mirrored, by how it stands there; what is skipped stands nowhere. */
export async function countByOrigin(
  db: Database,
  userId: UserId,
  originItemIds: ItemId[],
): Promise<{ originItemId: ItemId; created: number; pending: number; failed: number }[]> {
  const { rows } = await sql<{ originItemId: ItemId; created: number; pending: number; failed: number }>`
    select origin_item_id as "originItemId", (count(*) filter (where rank = 2))::int as created,
      (count(*) filter (where rank = 1))::int as pending, (count(*) filter (where rank = 0))::int as failed
    from (
      select origin_item_id, min(${troubleRank}) as rank from sync.mirrors
      where origin_item_id = any(${originItemIds}::uuid[]) and user_id = ${userId} and state <> 'skipped'
      group by origin_item_id, target_calendar_id) t
    group by origin_item_id`.execute(db);
  return rows;
}

/** Finds the origin of each block by the block's calendar and ref. */
export async function listOriginsOfBlocks(
  db: Database,
  userId: UserId,
  blocks: { id: ItemId; calendarId: CalendarId; ref: string }[],
): Promise<{ blockItemId: ItemId; originItemId: ItemId; originCalendarId: CalendarId }[]> {
  const { rows } = await sql<{ blockItemId: ItemId; originItemId: ItemId; originCalendarId: CalendarId }>`
    select b.id as "blockItemId", m.origin_item_id as "originItemId", m.origin_calendar_id as "originCalendarId"
    from unnest(${blocks.map((block) => block.id)}::uuid[], ${blocks.map((block) => block.calendarId)}::uuid[],
      ${blocks.map((block) => block.ref)}::text[]) as b(id, calendar_id, ref)
    join sync.mirrors m on m.target_calendar_id = b.calendar_id and m.ref = b.ref
    where m.user_id = ${userId}`.execute(db);
  return rows;
}

/** Marks every mirror of these origins to be checked and written again. Answers with those marked. */
export async function resyncOrigins(
  tx: Tx,
  userId: UserId,
  itemIds: ItemId[],
): Promise<{ id: MirrorId; connectionId: ConnectionId; originItemId: ItemId }[]> {
  const { rows } = await sql<{ id: MirrorId; connectionId: ConnectionId; originItemId: ItemId }>`
    update sync.mirrors set attempts = 0, next_attempt_at = 'epoch', near_ms = 0, updated_at = now(),
      state = case when state = 'deleting' or desired is null then 'deleting' else 'pending' end, reason = null,
      seen = null, user_deleted_at = null, restored = 0, restored_at = null
    where user_id = ${userId} and origin_item_id = any(${itemIds}::uuid[]) and state <> 'skipped'
    returning id, target_connection_id as "connectionId", origin_item_id as "originItemId"`.execute(tx);
  return rows;
}

/** Tries a mirror again now that failed, or waits for its next attempt; null for any other. */
export async function retryMirror(
  tx: Tx,
  userId: UserId,
  mirrorId: string,
): Promise<{ connectionId: string; originItemId: ItemId } | null> {
  const { rows } = await sql<{ connectionId: string; originItemId: ItemId }>`
    update sync.mirrors set state = case when desired is null then 'deleting' else 'pending' end, attempts = 0,
      next_attempt_at = 'epoch', near_ms = 0, updated_at = now()
    where id = ${mirrorId} and user_id = ${userId}
      and (state = 'failed' or state in ('pending', 'deleting') and next_attempt_at > 'epoch')
    returning target_connection_id as "connectionId", origin_item_id as "originItemId"`.execute(tx);
  return rows[0] ?? null;
}

export async function hasMirror(db: Database, userId: UserId, mirrorId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sync.mirrors where id = ${mirrorId} and user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/** Blocks that were given up on. */
export async function countFailed(db: Database, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sync.mirrors where user_id = ${userId} and state = 'failed'`.execute(db);
  return rows[0]?.count ?? 0;
}

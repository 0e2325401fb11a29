import { sql } from 'kysely';
import { canonicalJson } from '#kernel/event-hash.ts';
import type { CalendarId, ConnectionId, ItemId, MirrorId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { MirrorBody } from '#providers/port.ts';

export interface NewMirror {
  id: string;
  userId: UserId;
  originCalendarId: CalendarId;
  originItemId: ItemId;
  originUid: string;
  recId: string;
  targetCalendarId: CalendarId;
  targetConnectionId: ConnectionId;
  identityKey: string;
  desired: MirrorBody;
  desiredChars: number;
  desiredHash: string;
  nearMs: number;
  waits: boolean;
}

/** Bodies as one text, split by the database: as elements of an array each of their quotes would be escaped. */
const joined = (rows: { desired: MirrorBody }[]) =>
  sql`string_to_array(${rows.map((row) => canonicalJson(row.desired)).join('\u001E')}, ${'\u001E'})`;

/** Rows and characters of one statement: its parameters are made at once, in some milliseconds. */
const statementRows = 1_000;
const statementChars = 2_000_000;

/** Runs a statement for rows in parts. Returns the sum of the rows that they changed. */
async function inParts<Row extends { desiredChars: number }>(
  rows: Row[],
  change: (some: Row[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let at = 0; at < rows.length; ) {
    let chars = 0;
    const from = at;
    do {
      chars += rows[at]?.desiredChars ?? 0;
      at += 1;
    } while (at < rows.length && at - from < statementRows && chars < statementChars);
    changed += await change(rows.slice(from, at));
  }
  return changed;
}

/** New intents. One that another planner wrote first stays as it is; answers how many are new. */
export function insertMirrors(tx: Tx, all: NewMirror[]): Promise<number> {
  return inParts(all, (rows) => insertSome(tx, rows));
}

async function insertSome(tx: Tx, rows: NewMirror[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into sync.mirrors (id, user_id, origin_calendar_id, origin_item_id, origin_uid, rec_id, target_calendar_id,
      target_connection_id, identity_key, state, desired, desired_hash, near_ms, waits)
    select unnest(${rows.map((r) => r.id)}::uuid[]), unnest(${rows.map((r) => r.userId)}::uuid[]),
      unnest(${rows.map((r) => r.originCalendarId)}::uuid[]), unnest(${rows.map((r) => r.originItemId)}::uuid[]),
      unnest(${rows.map((r) => r.originUid)}::text[]), unnest(${rows.map((r) => r.recId)}::text[]),
      unnest(${rows.map((r) => r.targetCalendarId)}::uuid[]), unnest(${rows.map((r) => r.targetConnectionId)}::uuid[]),
      unnest(${rows.map((r) => r.identityKey)}::text[]), 'pending', unnest(${joined(rows)}),
      unnest(${rows.map((r) => r.desiredHash)}::text[]), unnest(${rows.map((r) => r.nearMs)}::bigint[]),
      unnest(${rows.map((r) => r.waits)}::boolean[])
    on conflict (origin_calendar_id, origin_uid, target_calendar_id, rec_id) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export interface ChangedMirror {
  id: MirrorId;
  originItemId: ItemId;
  desired: MirrorBody;
  desiredChars: number;
  desiredHash: string;
  nearMs: number;
  waits: boolean;
  /** Written again under the next generation: its user deleted what stood, or we removed it. */
  anew: 'deleted' | 'removed' | null;
  /** How often it was written again after others had changed or deleted it; 0 for any other write. */
  restored: number;
  /** Not written before; null: at once. */
  notBeforeMs: number | null;
}

/** Error text of a block whose restoration is postponed. */
export const contested = "Another app keeps changing this block. We'll restore it later.";

/**
 * Stores intents to write, or to write again. Attempts start over (`epoch` = due at once, by any clock). Returns the
 * number of updated rows: a row to remove may be gone by now.
 */
export function changeMirrors(tx: Tx, all: ChangedMirror[], nowMs: number): Promise<number> {
  return inParts(all, (rows) => changeSome(tx, rows, nowMs));
}

async function changeSome(tx: Tx, rows: ChangedMirror[], nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update sync.mirrors m set
      origin_item_id = r.origin_item_id, desired = r.desired, desired_hash = r.desired_hash, near_ms = r.near_ms,
      waits = r.waits,
      state = 'pending', reason = null, attempts = 0, next_attempt_at = coalesce(to_timestamp(r.not_before / 1000.0), 'epoch'),
      error_code = case when r.not_before is not null then 'CONTESTED' end,
      error_message = case when r.not_before is not null then ${contested} end,
      restored = r.restored, restored_at = case when r.restored > 0 then to_timestamp(${nowMs / 1000.0}) end,
      applied_hash = case when r.anew is not null or m.seen = 'changed' then null else m.applied_hash end,
      ref = case when r.anew is null then m.ref end,
      version = case when r.anew is null then m.version end,
      generation = case when r.anew is null then m.generation else m.generation + 1 end,
      user_deleted_at = case when r.anew = 'deleted' then to_timestamp(${nowMs / 1000.0}) else m.user_deleted_at end,
      -- what was to go may be gone already
      removal_tried = r.anew is null and (m.removal_tried or m.desired is null),
      seen = null, updated_at = now()
    from rows from (
      unnest(${rows.map((r) => r.id)}::uuid[], ${rows.map((r) => r.originItemId)}::uuid[],
        ${rows.map((r) => r.desiredHash)}::text[], ${rows.map((r) => r.nearMs)}::bigint[],
        ${rows.map((r) => r.anew)}::text[], ${rows.map((r) => r.waits)}::boolean[],
        ${rows.map((r) => r.restored)}::smallint[], ${rows.map((r) => r.notBeforeMs)}::bigint[]),
      unnest(${joined(rows)})) as r(id, origin_item_id, desired_hash, near_ms, anew, waits, restored, not_before, desired)
    where m.id = r.id`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

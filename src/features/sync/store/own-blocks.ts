import { sql } from 'kysely';
import type { CalendarId, ItemId, MirrorId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { KnownBlock } from '../rules/settle-own.ts';

/** Rows of a target by the refs that a pull saw there, when it was asked `at` the earliest; null: now. */
export async function listKnownBlocks(
  db: Database,
  targetCalendarId: CalendarId,
  refs: string[],
  at: Temporal.Instant | null,
): Promise<KnownBlock[]> {
  const { rows } = await sql<KnownBlock>`
    select id, origin_item_id as "originItemId", state, ref, version, applied_hash as "appliedHash", desired_hash as "desiredHash",
      coalesce(applied_at > ${at}::timestamptz, false) as "isYounger"
    from sync.mirrors
    where target_calendar_id = ${targetCalendarId} and ref = any(${refs}::text[])`.execute(db);
  return rows;
}

/** Seen as we wrote it: verified, under the version its provider now gives. Not where its row has gone on to another object. */
export async function verifyBlocks(tx: Tx, seen: { id: MirrorId; ref: string; version: string }[]): Promise<void> {
  if (seen.length === 0) return;
  await sql`
    update sync.mirrors m set version = s.version, verified_at = now()
    from unnest(${seen.map((s) => s.id)}::uuid[], ${seen.map((s) => s.ref)}::text[],
      ${seen.map((s) => s.version)}::text[]) as s(id, ref, version)
    where m.id = s.id and m.ref = s.ref`.execute(tx);
}

/** The same for blocks whose version did not even change; by ref. A block that somebody writes at this moment is left out. */
export async function verifyUnchanged(tx: Tx, targetCalendarId: CalendarId, refs: string[]): Promise<void> {
  if (refs.length === 0) return;
  await sql`
    update sync.mirrors set verified_at = now() where id in (
      select id from sync.mirrors where target_calendar_id = ${targetCalendarId} and ref = any(${refs}::text[])
      for no key update skip locked)`.execute(tx);
}

/** The writer looks whether these still stand, and writes again what does not stand as it should. */
export async function doubtBlocks(tx: Tx, ids: MirrorId[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update sync.mirrors set state = 'pending', attempts = 0, next_attempt_at = 'epoch', updated_at = now()
    where id = any(${ids}::uuid[]) and state in ('created', 'failed') and desired is not null`.execute(tx);
}

/**
 * Marks blocks that their user changed or deleted, for the planner. Returns their origins. A block that the planner
 * replaced meanwhile has another `ref` and is not marked. Repeated notices of a deletion, as SOGo sends them, therefore
 * count once.
 */
export async function markTouched(
  tx: Tx,
  touched: { id: MirrorId; ref: string; seen: 'changed' | 'gone'; version: string | null }[],
): Promise<ItemId[]> {
  if (touched.length === 0) return [];
  const { rows } = await sql<{ itemId: ItemId }>`
    update sync.mirrors m set seen = t.seen, version = coalesce(t.version, m.version), updated_at = now()
    from unnest(${touched.map((t) => t.id)}::uuid[], ${touched.map((t) => t.ref)}::text[],
      ${touched.map((t) => t.seen)}::text[], ${touched.map((t) => t.version)}::text[]) as t(id, ref, seen, version)
    where m.id = t.id and m.ref = t.ref and m.state not in ('deleting', 'skipped')
    returning m.origin_item_id as "itemId"`.execute(tx);
  return rows.map((row) => row.itemId);
}

/** Blocks of each of these targets that were found gone, or are being looked for, at this moment. */
export async function countVanished(db: Database, targets: CalendarId[]): Promise<Map<CalendarId, number>> {
  const { rows } = await sql<{ target: CalendarId; count: number }>`
    select target_calendar_id as target, count(*)::int as count from sync.mirrors
    where target_calendar_id = any(${targets}::uuid[]) and not removal_tried
      and (seen = 'gone' or (state = 'pending' and applied_hash = desired_hash))
    group by 1`.execute(db);
  return new Map(rows.map((row) => [row.target, row.count]));
}

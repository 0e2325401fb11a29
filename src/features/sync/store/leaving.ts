import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { CalendarId, ConnectionId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { identityKeyOf } from '../rules/settle-own.ts';

export interface Standing {
  /** Removals to wait for: all in the account that leaves, elsewhere those that nothing stands against for now. */
  waiting: number;
  /** Rows in the account that leaves whose removal was given up. */
  failed: number;
  /** Why the first of them was. */
  reason: string | null;
}

/** Every block in these calendars or from them shall go. Answers with the accounts that have something to do. */
export async function dropAllOf(tx: Tx, calendarIds: CalendarId[]): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    with dropped as (
      update sync.mirrors set state = 'deleting', desired = null, desired_hash = null, reason = null, attempts = 0,
        next_attempt_at = 'epoch', error_code = null, error_message = null, seen = null, updated_at = now()
      where (target_calendar_id = any(${calendarIds}::uuid[]) or origin_calendar_id = any(${calendarIds}::uuid[]))
        and state <> 'deleting' and not (state = 'failed' and desired is null)
    )
    select distinct target_connection_id as id from sync.mirrors
    where target_calendar_id = any(${calendarIds}::uuid[]) or origin_calendar_id = any(${calendarIds}::uuid[])`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}

/**
 * Blocks that bear our tag and are in no row become rows to delete, so that one writer removes everything. `origin` is
 * the block itself: nothing else is known of it.
 */
export async function insertOrphans(
  tx: Tx,
  connection: { id: ConnectionId; userId: UserId },
  items: { id: ItemId; calendarId: CalendarId; ref: string; uid: string | null; version: string }[],
): Promise<number> {
  if (items.length === 0) return 0;
  const rows = items.map((item) => ({
    ...item,
    mirrorId: randomUUIDv7(),
    uid: item.uid ?? item.ref,
    key: identityKeyOf(item.uid ?? undefined) ?? '',
  }));
  const { numAffectedRows } = await sql`
    insert into sync.mirrors (id, user_id, origin_calendar_id, origin_item_id, origin_uid, rec_id, target_calendar_id,
      target_connection_id, identity_key, state, ref, version)
    select "mirrorId", ${connection.userId}, "calendarId", id, uid, 'orphan', "calendarId", ${connection.id}, key,
      'deleting', ref, version
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      "mirrorId" uuid, id uuid, "calendarId" uuid, ref text, uid text, version text, key text)
    where not exists (
      select 1 from sync.mirrors m where m.target_calendar_id = r."calendarId"
        and (m.ref = r.ref or (m.identity_key = r.key and m.ref is null)))
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function countStanding(
  db: Database,
  calendarIds: CalendarId[],
  others: { unable: ConnectionId[]; nowMs: number },
): Promise<Standing> {
  const { rows } = await sql<Standing>`
    with standing as (
      select m.state, m.error_message, m.target_calendar_id = any(${calendarIds}::uuid[]) as here,
        m.target_connection_id = any(${others.unable}::uuid[]) or m.error_code is not null
          or coalesce(f.not_before, '-infinity') > to_timestamp(${others.nowMs / 1000}) as refused
      from sync.mirrors m left join sync.fences f on f.connection_id = m.target_connection_id
      where m.target_calendar_id = any(${calendarIds}::uuid[]) or m.origin_calendar_id = any(${calendarIds}::uuid[])
    )
    select count(*) filter (where state <> 'failed' and (here or not refused))::int as waiting,
      count(*) filter (where state = 'failed' and here)::int as failed,
      min(error_message) filter (where state = 'failed' and here) as reason
    from standing`.execute(db);
  return rows[0] ?? { waiting: 0, failed: 0, reason: null };
}

/** The removals that wait for an account are not tried any more. */
export async function giveUpRemovals(
  db: Database,
  connectionId: ConnectionId,
  reason: { code: string; message: string },
): Promise<void> {
  await sql`
    update sync.mirrors set state = 'failed', error_code = ${reason.code}, error_message = ${reason.message},
      updated_at = now()
    where target_connection_id = ${connectionId} and state = 'deleting'`.execute(db);
}

/** The ledger lets go of what could not be removed from the account that leaves; removals elsewhere are still tried. */
export async function dropAbandoned(tx: Tx, calendarIds: CalendarId[]): Promise<void> {
  await sql`delete from sync.mirrors where target_calendar_id = any(${calendarIds}::uuid[])`.execute(tx);
}

import { sql } from 'kysely';
import type { CalendarId, EventTypeId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** A double booking that did not happen, by the busy instance that was known in time. Times are epoch ms. */
export interface Prevention {
  itemId: ItemId;
  recId: string;
  calendarId: CalendarId;
  startMs: number;
  endMs: number;
}

/** All of a person's, for exports. */
export async function listPreventions(db: Database, hostId: UserId): Promise<(Prevention & { atMs: number })[]> {
  const { rows } = await sql<Prevention & { atMs: number }>`
    select item_id as "itemId", rec_id as "recId", kind, event_type_id as "eventTypeId", calendar_id as "calendarId",
      target_calendar_id as "targetCalendarId", start_ms as "startMs", end_ms as "endMs", at_ms as "atMs"
    from booking.preventions where host_id = ${hostId} order by at_ms, item_id, rec_id`.execute(db);
  return rows;
}

/** Keeps what was prevented; each busy instance of a host counts once, as what it was first. */
export async function keepPreventions(
  db: Database,
  of: {
    kind: 'rejected' | 'masked';
    hostId: UserId;
    eventTypeId: EventTypeId;
    targetCalendarId: CalendarId | null;
    nowMs: number;
  },
  prevented: readonly Prevention[],
): Promise<void> {
  if (prevented.length === 0) return;
  await sql`
    insert into booking.preventions (host_id, item_id, rec_id, kind, event_type_id, calendar_id, target_calendar_id,
      start_ms, end_ms, at_ms)
    select ${of.hostId}, g."itemId", g."recId", ${of.kind}, ${of.eventTypeId}, g."calendarId", ${of.targetCalendarId}::uuid,
      g."startMs", g."endMs", ${of.nowMs}
    from jsonb_to_recordset(${JSON.stringify(prevented)}::jsonb) as g("itemId" uuid, "recId" text, "calendarId" uuid,
      "startMs" bigint, "endMs" bigint)
    order by 2, 3 on conflict do nothing`.execute(db);
}

import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

export async function listMirrorRows(
  db: Database,
  userId: UserId,
  page: { after: string | null; limit: number },
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id, origin_calendar_id as "originCalendarId", origin_item_id as "originItemId", origin_uid as "originUid",
      rec_id as "recId", target_calendar_id as "targetCalendarId", state, reason, desired, ref,
      applied_at as "appliedAt", verified_at as "verifiedAt", attempts, error_code as "errorCode",
      error_message as "errorMessage", created_at as "createdAt", updated_at as "updatedAt"
    from sync.mirrors where user_id = ${userId} and (${page.after}::uuid is null or id > ${page.after}::uuid)
    order by id limit ${page.limit}`.execute(db);
  return rows;
}

/** One walk through the trail of all, in its own order: there is no index for one person. */
export async function listAuditRows(
  db: Database,
  userId: UserId,
  page: { after: number | null; limit: number },
): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select id, at, mirror_id as "mirrorId", origin_item_id as "originItemId", type, actor, status, message,
      duration_ms as "durationMs", error_code as "errorCode"
    from sync.audit where user_id = ${userId} and id > ${page.after ?? 0} order by id limit ${page.limit}`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { CalendarId, ItemId, MirrorId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

export type AuditType =
  | 'mirror.created'
  | 'mirror.updated'
  | 'mirror.deleted'
  | 'mirror.failed'
  | 'mirror.retry'
  | 'mirror.skipped'
  | 'mirror.drift'
  | 'mirror.repaired'
  | 'mirror.released'
  | 'mirror.orphan_removed'
  | 'mirror.rule_changed'
  | 'mirror.breaker_open';

export type AuditActor = 'user' | 'webhook' | 'poll' | 'sweep';

export interface AuditLine {
  userId: UserId;
  mirrorId: MirrorId | null;
  originItemId: ItemId | null;
  type: AuditType;
  actor: AuditActor;
  status: 'success' | 'error' | 'pending';
  message: string;
  durationMs?: number;
  errorCode?: string;
  requestId?: string;
  beforeHash?: string | null;
  afterHash?: string | null;
}

/** Appends lines; nothing ever changes them. */
export async function appendAudit(tx: Tx, lines: AuditLine[]): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    insert into sync.audit (user_id, mirror_id, origin_item_id, type, actor, status, message, duration_ms, error_code,
      request_id, before_hash, after_hash)
    select unnest(${lines.map((l) => l.userId)}::uuid[]), unnest(${lines.map((l) => l.mirrorId)}::uuid[]),
      unnest(${lines.map((l) => l.originItemId)}::uuid[]), unnest(${lines.map((l) => l.type)}::text[]), unnest(${lines.map((l) => l.actor)}::text[]),
      unnest(${lines.map((l) => l.status)}::text[]), unnest(${lines.map((l) => l.message)}::text[]),
      unnest(${lines.map((l) => l.durationMs ?? null)}::int[]), unnest(${lines.map((l) => l.errorCode ?? null)}::text[]),
      unnest(${lines.map((l) => l.requestId ?? null)}::text[]), unnest(${lines.map((l) => l.beforeHash ?? null)}::text[]),
      unnest(${lines.map((l) => l.afterHash ?? null)}::text[])`.execute(tx);
}

export interface AuditRow {
  id: number;
  at: Temporal.Instant;
  type: string;
  actor: AuditActor;
  status: 'success' | 'error' | 'pending';
  message: string;
  durationMs: number | null;
  errorCode: string | null;
  requestId: string | null;
  /** While its mirror is known. */
  targetCalendarId: CalendarId | null;
}

/** The trail of a mirror, of all mirrors of an origin, or of those of one instance of it (`recId`), newest first. */
export async function listAudit(
  db: Database,
  userId: UserId,
  { id, recId }: { id: string; recId: string },
  limit: number,
): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select a.id, a.at, a.type, a.actor, a.status, a.message, a.duration_ms as "durationMs", a.error_code as "errorCode",
      a.request_id as "requestId", m.target_calendar_id as "targetCalendarId"
    from sync.audit a left join sync.mirrors m on m.id = a.mirror_id
    where a.user_id = ${userId} and (a.mirror_id = ${id} or a.origin_item_id = ${id})
      and (${recId === ''} or m.id is null or m.rec_id in ('', ${recId}))
    order by a.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Keeps the trail as long as it is wanted. */
export async function trimAudit(db: Database, keepDays: number): Promise<void> {
  await sql`delete from sync.audit where at < now() - make_interval(days => ${keepDays})`.execute(db);
}

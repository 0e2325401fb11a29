import { sql } from 'kysely';
import type { ItemId, MirrorId, UserId } from '#kernel/ids.ts';
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
}

/** The trail of a mirror or of all mirrors of an origin, newest first. */
export async function listAudit(db: Database, userId: UserId, id: string, limit: number): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select id, at, type, actor, status, message, duration_ms as "durationMs", error_code as "errorCode",
      request_id as "requestId"
    from sync.audit
    where user_id = ${userId} and (mirror_id = ${id} or origin_item_id = ${id})
    order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Keeps the trail as long as it is wanted. */
export async function trimAudit(db: Database, keepDays: number): Promise<void> {
  await sql`delete from sync.audit where at < now() - make_interval(days => ${keepDays})`.execute(db);
}

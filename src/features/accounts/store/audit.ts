import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { AuditAction, AuditDetails, SubjectKind } from '../rules/audit.ts';

export async function insertAct(
  tx: Tx,
  act: {
    actorId: UserId | null;
    action: AuditAction;
    subject?: { kind: SubjectKind; id: string } | undefined;
    reason: string | null;
    requestId: string | null;
    details?: AuditDetails | undefined;
  },
): Promise<void> {
  await tx
    .insertInto('accounts.audit_pending')
    .values({
      actor_id: act.actorId,
      action: act.action,
      subject_kind: act.subject?.kind ?? null,
      subject_id: act.subject?.id ?? null,
      reason: act.reason,
      request_id: act.requestId,
      details: jsonb(act.details ?? {}),
    })
    .execute();
}

/** Where the chain does not hold: an entry is not there, or not as it was written. */
export interface Break {
  position: number;
  kind: 'missing' | 'changed';
}

export interface Stretch {
  /** Entries that were looked at. */
  entries: number;
  /** The last of them. */
  last: { position: number; hash: string } | null;
  broken: Break | null;
}

/**
 * Looks at the entries after one. What a hash is made of stands here, not in a function of the database: whoever changed
 * the one could change the other.
 */
export async function checkStretch(db: Database, after: number, limit: number): Promise<Stretch> {
  const { rows } = await sql<{ entries: number; position: number | null; hash: string | null } & RawBreak>`
    with looked as (
      select position, hash, lag(position, 1, 0::bigint) over (order by position) as before,
        sha256(coalesce(lag(hash) over (order by position), '') || convert_to(jsonb_build_array(position,
          extract(epoch from at), actor_id, action, subject_kind, subject_id, reason, request_id, details)::text, 'UTF8'))
          as own
      from accounts.audit where position >= ${after} and position <= ${after + limit}),
    found as (select * from looked where position > ${after})
    select count(*) as entries, max(position) as position,
      (select encode(hash, 'hex') from found order by position desc limit 1) as hash,
      min(position) filter (where position <> before + 1) as gap,
      min(position) filter (where own <> hash) as changed,
      min(before) filter (where position <> before + 1) as "gapAfter"
    from found`.execute(db);
  const row = rows[0];
  if (row === undefined || row.position === null) return { entries: 0, last: null, broken: null };
  const { entries, position, hash } = row;
  return { entries, last: { position, hash: hash ?? '' }, broken: breakOf(row) };
}

interface RawBreak {
  gap: number | null;
  gapAfter: number | null;
  changed: number | null;
}

function breakOf({ gap, gapAfter, changed }: RawBreak): Break | null {
  if (gap !== null && (changed === null || gap <= changed)) return { position: (gapAfter ?? 0) + 1, kind: 'missing' };
  return changed === null ? null : { position: changed, kind: 'changed' };
}

/** The newest entry. */
export async function findHead(db: Database): Promise<{ position: number; hash: string } | null> {
  const { rows } = await sql<{ position: number; hash: string }>`
    select position, encode(hash, 'hex') as hash from accounts.audit order by position desc limit 1`.execute(db);
  return rows[0] ?? null;
}

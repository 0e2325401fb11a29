import { sql } from 'kysely';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Something that its person has to see to, or would want to know. */
export interface Trouble {
  userId: UserId;
  kind: 'reconnect' | 'stopped' | 'breaker';
  /** A connection, or the source and the target of a pair. */
  subject: string;
}

export interface KnownTrouble extends Trouble {
  sinceMs: number;
}

/** The current problems of a person. */
export async function listTroubles(db: Database, userId: UserId): Promise<Omit<Trouble, 'userId'>[]> {
  const { rows } = await sql<Omit<Trouble, 'userId'>>`
    select kind, subject from sync.troubles where user_id = ${userId} and healed_at is null
    order by since, kind, subject`.execute(db);
  return rows;
}

/** Accounts of these people that do not do their work and will not by themselves, and since when. */
export async function listLostAccounts(
  db: Database,
  userIds: readonly UserId[],
): Promise<{ userId: UserId; connectionId: string; sinceMs: number }[]> {
  const { rows } = await sql<{ userId: UserId; connectionId: string; sinceMs: number }>`
    select user_id as "userId", subject as "connectionId", (extract(epoch from since) * 1000)::bigint as "sinceMs"
    from sync.troubles
    where user_id = any(${userIds}::uuid[]) and kind in ('reconnect', 'stopped') and healed_at is null
    order by since, subject, kind`.execute(db);
  return rows;
}

/** Blocks of these people that were given up on, by the calendar that they should stand in. */
export async function countFailedByCalendar(
  db: Database,
  userIds: readonly UserId[],
): Promise<{ userId: UserId; calendarId: CalendarId; count: number; message: string | null }[]> {
  const { rows } = await sql<{ userId: UserId; calendarId: CalendarId; count: number; message: string | null }>`
    select user_id as "userId", target_calendar_id as "calendarId", count(*)::int as count, max(error_message) as message
    from sync.mirrors where user_id = any(${userIds}::uuid[]) and state = 'failed'
    group by user_id, target_calendar_id order by user_id, target_calendar_id`.execute(db);
  return rows;
}

/** Removals that have waited for an answer for minutes, of everybody or of one person. */
export async function listOpenBreakers(
  db: Database,
  userId: UserId | null = null,
): Promise<{ userId: UserId; source: string; target: string; deletes: number }[]> {
  const { rows } = await sql<{ userId: UserId; source: string; target: string; deletes: number }>`
    select g.user_id as "userId", p.source_calendar_id as source, p.target_calendar_id as target,
      coalesce(p.breaker_deletes, 0) as deletes
    from sync.pairs p join sync.groups g on g.id = p.group_id
    where p.breaker = 'open' and p.breaker_at < now() - interval '5 minutes'
      and (${userId}::uuid is null or g.user_id = ${userId})
    order by p.breaker_at, source, target`.execute(db);
  return rows;
}

/**
 * Updates the stored problems to the current ones. A problem that returns within a day counts as already reported.
 * Returns the problems that were not reported yet.
 */
export async function keepTroubles(tx: Tx, troubles: Trouble[]): Promise<KnownTrouble[]> {
  const rows = JSON.stringify(troubles);
  const current = sql`jsonb_to_recordset(${rows}::jsonb) as c("userId" uuid, kind text, subject text)`;
  await sql`delete from sync.troubles where healed_at < now() - interval '1 day'`.execute(tx);
  await sql`
    update sync.troubles t set healed_at = now()
    where healed_at is null and not exists (
      select from ${current} where c."userId" = t.user_id and c.kind = t.kind and c.subject = t.subject)`.execute(tx);
  await sql`
    insert into sync.troubles as t (user_id, kind, subject)
    select "userId", kind, subject from ${current} order by 1, 2, 3
    on conflict (user_id, kind, subject) do update set healed_at = null where t.healed_at is not null`.execute(tx);
  const untold = await sql<KnownTrouble>`
    select user_id as "userId", kind, subject, (extract(epoch from since) * 1000)::bigint as "sinceMs"
    from sync.troubles where told_at is null and healed_at is null order by user_id, since, kind, subject`.execute(tx);
  return untold.rows;
}

/** True for the one who tells it. */
export async function markTold(tx: Database, userId: UserId, troubles: Trouble[]): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sync.troubles t set told_at = now()
    from jsonb_to_recordset(${JSON.stringify(troubles)}::jsonb) as c(kind text, subject text)
    where t.user_id = ${userId} and t.kind = c.kind and t.subject = c.subject and t.told_at is null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Fact } from '../rules/notice.ts';

export interface Notice extends Omit<Fact, 'subject'> {
  id: string;
  at: Temporal.Instant;
  read: boolean;
  over: boolean;
}

const mostShown = 100;

export async function listNotices(db: Database, userId: UserId): Promise<Notice[]> {
  const { rows } = await sql<Notice>`
    select id, kind, details, at, read_at is not null as read, over_at is not null as over
    from inbox.notices where user_id = ${userId} order by at desc, id limit ${mostShown}`.execute(db);
  return rows;
}

/** Of what lasts: something that ended by itself is no longer news. */
export async function countUnread(db: Database, userId: UserId): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from inbox.notices
    where user_id = ${userId} and read_at is null and over_at is null`.execute(db);
  return rows[0]?.unread ?? 0;
}

/** Of these, or of all; true where it changed anything. */
export async function markNotices(
  db: Database,
  userId: UserId,
  { ids, read }: { ids?: string[] | undefined; read: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update inbox.notices set read_at = case when ${read} then now() end
    where user_id = ${userId} and (read_at is null) = ${read}
      and (${ids === undefined} or id = any(${ids ?? []}::uuid[]))`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * Brings the rows of a person in line with what is so: whether it changed anything, and what of it is news. What comes back
 * within a day of its end is the same notice and stays read.
 */
export async function keepNotices(
  tx: Tx,
  userId: UserId,
  facts: (Fact & { id: string })[],
): Promise<{ changed: boolean; news: { id: string }[] }> {
  const current = sql`jsonb_to_recordset(${JSON.stringify(facts)}::jsonb)
    as c(id uuid, kind text, subject text, details jsonb)`;
  const old = await sql`
    delete from inbox.notices where user_id = ${userId} and over_at < now() - interval '14 days'`.execute(tx);
  const over = await sql`
    update inbox.notices n set over_at = now()
    where user_id = ${userId} and over_at is null and not exists (
      select from ${current} where c.kind = n.kind and c.subject = n.subject)`.execute(tx);
  const known = await sql<{ id: string; isNews: boolean }>`
    insert into inbox.notices as n (id, user_id, kind, subject, details)
    select id, ${userId}, kind, subject, details from ${current} order by kind, subject
    on conflict (user_id, kind, subject) do update set details = excluded.details, over_at = null,
      at = case when n.over_at < now() - interval '1 day' then now() else n.at end,
      read_at = case when n.over_at < now() - interval '1 day' then null else n.read_at end
    where n.over_at is not null or n.details <> excluded.details
    returning n.id, n.at = now() as "isNews"`.execute(tx);
  const changed = known.rows.length > 0 || [old, over].some(({ numAffectedRows }) => (numAffectedRows ?? 0n) > 0n);
  return { changed, news: known.rows.filter(({ isNews }) => isNews).map(({ id }) => ({ id })) };
}

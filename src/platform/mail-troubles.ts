import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import { type Database, jsonb } from './db.ts';
import { takeAllowances } from './limits.ts';

/** Mails that did not arrive, for the people they concern and for the operator. */

export interface MailTrouble {
  kind: string;
  to: string;
  /** delayed: we go on trying. bounced: there is no such mailbox. failed: refused, or never taken while it was of use. */
  state: 'delayed' | 'failed' | 'bounced';
  /** When it was written. */
  atMs: number;
}

/** One for each address of this person whose newest mail did not get through; empty when all is well. */
export async function listMailTroubles(db: Database, userId: UserId): Promise<MailTrouble[]> {
  const { rows } = await sql<MailTrouble>`
    select kind, "to", case state when 'queued' then 'delayed' else state end as state, "atMs" from (
      select distinct on (recipient) kind, recipient as "to", state, attempts,
        floor(extract(epoch from created_at) * 1000)::float8 as "atMs"
      from platform.mails where user_id = ${userId} order by recipient, created_at desc, id) newest
    where state in ('failed', 'bounced') or state = 'queued' and attempts > 0
    order by "atMs" desc`.execute(db);
  return rows;
}

/**
 * Readers whose newest mail about a subject did not arrive and is not tried again, in lower case. A key begins with
 * `kind:subject:`. Subjects of one group are one to their readers. `like` and `unlike`: forms of the keys that count and do not; `%` is any text.
 * A settled mail is forgotten after 30 days, and its reader is not named from then on.
 */
export async function listUnreached(
  db: Database,
  subjects: readonly { group: string; subject: string; userId: UserId }[],
  { readers, like, unlike }: { readers: readonly string[]; like: string; unlike: string },
): Promise<{ group: string; to: string }[]> {
  if (subjects.length === 0) return [];
  const { rows } = await sql<{ group: string; to: string }>`
    with asked as materialized (
      select * from jsonb_to_recordset(${jsonb(subjects)}) as a("group" text, subject text, "userId" uuid))
    select distinct a."group", lower(m.recipient) as "to"
    from platform.mails m join asked a on a.subject = split_part(m.key, ':', 2)
    where m.state in ('failed', 'bounced') and m.error is distinct from 'withdrawn'
      and m.recipient = any(${[...readers]}::text[]) and m.key like ${like} and m.key not like ${unlike}
      and not exists (
        select from platform.mails n
        where n.user_id in (select "userId" from asked union select m.user_id)
          and (n.created_at, n.id) > (m.created_at, m.id) and n.recipient = m.recipient and n.key like ${like} and n.key not like ${unlike}
          and split_part(n.key, ':', 2) in (select b.subject from asked b where b."group" = a."group"))`.execute(db);
  return rows;
}

export interface OutboxState {
  /** Not sent yet. */
  waiting: number;
  oldestWaitingMs: number;
  /** In the last seven days. */
  sent: number;
  failed: number;
  bounced: number;
  /** The newest answer of a server that did not take a mail, among those that wait or failed. */
  lastError: string | null;
}

/** Mails that were withdrawn, or stopped by their readers, are no trouble of the server. */
const isTrouble = sql`error is distinct from 'withdrawn' and error is distinct from 'stopped'`;

export async function readOutboxState(db: Database): Promise<OutboxState> {
  const { rows } = await sql<OutboxState>`
    select count(*) filter (where state in ('queued', 'sending')) as waiting,
      coalesce(extract(epoch from now() - min(created_at) filter (where state in ('queued', 'sending'))) * 1000, 0)::float8
        as "oldestWaitingMs",
      count(*) filter (where state = 'sent') as sent,
      count(*) filter (where state = 'failed' and ${isTrouble}) as failed,
      count(*) filter (where state = 'bounced') as bounced,
      (array_agg(error order by created_at desc, id desc) filter (where error is not null and ${isTrouble}))[1] as "lastError"
    from platform.mails where settled_at is null or settled_at > now() - interval '7 days'`.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('a count gave no row');
  return state;
}

export interface OutboxPace {
  waiting: number;
  oldestWaitingMs: number;
  /** Within the last hour. */
  sent: number;
  refused: number;
  /** Half of those were sent sooner after they were written; null where none was sent. */
  delayMs: number | null;
}

/** How mail goes right now. */
export async function readOutboxPace(db: Database): Promise<OutboxPace> {
  const { rows } = await sql<OutboxPace>`
    select w.*, s.* from
      (select count(*) as waiting,
        coalesce(extract(epoch from now() - min(created_at)) * 1000, 0)::float8 as "oldestWaitingMs"
        from platform.mails where state in ('queued', 'sending')) w,
      (select count(*) filter (where state = 'sent') as sent, count(*) filter (where state <> 'sent' and ${isTrouble}) as refused,
        round(percentile_cont(0.5) within group (order by extract(epoch from settled_at - created_at) * 1000)
          filter (where state = 'sent'))::float8 as "delayMs"
        from platform.mails where settled_at > now() - interval '1 hour') s`.execute(db);
  return rows[0] ?? { waiting: 0, oldestWaitingMs: 0, sent: 0, refused: 0, delayMs: null };
}

/**
 * Whether one more mail of a kind may go to an address now: five an hour unless told otherwise, so that nobody's mailbox is
 * filled through us. Counts across processes and accounts; asks for nothing when it says no.
 */
export async function mayMailTo(
  db: Database,
  kind: string,
  address: string,
  { burst = 5, periodSeconds = 3600 }: { burst?: number; periodSeconds?: number } = {},
): Promise<boolean> {
  const subject = address.normalize('NFKC').toLowerCase();
  return (await takeAllowances(db, { action: `mail ${kind}`, burst, periodSeconds }, [subject])).has(subject);
}

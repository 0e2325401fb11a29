import { type RawBuilder, sql } from 'kysely';
import type { RunId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Mailboxes that workflows write to: readers who have confirmed them to a host, or stopped the host's mails, and runs that wait for them. */

export interface Reader {
  /** In the links that stop their mails or confirm their address: a secret that only their mails carry. */
  id: string;
  hostId: UserId;
  /** In the form for limits. */
  mailbox: string;
  isStopped: boolean;
  isConfirmed: boolean;
}

const readerColumns = sql`r.id, r.user_id as "hostId", r.address as mailbox, r.stopped_at is not null as "isStopped",
  r.confirmed_at is not null as "isConfirmed"`;

/** The readers of these mailboxes, made where there were none. */
export async function keepReaders(tx: Tx, given: readonly Pick<Reader, 'hostId' | 'mailbox'>[]): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    insert into workflows.readers as r (id, user_id, address)
    select gen_random_uuid(), user_id, address from (
      select distinct * from unnest(${given.map(({ hostId }) => hostId)}::uuid[],
        ${given.map(({ mailbox }) => mailbox)}::text[]) as given(user_id, address)) one
    order by user_id, address
    on conflict (user_id, address) do update set address = r.address
    returning ${readerColumns}`.execute(tx);
  return rows;
}

export async function findReader(db: Database, id: string): Promise<Reader | null> {
  const { rows } = await sql<Reader>`
    select ${readerColumns} from workflows.readers r where r.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Stops the mails of a host's workflows to a reader; asked twice, it is done all the same. */
export async function stopReader(tx: Tx, id: string): Promise<void> {
  await sql`update workflows.readers set stopped_at = now() where id = ${id} and stopped_at is null`.execute(tx);
}

/** The readers who were not asked to confirm their address within a day. They count as asked now. */
export async function takeAsks(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update workflows.readers set asked_at = now()
    where id = any(${ids}::uuid[]) and (asked_at is null or asked_at < now() - interval '1 day') returning id`.execute(
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Notes that these runs wait for a reader. */
export async function noteWaiting(tx: Tx, waiting: readonly { readerId: string; runId: RunId }[]): Promise<void> {
  await sql`
    insert into workflows.waiting_runs (reader_id, run_id)
    select * from unnest(${waiting.map(({ readerId }) => readerId)}::uuid[], ${waiting.map(({ runId }) => runId)}::uuid[])
    on conflict do nothing`.execute(tx);
}

/**
 * A reader confirms their address to a host, whose mails they may have stopped before. Runs that waited for the
 * confirmation become due.
 */
export async function confirmReader(tx: Tx, id: string, nowMs: number): Promise<void> {
  await sql`update workflows.readers set confirmed_at = now(), stopped_at = null where id = ${id}`.execute(tx);
  await wakeRuns(tx, sql`w.reader_id = ${id}`, nowMs);
}

/** A guest has confirmed a mailbox to the hosts of a booking: runs that wait for it are due, and judged again. */
export async function wakeRunsOf(tx: Tx, mailbox: string, nowMs: number): Promise<void> {
  await wakeRuns(tx, sql`w.reader_id in (select id from workflows.readers where address = ${mailbox})`, nowMs);
}

async function wakeRuns(tx: Tx, which: RawBuilder<unknown>, nowMs: number): Promise<void> {
  await sql`
    with held as materialized (
      select r.id from workflows.runs r join workflows.waiting_runs w on w.run_id = r.id
      where ${which} and r.state = 'planned' and r.reason = 'unproved' order by r.id for update of r)
    update workflows.runs r set next_ms = ${nowMs} from held where r.id = held.id`.execute(tx);
}

/** Readers who stopped a host's mails, for exports. */
export async function listStopped(db: Database, userId: UserId): Promise<object[]> {
  const { rows } = await sql<object>`
    select address, stopped_at as "stoppedAt" from workflows.readers
    where user_id = ${userId} and stopped_at is not null order by address`.execute(db);
  return rows;
}

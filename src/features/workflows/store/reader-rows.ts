import { sql } from 'kysely';
import type { RunId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Addresses that workflows write to, in lower case: who has stopped the mails of a host, and which run wrote to one that is not proved. */

export interface Reader {
  /** In the link that stops their mails. */
  id: string;
  hostId: UserId;
  address: string;
  isStopped: boolean;
}

/** The readers of these addresses, made where there were none. */
export async function keepReaders(tx: Tx, given: readonly Pick<Reader, 'hostId' | 'address'>[]): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    insert into workflows.readers as r (id, user_id, address)
    select gen_random_uuid(), user_id, address from (
      select distinct * from unnest(${given.map(({ hostId }) => hostId)}::uuid[],
        ${given.map(({ address }) => address.toLowerCase())}::text[]) as given(user_id, address)) one
    order by user_id, address
    on conflict (user_id, address) do update set address = r.address
    returning r.id, r.user_id as "hostId", r.address, r.stopped_at is not null as "isStopped"`.execute(tx);
  return rows;
}

export async function findReader(db: Database, id: string): Promise<Reader | null> {
  const { rows } = await sql<Reader>`
    select id, user_id as "hostId", address, stopped_at is not null as "isStopped" from workflows.readers
    where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Stops the mails of a host's workflows to a reader; asked twice, it is done all the same. */
export async function stopReader(db: Database, id: string): Promise<void> {
  await sql`update workflows.readers set stopped_at = now() where id = ${id} and stopped_at is null`.execute(db);
}

export interface FirstMail {
  subject: string;
  address: string;
  runId: RunId;
}

/** Which run has the one mail to each address about each subject; of those who ask for the same, the first given. */
export async function takeFirstMails(tx: Tx, wanted: readonly FirstMail[]): Promise<FirstMail[]> {
  const { rows } = await sql<FirstMail>`
    insert into workflows.first_mails as f (subject, address, run_id)
    select distinct on (subject, address) subject, address, run_id
    from unnest(${wanted.map(({ subject }) => subject)}::text[],
      ${wanted.map(({ address }) => address.toLowerCase())}::text[],
      ${wanted.map(({ runId }) => runId)}::uuid[]) with ordinality as given(subject, address, run_id, n)
    order by subject, address, n
    on conflict (subject, address) do update set run_id = f.run_id
    returning f.subject, f.address, f.run_id as "runId"`.execute(tx);
  return rows;
}

/** Who has stopped a host's mails, for exports. */
export async function listStopped(db: Database, userId: UserId): Promise<object[]> {
  const { rows } = await sql<object>`
    select address, stopped_at as "stoppedAt" from workflows.readers
    where user_id = ${userId} and stopped_at is not null order by address`.execute(db);
  return rows;
}

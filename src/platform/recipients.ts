import { sql } from 'kysely';
import { type Database, jsonb, type Tx } from './db.ts';

/**
 * Mails to addresses that nobody has proved: all SQL on `platform.recipients`. One row is one mailbox. Its lock makes the
 * count exact: the sender that comes second waits for the first one to commit.
 */

/** Mails to one mailbox in 24 hours, over all hosts, guests, and kinds (decision 0070). */
export const mostMails = 10;
const windowHours = 24;

/** All addresses of one mailbox: `Ada+news@example.org` is `ada@example.org`. */
export function mailboxOf(address: string): string {
  const [local = '', ...domain] = address.toLowerCase().split('@');
  const plus = local.indexOf('+');
  return [plus > 0 ? local.slice(0, plus) : local, ...domain].join('@');
}

export interface Wanted {
  address: string;
  /** False: the caller has counted this mail before. */
  isCounted: boolean;
  /** True: it ends an invitation that went to this address, and goes out whatever the count. */
  isOwed?: boolean;
}

/**
 * Decides about mails in their order: the id for the link that stops them, or null where no more may go out.
 * The rows stay locked until the transaction ends.
 */
export async function admitMails(tx: Tx, wanted: readonly Wanted[]): Promise<(string | null)[]> {
  const verdicts = wanted.map((): string | null => null);
  // a statement takes one mail of each mailbox
  let round = wanted.map(({ address, isCounted, isOwed = false }, place) => ({
    place,
    mailbox: mailboxOf(address),
    n: isCounted ? 1 : 0,
    owed: isOwed,
  }));
  while (round.length > 0) {
    const firsts = new Map(round.toReversed().map((one) => [one.mailbox, one]));
    const { rows } = await sql<{ mailbox: string; id: string }>`
      with given as (
        select * from jsonb_to_recordset(${jsonb([...firsts.values()])}) as one(mailbox text, n int, owed boolean))
      insert into platform.recipients as r (mailbox, mails) select mailbox, n from given order by mailbox
      on conflict (mailbox) do update set
        mails = least(excluded.mails + case when ${isOver} then 0 else r.mails end, ${mostMails}),
        since = case when ${isOver} then clock_timestamp() else r.since end
        where r.stopped_at is null and (${isOver} or r.mails + excluded.mails <= ${mostMails}
          or (select owed from given where given.mailbox = r.mailbox))
      returning mailbox, id`.execute(tx);
    for (const { mailbox, id } of rows) {
      const one = firsts.get(mailbox);
      if (one !== undefined) verdicts[one.place] = id;
    }
    round = round.filter((one) => firsts.get(one.mailbox) !== one);
  }
  return verdicts;
}

const isOver = sql`r.since <= clock_timestamp() - make_interval(hours => ${windowHours})`;

/** One mail to an address, before it is written. False: no more may go out. */
export async function takeMail(tx: Tx, address: string): Promise<boolean> {
  const [id] = await admitMails(tx, [{ address, isCounted: true }]);
  return id !== null;
}

export interface MailRecipient {
  id: string;
  mailbox: string;
  isStopped: boolean;
}

export async function findRecipient(db: Database, id: string): Promise<MailRecipient | null> {
  const { rows } = await sql<MailRecipient>`
    select id, mailbox, stopped_at is not null as "isStopped" from platform.recipients where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The addresses, in lower case, whose readers have stopped mails. */
export async function listStopped(db: Database, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ mailbox: string }>`
    select mailbox from platform.recipients
    where mailbox = any(${addresses.map(mailboxOf)}::text[]) and stopped_at is not null`.execute(db);
  const stopped = new Set(rows.map(({ mailbox }) => mailbox));
  return new Set(
    addresses.map((address) => address.toLowerCase()).filter((address) => stopped.has(mailboxOf(address))),
  );
}

/** Stops all mails to an address that it has not asked for. */
export async function stopRecipient(db: Database, id: string): Promise<void> {
  await sql`update platform.recipients set stopped_at = clock_timestamp()
    where id = ${id} and stopped_at is null`.execute(db);
}

/** The reader of an address has confirmed it. */
export async function resumeRecipient(tx: Tx, address: string): Promise<void> {
  await sql`update platform.recipients set stopped_at = null
    where mailbox = ${mailboxOf(address)} and stopped_at is not null`.execute(tx);
}

const keptDays = 90;

/** Removes addresses that got no mail for long. One that is stopped stays so. */
export async function trimRecipients(db: Database): Promise<void> {
  await sql`delete from platform.recipients
    where stopped_at is null and since < now() - make_interval(days => ${keptDays})`.execute(db);
}

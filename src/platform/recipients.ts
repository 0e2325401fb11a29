import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#kernel/errors.ts';
import { type Database, jsonb, type Tx } from './db.ts';

/**
 * Mails to addresses that nobody has proved: all SQL on `platform.recipients`. One row is one mailbox. Its lock makes the
 * count exact: the sender that comes second waits for the first one to commit.
 */

/** Mails to one mailbox in 24 hours, over all hosts, guests, and kinds (decisions 0070 and 0081). */
export const mostMails = 20;
const windowHours = 24;

/**
 * The part of a mailbox's day that a kind of mail may use. `within`: it goes out while the day had fewer mails of all kinds,
 * so that the rest is kept for the kinds below. `first`: the same for the first mail of a sender, which thus reaches the
 * mailbox although a few others have sent all that they may. `ofSender`: mails of one sender, over all kinds.
 */
const shares = {
  /** A host or a member named the address: brought guests, invitations, workflows. */
  named: { within: 6, first: mostMails - 4, ofSender: 3 },
  /** The sender entered the address as their own: bookings, newsletter. */
  given: { within: 8, first: mostMails - 2, ofSender: 5 },
  /** The same for an account: sign-up, its links, a change of its address. */
  account: { within: 10, first: mostMails, ofSender: 5 },
} as const;

/**
 * Mails of a day about invitations that a mailbox has: of one invitation, and of all of a sender. Beyond `within` only the
 * first one of each invitation goes out. `soon` is one more mail of an invitation, kept for the hours before it begins.
 */
const followUps = { within: 36, first: 60, ofThing: 6, ofSender: 18, soon: 1 } as const;
const unlimited = 1_000_000;

export interface MailSource {
  share: keyof typeof shares;
  /** The account that caused the mail, or the form that anybody can send. */
  sender: string;
  /** The invitation that the mail follows up. Its mailbox has it: the mail does not count as one more. */
  of?: string;
  /** True: what was invited to begins within hours. */
  isSoon?: boolean;
}

/**
 * Domains whose addresses lead to one mailbox, and the signs that their provider does not read in a name, or reads as a dot.
 * Sources: support.google.com/mail/answer/7436150 and 10313, support.apple.com/102529, proton.me/support/pm-me-email-address,
 * yandex.com/support/mail/reg.html (domain aliases; a dot and a dash of a username are equal).
 */
const providers: readonly { domains: readonly string[]; unread: RegExp | null; dot?: RegExp }[] = [
  { domains: ['gmail.com', 'googlemail.com'], unread: /\./g },
  { domains: ['icloud.com', 'me.com', 'mac.com'], unread: null },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], unread: /[._-]/g },
  {
    domains: ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz'],
    unread: null,
    dot: /-/g,
  },
];

/** The key of a mailbox: `A.da+news@googlemail.com` is `ada@gmail.com`. Mail is sent to the address as given. */
export function mailboxOf(address: string): string {
  const plain = address.normalize('NFKC').toLowerCase();
  const at = plain.lastIndexOf('@');
  const typed = plain.slice(at + 1);
  // one spelling of an international domain, and none that ends in a dot
  const domain = (URL.parse(`http://${typed}`)?.hostname ?? typed).replace(/\.$/, '');
  const plus = plain.indexOf('+');
  const local = plain.slice(0, plus > 0 && plus < at ? plus : at);
  const provider = providers.find(({ domains }) => domains.includes(domain));
  if (provider === undefined) return `${local}@${domain}`;
  const { domains, unread, dot } = provider;
  const read = unread === null ? local : local.replaceAll(unread, '');
  return `${dot === undefined ? read : read.replaceAll(dot, '.')}@${domains[0]}`;
}

/** The page that stops mails to a mailbox. It names the address that the mail went to, where that is another spelling. */
export const stopPath = (id: string, address: string): string =>
  `/unsubscribe/${id}${mailboxOf(address) === address.toLowerCase() ? '' : `?to=${encodeURIComponent(address)}`}`;

export interface Wanted extends MailSource {
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
  let round = wanted.map(({ address, isCounted, isOwed = false, ...source }, place) => ({
    place,
    mailbox: mailboxOf(address),
    n: isCounted ? 1 : 0,
    free: isOwed || !isCounted,
    ...countOf(source),
  }));
  while (round.length > 0) {
    const firsts = new Map(round.toReversed().map((one) => [one.mailbox, one]));
    const { rows } = await sql<{ mailbox: string; id: string }>`
      with given as (
        select * from jsonb_to_recordset(${jsonb([...firsts.values()])})
          as one(mailbox text, sender text, n int, free boolean, within int, first int, "ofSender" int,
            "isFollowUp" boolean, "by" text, "mostBy" int)),
      fresh as (select *, jsonb_build_object(sender, n) || case when "isFollowUp"
        then jsonb_build_object("by", n, ${total}::text, n) else '{}' end as counts from given)
      insert into platform.recipients as r (mailbox, mails, senders)
      select mailbox, case when "isFollowUp" then 0 else n end, counts from fresh order by mailbox
      on conflict (mailbox) do update set
        mails = least(excluded.mails + case when ${isOver} then 0 else r.mails end, ${mostMails}),
        senders = case when ${isOver} then excluded.senders
          else r.senders || (select jsonb_object_agg(key, coalesce((r.senders ->> key)::int, 0) + value::int)
            from fresh, jsonb_each_text(fresh.counts) where fresh.mailbox = r.mailbox) end,
        since = case when ${isOver} then clock_timestamp() else r.since end
        where r.stopped_at is null and (${isOver}
          or (select free
            or (case when "isFollowUp" then ${countedAs(sql`${total}::text`)} else r.mails end
                < case ${countedAs(sql`sender`)} when 0 then first else within end
              and ${countedAs(sql`sender`)} < "ofSender" and ${countedAs(sql`"by"`)} < "mostBy")
            from given where given.mailbox = r.mailbox))
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
/** The key of all follow-ups of a mailbox. */
const total = 'follow-ups';
const countedAs = (key: RawBuilder<unknown>) => sql`coalesce((r.senders ->> ${key})::int, 0)`;

/** The counters of a mail, and their limits. */
function countOf({ share, sender, of, isSoon = false }: MailSource) {
  if (of === undefined) return { ...shares[share], sender, isFollowUp: false, by: sender, mostBy: unlimited };
  const { within, first, ofThing, ofSender, soon } = followUps;
  const by = `by ${sender}`;
  return isSoon
    ? {
        within: unlimited,
        first: unlimited,
        ofSender: soon,
        sender: `soon ${of}`,
        isFollowUp: true,
        by,
        mostBy: unlimited,
      }
    : { within, first, ofSender: ofThing, sender: `of ${of}`, isFollowUp: true, by, mostBy: ofSender };
}

/** One mail to an address, before it is written. False: no more may go out. */
export async function takeMail(tx: Tx, address: string, source: MailSource): Promise<boolean> {
  const [id] = await admitMails(tx, [{ ...source, address, isCounted: true }]);
  return id !== null;
}

/** The refusal of an act that is of no use without its mail. It does not tell a limit from a reader who stopped mails. */
export const noMoreMails = () =>
  new AppError('limited', 'LIMITED', 'This address has received too many emails. Try again in 24 hours.', {
    retryAfterMs: windowHours * 3_600_000,
  });

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

/** The same for a mailbox that may have had no such mail. */
export async function stopMailbox(db: Database, address: string): Promise<MailRecipient> {
  const { rows } = await sql<MailRecipient>`
    insert into platform.recipients as r (mailbox, mails, stopped_at) values (${mailboxOf(address)}, 0, clock_timestamp())
    on conflict (mailbox) do update set stopped_at = coalesce(r.stopped_at, clock_timestamp())
    returning id, mailbox, true as "isStopped"`.execute(db);
  const [kept] = rows;
  if (kept === undefined) throw new Error('no recipient was kept');
  return kept;
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

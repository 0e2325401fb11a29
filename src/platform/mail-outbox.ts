import { type RawBuilder, sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Keyring } from './crypto.ts';
import { type Database, jsonb, type Tx } from './db.ts';
import type { Mailbox, MailCalendar, MailContent, MailLogo } from './mail-message.ts';

/**
 * The outbox: all SQL on `platform.mails`. A mail is `queued`, then `sending` while a worker speaks with the server.
 * Its end is `sent`, `failed` (given up, or refused) or `bounced` (no such mailbox).
 */

/** The sealed part, which may hold a code or the name of a meeting. */
export interface MailBody {
  locale: string;
  content: MailContent;
  fromName?: string;
  replyTo?: Mailbox;
  color?: string;
  logo?: MailLogo;
  calendar?: MailCalendar;
  stopUrl?: string;
}

export interface OutboxMail {
  id: string;
  /** Batch that one job sends; null for a single mail. */
  batch: string | null;
  messageId: string;
  kind: string;
  to: string;
  attempts: number;
  createdAtMs: number;
  body: MailBody;
}

const mostAgeMs = 3 * 86_400_000;

/** The reason of a mail that was given up as what it says is not so any more. */
const withdrawn = 'withdrawn';
/** The reason of a mail whose reader stopped mails. */
export const stopped = 'stopped';
const isTakenBack = sql`error = any(${[withdrawn, stopped]}::text[])`;

export interface NewMail {
  id: string;
  key: string;
  messageId: string;
  kind: string;
  to: string;
  userId: UserId | null;
  body: MailBody;
  about?: readonly string[] | undefined;
  /** From now on, by whichever clock: the database has one of its own. At most three days. */
  expiresInMs: number | undefined;
  forget: boolean;
}

/** Inserts mails and returns the ids of new ones. A mail whose key the outbox has or had is skipped. */
export async function insertMails(
  tx: Tx,
  keyring: Keyring,
  mails: readonly NewMail[],
  batch: string | null = null,
): Promise<string[]> {
  const given = mails.map((mail) => ({
    ...mail,
    body: keyring.seal(JSON.stringify(mail.body), placeOf(mail.id)),
    expiresInMs: Math.min(mail.expiresInMs ?? mostAgeMs, mostAgeMs),
  }));
  const { rows } = await sql<{ id: string }>`
    insert into platform.mails (id, batch, key, message_id, kind, recipient, user_id, forget, body, about, created_at,
      expires_at)
    select id, ${batch}::uuid, key, "messageId", kind, "to", "userId", forget, body, about, clock_timestamp(),
      now() + make_interval(secs => "expiresInMs" / 1000)
    from jsonb_to_recordset(${jsonb(given)}) as given(id uuid, key text, "messageId" text, kind text, "to" text,
      "userId" uuid, forget boolean, body text, about text[], "expiresInMs" float8)
    on conflict (key) do nothing returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

const columns = sql`id, batch, message_id as "messageId", kind, recipient as "to", attempts,
  floor(extract(epoch from created_at) * 1000)::float8 as "createdAtMs", body`;

type Row = Omit<OutboxMail, 'body'> & { body: string };

const open = (keyring: Keyring, { body, ...row }: Row): OutboxMail => ({
  ...row,
  body: JSON.parse(keyring.open(body, placeOf(row.id))) as MailBody,
});

/** Mails that wait to be sent, with their contents, newest first. */
export async function listWaitingMails(
  db: Database,
  keyring: Keyring,
  { to, limit = 100 }: { to?: string; limit?: number } = {},
): Promise<OutboxMail[]> {
  const ofOne = to === undefined ? sql`true` : sql`lower(recipient) = lower(${to})`;
  const { rows } = await sql<Row>`select ${columns} from platform.mails where body is not null and ${ofOne}
    order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows.map((row) => open(keyring, row));
}

/** One of those, or null. */
export async function findWaitingMail(db: Database, keyring: Keyring, id: string): Promise<OutboxMail | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const { rows } = await sql<Row>`select ${columns} from platform.mails
    where id = ${id} and body is not null`.execute(db);
  const [row] = rows;
  return row === undefined ? null : open(keyring, row);
}

/**
 * Mails about one thing reach a reader in the order in which they were written. A mail does not wait for an attempt after
 * which it would be of no use.
 */
const isItsTurn = sql`(mails.about is null or not exists (
  select from platform.mails earlier
  where earlier.recipient = mails.recipient and earlier.about && mails.about
    and earlier.created_at < mails.created_at and earlier.next_attempt_at < mails.expires_at
    and (earlier.state = 'sending' and earlier.next_attempt_at > clock_timestamp()
      or earlier.state in ('queued', 'sending') and earlier.expires_at > clock_timestamp())))`;

/** Longer than an attempt takes; a mail that is `sending` for longer has lost its job. */
const attemptMinutes = 15;

/**
 * Claims due mails of a batch, or a single mail, for this attempt; empty if none is left. The holder of their job may
 * claim them, also from a worker that died while sending. The number of the attempt then refuses late reports of that
 * worker.
 */
export async function claimMails(db: Database, keyring: Keyring, batch: string, limit: number): Promise<OutboxMail[]> {
  const { rows } = await sql<Row>`
    with due as materialized (
      select id as due_id from platform.mails
      where (batch = ${batch} or id = ${batch} and batch is null)
        and (state = 'sending' or state = 'queued' and next_attempt_at <= clock_timestamp())
        and coalesce(not_before <= clock_timestamp(), true) and expires_at > clock_timestamp() and ${isItsTurn}
      order by id limit ${limit} for update)
    update platform.mails set state = 'sending', attempts = attempts + 1,
      next_attempt_at = clock_timestamp() + make_interval(mins => ${attemptMinutes})
    from due where id = due_id
    returning ${columns}`.execute(db);
  return rows.map((row) => open(keyring, row));
}

export interface MailEnd {
  id: string;
  attempts: number;
  state: 'sent' | 'failed' | 'bounced';
  error: string | null;
}

/** A mail that is sent alone, or a batch. */
export interface Delivery {
  id: string;
  isBatch: boolean;
}

/**
 * Records where and why attempts ended; not of those that another attempt has taken over. Returns what may have waited for
 * them.
 */
export async function settleMails(db: Database, ends: readonly MailEnd[]): Promise<Delivery[]> {
  // the outbox is no archive: a finished mail loses its body, which may have held a code
  const { rows } = await sql<Delivery>`
    with ended as (
      update platform.mails m set state = g.state, error = g.error, body = null, settled_at = clock_timestamp()
      from jsonb_to_recordset(${jsonb(ends)}) as g(id uuid, attempts int, state text, error text)
      where m.id = g.id and m.state = 'sending' and m.attempts = g.attempts
      returning m.recipient, m.about, m.created_at, m.batch)
    select distinct coalesce(later.batch, later.id) as id, later.batch is not null as "isBatch"
    from ended join platform.mails later on later.recipient = ended.recipient and later.about && ended.about
    where later.state = 'queued' and later.created_at > ended.created_at and later.next_attempt_at <= clock_timestamp()
      and (later.batch is null or later.batch is distinct from ended.batch)`.execute(db);
  return rows;
}

/** Postpones a mail as a single one; false if another attempt has taken over. */
export async function postponeMail(
  db: Database,
  { id, attempts }: Pick<OutboxMail, 'id' | 'attempts'>,
  again: { afterMs: number; error: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('platform.mails')
    .set({
      state: 'queued',
      batch: null,
      // a mail that was withdrawn meanwhile stays so
      error: sql<string>`case when ${isTakenBack} then error else ${again.error} end`,
      next_attempt_at: sql<Temporal.Instant>`clock_timestamp() + make_interval(secs => ${again.afterMs / 1000}::float8)`,
    })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Mails, and batches of them, that should have been taken up by now: no job knows them, e.g. as there was no SMTP server when
 * they were written.
 */
export async function listOverdueMails(db: Database, limit: number): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select coalesce(batch, id) as id, bool_or(batch is not null) as "isBatch" from platform.mails
    where state in ('queued', 'sending') and next_attempt_at <= clock_timestamp() - interval '10 s'
      and coalesce(not_before <= clock_timestamp(), true) and expires_at > clock_timestamp() and ${isItsTurn}
    group by 1 order by min(next_attempt_at), 1 limit ${limit}`.execute(db);
  return rows;
}

/** Gives up expired mails; a mail that is being sent ends with its attempt. */
export async function expireMails(db: Database): Promise<{ id: string; kind: string; error: string }[]> {
  const { rows } = await sql<{ id: string; kind: string; error: string }>`
    update platform.mails set state = 'failed', body = null, settled_at = clock_timestamp(),
      error = case when ${isTakenBack} then error
        else coalesce('not taken in time: ' || error, 'not sent in time') end
    where expires_at <= clock_timestamp()
      and (state = 'queued' or state = 'sending' and next_attempt_at <= clock_timestamp())
    returning id, kind, error`.execute(db);
  return rows;
}

/** Gives up a mail that waits, whatever the reason: what it would say is not so any more. */
export const withdrawMail = (tx: Tx, key: string) => withdrawMails(tx, [key]);

/**
 * The same of several. An attempt that is under way is their last one: where it fails, they were withdrawn. One statement
 * decides, so that no attempt begins unseen meanwhile.
 */
export async function withdrawMails(
  tx: Tx,
  keys: readonly string[],
  reason: typeof withdrawn | typeof stopped = withdrawn,
): Promise<void> {
  await sql`
    update platform.mails set error = ${reason}, expires_at = clock_timestamp(),
      state = case state when 'queued' then 'failed' else state end,
      body = case state when 'queued' then null else body end,
      settled_at = case state when 'queued' then clock_timestamp() end
    where key = any(${keys}::text[]) and state in ('queued', 'sending')`.execute(tx);
}

/** The same of mails about these people whose keys are of such a form; `%` in it is any text. */
export async function withdrawMailsLike(tx: Tx, userIds: readonly UserId[], forms: readonly string[]): Promise<void> {
  const found = await listMailsLike(tx, userIds, forms);
  if (found.length > 0)
    await withdrawMails(
      tx,
      found.map(({ key }) => key),
    );
}

/** The mails that `withdrawMailsLike` would take back, and their readers. */
export async function listMailsLike(
  tx: Tx,
  userIds: readonly UserId[],
  forms: readonly string[],
): Promise<{ key: string; to: string }[]> {
  const like = sql<{ key: string; to: string }>`select key, recipient as "to" from platform.mails
    where user_id = any(${userIds}::uuid[]) and state in ('queued', 'sending') and key like any(${forms}::text[])`;
  return (await like.execute(tx)).rows;
}

/** The same of mails to a reader who has just stopped them: of those with this link, or with any link that stops them. */
export async function withdrawStopped(
  tx: Tx,
  keyring: Keyring,
  isReader: (address: string) => boolean,
  stopUrl?: string,
): Promise<void> {
  const { rows } = await sql<{ id: string; key: string; to: string }>`
    select id, key, recipient as "to" from platform.mails where state in ('queued', 'sending')`.execute(tx);
  const found = rows.filter(({ to }) => isReader(to));
  if (found.length === 0) return;
  const { rows: sealed } = await sql<{ id: string; key: string; body: string }>`
    select id, key, body from platform.mails
    where id = any(${found.map(({ id }) => id)}::uuid[]) and body is not null`.execute(tx);
  const unwanted = sealed.filter(({ id, body }) => {
    const own = (JSON.parse(keyring.open(body, placeOf(id))) as MailBody).stopUrl;
    return own !== undefined && (stopUrl === undefined || own === stopUrl);
  });
  await withdrawMails(
    tx,
    unwanted.map(({ key }) => key),
    stopped,
  );
}

/**
 * Delays attempts of the mails about these people whose keys have such a form. An attempt that is under way may end;
 * the next one waits too.
 */
export async function delayMailsLike(
  db: Database,
  userIds: readonly UserId[],
  forms: readonly string[],
  forMs: number,
): Promise<void> {
  await sql`
    update platform.mails
    set not_before = greatest(not_before, clock_timestamp() + make_interval(secs => ${forMs / 1000}::float8))
    where user_id = any(${userIds}::uuid[]) and state in ('queued', 'sending')
      and key like any(${forms}::text[])`.execute(db);
}

/** The states of mails by their keys. Keys that the outbox no longer has are left out. */
export async function listMailStates(
  db: Database,
  keys: readonly string[],
): Promise<{ key: string; to: string; state: string; attempts: number; error: string | null }[]> {
  if (keys.length === 0) return [];
  const known = sql<{ key: string; to: string; state: string; attempts: number; error: string | null }>`
    select key, recipient as "to", state, attempts, error from platform.mails where key = any(${keys}::text[])`;
  return (await known.execute(db)).rows;
}

const [settledKeptDays, waitingKeptDays] = [30, 7];

/** Removes what is settled for long, and what nobody sends: an install without an SMTP server has no use for old mail. */
export async function trimMails(db: Database): Promise<number> {
  const daysAgo = (days: number): RawBuilder<Temporal.Instant> => sql`now() - make_interval(days => ${days})`;
  const { numDeletedRows } = await db
    .deleteFrom('platform.mails')
    .where((where) =>
      where.or([
        where('settled_at', '<', daysAgo(settledKeptDays)),
        where.and([where('settled_at', 'is', null), where('created_at', '<', daysAgo(waitingKeptDays))]),
      ]),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Everything that was written to or about somebody, sent or not. For an account that is deleted. */
export async function forgetMails(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('platform.mails').where('user_id', '=', userId).execute();
}

/** Whether anything written to or about somebody has still to be sent. */
export async function hasWaitingMails(db: Database, userId: UserId): Promise<boolean> {
  const { rows } = await sql`
    select from platform.mails where user_id = ${userId} and state in ('queued', 'sending') limit 1`.execute(db);
  return rows.length > 0;
}

function placeOf(id: string) {
  return { table: 'platform.mails', row: id, column: 'body' };
}

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { listUpdateReaders } from '#features/accounts/people/public.ts';
import { listHosts } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { confirmReader, findReader, type Reader, stopReader } from '#features/workflows/public.ts';
import { csvRow } from '#kernel/csv.ts';
import { AppError } from '#kernel/errors.ts';
import { solutionField } from '#kernel/solve-challenge.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { type Database, inTransaction } from '#platform/db.ts';
import { defineJob } from '#platform/jobs.ts';
import { takeAllowances, takeNetworkAllowance } from '#platform/limits.ts';
import { withdrawStopped } from '#platform/mail-outbox.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { demandWork } from '#platform/proof-of-work.ts';
import {
  findRecipient,
  type MailRecipient,
  mailboxOf,
  resumeRecipient,
  stopMailbox,
  stopPath,
  stopRecipient,
} from '#platform/recipients.ts';
import { subscribeMail } from './mail.ts';
import { asksPerNetwork, busySubscribing, confirmDays, mailsPerSubscriber } from './rules.ts';
import { getSiteVisitor, showSaying } from './site.ts';
import {
  awaitConfirmation,
  confirmWaiting,
  createSubscriber,
  deleteSubscriber,
  findSubscribed,
  findWaiting,
  listConfirmed,
  lockSubscriber,
} from './store.ts';

/**
 * Takes an address for the newsletter. Neither the answer nor its time shows whether the address is known: a job decides
 * what to mail.
 */
export async function subscribe(app: App, call: PageCall): Promise<PageAnswer> {
  const email = canonicalEmail(call.form.get('email') ?? '');
  if (email === null) return showSaying(app, call, 'subscribe.wrong', { status: 422 });
  const solution = call.form.get(solutionField) ?? undefined;
  try {
    await takeNetworkAllowance(app.db, asksPerNetwork, call.request.ip);
    await demandWork(app, busySubscribing, solution);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'CHALLENGE') return showChallenge(app, call, email, error.fields?.challenge);
    if (error.kind !== 'limited') throw error;
    return showSaying(app, call, solution === '' ? 'subscribe.busy' : 'subscribe.limited', { status: 429 });
  }
  const { locale } = getSiteVisitor(app, call);
  await inTransaction(app.db, async (tx) => {
    const id = await createSubscriber(tx, randomUUID(), email);
    await app.jobs.send(askSubscriber, { id, locale }, { tx, key: id });
  });
  return showSaying(app, call, 'subscribe.asked');
}

const showChallenge = (app: App, call: PageCall, email: string, challenge: string | undefined) =>
  showSaying(app, call, 'subscribe.working', {
    status: 409,
    action: { to: '/subscribe', label: 'subscribe.button', fields: { email, [solutionField]: '' } },
    challenge,
  });

/** Asks a typed address for confirmation. It runs for known subscribers too, so that both answers take the same time. */
export const askSubscriber = defineJob({
  name: 'site.ask-subscriber',
  payload: z.strictObject({ id: z.uuid(), locale: z._default(z.string(), 'en') }),
  handle: (app, { id, locale }) => mailSubscriber(app, id, locale),
});

/** Mails the owner of an address for confirmation, unless it is confirmed already. */
async function mailSubscriber(
  app: Pick<App, 'db' | 'config' | 'clock' | 'mail'>,
  id: string,
  locale: string,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const known = await lockSubscriber(tx, id);
    if (known === null || known.confirmed) return;
    if ((await takeAllowances(tx, mailsPerSubscriber, [mailboxOf(known.email)])).size === 0) return;
    const token = randomBytes(16).toString('base64url');
    const tokenHash = hashToken(token);
    const { publicUrl } = app.config;
    const mail = subscribeMail({
      key: tokenHash.toString('hex').slice(0, 32),
      to: known.email,
      locale,
      site: new URL(publicUrl).host,
      confirmUrl: `${publicUrl}/subscribe/${token}`,
      expiresAtMs: app.clock.nowMs() + confirmDays * 86_400_000,
    });
    // the link of an earlier mail stays good where this one does not go out
    if (await app.mail.send(tx, mail)) await awaitConfirmation(tx, id, tokenHash);
  });
}

/**
 * Confirms a subscription, or an address for the workflow mails of a host. Opening the link only asks, since mail scanners open
 * links too; the form confirms.
 */
export async function confirmSubscription(app: App, call: PageCall): Promise<PageAnswer> {
  const token = call.params.token ?? '';
  const reader = uuid.test(token) ? await findReader(app.db, token) : null;
  if (reader !== null) return confirmMails(app, call, reader);
  const find = call.method === 'POST' ? confirmWaiting : findWaiting;
  const email = token.length > 100 ? null : await find(app.db, hashToken(token));
  if (email === null) return showSaying(app, call, 'subscribe.gone', { status: 404 });
  if (call.method === 'POST') return showSaying(app, call, 'subscribe.done', { email });
  const action = { to: `/subscribe/${token}`, label: 'subscribe.confirm-button' } as const;
  return showSaying(app, call, 'subscribe.confirm', { email, action });
}

/** Confirms an address to a host, whose workflows then write to it. */
async function confirmMails(app: App, call: PageCall, reader: Reader): Promise<PageAnswer> {
  const { id, hostId, mailbox: email } = reader;
  const host = (await listHosts(app.db, [hostId])).get(hostId)?.name ?? '';
  if (call.method !== 'POST') {
    const action = { to: `/subscribe/${id}`, label: 'subscribe.host-button' } as const;
    return showSaying(app, call, 'subscribe.host', { email, host, action });
  }
  await inTransaction(app.db, async (tx) => {
    await confirmReader(tx, id, app.clock.nowMs());
    await resumeRecipient(tx, email);
  });
  return showSaying(app, call, 'subscribe.host-done', { email, host });
}

const atOnce = 1_000;

/**
 * Lists all subscribers as CSV: address, time of confirmation, and the link to unsubscribe. Subscribers of the landing
 * page come first, then accounts that want product updates and have not subscribed.
 */
export async function listSubscribers(db: Database, publicUrl: string): Promise<string[]> {
  const rows = [csvRow(['email', 'confirmed', 'unsubscribe'])];
  const subscribed = new Set<string>();
  for await (const { id, email, confirmedAt } of pages((after) => listConfirmed(db, after, atOnce))) {
    subscribed.add(email);
    rows.push(csvRow([email, confirmedAt, `${publicUrl}/unsubscribe/${id}`]));
  }
  for await (const { email, confirmedAt } of pages((after) => listUpdateReaders(db, after, atOnce)))
    if (!subscribed.has(email)) rows.push(csvRow([email, confirmedAt, `${publicUrl}/profile`]));
  return rows;
}

async function* pages<Row extends { email: string }>(read: (after: string) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const some = await read(after);
    yield* some;
    const last = some.at(-1);
    if (last === undefined || some.length < atOnce) return;
    after = last.email;
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Unsubscribes from the newsletter, from a host's workflow mails, or from all mails to an unproved address, by the link of
 * such a mail. Idempotent.
 */
export async function unsubscribe(app: App, call: PageCall): Promise<PageAnswer> {
  const id = call.params.token ?? '';
  if (!uuid.test(id)) return showSaying(app, call, 'unsubscribe.gone', { status: 404 });
  const reader = await findReader(app.db, id);
  if (reader !== null) return stopMails(app, call, reader);
  const recipient = await findRecipient(app.db, id);
  if (recipient !== null) return stopAllMails(app, call, recipient);
  if (call.method === 'POST') {
    await deleteSubscriber(app.db, id);
    return showSaying(app, call, 'unsubscribe.done');
  }
  const email = await findSubscribed(app.db, id);
  if (email === null) return showSaying(app, call, 'unsubscribe.gone', { status: 404 });
  const action = { to: `/unsubscribe/${id}`, label: 'unsubscribe.button' } as const;
  return showSaying(app, call, 'unsubscribe.ask', { email, action });
}

/**
 * Stops the mails of a host's workflows to the reader of one, and then offers to stop those of all hosts. The page only asks,
 * as programs that look at mails open links too; a mail program's one click sends the same form (RFC 8058).
 */
async function stopMails(app: App, call: PageCall, reader: Reader): Promise<PageAnswer> {
  const { id, hostId, mailbox: email } = reader;
  const to = `/unsubscribe/${id}`;
  if (call.method === 'POST')
    await inTransaction(app.db, async (tx) => {
      await stopReader(tx, id);
      await withdrawStopped(tx, app.keyring, isMailbox(email), `${app.config.publicUrl}${to}`);
    });
  if (call.method === 'POST' && call.form.get('all') === 'yes')
    return stopAllMails(app, call, await stopMailbox(app.db, email));
  if (call.method === 'POST' || reader.isStopped)
    return showSaying(app, call, 'stop.done', {
      email,
      action: { to, label: 'stop-all.button', fields: { all: 'yes' } },
    });
  const host = (await listHosts(app.db, [hostId])).get(hostId)?.name ?? '';
  const action = { to, label: 'stop.button' } as const;
  return showSaying(app, call, 'stop.ask', { email, host, action });
}

const isMailbox = (mailbox: string) => (address: string) => mailboxOf(address) === mailbox;

/**
 * Stops all mails to an address that nobody has proved, or has them sent again. One click in a mail program stops them
 * (RFC 8058). The page only asks, as programs that look at mails open links too.
 */
async function stopAllMails(app: App, call: PageCall, { id, mailbox, isStopped }: MailRecipient): Promise<PageAnswer> {
  const asked = canonicalEmail(call.query.get('to') ?? '');
  const email = asked !== null && mailboxOf(asked) === mailbox ? asked : mailbox;
  const to = stopPath(id, email);
  const also = email === mailbox ? {} : { also: { key: 'stop-all.spellings', values: { mailbox } } as const };
  if (call.method === 'POST' && call.form.get('again') === 'yes') {
    await inTransaction(app.db, (tx) => resumeRecipient(tx, mailbox));
    return showSaying(app, call, 'stop-all.resumed', { email, ...also });
  }
  if (call.method === 'POST')
    await inTransaction(app.db, async (tx) => {
      await stopRecipient(tx, id);
      await withdrawStopped(tx, app.keyring, isMailbox(mailbox));
    });
  if (call.method === 'POST' || isStopped)
    return showSaying(app, call, 'stop-all.done', {
      email,
      ...also,
      action: { to, label: 'stop-all.again', fields: { again: 'yes' } },
    });
  return showSaying(app, call, 'stop-all.ask', { email, ...also, action: { to, label: 'stop.button' } });
}

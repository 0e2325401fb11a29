import * as z from 'zod/mini';
import type { App } from './app.ts';
import { type Database, inTransaction } from './db.ts';
import { type AnyJob, defineJob, type Schedule } from './jobs.ts';
import { renderMail } from './mail-layout.ts';
import { lookOfMail, replyToOf, senderOf } from './mail-look.ts';
import {
  claimMails,
  type Delivery,
  expireMails,
  listOverdueMails,
  type MailEnd,
  type OutboxMail,
  postponeMail,
  settleMails,
  stopped,
  trimMails,
} from './mail-outbox.ts';
import type { MailTransport, OutgoingMail } from './mail-transport.ts';
import { listStopped, trimRecipients } from './recipients.ts';

/** 15 s, 45 s, 2 min, 7 min, 20 min, then every hour until the mail expires. */
const firstDelayMs = 15_000;
const longestDelayMs = 3_600_000;

const delayAfter = (attempts: number) => Math.min(firstDelayMs * 3 ** (attempts - 1), longestDelayMs);

/**
 * Limit of mails claimed at once. A claimed mail can no longer be withdrawn, so a claim covers only the next moment.
 */
const claimedForMs = 200;
const mostClaimed = 32;
/** Connections of a batch. */
const abreast = 4;

/**
 * One attempt to send a mail, or each of a batch: claim, speak with the server outside of any transaction, record the outcome.
 * A worker that dies in between leaves its mails `sending`; their job comes back and sends the same again, under the same
 * Message-ID.
 */
async function deliver(app: App, batch: string, signal: AbortSignal): Promise<void> {
  const { db, keyring, mail } = app;
  const { transport } = mail;
  if (transport === null) return;
  const notes = new Notes(app);
  for (let limit = abreast; ; ) {
    signal.throwIfAborted();
    const claimed = await claimMails(db, keyring, batch, limit);
    const isBatch = claimed[0]?.batch != null;
    const startedMs = performance.now();
    const unwanted = await listStoppedOf(db, claimed);
    const walk = async () => {
      for (let one = claimed.shift(); one !== undefined; one = claimed.shift()) {
        if (!unwanted.has(one)) await attemptMail(app, transport, one, notes, signal);
        else notes.add({ id: one.id, attempts: one.attempts, state: 'failed', error: stopped });
      }
    };
    await Promise.all(Array.from({ length: Math.min(abreast, claimed.length) }, walk));
    await notes.taken();
    if (!isBatch) return;
    const isQuick = performance.now() - startedMs < claimedForMs / 2;
    limit = isQuick ? Math.min(2 * limit, mostClaimed) : Math.max(abreast, limit / 2);
  }
}

/** Mails that can be stopped, whose readers have stopped them since they were written. */
async function listStoppedOf(db: Database, claimed: readonly OutboxMail[]): Promise<ReadonlySet<OutboxMail>> {
  const open = claimed.filter(({ body }) => body.stopUrl !== undefined);
  if (open.length === 0) return new Set();
  const addresses = await listStopped(
    db,
    open.map(({ to }) => to),
  );
  return new Set(open.filter(({ to }) => addresses.has(to.toLowerCase())));
}

/** Builds the outgoing form of a mail of the outbox. */
export function outgoingOf(
  { brand, mail }: Pick<App, 'brand' | 'mail'>,
  { to, body, messageId, createdAtMs }: OutboxMail,
): OutgoingMail {
  const { look, from, picture } = lookOfMail(brand.current(), mail.from, body);
  return {
    from: senderOf(body, from),
    replyTo: replyToOf(body, from),
    to,
    ...renderMail(body, look),
    calendar: body.calendar,
    stopUrl: body.stopUrl,
    picture,
    messageId,
    dateMs: createdAtMs,
  };
}

async function attemptMail(
  app: App,
  transport: MailTransport,
  claimed: OutboxMail,
  notes: Notes,
  signal: AbortSignal,
): Promise<void> {
  const { db, jobs, log, metrics } = app;
  const { id, kind, attempts } = claimed;
  const attempt = await transport.send(outgoingOf(app, claimed), signal);
  metrics.mails.inc({ kind, outcome: attempt.outcome });
  const about = { mailId: id, kind, attempts };
  if (attempt.outcome === 'again') {
    const afterMs = delayAfter(attempts);
    log.warn({ ...about, answer: attempt.error, afterMs }, 'a mail was not taken and is tried again');
    await inTransaction(db, async (tx) => {
      if (await postponeMail(tx, claimed, { afterMs, error: attempt.error }))
        await jobs.send(deliverMail, { id }, { tx, key: id, startAfterMs: afterMs });
    });
    return;
  }
  const error = attempt.outcome === 'sent' ? null : attempt.error;
  if (error === null) log.info(about, 'a mail was sent');
  else log.warn({ ...about, answer: error, outcome: attempt.outcome }, 'a mail was refused');
  notes.add({ id, attempts, state: attempt.outcome, error });
}

/** Outcomes are recorded at once; those that come while one statement runs share the next. */
class Notes {
  readonly #app: App;
  #ends: MailEnd[] = [];
  #writing: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  /** *Errors*: what kept those before it from being recorded; nobody shall go on sending then. */
  add(end: MailEnd): void {
    this.#ends.push(end);
    if (this.#failure !== undefined) throw this.#failure;
    this.#writing ??= this.#write();
  }

  /** Resolves once all of them are recorded. */
  async taken(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #write(): Promise<void> {
    try {
      while (this.#ends.length > 0)
        await sendDeliveries(this.#app.jobs, await settleMails(this.#app.db, this.#ends.splice(0)));
    } catch (error) {
      this.#failure = error as Error;
    }
    this.#writing = undefined;
  }
}

const delivery = {
  payload: z.strictObject({ id: z.string() }),
  policy: 'stately',
  timeoutSeconds: 600,
  handle: (app: App, { id }: { id: string }, signal: AbortSignal) => deliver(app, id, signal),
} as const;

export const deliverMail = defineJob({ name: 'mail.deliver', ...delivery });
/** Batches wait for each other, and a code for signing in does not wait for them. */
export const deliverBatch = defineJob({ name: 'mail.deliver-batch', concurrency: 1, ...delivery });

async function sendDeliveries(jobs: App['jobs'], deliveries: readonly Delivery[]): Promise<void> {
  for (const { id, isBatch } of deliveries) await jobs.send(isBatch ? deliverBatch : deliverMail, { id }, { key: id });
}

const overdueAtOnce = 500;

/** Takes up what no job knows of, gives up what has expired, removes what is old. */
export const sweepMails = defineJob({
  name: 'mail.sweep',
  payload: z.strictObject({}),
  async handle({ db, mail, jobs, log, metrics }) {
    if (mail.transport !== null) {
      for (const { id, kind, error } of await expireMails(db)) {
        metrics.mails.inc({ kind, outcome: 'expired' });
        log.warn({ mailId: id, kind, answer: error }, 'a mail was given up');
      }
      await sendDeliveries(jobs, await listOverdueMails(db, overdueAtOnce));
    }
    await trimMails(db);
    await trimRecipients(db);
  },
});

export const mailJobs: readonly AnyJob[] = [deliverMail, deliverBatch, sweepMails];
export const mailSchedules: readonly Schedule[] = [{ job: sweepMails, everyMs: 60_000, payload: {} }];

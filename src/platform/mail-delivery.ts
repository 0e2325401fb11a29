import * as z from 'zod/mini';
import { inTransaction } from './db.ts';
import { type AnyJob, defineJob, type Schedule } from './jobs.ts';
import { renderMail } from './mail-layout.ts';
import { claimMail, expireMails, listOverdueMails, postponeMail, settleMail, trimMails } from './mail-outbox.ts';

/** 15 s, 45 s, 2 min, 7 min, 20 min, then every hour until the mail expires. */
const firstDelayMs = 15_000;
const longestDelayMs = 3_600_000;

const delayAfter = (attempts: number) => Math.min(firstDelayMs * 3 ** (attempts - 1), longestDelayMs);

/**
 * One attempt to send one mail: claim, speak with the server outside of any transaction, record the outcome. A worker that
 * dies in between leaves the mail `sending`; its job comes back and sends the same again, under the same Message-ID.
 */
export const deliverMail = defineJob({
  name: 'mail.deliver',
  payload: z.strictObject({ id: z.string() }),
  policy: 'stately',
  timeoutSeconds: 600,
  async handle({ db, keyring, mail, jobs, log, metrics }, { id }, signal) {
    if (mail.transport === null) return;
    const claimed = await claimMail(db, keyring, id);
    if (claimed === null) return;
    const { body, kind, messageId, attempts } = claimed;
    const attempt = await mail.transport.send(
      {
        from: mail.from,
        to: claimed.to,
        subject: body.content.subject,
        ...renderMail(body, mail.from.name),
        calendar: body.calendar,
        messageId,
        dateMs: claimed.createdAtMs,
      },
      signal,
    );
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
    await settleMail(db, claimed, { state: attempt.outcome, error });
    if (error === null) log.info(about, 'a mail was sent');
    else log.warn({ ...about, answer: error, outcome: attempt.outcome }, 'a mail was refused');
  },
});

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
      for (const id of await listOverdueMails(db, overdueAtOnce)) await jobs.send(deliverMail, { id }, { key: id });
    }
    await trimMails(db);
  },
});

export const mailJobs: readonly AnyJob[] = [deliverMail, sweepMails];
export const mailSchedules: readonly Schedule[] = [{ job: sweepMails, everyMs: 60_000, payload: {} }];

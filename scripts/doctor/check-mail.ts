import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db.ts';
import { openMailTransport, readSmtpUrl } from '#platform/mail-transport.ts';
import { readOutboxState } from '#platform/mail-troubles.ts';
import type { Finding } from './finding.ts';

const subject = 'Mail';

/**
 * The SMTP server takes our greeting, our encryption and our password, nothing is sent; and what became of the mail that was
 * written lately. `db` is null where the database does not answer.
 */
export async function* checkMail(config: Config, db: Database | null): AsyncGenerator<Finding> {
  yield await checkServer(config);
  if (db !== null && config.smtpUrl !== undefined) yield* await checkOutbox(db);
}

async function checkServer({ smtpUrl, publicUrl, mailFrom, showsMail }: Config): Promise<Finding> {
  if (smtpUrl === undefined) {
    const mend = 'Set SMTP_URL to your mail server.';
    return showsMail
      ? {
          subject,
          state: 'note',
          says: `SMTP_URL is not set: read email at ${publicUrl}/dev/mail, with the key that the start prints`,
          mend,
        }
      : {
          subject,
          state: 'bad',
          says: 'SMTP_URL is not set: users cannot confirm an address or reset a password',
          mend,
        };
  }
  const { host, port } = readSmtpUrl(smtpUrl);
  const transport = openMailTransport({ smtpUrl, name: new URL(publicUrl).hostname, patienceMs: 10_000 });
  try {
    await transport.verify();
    return {
      subject,
      state: 'ok',
      says: `${host}:${port} accepts our connection and password; the sender is ${mailFrom.address}`,
    };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return { subject, state: 'bad', says: `${host}:${port}: ${message.split('\n')[0]}`, mend: mendingOf(code) };
  } finally {
    await transport.close();
  }
}

function mendingOf(code: string | undefined): string {
  if (code === 'EAUTH') {
    return 'Check user and password in SMTP_URL. Write @ as %40 and : as %3A there.';
  }
  if (code === 'ETLS') {
    return 'The server needs STARTTLS with a certificate for its name. Add ?tls=optional to SMTP_URL to allow unencrypted connections.';
  }
  return 'Check host and port in SMTP_URL: smtps://…:465, or smtp://…:587 for STARTTLS.';
}

/** Longer than a busy server makes us wait. */
const lateMs = 15 * 60_000;

async function checkOutbox(db: Database): Promise<Finding[]> {
  // the table comes with a migration that this install may not have run yet
  const state = await readOutboxState(db).catch(() => null);
  if (state === null) return [];
  const { waiting, oldestWaitingMs, sent, failed, bounced, lastError } = state;
  const answer = lastError === null ? '' : `; the last response: ${lastError}`;
  const findings: Finding[] = [];
  if (waiting > 0 && oldestWaitingMs > lateMs) {
    findings.push({
      subject,
      state: 'bad',
      says: `${waiting} emails are waiting, the oldest for ${Math.round(oldestWaitingMs / 60_000)} minutes${answer}`,
      mend: 'They are retried for three days. If the mail server works, check that a worker is running.',
    });
  }
  if (failed + bounced > 0) {
    findings.push({
      subject,
      state: 'note',
      says: `in seven days, ${sent} emails were sent, ${bounced} had no mailbox, ${failed} failed${answer}`,
      mend: 'Check SPF, DKIM and DMARC of the domain of MAIL_FROM.',
    });
  }
  return findings;
}

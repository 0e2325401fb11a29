import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { hurryMails } from './harness/hurry-jobs.ts';
import { startSmtpServer, type TestSmtpServer } from './harness/smtp-server.ts';
import { killAll, spawnHoldfast } from './harness/spawn-holdfast.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';

/** Mail and the death of the process that sends it: real workers, a real SMTP server. */

let smtp: TestSmtpServer;
let server: TestApp;
const keys = `test:${randomBytes(32).toString('base64')}`;

beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ role: 'web', encryptionKeys: keys, config: { smtpUrl: smtp.url } });
}, 60_000);
afterAll(async () => {
  killAll();
  await server.close();
  await smtp.close();
});

const startWorker = () =>
  spawnHoldfast({
    args: ['--role', 'worker'],
    env: {
      DATABASE_URL: server.database.url,
      ENCRYPTION_KEYS: keys,
      SMTP_URL: smtp.url,
      PUBLIC_URL: 'http://localhost',
    },
  });

const message = (to: string): MailMessage => ({
  key: `test:${to}`,
  kind: 'access.reset',
  to,
  userId: null,
  locale: 'en',
  content: { subject: 'Hello', heading: 'Hello', blocks: [{ text: 'Hello' }] },
});

const send = (to: string) => inTransaction(server.app.db, (tx) => server.app.mail.send(tx, message(to)));

async function stateOf(to: string) {
  const { rows } = await sql<{ state: string }>`select state from platform.mails where recipient = ${to}`.execute(
    server.app.db,
  );
  return rows[0]?.state;
}

test('a mail whose worker is killed before recording it is sent again under the same Message-ID', {
  timeout: 120_000,
}, async () => {
  const to = 'crash@example.org';
  smtp.next('park');
  const first = await startWorker();
  await send(to);
  await expect.poll(() => smtp.mailsTo(to).length, { timeout: 20_000 }).toBe(1);
  first.kill('SIGKILL');
  await first.exited;
  expect(await stateOf(to)).toBe('sending');
  smtp.release();
  const second = await startWorker();
  await expect.poll(() => stateOf(to), { timeout: 60_000 }).toBe('sent');
  const ids = smtp.mailsTo(to).map(({ parsed }) => parsed.messageId);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  second.kill('SIGTERM');
  await second.exited;
});

test('a batch whose worker is killed arrives completely and repeats only unrecorded mails', {
  timeout: 120_000,
}, async () => {
  const recipients = Array.from({ length: 30 }, (_, n) => `batch${n}@example.org`);
  const first = await startWorker();
  // the first connections go on, one waits for its answer without end
  smtp.next('take', 'take', 'take', 'take', 'take', 'park');
  await inTransaction(server.app.db, (tx) => server.app.mail.sendAll(tx, recipients.map(message)));
  const countTaken = () => recipients.filter((to) => smtp.mailsTo(to).length > 0).length;
  await expect.poll(countTaken, { timeout: 20_000 }).toBeGreaterThan(5);
  first.kill('SIGKILL');
  await first.exited;
  const states = await Promise.all(recipients.map(stateOf));
  const recorded = recipients.filter((_, n) => states[n] === 'sent');
  expect(recorded.length).toBeLessThan(recipients.length);
  smtp.release();
  const second = await startWorker();
  await expect
    .poll(async () => (await Promise.all(recipients.map(stateOf))).every((state) => state === 'sent'), {
      timeout: 60_000,
    })
    .toBe(true);
  for (const to of recipients) {
    const ids = smtp.mailsTo(to).map(({ parsed }) => parsed.messageId);
    expect(ids.length, to).toBeLessThanOrEqual(recorded.includes(to) ? 1 : 2);
    expect(new Set(ids).size, to).toBe(1);
  }
  second.kill('SIGTERM');
  await second.exited;
});

test('two workers send each mail once', { timeout: 120_000 }, async () => {
  const workers = await Promise.all([startWorker(), startWorker()]);
  const recipients = Array.from({ length: 40 }, (_, n) => `many${n}@example.org`);
  await Promise.all(recipients.map(send));
  await expect
    .poll(async () => (await Promise.all(recipients.map(stateOf))).every((state) => state === 'sent'), {
      timeout: 60_000,
    })
    .toBe(true);
  for (const to of recipients) expect(smtp.mailsTo(to), to).toHaveLength(1);
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(workers.map(({ exited }) => exited));
});

test('a worker stopped while the mail server is slow leaves its mail to the next worker', {
  timeout: 120_000,
}, async () => {
  const to = 'slow@example.org';
  smtp.next('park');
  const first = await startWorker();
  await send(to);
  await expect.poll(() => smtp.mailsTo(to).length, { timeout: 20_000 }).toBe(1);
  first.kill('SIGTERM');
  expect(await first.exited).toBe(0);
  expect(await stateOf(to)).toBe('queued');
  smtp.release();
  await hurryMails(server);
  await startWorker();
  await expect.poll(() => stateOf(to), { timeout: 60_000 }).toBe('sent');
  const ids = smtp.mailsTo(to).map(({ parsed }) => parsed.messageId);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserId } from '#kernel/ids.ts';
import { readMails } from '../../test/harness/read-mails.ts';
import { type SmtpFault, startSmtpServer, type TestSmtpServer } from '../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { inTransaction } from './db.ts';
import { sweepMails } from './mail-delivery.ts';
import { forgetMails } from './mail-outbox.ts';
import { listMailTroubles, mayMailTo, readOutboxPace, readOutboxState } from './mail-troubles.ts';

let smtp: TestSmtpServer;
let server: TestApp;

beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ features: [], config: { smtpUrl: smtp.url } });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

async function mailTo(userId: UserId, to: string, ...faults: SmtpFault[]) {
  const content = { subject: 'Hello', heading: 'Hello', blocks: [{ text: 'Hello' }] };
  smtp.next(...faults);
  const { app } = server;
  await inTransaction(app.db, (tx) =>
    app.mail.send(tx, { key: randomUUID(), kind: 'accounts.notice', to, userId, locale: 'en', content }),
  );
  await server.settle();
}

const noMailbox = { at: 'rcpt', answer: '550 5.1.1 no such user' } as const;
const busy = { at: 'rcpt', answer: '451 4.3.0 busy' } as const;

test('a person sees their undeliverable addresses until a mail arrives there', async () => {
  const [ada, bob] = [randomUUID() as UserId, randomUUID() as UserId];
  const { db } = server.app;
  await mailTo(ada, 'old@example.org', noMailbox);
  await mailTo(ada, 'ada@example.org', busy);
  await mailTo(ada, 'fine@example.org');
  expect(await listMailTroubles(db, ada)).toMatchObject([
    { to: 'ada@example.org', state: 'delayed' },
    { to: 'old@example.org', state: 'bounced', kind: 'accounts.notice' },
  ]);
  expect(await listMailTroubles(db, bob)).toEqual([]);
  await mailTo(ada, 'old@example.org');
  expect(await listMailTroubles(db, ada)).toMatchObject([{ to: 'ada@example.org' }]);
});

test('the operator sees waiting and bounced mails as counts and the last server error', async () => {
  await mailTo(randomUUID() as UserId, 'gone@example.org', noMailbox);
  const state = await readOutboxState(server.app.db);
  expect(state.bounced).toBeGreaterThan(0);
  expect(state.waiting).toBeGreaterThan(0);
  expect(state.lastError).toContain('no such user');
  const metrics = await server.app.metrics.registry.metrics();
  expect(metrics).toMatch(/holdfast_mail_attempts_total\{kind="accounts\.notice",outcome="bounced"\} [1-9]/);
  expect(metrics).toMatch(/holdfast_mails_waiting [1-9]/);
});

test('mails that were withdrawn, or that their readers stopped, are not counted as failed', async () => {
  const { db } = server.app;
  const before = await readOutboxState(db);
  const pace = await readOutboxPace(db);
  await sql`
    insert into platform.mails (id, key, message_id, kind, recipient, state, error, expires_at, settled_at, created_at)
    select gen_random_uuid(), 'order:' || error, error, 'test', error || '@example.org', 'failed', error, now(), now(),
      now() + interval '1 minute'
    from unnest(array['withdrawn', 'stopped']) as error`.execute(db);
  expect(await readOutboxState(db)).toMatchObject({ failed: before.failed, lastError: before.lastError });
  expect((await readOutboxPace(db)).refused).toBe(pace.refused);
  await sql`delete from platform.mails where key like 'order:%'`.execute(db);
});

test('mails of one kind to one address are limited per hour, in any spelling of the address', async () => {
  const { db } = server.app;
  const few = { burst: 2, periodSeconds: 3600 };
  const spelt = ['Victim@example.org', 'victim@EXAMPLE.org', 'victim@example.org'];
  const answers = [];
  for (const address of spelt) answers.push(await mayMailTo(db, 'access.reset', address, few));
  expect(answers).toEqual([true, true, false]);
  expect(await mayMailTo(db, 'access.verify-email', 'victim@example.org', few)).toBe(true);
  expect(await mayMailTo(db, 'access.reset', 'other@example.org', few)).toBe(true);
});

test('a mail not accepted in time is given up, and an old one is removed', async () => {
  const userId = randomUUID() as UserId;
  const { db } = server.app;
  await mailTo(userId, 'late@example.org', busy);
  await sql`update platform.mails set expires_at = now() where recipient = 'late@example.org'`.execute(db);
  await sweep();
  expect(await listMailTroubles(db, userId)).toMatchObject([{ state: 'failed' }]);
  expect(await readMails(server, 'late@example.org')).toEqual([]);
  await sql`update platform.mails set settled_at = now() - interval '31 days' where recipient = 'late@example.org'`.execute(
    db,
  );
  await sweep();
  expect(await listMailTroubles(db, userId)).toEqual([]);
});

test('a mail whose job was lost is sent by the sweep', async () => {
  const userId = randomUUID() as UserId;
  await mailTo(userId, 'lost@example.org', busy);
  await sql`delete from jobs.job where name = 'mail.deliver'`.execute(server.app.db);
  await sql`update platform.mails set next_attempt_at = now() - interval '1 minute' where recipient = 'lost@example.org'`.execute(
    server.app.db,
  );
  await sweep();
  expect(smtp.mailsTo('lost@example.org')).toHaveLength(1);
});

test('the mails of a deleted account are removed', async () => {
  const userId = randomUUID() as UserId;
  await mailTo(userId, 'leaver@example.org');
  await inTransaction(server.app.db, (tx) => forgetMails(tx, userId));
  const { rows } = await sql`select 1 from platform.mails where recipient = 'leaver@example.org'`.execute(
    server.app.db,
  );
  expect(rows).toEqual([]);
});

async function sweep() {
  await server.app.jobs.send(sweepMails, {});
  await server.settle();
}

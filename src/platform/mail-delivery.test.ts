import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hurryMails } from '../../test/harness/hurry-jobs.ts';
import { type SmtpServerOptions, startSmtpServer, type TestSmtpServer } from '../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { inTransaction } from './db.ts';
import { deliverMail, sweepMails } from './mail-delivery.ts';
import type { MailMessage } from './mail-message.ts';
import { stopMailbox } from './recipients.ts';

let smtp: TestSmtpServer;
let server: TestApp;
let count = 0;

const start = (smtpUrl: string) =>
  startTestApp({
    features: [],
    config: { smtpUrl, mailFrom: { name: 'Holdfast, Inc.', address: 'no-reply@example.org' } },
  });

beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await start(smtp.url);
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

const message = (more: Partial<MailMessage> = {}): MailMessage => {
  count += 1;
  return {
    key: `test:${count}`,
    kind: 'access.reset',
    to: `reader${count}@example.org`,
    userId: null,
    locale: 'en',
    content: {
      subject: 'Choose a new password – für Ada',
      heading: 'Choose a new password',
      blocks: [{ button: { label: 'Choose', url: `http://localhost/password/reset?code=c${count}` } }],
    },
    ...more,
  };
};

const send = (given: MailMessage, { app } = server) => inTransaction(app.db, (tx) => app.mail.send(tx, given));

async function stateOf({ key }: MailMessage, { app } = server) {
  const { rows } = await sql<{
    state: string;
    attempts: number;
    error: string | null;
    body: string | null;
    waitSeconds: number;
    message_id: string;
  }>`select state, attempts, error, body, message_id, round(extract(epoch from next_attempt_at - now()))::float8 as "waitSeconds"
    from platform.mails where key = ${key}`.execute(app.db);
  return rows[0];
}

/** Sends delayed mails now. */
async function hurry() {
  await hurryMails(server);
  await server.settle();
}

describe('mail accepted by the server', () => {
  test('a mail arrives once, as text and HTML, with complete headers', async () => {
    const given = message();
    await send(given);
    await server.settle();
    const [mail, ...more] = smtp.mailsTo(given.to);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ from: 'no-reply@example.org', to: [given.to] });
    const { parsed } = mail ?? {};
    expect(parsed?.subject).toBe('Choose a new password – für Ada');
    expect(parsed?.from).toMatchObject({ name: 'Holdfast, Inc.', address: 'no-reply@example.org' });
    expect(parsed?.text).toContain('/password/reset?code=c');
    expect(parsed?.html).toContain('<html lang="en"');
    expect(mail?.raw).toMatch(/^auto-submitted: auto-generated/im);
    const row = await stateOf(given);
    expect(row).toMatchObject({ state: 'sent', attempts: 1, error: null, body: null });
    expect(parsed?.messageId).toBe(`<${row?.message_id}>`);
  });

  test('a mail carries an invitation that mail programs understand', async () => {
    const ics = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n';
    const given = message({ calendar: { method: 'REQUEST', ics } });
    await send(given);
    await server.settle();
    const [mail] = smtp.mailsTo(given.to);
    expect(mail?.raw).toMatch(/content-type: text\/calendar; charset=utf-8; method=REQUEST/i);
    const attached = mail?.parsed.attachments.filter(({ filename }) => filename === 'invite.ics');
    expect(attached?.length).toBeGreaterThan(0);
  });

  test('a sent mail is not sent again when its job runs again', async () => {
    const given = message();
    await send(given);
    await server.settle();
    const { rows } = await sql<{ id: string }>`select id from platform.mails where key = ${given.key}`.execute(
      server.app.db,
    );
    const id = rows[0]?.id ?? '';
    await server.app.jobs.send(deliverMail, { id }, { key: id });
    await server.settle();
    expect(smtp.mailsTo(given.to)).toHaveLength(1);
  });
});

describe('batched mails', () => {
  const sendAll = (given: readonly MailMessage[]) =>
    inTransaction(server.app.db, (tx) => server.app.mail.sendAll(tx, given));
  const countJobs = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from jobs.job where name = 'mail.deliver-batch'`.execute(server.app.db);
    return rows[0]?.count ?? 0;
  };

  test('batched mails arrive once each, with few jobs, and a repeated batch sends nothing again', async () => {
    const given = Array.from({ length: 120 }, () => message());
    const before = await countJobs();
    await sendAll(given);
    await sendAll(given);
    expect((await countJobs()) - before).toBe(2);
    await server.settle();
    for (const one of given) {
      expect(await stateOf(one), one.key).toMatchObject({ state: 'sent', attempts: 1, body: null });
      expect(smtp.mailsTo(one.to), one.key).toHaveLength(1);
    }
  });

  test('one bounced and one deferred mail of a batch leave the others alone, and the deferred one arrives later', async () => {
    const given = Array.from({ length: 12 }, () => message());
    smtp.next({ at: 'rcpt', answer: '550 5.1.1 no such user' }, { at: 'rcpt', answer: '451 4.7.1 greylisted' });
    await sendAll(given);
    await server.settle();
    const states = await Promise.all(given.map(async (one) => (await stateOf(one))?.state));
    const count = (found: (string | undefined)[]) => Object.groupBy(found, (state) => state ?? '');
    expect(count(states)).toMatchObject({ bounced: { length: 1 }, queued: { length: 1 }, sent: { length: 10 } });
    await hurry();
    const later = await Promise.all(given.map(async (one) => (await stateOf(one))?.state));
    expect(count(later)).toMatchObject({ bounced: { length: 1 }, sent: { length: 11 } });
    expect(given.filter(({ to }) => smtp.mailsTo(to).length === 1)).toHaveLength(11);
    expect(given.filter(({ to }) => smtp.mailsTo(to).length > 1)).toEqual([]);
  });

  test('batched mails whose job was lost are sent together', async () => {
    const given = Array.from({ length: 5 }, () => message());
    await inTransaction(server.app.db, async (tx) => {
      await server.app.mail.sendAll(tx, given);
      // the job of these mails finds nothing to do
      await sql`update platform.mails set next_attempt_at = now() + interval '1 hour' where state = 'queued'`.execute(
        tx,
      );
    });
    await server.settle();
    await sql`update platform.mails set next_attempt_at = now() - interval '1 minute' where state = 'queued'`.execute(
      server.app.db,
    );
    const before = await countJobs();
    await server.app.jobs.send(sweepMails, {});
    await server.settle();
    expect((await countJobs()) - before).toBe(1);
    for (const one of given) expect(await stateOf(one), one.key).toMatchObject({ state: 'sent', attempts: 1 });
  });
});

test('a reader who stops mails gets none of those that wait, and a confirmed reader still gets theirs', async () => {
  const stranger = message({ unproved: { share: 'given', sender: 'test' } });
  const confirmed = message();
  smtp.next({ at: 'mail', answer: '451 4.3.0 try later' }, { at: 'mail', answer: '451 4.3.0 try later' });
  await send(stranger);
  await send(confirmed);
  await server.settle();
  for (const { to } of [stranger, confirmed]) await stopMailbox(server.app.db, to);
  await hurry();
  expect([smtp.mailsTo(stranger.to).length, smtp.mailsTo(confirmed.to).length]).toEqual([0, 1]);
  expect(await stateOf(stranger)).toMatchObject({ state: 'failed', error: 'stopped', body: null });
});

describe('mails about one thing', () => {
  const about = () => [randomUUID()];
  const subjectsTo = (to: string) => smtp.mailsTo(to).map(({ parsed }) => parsed.subject);
  const say = (subject: string, more: Partial<MailMessage>) => {
    const given = message(more);
    return { ...given, content: { ...given.content, subject } };
  };

  test('reach their reader in the order in which they were written, whatever the server puts off', async () => {
    const both = { to: 'patient@example.org', about: about() };
    smtp.next({ at: 'rcpt', answer: '451 4.7.1 greylisted' });
    await send(say('Booked', both));
    await server.settle();
    await send(say('Canceled', both));
    await server.settle();
    expect(subjectsTo(both.to)).toEqual([]);
    await hurry();
    await server.settle();
    expect(subjectsTo(both.to)).toEqual(['Booked', 'Canceled']);
  });

  test('leave in that order also where they were handed over together, or the first is refused for good', async () => {
    const both = { to: 'batch@example.org', about: about() };
    smtp.next({ at: 'rcpt', answer: '550 5.1.1 no such user' });
    await inTransaction(server.app.db, (tx) =>
      server.app.mail.sendAll(tx, [say('One', both), say('Two', both), say('Three', both)]),
    );
    await server.settle();
    expect(subjectsTo(both.to)).toEqual(['Two', 'Three']);
  });

  test('do not hold up mails about others, or to other readers', async () => {
    const [one, other] = [about(), about()];
    const to = 'many@example.org';
    smtp.next({ at: 'rcpt', answer: '451 4.7.1 greylisted' });
    await send(say('Booked', { to, about: one }));
    await server.settle();
    await send(say('Another booking', { to, about: other }));
    await send(say('No booking', { to }));
    const host = say('To the host', { about: one });
    await send(host);
    await server.settle();
    expect(new Set(subjectsTo(to))).toEqual(new Set(['Another booking', 'No booking']));
    expect(subjectsTo(host.to)).toEqual(['To the host']);
    await hurry();
    await server.settle();
    expect(subjectsTo(to).at(-1)).toBe('Booked');
  });

  test('do not wait where they would be of no use after the next attempt of the one before', async () => {
    const both = { to: 'soon@example.org', about: about() };
    smtp.next({ at: 'rcpt', answer: '451 4.7.1 greylisted' });
    await send(say('Booked', both));
    await server.settle();
    // the attempt after 15 s comes too late for it
    await send(say('In ten seconds', { ...both, expiresAtMs: Date.now() + 10_000 }));
    await server.settle();
    expect(subjectsTo(both.to)).toEqual(['In ten seconds']);
    await hurry();
    await server.settle();
    expect(subjectsTo(both.to)).toEqual(['In ten seconds', 'Booked']);
  });

  test('go out by the sweep where the one before was given up and no job knows of them', async () => {
    const both = { to: 'swept@example.org', about: about() };
    const first = say('Booked', both);
    smtp.next({ at: 'rcpt', answer: '451 4.7.1 greylisted' });
    await send(first);
    await server.settle();
    await send(say('Canceled', both));
    await server.settle();
    await sql`update platform.mails set expires_at = now() where key = ${first.key}`.execute(server.app.db);
    await sql`update platform.mails set next_attempt_at = now() - interval '1 minute' where recipient = ${both.to}`.execute(
      server.app.db,
    );
    await server.app.jobs.send(sweepMails, {});
    await server.settle();
    expect(subjectsTo(both.to)).toEqual(['Canceled']);
  });
});

test('no mail is sent for a transaction that was rolled back', async () => {
  const given = message();
  const before = smtp.attempts();
  await expect(
    inTransaction(server.app.db, async (tx) => {
      await server.app.mail.send(tx, given);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await server.settle();
  expect(smtp.attempts()).toBe(before);
});

describe('mail refused by the server', () => {
  afterEach(() => hurry());

  test('a deferred mail is retried with growing pauses under the same Message-ID', async () => {
    const given = message();
    smtp.next({ at: 'rcpt', answer: '451 4.7.1 greylisted' }, { at: 'data', answer: '452 4.3.1 disk full' }, 'drop');
    await send(given);
    await server.settle();
    const first = await stateOf(given);
    expect(first).toMatchObject({ state: 'queued', attempts: 1, error: expect.stringContaining('greylisted') });
    expect(first?.waitSeconds).toBeGreaterThan(10);
    await hurry();
    const second = await stateOf(given);
    expect(second).toMatchObject({ attempts: 2, error: expect.stringContaining('disk full') });
    expect(second?.waitSeconds).toBeGreaterThan((first?.waitSeconds ?? 0) * 2);
    await hurry();
    expect(await stateOf(given)).toMatchObject({ state: 'queued', attempts: 3 });
    expect(smtp.mailsTo(given.to)).toEqual([]);
    await hurry();
    expect(await stateOf(given)).toMatchObject({
      state: 'sent',
      attempts: 4,
      error: null,
      message_id: first?.message_id,
    });
    expect(smtp.mailsTo(given.to)).toHaveLength(1);
  });

  test('a mail whose acknowledgment was lost is sent again under the same Message-ID', async () => {
    const given = message();
    smtp.next('drop-answer');
    await send(given);
    await server.settle();
    await hurry();
    const ids = smtp.mailsTo(given.to).map(({ parsed }) => parsed.messageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(new Set(smtp.mailsTo(given.to).map(({ parsed }) => parsed.date)).size).toBe(1);
  });

  test.each([
    ['bounced', { at: 'rcpt', answer: '550 5.1.1 no such user' }],
    ['failed', { at: 'rcpt', answer: '550 5.7.1 relaying denied' }],
    ['failed', { at: 'data', answer: '554 5.6.0 looks like spam http://localhost/reset?code=s3cr3t' }],
  ] as const)('a mail is %s after %o and not retried', async (state, fault) => {
    const given = message();
    smtp.next(fault);
    await send(given);
    await server.settle();
    await hurry();
    const row = await stateOf(given);
    expect(row).toMatchObject({
      state,
      attempts: 1,
      body: null,
      error: expect.stringMatching(/^(RCPT TO|DATA): 55\d 5/),
    });
    expect(row?.error).not.toContain('s3cr3t');
    expect(smtp.mailsTo(given.to)).toEqual([]);
  });

  test('a mail waits when the server refuses our sender address', async () => {
    const given = message();
    smtp.next({ at: 'mail', answer: '550 5.7.1 sender not allowed' });
    await send(given);
    await server.settle();
    expect(await stateOf(given)).toMatchObject({
      state: 'queued',
      error: expect.stringContaining('sender not allowed'),
    });
  });
});

describe('connection to the mail server', () => {
  async function attempt(options: SmtpServerOptions, change: (url: string) => string, patience?: number) {
    const other = await startSmtpServer(options);
    const install = await start(change(other.url));
    const given = message();
    try {
      await send(given, install);
      await install.settle(patience);
      return { row: await stateOf(given, install), mails: other.mailsTo(given.to) };
    } finally {
      await install.close();
      await other.close();
    }
  }

  test('no mail is sent without encryption to a server that must use TLS', async () => {
    const { row, mails } = await attempt({ tls: 'none' }, (url) => `${url}?tls=required`);
    expect(row).toMatchObject({ state: 'queued', error: expect.stringMatching(/STARTTLS/i) });
    expect(mails).toEqual([]);
  });

  test('a mail server with an untrusted certificate is refused', async () => {
    const { row, mails } = await attempt({ tls: 'starttls' }, (url) => `${url}?tls=required`);
    expect(row).toMatchObject({ state: 'queued', error: expect.stringMatching(/certificate/i) });
    expect(mails).toEqual([]);
  });

  test('TLS is used where the mail server offers it, even if not required', async () => {
    const { row, mails } = await attempt({ tls: 'starttls' }, (url) => url);
    expect(row).toMatchObject({ state: 'sent' });
    expect(mails).toMatchObject([{ secure: true }]);
  });

  test('a mail server login works, and a wrong password keeps the mail and stays out of the error', async () => {
    const user = { name: 'holdfast', password: 'p@ss:w0rd/é' };
    const right = await attempt({ user }, (url) => url);
    expect(right.row).toMatchObject({ state: 'sent' });
    const wrong = await attempt({ user }, (url) => url.replace(encodeURIComponent(user.password), 'wr0ng-one'));
    expect(wrong.row).toMatchObject({ state: 'queued', error: expect.stringContaining('535') });
    expect(wrong.row?.error).not.toContain('wr0ng-one');
  });

  test('an unreachable mail server keeps the mail in the queue', async () => {
    const { row } = await attempt({}, () => 'smtp://127.0.0.1:9');
    expect(row).toMatchObject({ state: 'queued', attempts: 1, error: expect.stringContaining('ECONNREFUSED') });
  });
});

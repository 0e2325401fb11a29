import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixedClock } from '../../test/harness/fixed-clock.ts';
import { readMails } from '../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { inTransaction } from './db.ts';
import {
  checkMessage,
  fitContent,
  type MailContent,
  type MailMessage,
  quoteAddress,
  quoteName,
  quoteText,
  senderName,
} from './mail-message.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp({ features: [], role: 'web' });
});

afterAll(() => server.close());

const message = (more: Partial<MailMessage> = {}): MailMessage => ({
  key: `test:${Math.random()}`,
  kind: 'access.verify-email',
  to: 'ada@example.org',
  userId: null,
  locale: 'en',
  content: {
    subject: 'Confirm your address',
    heading: 'Confirm your address',
    blocks: [
      { text: 'Press the button.' },
      { button: { label: 'Confirm', url: 'http://localhost/verify-email?code=c4nary' } },
    ],
  },
  ...more,
});

const send = (given: MailMessage) => inTransaction(server.app.db, (tx) => server.app.mail.send(tx, given));

test('a queued mail can be read by its address, with its links', async () => {
  await send(message({ to: 'Grace@example.org' }));
  const [mail, ...more] = await readMails(server, 'grace@example.org');
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    kind: 'access.verify-email',
    subject: 'Confirm your address',
    links: ['http://localhost/verify-email?code=c4nary'],
  });
});

test('a mail of a rolled-back transaction is not stored', async () => {
  const given = message({ to: 'never@example.org' });
  await expect(
    inTransaction(server.app.db, async (tx) => {
      await server.app.mail.send(tx, given);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await readMails(server, 'never@example.org')).toEqual([]);
});

test('two mails with the same key are stored as one', async () => {
  const given = message({ to: 'once@example.org', key: 'test:once' });
  await Promise.all([send(given), send(given)]);
  await send(given);
  expect(await readMails(server, 'once@example.org')).toHaveLength(1);
});

test('a mail keeps its time where the clocks of the server and the database differ', async () => {
  const clock = fixedClock('2020-02-29T12:00:00Z');
  const other = await startTestApp({ features: [], role: 'web', clock });
  const hourMs = 3_600_000;
  await inTransaction(other.app.db, (tx) =>
    other.app.mail.sendAll(tx, [
      message({ to: 'hour@example.org', expiresAtMs: clock.nowMs() + hourMs }),
      message({ to: 'month@example.org', expiresAtMs: clock.nowMs() + 30 * 24 * hourMs }),
      message({ to: 'usual@example.org' }),
    ]),
  );
  const { rows } = await sql<{ recipient: string; hours: number }>`
    select recipient, round(extract(epoch from expires_at - now()) / 3600)::float8 as hours from platform.mails
    order by recipient`.execute(other.app.db);
  await other.close();
  expect(rows).toEqual([
    { recipient: 'hour@example.org', hours: 1 },
    { recipient: 'month@example.org', hours: 72 },
    { recipient: 'usual@example.org', hours: 72 },
  ]);
});

test('mail content is encrypted in the database', async () => {
  await send(message());
  const { rows } = await sql<{ row: string }>`select m::text as row from platform.mails m`.execute(server.app.db);
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toMatch(/c4nary|Confirm/);
});

test('mail header injection and second recipients are refused', async () => {
  const content = message().content;
  const attempts: Partial<MailMessage>[] = [
    { to: 'a@b.example\r\nBcc: all@example.org' },
    { to: 'a@b.example,c@d.example' },
    { to: 'a@b.example; c@d.example' },
    { to: '"A" <a@b.example>' },
    { to: 'a@b@c.example' },
    { to: 'a b@c.example' },
    { to: `${'a'.repeat(65)}@b.example` },
    { content: { ...content, subject: 'Hello\r\nBcc: all@example.org' } },
    { content: { ...content, subject: 'Hello\nX' } },
    { content: { ...content, subject: 'Hello\u2028X' } },
    { content: { ...content, heading: 'Hello\u0000' } },
    { content: { ...content, blocks: [{ button: { label: 'Go', url: 'javascript:alert(1)' } }] } },
    { content: { ...content, blocks: [{ button: { label: 'Go', url: 'https://a.example/\r\nX: y' } }] } },
    { replyTo: { name: 'Ada', address: 'a@b.example, c@d.example' } },
    { replyTo: { name: 'Ada', address: 'a@b.example\r\nBcc: all@example.org' } },
    { locale: 'en"><script>' },
    { key: 'a\r\nb' },
    { calendar: { method: 'REQUEST\r\nX: y' as 'REQUEST', ics: 'BEGIN:VCALENDAR' } },
  ];
  for (const attempt of attempts) {
    await expect(send(message(attempt)), JSON.stringify(attempt)).rejects.toMatchObject({ kind: 'invalid' });
  }
});

test('a long name in a link, a button, or a text is cut between its letters, and does not keep the mail back', () => {
  const name = quoteName('👩‍🚀'.repeat(79));
  const blocks: MailContent['blocks'] = [
    { text: name.repeat(20) },
    { button: { label: `Write to ${name}`, url: 'https://a.example/' } },
    { links: { label: name, to: [{ label: name, url: 'https://a.example/' }] } },
    { facts: [[name, name]] },
    { small: name.repeat(20), link: { label: `Stop emails from ${name}`, url: 'https://a.example/' } },
  ];
  const given = message({ content: { subject: name, heading: name, blocks } });
  const content = fitContent(given.content);
  checkMessage({ ...given, content });
  const said = JSON.stringify(content);
  expect(said).not.toMatch(/\p{Cs}|\ufffd/u);
  expect(said.match(/\u2068/g)).toHaveLength(said.match(/\u2069/g)?.length ?? 0);
});

test('an address in a mail is as people copy it, and none that a program could take for the address of a page', () => {
  for (const address of ['ada@example.org', "o'neil.ada+news@example.org", 'jörg_a-b@example.org'])
    expect(quoteAddress(address)).toBe(address);
  for (const address of ['www.evil.example/now@example.net', 'evil.example?next=@example.net'])
    expect(quoteAddress(address)).not.toMatch(/evil\.example/);
});

test('a name in From and Reply-To has no link that a mail program could find', () => {
  const name = senderName('Your account is locked: http://evil.example');
  expect(name).toMatch(/^Your account is locked: http/);
  expect(name).not.toMatch(/http:\/\/|evil\.example/);
  expect(senderName('Ada Nilsson')).toBe('Ada Nilsson');
});

test('a name in a mail is one line without direction controls or links', () => {
  expect(quoteName('Ada\r\nBcc: x')).toBe('\u2068Ada Bcc: x\u2069');
  expect(quoteName('\u202eevil\u2066')).toBe('\u2068evil\u2069');
  expect(quoteName('go to https://evil.example/now')).not.toMatch(/https:\/\/|evil\.example/);
  // the Arabic letter mark, and signs that look like blanks
  expect(quoteName('a\u061cb\u2800c\u3164d\uffa0e\ufff9f')).toBe('\u2068a b c d e f\u2069');
  expect(quoteText('a\u061cb\n\u2800c')).toBe('\u2068a b\u2069\n\u2068 c\u2069');
  // a top-level domain whose second character is a mark
  expect(quoteName('evil.ポイント'.normalize('NFD'))).not.toMatch(/evil\.\p{L}/u);
  // browsers read these as a dot, and one of them ends sentences
  for (const dot of ['。', '．', '｡']) expect(quoteName(`evil${dot}example/pay`)).not.toContain(`${dot}e`);
  expect(quoteName('終わります。よろしく')).toBe('\u2068終わります。よろしく\u2069');
  expect(quoteName('\ud800')).toBe('\u2068\ufffd\u2069');
  expect([...new Intl.Segmenter('en').segment(quoteName('👩‍👩‍👧‍👦'.repeat(1000)))].length).toBeLessThan(90);
  expect(quoteName(`a${'\u0301'.repeat(5000)}`).length).toBeLessThan(30);
});

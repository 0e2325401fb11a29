import { expect, test } from 'vitest';
import { startSmtpServer } from '../../test/harness/smtp-server.ts';
import { openMailTransport, readSmtpUrl } from './mail-transport.ts';

const mail = {
  from: { name: 'Holdfast', address: 'no-reply@example.org' },
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  calendar: undefined,
  messageId: 'one@example.org',
  dateMs: 0,
};

test('TLS is required for remote mail servers unless the operator makes it optional', () => {
  const of = (url: string) => {
    const { host, port, secure, requireTLS, tls } = readSmtpUrl(url);
    return [host, port, secure, requireTLS, tls.rejectUnauthorized];
  };
  expect(of('smtp://mail.example.org')).toEqual(['mail.example.org', 587, false, true, true]);
  expect(of('smtps://mail.example.org')).toEqual(['mail.example.org', 465, true, false, true]);
  expect(of('smtp://relay.lan:25?tls=optional')).toEqual(['relay.lan', 25, false, false, false]);
  expect(of('smtp://localhost:1025')).toEqual(['localhost', 1025, false, false, false]);
  expect(of('smtp://[::1]:1025?tls=required')).toEqual(['::1', 1025, false, true, true]);
  expect(of('smtp://127.0.0.1.example.org')).toEqual(['127.0.0.1.example.org', 587, false, true, true]);
});

test('a mail server that stops answering is abandoned after a timeout', async () => {
  const server = await startSmtpServer();
  const transport = openMailTransport({ smtpUrl: server.url, name: 'localhost', patienceMs: 1500 });
  server.next('park');
  const attempt = await transport.send(mail, new AbortController().signal);
  expect(attempt).toMatchObject({ outcome: 'again', error: expect.stringMatching(/timeout/i) });
  expect(await transport.send(mail, new AbortController().signal)).toEqual({ outcome: 'sent' });
  server.release();
  await transport.close();
  await server.close();
});

test('an aborted mail attempt returns at once', async () => {
  const server = await startSmtpServer();
  const transport = openMailTransport({ smtpUrl: server.url, name: 'localhost' });
  server.next('park');
  const ended = new AbortController();
  const attempt = transport.send(mail, ended.signal);
  await expect.poll(() => server.received.length).toBe(1);
  ended.abort();
  expect(await attempt).toMatchObject({ outcome: 'again' });
  server.release();
  await transport.close();
  await server.close();
});

test('a mail text that looks like a header stays text', async () => {
  const server = await startSmtpServer();
  const transport = openMailTransport({ smtpUrl: server.url, name: 'localhost' });
  const evil = 'Hello\r\nBcc: all@example.org\r\n\r\n.\r\nMAIL FROM:<x@example.org>';
  await transport.send(
    { ...mail, subject: evil, text: evil, from: { ...mail.from, name: evil } },
    new AbortController().signal,
  );
  expect(server.received).toHaveLength(1);
  const [{ to, parsed, from } = { to: [], parsed: undefined, from: '' }] = server.received;
  expect([to, from]).toEqual([['ada@example.org'], 'no-reply@example.org']);
  expect(parsed?.bcc ?? []).toEqual([]);
  expect(parsed?.headers.map(({ key }) => key)).not.toContain('bcc');
  await transport.close();
  await server.close();
});

test('a name in From and Reply-To is no header, no second address and no encoded word', async () => {
  const server = await startSmtpServer();
  const transport = openMailTransport({ smtpUrl: server.url, name: 'localhost' });
  const names = [
    'Ada\r\nBcc: all@example.org',
    'Ada" <all@example.org>, "B',
    '=?utf-8?Q?=22_=3Call=40example=2Eorg=3E?=',
    'Ada, Ben; Carla: (x) <y> \\',
    'Åda Nilsson（山田）',
  ];
  for (const name of names) {
    const replyTo = { name, address: 'ada@example.org' };
    await transport.send({ ...mail, from: { ...mail.from, name }, replyTo }, new AbortController().signal);
  }
  expect(server.received).toHaveLength(names.length);
  for (const { parsed, to } of server.received) {
    expect(to).toEqual(['ada@example.org']);
    expect(parsed.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(parsed.from?.address).toBe('no-reply@example.org');
    expect(parsed.replyTo?.map(({ address }) => address)).toEqual(['ada@example.org']);
  }
  expect(server.received[2]?.parsed.from?.name).toBe('= ?utf-8?Q?=22_=3Call=40example=2Eorg=3E?=');
  expect(server.received.at(-1)?.parsed.from?.name).toBe('Åda Nilsson（山田）');
  await transport.close();
  await server.close();
});

/** RFC 5322 3.3: the date of a mail, without its obsolete forms. */
const mailDate =
  /^(?<weekday>Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d{1,2}) (?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (?<year>\d{4}) (?<time>[0-2]\d:[0-5]\d:[0-6]\d) (?<zone>[+-]\d{4})$/;

test('the Date header of a received mail is a date-time of RFC 5322', async () => {
  const server = await startSmtpServer();
  const transport = openMailTransport({ smtpUrl: server.url, name: 'localhost' });
  const sentAt = [
    '2026-11-26T23:43:43.038Z',
    '2027-03-07T00:00:00Z',
    '2028-02-29T12:00:00.999Z',
    '2099-12-31T23:59:59Z',
  ];
  for (const [n, at] of sentAt.entries()) {
    const dateMs = Temporal.Instant.from(at).epochMilliseconds;
    await transport.send({ ...mail, messageId: `date-${n}@example.org`, dateMs }, new AbortController().signal);
  }
  const read = server.received.map(({ raw }) => {
    const [head = ''] = raw.split('\r\n\r\n', 1);
    const dates = head.split(/\r\n(?![ \t])/).filter((line) => /^date:/i.test(line));
    expect(dates).toHaveLength(1);
    const { weekday, day, month, year, time, zone } =
      mailDate.exec(dates[0]?.slice('Date: '.length) ?? '')?.groups ?? {};
    return { weekday, date: `${year} ${month} ${Number(day)}`, time, zone };
  });
  expect(read).toEqual([
    { weekday: 'Thu', date: '2026 Nov 26', time: '23:43:43', zone: '+0000' },
    { weekday: 'Sun', date: '2027 Mar 7', time: '00:00:00', zone: '+0000' },
    { weekday: 'Tue', date: '2028 Feb 29', time: '12:00:00', zone: '+0000' },
    { weekday: 'Thu', date: '2099 Dec 31', time: '23:59:59', zone: '+0000' },
  ]);
  await transport.close();
  await server.close();
});

test('a mail that can be stopped says so in its header, with one click over https only (RFC 8058)', async () => {
  const server = await startSmtpServer();
  const transport = openMailTransport({ smtpUrl: server.url, name: 'localhost' });
  const url = 'https://holdfast.example/unsubscribe/abc';
  for (const stopUrl of [url, 'http://calendar.lan/unsubscribe/abc', undefined])
    await transport.send({ ...mail, stopUrl }, new AbortController().signal);
  const headers = server.received.map(({ parsed }) =>
    parsed.headers.filter(({ key }) => key.startsWith('list-')).map(({ key, value }) => [key, value]),
  );
  expect(headers).toEqual([
    [
      ['list-unsubscribe', `<${url}>`],
      ['list-unsubscribe-post', 'List-Unsubscribe=One-Click'],
    ],
    [['list-unsubscribe', '<http://calendar.lan/unsubscribe/abc>']],
    [],
  ]);
  await transport.close();
  await server.close();
});

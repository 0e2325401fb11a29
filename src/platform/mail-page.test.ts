import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { loadConfig } from './config.ts';
import { inTransaction } from './db.ts';
import { addressWithKey } from './this-machine.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp({ features: [], role: 'web', config: { showsMail: true } });
  for (const [n, subject] of ['Confirm your address', 'Choose <b>a</b> new password'].entries()) {
    await inTransaction(server.app.db, (tx) =>
      server.app.mail.send(tx, {
        key: `test:${n}`,
        kind: 'access.verify-email',
        to: 'ada@example.org',
        userId: null,
        locale: 'en',
        content: {
          subject,
          heading: subject,
          blocks: [
            { text: 'Hello <script>alert(1)</script>' },
            { button: { label: 'Go on', url: `http://localhost/verify-email?n=${n}&code=x` } },
          ],
        },
      }),
    );
  }
});
afterAll(() => server.close());

const printed = (path: string) => addressWithKey(server.app, path).replace(server.app.config.publicUrl, '');
const withoutKey = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  server.inject({ url, headers: { host: 'localhost:3000', ...headers }, remoteAddress });
/** In a browser that opened the printed address before. */
async function get(url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
  const [kept] = (await withoutKey(printed('/dev/mail'))).cookies;
  return withoutKey(url, { cookie: `${kept?.name}=${kept?.value}`, ...headers }, remoteAddress);
}

async function firstMail(): Promise<string> {
  const { body } = await get('/dev/mail');
  return /href="(\/dev\/mail\/[0-9a-f-]+)"/.exec(body)?.[1] ?? '';
}

describe('development mail page', () => {
  test('a browser that opens the printed first page keeps the key and loses it from the address', async () => {
    const { statusCode, headers, cookies } = await withoutKey(printed('/'));
    expect([statusCode, headers.location, cookies.map(({ name }) => name)]).toEqual([303, '/', ['holdfast-operator']]);
    const forwarded = await withoutKey(printed('/'), { 'x-forwarded-for': '192.0.2.7' });
    expect(forwarded.cookies).toEqual([]);
  });

  test('the mail page lists mails newest first with their links', async () => {
    const { statusCode, body } = await get('/dev/mail');
    expect(statusCode).toBe(200);
    const subjects = [...body.matchAll(/<a href="\/dev\/mail\/[^"]+">([^<]*)</g)].map((match) => match[1]);
    expect(subjects).toEqual(['Choose &lt;b&gt;a&lt;/b&gt; new password', 'Confirm your address']);
    expect(body).toContain('href="http://localhost/verify-email?n=0&amp;code=x"');
  });

  test('the mail page is in the language of its reader', async () => {
    const { body } = await get('/dev/mail', { 'accept-language': 'fr-CA' });
    expect(body).toContain('<html lang="fr" dir="ltr">');
    expect(body).toContain('Définissez <code>SMTP_URL</code> pour les envoyer.');
    expect(body).toContain('À ada@example.org · ');
  });

  test('times on the mail page name their zone, and its script, the only one, may write them in that of the browser', async () => {
    const { body, headers } = await get('/dev/mail', { 'accept-language': 'en-US' });
    const [, at = '', locale = '', shown = ''] = /<time datetime="([^"]+)" lang="([^"]+)">([^<]+)</.exec(body) ?? [];
    const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
      .formatToParts(new Date(at))
      .find(({ type }) => type === 'timeZoneName')?.value;
    expect([locale, shown.split(' ').at(-1)]).toEqual(['en-US', zone]);
    const [script = '', ...more] = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
    expect(more).toEqual([]);
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers['content-security-policy']).toContain(`script-src 'sha256-${hash}';`);
    const time = { dateTime: '2026-07-01T12:00:00Z', lang: 'de', textContent: '' };
    runInNewContext(script, { document: { querySelectorAll: () => [time] } });
    expect(time.textContent).toMatch(/1\. Juli 2026/);
  });

  test('the mail page shows a mail in a sandboxed frame that can only follow links', async () => {
    const url = await firstMail();
    const { body } = await get(url);
    expect(body).toContain(`<iframe src="${url}/html"`);
    const { body: mail, headers } = await get(`${url}/html`);
    expect(headers['content-security-policy']).toContain('sandbox allow-top-navigation-by-user-activation;');
    expect(headers['content-security-policy']).not.toContain('script');
    expect(mail).not.toContain('<script');
    expect(mail).toContain('<base target="_top" />');
  });

  test('the mail page is not served to other machines, through a proxy, or under a rebound host name', async () => {
    const mail = await firstMail();
    for (const path of ['/dev/mail', mail, `${mail}/html`, `${mail}/mail.eml`]) {
      expect((await get(path)).statusCode, path).toBe(200);
      expect((await get(path, {}, '192.0.2.7')).statusCode, path).toBe(404);
      expect((await get(path, { 'x-forwarded-for': '192.0.2.7' })).statusCode, path).toBe(404);
      expect((await get(path, { host: 'rebound.example' })).statusCode, path).toBe(404);
    }
  });

  test('the mail page and the metrics need the key of the printed address: a proxy may look like this machine', async () => {
    const html = { accept: 'text/html' };
    const mail = await firstMail();
    for (const path of ['/dev/mail', mail, `${mail}/html`, `${mail}/mail.eml`, '/metrics']) {
      for (const wrong of ['', '?access=', `?access=${'x'.repeat(43)}`, `${printed('')}&access=x`]) {
        expect((await withoutKey(path + wrong)).statusCode, path + wrong).toBe(404);
      }
      expect((await withoutKey(path, { cookie: 'holdfast-operator=x' })).statusCode, path).toBe(404);
      expect((await get(path)).statusCode, path).toBe(200);
    }
    const hint = await withoutKey('/dev/mail', html);
    expect([hint.statusCode, hint.body]).toEqual([
      404,
      expect.stringContaining('Open the address printed when Holdfast started'),
    ]);
    expect(hint.body).not.toContain('ada@example.org');
    const opened = await withoutKey(printed('/dev/mail'), html);
    expect([opened.statusCode, opened.headers.location]).toEqual([303, '/dev/mail']);
    expect(opened.cookies).toEqual([expect.objectContaining({ httpOnly: true, sameSite: 'Lax', path: '/' })]);
    expect((await withoutKey(printed('/metrics'))).body).toContain('holdfast_http_request_seconds_count');
  });

  test('the mail page shows the calendar file of a mail', async () => {
    const ics = 'BEGIN:VCALENDAR\r\nSUMMARY:<b>Intro</b>\r\nEND:VCALENDAR\r\n';
    await inTransaction(server.app.db, (tx) =>
      server.app.mail.send(tx, {
        key: 'test:calendar',
        kind: 'booking.confirmed',
        to: 'ada@example.org',
        userId: null,
        locale: 'en',
        content: { subject: 'Booked', heading: 'Booked', blocks: [{ text: 'Come.' }] },
        calendar: { method: 'REQUEST', ics },
      }),
    );
    const { body } = await get(await firstMail());
    expect(body).toContain('<summary>Calendar file</summary><pre>BEGIN:VCALENDAR');
    expect(body).toContain('SUMMARY:&lt;b&gt;Intro&lt;/b&gt;');
  });

  test('the mail page offers the source of a mail as a file that no browser shows', async () => {
    const url = await firstMail();
    expect((await get(url)).body).toContain(`href="${url}/mail.eml" download="mail.eml"`);
    const { headers, rawPayload } = await get(`${url}/mail.eml`);
    expect(headers).toMatchObject({
      'content-type': 'message/rfc822',
      'content-disposition': 'attachment; filename="mail.eml"',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    const parsed = await PostalMime.parse(rawPayload);
    expect(parsed.to?.map(({ address }) => address)).toEqual(['ada@example.org']);
    expect(parsed.messageId).toMatch(/^<.+@.+>$/);
    expect(parsed.headers.map(({ key }) => key)).toEqual(expect.arrayContaining(['date', 'mime-version', 'from']));
    expect([parsed.subject, parsed.text?.includes('Come.')]).toEqual(['Booked', true]);
    expect(parsed.attachments.map(({ mimeType }) => mimeType)).toContain('application/ics');
  });

  test('an unknown mail on the mail page is 404', async () => {
    for (const id of ['nothing', '00000000-0000-0000-0000-000000000000', "'--", '%00']) {
      expect((await get(`/dev/mail/${id}`)).statusCode, id).toBe(404);
    }
  });
});

test('the mail page exists only on a local install without a mail server', async () => {
  const on = (settings: Record<string, string>) => loadConfig(settings).showsMail;
  expect(on({})).toBe(true);
  expect(on({ NODE_ENV: 'development', PUBLIC_URL: 'http://localhost:5173' })).toBe(true);
  expect(on({ PUBLIC_URL: 'https://calendar.example.org' })).toBe(false);
  expect(on({ SMTP_URL: 'smtp://mail.example.org' })).toBe(false);
  expect(on({ SMTP_URL: 'smtp://mail.example.org', NODE_ENV: 'development' })).toBe(false);
  const production = await startTestApp({ features: [], role: 'web' });
  expect((await production.inject({ url: '/dev/mail', headers: { host: 'localhost' } })).statusCode).toBe(404);
  await production.close();
});

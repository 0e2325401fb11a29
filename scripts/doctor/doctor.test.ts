import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LaunchedGoogle, launchGoogle } from '../../src/emulators/google/launch.ts';
import { type Config, loadConfig } from '../../src/platform/config.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { examine } from './examine.ts';
import { type Finding, printFinding } from './finding.ts';

let install: TestApp;
let google: LaunchedGoogle;
const keys = `test:${randomBytes(32).toString('base64')}`;

beforeAll(async () => {
  install = await startTestApp({ encryptionKeys: keys });
  google = await launchGoogle();
});
afterAll(async () => {
  await google.close();
  await install.close();
});

async function findings(settings: Record<string, string>, encryptionKeys = keys): Promise<Finding[]> {
  const config: Config = loadConfig({ NODE_ENV: 'test', ...settings });
  const found: Finding[] = [];
  const { url } = install.database;
  for await (const one of examine(config, { databaseUrl: url, encryptionKeys, log: install.app.log })) found.push(one);
  return found;
}
const of = (list: Finding[], subject: string) => list.filter((one) => one.subject === subject);

const registered = (secret?: string) => ({
  GOOGLE_CLIENT_ID: google.endpoints.clientId,
  GOOGLE_CLIENT_SECRET: secret ?? google.endpoints.clientSecret,
  GOOGLE_TOKEN_URL: google.endpoints.tokenUrl,
  GOOGLE_AUTHORIZE_URL: google.endpoints.authorizeUrl,
});

describe('the doctor', () => {
  test('finds nothing bad with an install that is only for its own machine, and says what it lacks for more', async () => {
    const found = await findings({});
    expect(found.filter((one) => one.state === 'bad')).toEqual([]);
    expect(of(found, 'Database')).toMatchObject([{ state: 'ok', says: expect.stringMatching(/^PostgreSQL 1\d/) }]);
    expect(of(found, 'Clock')).toMatchObject([{ state: 'ok' }]);
    expect(of(found, 'Public address')).toMatchObject([{ state: 'note', says: expect.stringContaining('polled') }]);
    for (const provider of ['Google', 'Microsoft']) {
      expect(of(found, provider)).toMatchObject([{ state: 'note', mend: expect.stringContaining('_CLIENT_ID') }]);
    }
  });

  test('tells a registration that is accepted from one whose secret is wrong, and never repeats the secret', async () => {
    const right = of(await findings(registered()), 'Google');
    expect(right[0]).toMatchObject({ state: 'ok', says: 'accepts the client id and secret' });
    expect(right.at(-1)?.says).toContain('after 7 days');
    const wrong = of(await findings(registered('GOCSPX-not-the-secret')), 'Google');
    expect(wrong).toMatchObject([{ state: 'bad', says: expect.stringContaining('invalid_client') }]);
    expect(JSON.stringify([right, wrong])).not.toContain('GOCSPX-not-the-secret');
  });

  test('finds that the provider does not know our way back, and says which to register', async () => {
    const found = of(await findings({ ...registered(), PUBLIC_URL: 'https://calendar.example.org' }), 'Google');
    expect(found).toContainEqual(
      expect.objectContaining({
        state: 'bad',
        says: 'does not know our way back',
        mend: expect.stringContaining('https://calendar.example.org/provider/google/callback'),
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        state: 'bad',
        mend: expect.stringContaining('https://calendar.example.org/auth/oauth/google/callback'),
      }),
    );
  });

  test('looks for the servers at which people only sign in, where they are set up', async () => {
    expect(of(await findings({}), 'Zoho')).toEqual([]);
    const zoho = { ZOHO_CLIENT_ID: 'id', ZOHO_CLIENT_SECRET: 'secret', ZOHO_URL: 'http://127.0.0.1:9' };
    expect(of(await findings(zoho), 'Zoho')).toMatchObject([
      { state: 'bad', mend: expect.stringContaining('ZOHO_URL') },
    ]);
  });

  test('finds a token endpoint that does not answer', async () => {
    const found = of(await findings({ ...registered(), GOOGLE_TOKEN_URL: 'http://127.0.0.1:9/token' }), 'Google');
    expect(found).toMatchObject([{ state: 'bad', says: expect.stringContaining('does not answer') }]);
  });

  test('finds a public address that is not encrypted, or that nobody answers', async () => {
    const plain = of(await findings({ PUBLIC_URL: 'http://calendar.example.org' }), 'Public address');
    expect(plain).toMatchObject([{ state: 'bad', says: expect.stringContaining('not https') }]);
    const silent = of(await findings({ PUBLIC_URL: 'https://calendar.invalid' }), 'Public address');
    expect(silent).toMatchObject([{ state: 'bad', says: expect.stringContaining('does not answer') }]);
  });

  test('finds stored secrets that the keys at hand do not open', async () => {
    const { loadMirrorSigner } = await import('../../src/features/connections/load-mirror-signer.ts');
    await loadMirrorSigner(install.app);
    const good = of(await findings({}), 'Encryption key');
    expect(good).toMatchObject([{ state: 'ok', says: 'opens all 1 stored secrets' }]);
    const other = of(await findings({}, `other:${randomBytes(32).toString('base64')}`), 'Encryption key');
    expect(other).toMatchObject([{ state: 'bad', says: '1 of 1 stored secrets cannot be opened' }]);
    const rotated = `new:${randomBytes(32).toString('base64')},${keys}`;
    expect(of(await findings({}, rotated), 'Encryption key')).toMatchObject([{ state: 'note' }]);
  });

  test('greets the mail server with the password, and sends nothing', async () => {
    const server = await smtpServer('letmein');
    const { port } = server.address() as AddressInfo;
    const at = (password: string) => ({ SMTP_URL: `smtp://me:${password}@127.0.0.1:${port}` });
    expect(of(await findings(at('letmein')), 'Mail')).toMatchObject([{ state: 'ok' }]);
    const refused = of(await findings(at('wrong-one')), 'Mail');
    expect(refused).toMatchObject([{ state: 'bad', mend: expect.stringContaining('user and password') }]);
    expect(JSON.stringify(refused)).not.toContain('wrong-one');
    await new Promise((resolve) => server.close(resolve));
    expect(of(await findings(at('letmein')), 'Mail')).toMatchObject([{ state: 'bad' }]);
  });

  test('prints a line for each finding and one for what to do', () => {
    expect(printFinding({ subject: 'Clock', state: 'bad', says: '90 s behind', mend: 'Use NTP.' })).toBe(
      'BAD   Clock           90 s behind\n                      -> Use NTP.',
    );
  });
});

/** As much of RFC 5321 and 4954 as a greeting takes. */
async function smtpServer(password: string): Promise<Server> {
  const good = Buffer.from(`\0me\0${password}`).toString('base64');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.example.org ESMTP\r\n');
    socket.on('data', (chunk) => {
      const line = chunk.toString().trim();
      if (/^EHLO/i.test(line)) socket.write('250-mail.example.org\r\n250 AUTH PLAIN\r\n');
      else if (/^AUTH PLAIN/i.test(line)) socket.write(line.endsWith(good) ? '235 2.7.0 ok\r\n' : '535 5.7.8 no\r\n');
      else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

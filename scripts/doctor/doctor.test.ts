import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LaunchedGoogle, launchGoogle } from '../../src/emulators/google/launch.ts';
import { type Config, loadConfig } from '../../src/platform/config.ts';
import { inTransaction } from '../../src/platform/db.ts';
import { insertMails } from '../../src/platform/mail-outbox.ts';
import { startSmtpServer } from '../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { checkZoneData } from './check-zone-data.ts';
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

describe('doctor', () => {
  test('the doctor finds nothing bad with a local install and lists what public use needs', async () => {
    const found = await findings({});
    expect(found.filter((one) => one.state === 'bad')).toEqual([]);
    expect(of(found, 'Database')).toMatchObject([{ state: 'ok', says: expect.stringMatching(/^PostgreSQL 1\d/) }]);
    expect(of(found, 'Clock')).toMatchObject([{ state: 'ok' }]);
    expect(of(found, 'Public address')).toMatchObject([{ state: 'note', says: expect.stringContaining('polled') }]);
    for (const provider of ['Google', 'Microsoft']) {
      expect(of(found, provider)).toMatchObject([{ state: 'note', mend: expect.stringContaining('_CLIENT_ID') }]);
    }
  });

  test('the doctor prints the version of the time zone data, and how to renew it when it is old', async () => {
    const [zones] = of(await findings({}), 'Time zones');
    expect(zones?.says).toContain(`tzdata ${process.versions.tz}, about `);
    const on = (day: string) => Temporal.Instant.from(`${day}T00:00:00Z`).epochMilliseconds;
    expect(checkZoneData('2026e', on('2026-11-28'))).toMatchObject({
      state: 'ok',
      says: expect.stringContaining('tzdata 2026e, about 60 days old'),
    });
    expect(checkZoneData('2026c', on('2026-11-28'))).toMatchObject({
      state: 'note',
      says: expect.stringContaining('tzdata 2026c, about 143 days old'),
      mend: expect.stringContaining('ICU_TIMEZONE_FILES_DIR'),
    });
  });

  test('the doctor distinguishes an accepted registration from a wrong secret and never prints the secret', async () => {
    const right = of(await findings(registered()), 'Google');
    expect(right[0]).toMatchObject({ state: 'ok', says: 'accepts the client ID and secret' });
    expect(right.at(-1)?.says).toContain('after 7 days');
    const wrong = of(await findings(registered('GOCSPX-not-the-secret')), 'Google');
    expect(wrong).toMatchObject([{ state: 'bad', says: expect.stringContaining('invalid_client') }]);
    expect(JSON.stringify([right, wrong])).not.toContain('GOCSPX-not-the-secret');
  });

  test('the doctor finds an unregistered redirect URI and prints the one to register', async () => {
    const found = of(await findings({ ...registered(), PUBLIC_URL: 'https://calendar.example.org' }), 'Google');
    expect(found).toContainEqual(
      expect.objectContaining({
        state: 'bad',
        says: 'does not know our redirect URI',
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

  test('the doctor checks a sign-in-only provider when it is configured', async () => {
    expect(of(await findings({}), 'Zoho')).toEqual([]);
    const zoho = { ZOHO_CLIENT_ID: 'id', ZOHO_CLIENT_SECRET: 'secret', ZOHO_URL: 'http://127.0.0.1:9' };
    expect(of(await findings(zoho), 'Zoho')).toMatchObject([
      { state: 'bad', mend: expect.stringContaining('ZOHO_URL') },
    ]);
  });

  test('the doctor finds an unreachable token endpoint', async () => {
    const found = of(await findings({ ...registered(), GOOGLE_TOKEN_URL: 'http://127.0.0.1:9/token' }), 'Google');
    expect(found).toMatchObject([{ state: 'bad', says: expect.stringContaining('does not answer') }]);
  });

  test('the doctor finds a public address that is not HTTPS or does not answer', async () => {
    const plain = of(await findings({ PUBLIC_URL: 'http://calendar.example.org' }), 'Public address');
    expect(plain).toMatchObject([{ state: 'bad', says: expect.stringContaining('not https') }]);
    const silent = of(await findings({ PUBLIC_URL: 'https://calendar.invalid' }), 'Public address');
    expect(silent).toMatchObject([{ state: 'bad', says: expect.stringContaining('does not answer') }]);
  });

  test('the doctor finds stored secrets that the current keys do not open', async () => {
    const { loadMirrorSigner } = await import('../../src/features/connections/adapters.ts');
    await loadMirrorSigner(install.app);
    const good = of(await findings({}), 'Encryption key');
    expect(good).toMatchObject([{ state: 'ok', says: 'decrypts all 2 stored secrets' }]);
    const other = of(await findings({}, `other:${randomBytes(32).toString('base64')}`), 'Encryption key');
    expect(other).toMatchObject([{ state: 'bad', says: '2 of 2 stored secrets cannot be decrypted' }]);
    const rotated = `new:${randomBytes(32).toString('base64')},${keys}`;
    expect(of(await findings({}, rotated), 'Encryption key')).toMatchObject([{ state: 'note' }]);
  });

  test('the doctor logs in to the mail server and sends nothing', async () => {
    const server = await startSmtpServer({ user: { name: 'me', password: 'letmein' } });
    const at = (password: string) => ({ SMTP_URL: server.url.replace('letmein', password) });
    expect(of(await findings(at('letmein')), 'Mail')).toMatchObject([{ state: 'ok' }]);
    const refused = of(await findings(at('wrong-one')), 'Mail');
    expect(refused).toMatchObject([{ state: 'bad', mend: expect.stringContaining('user and password') }]);
    expect(JSON.stringify(refused)).not.toContain('wrong-one');
    expect(server.received).toEqual([]);
    const unencrypted = of(await findings({ SMTP_URL: `${server.url}?tls=required` }), 'Mail');
    expect(unencrypted).toMatchObject([{ state: 'bad', mend: expect.stringContaining('STARTTLS') }]);
    await server.close();
    expect(of(await findings(at('letmein')), 'Mail')).toMatchObject([{ state: 'bad' }]);
  });

  test('the doctor points to the mail page of a local install and requires a mail server for a public one', async () => {
    expect(of(await findings({}), 'Mail')).toMatchObject([
      { state: 'note', says: expect.stringContaining('/dev/mail') },
    ]);
    const open = of(await findings({ PUBLIC_URL: 'https://calendar.invalid' }), 'Mail');
    expect(open).toMatchObject([{ state: 'bad', mend: expect.stringContaining('SMTP_URL') }]);
  });

  test('the doctor finds delayed and bounced mail with the server’s answer', async () => {
    const { db, keyring } = install.app;
    const insert = (key: string) =>
      inTransaction(db, (tx) =>
        insertMails(tx, keyring, [
          {
            id: randomUUID(),
            key,
            messageId: key,
            kind: 'access.reset',
            to: `${key}@example.org`,
            userId: null,
            body: { locale: 'en', content: { subject: 'Secret', heading: 'Secret', blocks: [] } },
            expiresInMs: undefined,
            forget: false,
          },
        ]),
      );
    await insert('late');
    await insert('gone');
    await sql`update platform.mails set created_at = now() - interval '1 hour', error = '451 busy' where key = 'late'`.execute(
      db,
    );
    await sql`update platform.mails set state = 'bounced', settled_at = now(), body = null, created_at = now() - interval '1 day'
      where key = 'gone'`.execute(db);
    const server = await startSmtpServer();
    const [reached, waits, refused] = of(await findings({ SMTP_URL: server.url }), 'Mail');
    await server.close();
    expect(reached).toMatchObject({ state: 'ok' });
    expect(waits).toMatchObject({
      state: 'bad',
      says: expect.stringMatching(/^1 emails are waiting, .* 60 minutes.*451 busy/),
    });
    expect(refused).toMatchObject({ state: 'note', says: expect.stringContaining('1 had no mailbox, 0 failed') });
  });

  test('the doctor prints one line for a finding and one for its remedy', () => {
    expect(printFinding({ subject: 'Clock', state: 'bad', says: '90 s behind', mend: 'Use NTP.' })).toBe(
      'BAD   Clock           90 s behind\n                      -> Use NTP.',
    );
  });
});

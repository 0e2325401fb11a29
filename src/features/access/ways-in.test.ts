import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDoors } from '../../../test/harness/list-doors.ts';
import { readLink } from '../../../test/harness/read-link.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { type EnrolledUser, enrolUser } from '../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../../../test/harness/test-client.ts';
import { accessContract } from './contract.ts';

/**
 * CVE-2026-33315: a second factor at the front door, and another door without it. Here every way in is known, and each
 * is tried at an account with a second factor.
 */

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
  await signUpUser(server, 'first@example.org');
});
afterAll(() => server.close());

const src = join(import.meta.dirname, '../..');
const stranger = () => clientOf(server, accessContract);

/** The proof that each endpoint with a session in its answer requires. A new endpoint fails until it is listed. */
const knownDoors: Record<string, string> = {
  'POST /auth/login': 'a password; a second factor is asked for (below)',
  'POST /auth/passkey/verify': 'a passkey that has looked at its holder: both factors (passkeys.test.ts)',
  'POST /auth/oauth/exchange':
    'a way back from a provider; a second factor is asked for (test/provider-sign-in.test.ts)',
  'POST /auth/mfa/verify': 'a challenge and a code (second-factor.test.ts)',
  'POST /auth/mfa/backup/consume': 'a challenge and a backup code (second-factor.test.ts)',
  'POST /auth/mfa/enroll/verify': 'a challenge, where no second factor is set up yet (second-factor.test.ts)',
  'POST /auth/mfa/disable': 'a session with a recent proof, which it renews',
  'POST /api/account/password': 'a session with a recent proof, which it renews',
  'POST /api/account/reauthenticate': 'a session, which it renews',
};

test('CVE-2026-33315: every endpoint that returns a session is on the reviewed list', () => {
  expect(listDoors()).toEqual(Object.keys(knownDoors).toSorted());
});

test('CVE-2026-33315: a session is opened only by the code that requires the second factor', async () => {
  const callers: string[] = [];
  let seen = 0;
  for await (const path of glob('**/*.{ts,tsx}', { cwd: src })) {
    if (/\.test\.tsx?$/.test(path)) continue;
    seen += 1;
    if (/\b(?:openSession|insertSession)\(/.test(await readFile(join(src, path), 'utf8'))) callers.push(path);
  }
  expect(seen).toBeGreaterThan(500);
  expect(callers.toSorted()).toEqual([
    'features/access/sign-in/sign-in.ts',
    'features/accounts/sessions/impersonation.ts', // for an administrator who has passed both, and never a recent proof
    'features/accounts/sessions/sessions.ts',
    'features/accounts/store/sessions.ts',
  ]);
});

let count = 0;
async function enrolled(): Promise<EnrolledUser> {
  count += 1;
  return enrolUser(server, await signUpUser(server, `person-${count}@example.org`));
}
const sessionsOf = async ({ userId }: EnrolledUser) =>
  (
    await sql<{
      second_factor: boolean;
    }>`select second_factor from accounts.sessions where user_id = ${userId}`.execute(server.app.db)
  ).rows.map((row) => row.second_factor);

test('CVE-2026-33315: a password sign-in opens no session without the second factor, for users and administrators', async () => {
  const user = await enrolled();
  await sql`update accounts.users set role = 'admin' where id = ${user.userId}`.execute(server.app.db);
  for (const app of ['user', 'admin'] as const) {
    const answer = await stranger().login({ body: { email: user.email, password: testPassword, app } });
    expect(answer).toMatchObject({ session_token: null, next: 'MFA_REQUIRED' });
  }
  expect(await sessionsOf(user)).toEqual([true]);
});

test('CVE-2026-33315: a password reset by mail does not bypass the second factor', async () => {
  const user = await enrolled();
  await stranger().forgotPassword({ body: { email: user.email } });
  await server.settle();
  const { email, code } = await readLink(server, user.email);
  const half = await stranger().login({ body: { email, password: testPassword } });
  const reset = await server.inject({
    method: 'POST',
    url: '/auth/password/reset',
    payload: { email, code, new_password: 'quiet harbour eleven' },
  });
  expect([reset.statusCode, reset.cookies]).toEqual([200, []]);
  expect(await sessionsOf(user)).toEqual([]);
  // Nor does what the old password began.
  await expect(
    stranger().consumeBackupCode({ body: { session: half.session ?? '', code: user.backupCodes[0] ?? '' } }),
  ).rejects.toMatchObject({ code: 'CHALLENGE_ENDED' });
  const answer = await stranger().login({ body: { email, password: 'quiet harbour eleven' } });
  expect(answer).toMatchObject({ session_token: null, next: 'MFA_REQUIRED' });
});

test('CVE-2026-33315: neither a sign-up nor its code in another browser opens a session', async () => {
  const email = 'new@example.org';
  const answers = [
    await server.inject({ method: 'POST', url: '/auth/signup', payload: { email, password: testPassword } }),
    await server.settle().then(async () => {
      const { code } = await readLink(server, email);
      return server.inject({ method: 'POST', url: '/auth/verify-email', payload: { email, code } });
    }),
  ];
  const sessions = answers.map((one) => one.cookies.filter(({ name }) => name === 'holdfast'));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200]);
  expect([sessions, answers[1]?.cookies]).toEqual([[[], []], []]);
});

test('a change of the second factor and a used backup code are announced by mail without secrets', async () => {
  const user = await enrolled();
  const { session } = await stranger().login({ body: { email: user.email, password: testPassword } });
  const code = user.backupCodes[0] ?? '';
  await stranger().consumeBackupCode({ body: { session: session ?? '', code } });
  await user.as(accessContract).regenerateBackupCodes();
  await user.as(accessContract).disableMfa();
  await server.settle();
  const mails = await readMails(server, user.email);
  expect(mails.map((mail) => mail.kind)).toEqual([
    'access.mfa-enabled',
    'access.backup-code-used',
    'access.backup-codes-made',
    'access.mfa-disabled',
  ]);
  for (const mail of mails) {
    expect(mail.links).toEqual(['http://localhost/password/forgot']);
    for (const secret of [user.key, ...user.backupCodes]) expect(JSON.stringify(mail)).not.toContain(secret);
  }
});

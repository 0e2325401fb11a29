import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { codeOf, type EnrolledUser, enrolUser } from '../../../test/harness/second-factor.ts';
import { createTestDatabase, startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, type TestUser, testPassword } from '../../../test/harness/test-client.ts';
import type { TestDatabase } from '../../../test/harness/test-cluster.ts';
import { accessContract } from './contract.ts';

let database: TestDatabase;
let server: TestApp;
/** Another process on the same database. */
let elsewhere: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const encryptionKeys = `test:${randomBytes(32).toString('base64')}`;
  server = await startTestApp({ role: 'web', database, encryptionKeys });
  elsewhere = await startTestApp({ role: 'web', database, encryptionKeys });
});
afterAll(async () => {
  await elsewhere.close();
  await server.close();
  await database.close();
});
beforeEach(async () => {
  await sql`update accounts.settings set require_admin_mfa = true`.execute(server.app.db);
});

const setRole = (user: TestUser, role: 'user' | 'admin') =>
  sql`update accounts.users set role = ${role} where id = ${user.userId}`.execute(server.app.db);
let count = 0;
async function admin(): Promise<TestUser> {
  count += 1;
  const user = await signUpUser(server, `admin-${count}@example.org`);
  await setRole(user, 'admin');
  return user;
}
const access = async (user: TestUser) => (await user.as(accountsContract).readAccountProfile()).adminAccess;
const ask = (user: TestUser, at = server) =>
  at.inject({ url: '/api/admin/settings', headers: { authorization: `Bearer ${user.token}` } });
const login = (user: TestUser, app: 'user' | 'admin') =>
  clientOf(server, accessContract).login({ body: { email: user.email, password: testPassword, app } });

test('an administrator without a second factor signs in at the ordinary page with ordinary rights only', async () => {
  const user = await admin();
  expect((await login(user, 'user')).next).toBeNull();
  expect(await access(user)).toBe('mfa-needed');
  const refused = await ask(user);
  expect([refused.statusCode, refused.json().detail.code]).toEqual([403, 'MFA_NEEDED']);
  const enrolled = await enrolUser(server, user);
  expect(await access(enrolled)).toBe('granted');
  expect((await ask(enrolled)).json()).toMatchObject({ requireAdminMfa: true });
});

test('the administrator sign-in page requires setting up a second factor and then grants access', async () => {
  const user = await admin();
  const half = await login(user, 'admin');
  expect(half).toMatchObject({ session_token: null, next: 'MFA_ENROLL', session: expect.any(String) });
  const stranger = clientOf(server, accessContract);
  const { base32Secret, session } = await stranger.startEnrolment({ body: { session: half.session ?? '' } });
  expect(session).toBe(half.session);
  const whole = await stranger.finishEnrolment({ body: { session, code: codeOf(base32Secret, server) } });
  expect(whole).toMatchObject({ success: true, message: 'Login successful', next: null });
  expect(whole.backupCodes).toHaveLength(10);
  expect(await access({ ...user, as: (contract) => clientOf(server, contract, whole.session_token ?? '') })).toBe(
    'granted',
  );
  expect((await login(user, 'admin')).next).toBe('MFA_REQUIRED');
});

test('an ordinary user is refused at the administrator sign-in, with or without a second factor', async () => {
  const user = await enrolUser(server, await signUpUser(server, 'plain@example.org'));
  await expect(login(user, 'admin')).rejects.toMatchObject({ status: 403, code: 'NOT_AN_ADMIN' });
  expect(await access(user)).toBe('none');
  expect((await ask(user)).json().detail.code).toBe('FORBIDDEN');
});

test('an administrator who loses the role between the two factors is refused and keeps the backup code', async () => {
  const user = await enrolUser(server, await admin());
  const { session } = await login(user, 'admin');
  await setRole(user, 'user');
  const code = user.backupCodes[0] ?? '';
  await expect(
    clientOf(server, accessContract).consumeBackupCode({ body: { session: session ?? '', code } }),
  ).rejects.toMatchObject({ status: 403, code: 'NOT_AN_ADMIN' });
  // Nothing was used up by it.
  expect((await user.as(accessContract).readMfa()).backupCodesLeft).toBe(10);
});

test('a changed second-factor requirement applies to open sessions in every process with the next request', async () => {
  const boss = await enrolUser(server, await admin());
  const other = await admin();
  expect((await ask(other, elsewhere)).statusCode).toBe(403);
  expect(
    await boss.as(accountsContract).changeInstallSettings({ body: { requireAdminMfa: false, reason: 'tried out' } }),
  ).toMatchObject({
    requireAdminMfa: false,
  });
  expect((await ask(other, elsewhere)).statusCode).toBe(200);
  expect(await access(other)).toBe('granted');
  expect((await login(other, 'admin')).next).toBeNull();
  await boss.as(accountsContract).changeInstallSettings({ body: { requireAdminMfa: true, reason: 'tried out' } });
  expect((await ask(other, elsewhere)).statusCode).toBe(403);
  expect((await ask(boss, elsewhere)).statusCode).toBe(200);
});

test('changing the second-factor requirement needs an administrator with a recent proof and enters the audit log', async () => {
  const boss = await enrolUser(server, await admin());
  await sql`update accounts.sessions set authenticated_at = now() - interval '11 minutes'
    where user_id = ${boss.userId}`.execute(server.app.db);
  const change = (user: TestUser) =>
    user.as(accountsContract).changeInstallSettings({ body: { requireAdminMfa: false, reason: 'tried out' } });
  await expect(change(boss)).rejects.toMatchObject({ status: 403, code: 'REAUTHENTICATE' });
  await expect(change(await admin())).rejects.toMatchObject({ status: 403, code: 'MFA_NEEDED' });
  await expect(change(await signUpUser(server, 'nobody@example.org'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await ask(boss)).json()).toMatchObject({ requireAdminMfa: true });
  await sql`update accounts.sessions set authenticated_at = now() where user_id = ${boss.userId}`.execute(
    server.app.db,
  );
  await change(boss);
  const { rows } = await sql<{ kind: string; details: object }>`
    select kind, details from accounts.trail where user_id = ${boss.userId} order by id desc limit 1`.execute(
    server.app.db,
  );
  expect(rows).toEqual([{ kind: 'install-settings-changed', details: { requireAdminMfa: false } }]);
});

test('an administrator who turns the second factor off has no administrator rights until it is on again', async () => {
  const boss = await enrolUser(server, await admin());
  const { session_token: token } = await boss.as(accessContract).disableMfa();
  const without: TestUser = { ...boss, token: token ?? '', as: (contract) => clientOf(server, contract, token ?? '') };
  expect(await access(without)).toBe('mfa-needed');
  const again: EnrolledUser = await enrolUser(server, without);
  expect(await access(again)).toBe('granted');
});

test('a withdrawn administrator role loses access with the next request', async () => {
  const boss = await enrolUser(server, await admin());
  expect((await ask(boss, elsewhere)).statusCode).toBe(200);
  await setRole(boss, 'user');
  expect((await ask(boss, elsewhere)).statusCode).toBe(403);
});

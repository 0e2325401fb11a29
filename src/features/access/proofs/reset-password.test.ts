import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { readLink } from '../../../../test/harness/read-link.ts';
import { readMails } from '../../../../test/harness/read-mails.ts';
import { enrolUser } from '../../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../../../../test/harness/test-client.ts';
import { accessContract } from '../contract.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const stranger = () => clientOf(server, accessContract);
const login = (email: string, password: string) => stranger().login({ body: { email, password } });
const reset = (email: string, code: string, new_password = newPassword) =>
  stranger().resetPassword({ body: { email, code, new_password } });
const newPassword = 'quiet harbour eleven';
const invalid = { status: 400, code: 'CODE_INVALID' };

async function ask(email: string) {
  const answer = await stranger().forgotPassword({ body: { email } });
  await server.settle();
  return answer;
}

test('a password reset sets the new password, ends every session and opens none', async () => {
  const user = await signUpUser(server, 'ada@example.org');
  await ask(' ADA@example.org');
  const { path, email, code } = await readLink(server, user.email);
  expect([path, email, code.length]).toEqual(['/password/reset', user.email, 22]);
  const response = await server.inject({
    method: 'POST',
    url: '/auth/password/reset',
    payload: { email, code, new_password: newPassword },
  });
  expect(response.json()).toEqual({ message: 'Password reset successfully. Please log in with your new password.' });
  expect(response.headers['set-cookie']).toBeUndefined();
  await expect(user.as(accountsContract).readProfile()).rejects.toMatchObject({ status: 401 });
  await expect(login(user.email, testPassword)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  expect((await login(user.email, newPassword)).message).toBe('Login successful');
  const notice = (await readMails(server, user.email)).at(-1);
  expect(notice).toMatchObject({ kind: 'access.password-reset', links: ['http://localhost/password/forgot'] });
});

test('API keys that outlive everything: a password reset ends them and tells so', async () => {
  const user = await enrolUser(server, await signUpUser(server, 'with-key@example.org'));
  await sql`update accounts.users set role = 'admin' where id = ${user.userId}`.execute(server.app.db);
  const call = (method: 'GET' | 'POST', url: string, token: string, payload?: object) =>
    server.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload ? { payload } : {}) });
  const body = { name: 'a script', scopes: ['read'], reason: 'a test asks for it' };
  const made = await call('POST', '/api/admin/keys', user.token, body);
  expect(made.statusCode, made.body).toBe(200);
  expect((await call('GET', '/api/account/profile', made.json().key)).statusCode).toBe(200);
  await ask(user.email);
  await reset(user.email, (await readLink(server, user.email)).code);
  expect((await call('GET', '/api/account/profile', made.json().key)).statusCode).toBe(401);
  expect((await readMails(server, user.email)).map(({ kind }) => kind)).toContain('accounts.keys-ended');
});

test('a password reset confirms the address and replaces the password of whoever registered it unconfirmed', async () => {
  await stranger().signup({ body: { email: 'squatted@example.org', password: testPassword } });
  await ask('squatted@example.org');
  const { email, code } = await readLink(server, 'squatted@example.org');
  await reset(email, code);
  expect((await login(email, newPassword)).message).toBe('Login successful');
  await expect(login(email, testPassword)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
});

test('GHSA-hc7v-rggr-4hvx: a reset code works once, also concurrently, and a weak password does not use it up', async () => {
  const user = await signUpUser(server, 'once@example.org');
  await ask(user.email);
  const { code } = await readLink(server, user.email);
  await expect(reset(user.email, code, 'password1')).rejects.toMatchObject({
    code: 'WEAK_PASSWORD',
    fields: { new_password: expect.stringContaining('too easy to guess') },
  });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => reset(user.email, code, `quiet harbour ${n}`)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject(invalid);
  await login(user.email, `quiet harbour ${outcomes.findIndex(({ status }) => status === 'fulfilled')}`);
  await expect(reset(user.email, code)).rejects.toMatchObject(invalid);
});

test('a reset code works for fifteen minutes, for its own address and purpose, until a newer one is sent', async () => {
  const [user, other] = [await signUpUser(server, 'bound@example.org'), await signUpUser(server, 'else@example.org')];
  await ask(user.email);
  const first = await readLink(server, user.email);
  await expect(reset(other.email, first.code)).rejects.toMatchObject(invalid);
  await expect(stranger().verifyEmail({ body: { email: user.email, code: first.code } })).rejects.toMatchObject(
    invalid,
  );
  await ask(user.email);
  await expect(reset(user.email, first.code)).rejects.toMatchObject(invalid);
  const second = await readLink(server, user.email);
  const { rows } = await sql<{ minutes: number }>`select extract(epoch from expires_at - now())::float8 / 60 as minutes
    from access.mail_codes where user_id = ${user.userId}`.execute(server.app.db);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.minutes).toBeGreaterThan(14);
  expect(rows[0]?.minutes).toBeLessThanOrEqual(15);
  await sql`update access.mail_codes set expires_at = now() - interval '1 ms' where user_id = ${user.userId}`.execute(
    server.app.db,
  );
  await expect(reset(user.email, second.code)).rejects.toMatchObject(invalid);
  expect((await login(user.email, testPassword)).message).toBe('Login successful');
});

test('CVE-2026-45286: a forgotten-password request is answered alike with and without an account, and mails only accounts', async () => {
  await signUpUser(server, 'known@example.org');
  const answers = [await ask('known@example.org'), await ask('unknown@example.org')];
  expect(answers[1]).toEqual(answers[0]);
  expect(await readMails(server, 'known@example.org')).toHaveLength(1);
  expect(await readMails(server, 'unknown@example.org')).toEqual([]);
});

test('guesses at reset codes are rate-limited while the right code still works', async () => {
  const user = await signUpUser(server, 'guessed@example.org');
  await ask(user.email);
  const guess = (n: number) =>
    server.inject({
      method: 'POST',
      url: '/auth/password/reset',
      payload: { email: user.email, code: `guess-${n}`, new_password: newPassword },
      remoteAddress: `2001:db8:${n.toString(16)}::1`,
    });
  const statuses = (await Promise.all(Array.from({ length: 30 }, (_, n) => guess(n)))).map((one) => one.statusCode);
  expect(statuses.filter((status) => status === 400)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  const { code } = await readLink(server, user.email);
  await reset(user.email, code);
});

test('a session opened with the old password during a reset does not outlive the reset', async () => {
  const user = await signUpUser(server, 'racing@example.org');
  for (let round = 0; round < 3; round += 1) {
    const old = round === 0 ? testPassword : `harbour number ${round - 1}`;
    await ask(user.email);
    const { code } = await readLink(server, user.email);
    const [, ...opened] = await Promise.allSettled([
      reset(user.email, code, `harbour number ${round}`),
      ...Array.from({ length: 4 }, () => login(user.email, old)),
    ]);
    for (const one of opened) {
      if (one.status === 'rejected') continue;
      await expect(
        clientOf(server, accountsContract, one.value.session_token ?? '').readProfile(),
      ).rejects.toMatchObject({ status: 401 });
    }
  }
});

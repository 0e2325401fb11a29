import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { readLink } from '../../../test/harness/read-link.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, type TestUser, testPassword } from '../../../test/harness/test-client.ts';
import { accessContract } from './contract.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const stranger = () => clientOf(server, accessContract);
const login = (email: string, password = testPassword) => stranger().login({ body: { email, password } });
const profileOf = (token: string | null) => clientOf(server, accountsContract, token ?? '').readProfile();
const ended = { status: 401, code: 'UNAUTHENTICATED' };

const forgetProof = (user: TestUser) =>
  sql`update accounts.sessions set authenticated_at = now() - interval '11 minutes' where user_id = ${user.userId}`.execute(
    server.app.db,
  );

test('a password change ends every other session and renews the token of the current one', async () => {
  const user = await signUpUser(server, 'change@example.org');
  const other = await login(user.email);
  const response = await server.inject({
    method: 'POST',
    url: '/api/account/password',
    headers: { authorization: `Bearer ${user.token}` },
    payload: { new_password: 'quiet harbour eleven' },
  });
  const { session_token: token } = response.json();
  expect(response.statusCode).toBe(200);
  expect(String(response.headers['set-cookie'])).toContain(`holdfast=${token};`);
  await expect(profileOf(other.session_token)).rejects.toMatchObject(ended);
  await expect(profileOf(user.token)).rejects.toMatchObject(ended);
  expect((await profileOf(token)).email).toBe(user.email);
  await expect(login(user.email)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  await login(user.email, 'quiet harbour eleven');
  const [notice] = await readMails(server, user.email);
  expect(notice).toMatchObject({ kind: 'access.password-changed', subject: 'Your password was changed' });
});

test('passwords are compared byte for byte up to 4,096 bytes', async () => {
  const user = await signUpUser(server, 'bytes@example.org');
  let { token } = user;
  const spelt = 'Zo\u00eb \u{1f510} \u0645\u0641\u062a\u0627\u062d';
  for (const [password, others] of [
    ['  leading spaces', ['leading spaces', '  leading spaces ']],
    [spelt, [spelt.normalize('NFD'), spelt.toLowerCase()]],
    ['before\u0000after it', ['before', 'before\u0000after', 'beforeafter it']],
    [`${'x1'.repeat(2_046)}four`, [`${'x1'.repeat(2_046)}fou`, 'x1'.repeat(32)]],
  ] as const) {
    const changed = await clientOf(server, accessContract, token).changePassword({ body: { new_password: password } });
    token = changed.session_token;
    for (const other of others) {
      await expect(login(user.email, other), JSON.stringify(other)).rejects.toMatchObject({
        code: 'WRONG_CREDENTIALS',
      });
    }
    expect((await login(user.email, password)).message).toBe('Login successful');
  }
  await expect(
    clientOf(server, accessContract, token).changePassword({ body: { new_password: '\u00e9'.repeat(2_100) } }),
  ).rejects.toMatchObject({
    status: 400,
    code: 'WEAK_PASSWORD',
    message: 'This password is too long. Choose a shorter one.',
  });
  const huge = await server.inject({
    method: 'POST',
    url: '/auth/login',
    payload: { email: user.email, password: 'x'.repeat(1_000_000) },
  });
  expect([400, 413]).toContain(huge.statusCode);
});

test('password and email address cannot be changed without a recent proof', async () => {
  const user = await signUpUser(server, 'stale@example.org');
  await forgetProof(user);
  const refusal = { status: 403, code: 'REAUTHENTICATE' };
  const api = user.as(accessContract);
  await expect(api.changePassword({ body: { new_password: 'quiet harbour eleven' } })).rejects.toMatchObject(refusal);
  await expect(api.changeEmail({ body: { email: 'thief@example.org' } })).rejects.toMatchObject(refusal);
  expect(await readMails(server, 'thief@example.org')).toEqual([]);
  expect((await login(user.email)).message).toBe('Login successful');
});

test('CVE-2026-23478: a new email address takes effect once its link is used, and the old address is notified', async () => {
  const user = await signUpUser(server, 'old@example.org');
  const other = await login(user.email);
  await user.as(accessContract).changeEmail({ body: { email: 'New@example.org' } });
  expect((await readMails(server, user.email)).map(({ kind, links }) => [kind, links])).toEqual([
    ['access.address-change-asked', ['http://localhost/password/forgot']],
  ]);
  expect((await profileOf(user.token)).email).toBe('old@example.org');
  await expect(login('new@example.org')).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });

  const { path, email, code } = await readLink(server, 'new@example.org');
  expect([path, email]).toEqual(['/verify-email', 'new@example.org']);
  await user.as(accessContract).verifyEmail({ body: { email, code } });
  expect((await profileOf(user.token)).email).toBe('new@example.org');
  await expect(profileOf(other.session_token)).rejects.toMatchObject(ended);
  await expect(login('old@example.org')).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  await login('new@example.org');
  expect((await readMails(server, 'old@example.org')).at(-1)?.kind).toBe('access.address-changed');
});

test('a reset link sent to the old address is void once the email address has changed', async () => {
  const user = await signUpUser(server, 'voided@example.org');
  await stranger().forgotPassword({ body: { email: user.email } });
  await server.settle();
  const old = await readLink(server, user.email);
  await user.as(accessContract).changeEmail({ body: { email: 'moved@example.org' } });
  const { email, code } = await readLink(server, 'moved@example.org');
  await stranger().verifyEmail({ body: { email, code } });
  for (const tried of [old.email, email]) {
    await expect(
      stranger().resetPassword({ body: { email: tried, code: old.code, new_password: 'quiet harbour eleven' } }),
    ).rejects.toMatchObject({ code: 'CODE_INVALID' });
  }
  // Confirmed where nobody was signed in: every session has ended.
  await expect(profileOf(user.token)).rejects.toMatchObject(ended);
});

test('a password reset from the old address stops an email change that somebody else began', async () => {
  const user = await signUpUser(server, 'saved@example.org');
  await user.as(accessContract).changeEmail({ body: { email: 'thief2@example.org' } });
  await stranger().forgotPassword({ body: { email: user.email } });
  await server.settle();
  const { code } = await readLink(server, user.email);
  await stranger().resetPassword({ body: { email: user.email, code, new_password: 'quiet harbour eleven' } });
  const stolen = await readLink(server, 'thief2@example.org');
  await expect(stranger().verifyEmail({ body: { email: stolen.email, code: stolen.code } })).rejects.toMatchObject({
    code: 'CODE_INVALID',
  });
});

test('CVE-2026-80192: the first of two accounts to confirm one address gets it, and asking reveals nothing', async () => {
  const [one, two] = [await signUpUser(server, 'one@example.org'), await signUpUser(server, 'two@example.org')];
  const asked = [];
  const links = [];
  for (const user of [one, two]) {
    asked.push(await user.as(accessContract).changeEmail({ body: { email: 'wanted@example.org' } }));
    links.push(await readLink(server, 'wanted@example.org'));
  }
  expect(asked[1]).toEqual(asked[0]);
  const outcomes = await Promise.allSettled(
    links.map(({ email, code }) => stranger().verifyEmail({ body: { email, code } })),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  expect(refused?.reason).toMatchObject({ status: 409, code: 'EMAIL_EXISTS' });
  // The address of an account that stands is refused in the same way.
  await signUpUser(server, 'standing@example.org');
  const third = await signUpUser(server, 'three@example.org');
  await third.as(accessContract).changeEmail({ body: { email: 'standing@example.org' } });
  const { email, code } = await readLink(server, 'standing@example.org');
  await expect(stranger().verifyEmail({ body: { email, code } })).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
  expect((await profileOf(third.token)).email).toBe('three@example.org');
});

test('an unconfirmed account gives way to an account whose new address it has', async () => {
  const email = 'squatted-move@example.org';
  await stranger().signup({ body: { email, password: testPassword } });
  const squatted = await readLink(server, email);
  const mover = await signUpUser(server, 'moves@example.org');
  await mover.as(accessContract).changeEmail({ body: { email } });
  const { code } = await readLink(server, email);
  await mover.as(accessContract).verifyEmail({ body: { email, code } });
  expect((await profileOf(mover.token)).email).toBe(email);
  const reset = { email, code: squatted.code, new_password: 'quiet harbour eleven' };
  await expect(stranger().resetPassword({ body: reset })).rejects.toMatchObject({ code: 'CODE_INVALID' });
});

test('an account cannot change its email address to the one it already has', async () => {
  const user = await signUpUser(server, 'same@example.org');
  await expect(user.as(accessContract).changeEmail({ body: { email: ' SAME@example.org' } })).rejects.toMatchObject({
    status: 400,
    fields: { email: expect.any(String) },
  });
});

test('email changes to an address somebody else owns do not use up the mail limit of the owner', async () => {
  const target = await signUpUser(server, 'sought-after@example.org');
  const mover = await signUpUser(server, 'mover@example.org');
  for (let at = 0; at < 5; at += 1) {
    await mover.as(accessContract).changeEmail({ body: { email: target.email } });
  }
  await expect(mover.as(accessContract).changeEmail({ body: { email: target.email } })).rejects.toMatchObject({
    code: 'LIMITED',
  });
  await clientOf(server, accessContract).forgotPassword({ body: { email: target.email } });
  await server.settle();
  expect((await readMails(server, target.email)).at(-1)?.kind).toBe('access.reset');
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { CookieBrowser } from '../../../../test/harness/cookie-browser.ts';
import { readLink } from '../../../../test/harness/read-link.ts';
import { readMails } from '../../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../../../../test/harness/test-client.ts';
import { useUp } from '../../../../test/harness/under-load.ts';
import { solve } from '../../../kernel/solve-challenge.ts';
import { accessContract } from '../contract.ts';
import { busyMail, busySignUp } from '../rules/limits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const stranger = () => clientOf(server, accessContract);
const login = (email: string, password = testPassword) => stranger().login({ body: { email, password } });

test('a new account can sign in only after its mailed link is confirmed', async () => {
  const browser = new CookieBrowser(server);
  const payload = { email: 'Ada@Example.org', password: testPassword, timezone: 'Europe/London' };
  const response = await browser.call('POST', '/auth/signup', payload);
  expect([response.statusCode, response.json()]).toEqual([
    201,
    { message: "You're signed up! Open the link we sent to your address.", mailAt: null },
  ]);
  // No session: a sealed note of the account that signed up here.
  expect(response.cookies.map(({ name }) => name)).toEqual(['holdfast-signed-up']);
  const [mail] = await readMails(server, 'ada@example.org');
  expect(mail).toMatchObject({ kind: 'access.verify', subject: 'Confirm your email address' });
  expect(mail?.links[0]).toMatch(/^http:\/\/localhost\/verify-email\?email=ada%40example\.org&code=[\w-]{22}$/);

  const refusal = { status: 403, code: 'EMAIL_NOT_VERIFIED' };
  await expect(login('ada@example.org')).rejects.toMatchObject(refusal);
  await expect(login('ada@example.org', 'something else 7')).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });

  const { email, code } = await readLink(server, 'ada@example.org');
  // A scanner that opens the link: a page, and nothing has happened.
  await server.inject({ url: `/verify-email?email=${email}&code=${code}`, headers: { accept: 'text/html' } });
  await expect(login('ada@example.org')).rejects.toMatchObject(refusal);

  const confirmed = await browser.call('POST', '/auth/verify-email', { email: 'ADA@example.org', code });
  expect(confirmed.json().message).toMatch(/confirmed/);
  const answer = await login('ada@example.org');
  expect(answer).toMatchObject({ message: 'Login successful', user: { email: 'ada@example.org', role: 'user' } });
  const trail = await clientOf(server, accountsContract, answer.session_token ?? '').readTrail({ query: {} });
  expect(trail.entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['signed-up', 'email-verified']));
});

test('GHSA-hc7v-rggr-4hvx, GHSA-fmh4-wcc4-5jm3: a verification code works once, for its own address, until expired or replaced', async () => {
  await stranger().signup({ body: { email: 'code@example.org', password: testPassword } });
  const browser = new CookieBrowser(server);
  await browser.call('POST', '/auth/signup', { email: 'other@example.org', password: testPassword });
  const first = await readLink(server, 'code@example.org');
  await stranger().resendVerification({ body: { email: 'code@example.org' } });
  await server.settle();
  const second = await readLink(server, 'code@example.org');
  const invalid = { status: 400, code: 'CODE_INVALID' };
  const verify = (email: string, code: string) => stranger().verifyEmail({ body: { email, code } });
  await expect(verify('code@example.org', first.code)).rejects.toMatchObject(invalid);
  await expect(verify('other@example.org', second.code)).rejects.toMatchObject(invalid);
  await sql`update access.mail_codes set expires_at = now() - interval '1 second' where email = 'code@example.org'`.execute(
    server.app.db,
  );
  await expect(verify('code@example.org', second.code)).rejects.toMatchObject(invalid);

  const { code } = await readLink(server, 'other@example.org');
  const confirm = () => browser.call('POST', '/auth/verify-email', { email: 'other@example.org', code });
  const outcomes = await Promise.all(Array.from({ length: 10 }, confirm));
  expect(outcomes.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  await expect(login('code@example.org')).rejects.toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
});

test('a request to resend verification is answered alike for every address, and mails only unverified accounts', async () => {
  await signUpUser(server, 'verified@example.org');
  await stranger().signup({ body: { email: 'waiting@example.org', password: testPassword } });
  const answers = [];
  for (const email of ['verified@example.org', 'waiting@example.org', 'nobody@example.org']) {
    answers.push(await stranger().resendVerification({ body: { email } }));
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  await server.settle();
  expect(await readMails(server, 'waiting@example.org')).toHaveLength(2);
  expect(await readMails(server, 'verified@example.org')).toEqual([]);
  expect(await readMails(server, 'nobody@example.org')).toEqual([]);
});

test('a sign-up and repeated verification requests send at most five mails, and the last link still works', async () => {
  await stranger().signup({ body: { email: 'flooded@example.org', password: testPassword } });
  for (let n = 0; n < 9; n += 1) {
    await stranger().resendVerification({ body: { email: 'flooded@example.org' } });
    await server.settle();
  }
  expect(await readMails(server, 'flooded@example.org')).toHaveLength(5);
  const { email, code } = await readLink(server, 'flooded@example.org');
  await stranger().resetPassword({ body: { email, code, new_password: testPassword } });
});

test('mailed links use the configured address whatever Host header the request has', async () => {
  await server.inject({
    method: 'POST',
    url: '/auth/signup',
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    payload: { email: 'host@example.org', password: testPassword },
  });
  const [mail] = await readMails(server, 'host@example.org');
  expect(mail?.links.every((link) => link.startsWith('http://localhost/'))).toBe(true);
  expect(JSON.stringify(mail)).not.toContain('evil');
});

test('Gecko 2026-01, GHSA-7rqj-j65f-68wh: a registered address is refused in any spelling, and its password stays', async () => {
  await signUpUser(server, 'taken@example.org');
  for (const email of ['taken@example.org', ' TAKEN@example.org', 'taken\uff20EXAMPLE.org']) {
    await expect(stranger().signup({ body: { email, password: 'another password 99' } })).rejects.toMatchObject({
      status: 409,
      code: 'EMAIL_EXISTS',
      message: 'This email is already registered. Please use a different email or try logging in.',
    });
  }
  await expect(login('taken@example.org', 'another password 99')).rejects.toMatchObject({ status: 401 });
  expect((await login('Taken@example.org')).message).toBe('Login successful');
  expect(await readMails(server, 'taken@example.org')).toEqual([]);
});

test('twenty concurrent sign-ups with one address create one account and send five mails at most', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      stranger().signup({ body: { email: 'race@example.org', password: testPassword } }),
    ),
  );
  await server.settle();
  expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(20);
  const { rows } = await sql`select from accounts.users where email = 'race@example.org'`.execute(server.app.db);
  expect(rows).toHaveLength(1);
  expect((await readMails(server, 'race@example.org')).length).toBeLessThanOrEqual(5);
});

test('a sign-up with an invalid address or a weak password is refused with an error at the field', async () => {
  await expect(stranger().signup({ body: { email: 'a@b@c', password: testPassword } })).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_INPUT',
    fields: { email: 'Enter a valid email address.' },
  });
  await expect(stranger().signup({ body: { email: 'x@example.org', password: '1234567' } })).rejects.toMatchObject({
    status: 400,
    code: 'WEAK_PASSWORD',
    fields: { password: 'Use at least 8 characters.' },
  });
});

test('CVE-2026-23478: a sign-up cannot set a role, an id or a verified address', async () => {
  for (const extra of [
    { role: 'admin' },
    { isAdmin: true },
    { userId: 'x' },
    { id: 'x' },
    { emailVerified: true },
    { constructor: {} },
  ]) {
    const response = await server.inject({
      method: 'POST',
      url: '/auth/signup',
      payload: { email: 'mallory@example.org', password: testPassword, ...extra },
    });
    expect(response.statusCode, JSON.stringify(extra)).toBe(400);
    expect(response.json().detail.fields).toEqual({ [Object.keys(extra)[0] ?? '']: 'Unknown field' });
  }
  const proto = await server.inject({
    method: 'POST',
    url: '/auth/signup',
    headers: { 'content-type': 'application/json' },
    payload: `{"email":"mallory@example.org","password":"${testPassword}","__proto__":{"role":"admin"}}`,
  });
  expect(proto.statusCode).toBe(400);
  await expect(login('mallory@example.org')).rejects.toMatchObject({ status: 401 });
});

test('passwords and verification codes cannot be read from the database', async () => {
  await stranger().signup({ body: { email: 'stored@example.org', password: testPassword } });
  const { code } = await readLink(server, 'stored@example.org');
  const { rows } = await sql<{
    text: string;
  }>`select row_to_json(u)::text || row_to_json(p)::text || row_to_json(c)::text
    || row_to_json(m)::text as text from accounts.users u join access.passwords p on p.user_id = u.id
    join access.mail_codes c on c.user_id = u.id join platform.mails m on m.user_id = u.id
    where u.email = 'stored@example.org'`.execute(server.app.db);
  expect(rows).toHaveLength(1);
  for (const secret of [testPassword, code, Buffer.from(code).toString('hex')]) {
    expect(rows[0]?.text).not.toContain(secret);
  }
});

test('the mailed link signs in the browser that signed up, and no other', async () => {
  const signedUp = new CookieBrowser(server);
  const email = 'same-browser@example.org';
  await signedUp.call('POST', '/auth/signup', { email, password: testPassword });
  expect(signedUp.token).toBeUndefined();
  const { code } = await readLink(server, email);
  const answer = await signedUp.call('POST', '/auth/verify-email', { email, code });
  expect(answer.json()).toMatchObject({ signed_in: true });
  expect(JSON.stringify(answer.json())).not.toContain(signedUp.token);
  const own = clientOf(server, accountsContract, signedUp.token ?? '');
  expect((await own.readTrail({ query: {} })).entries.map(({ kind }) => kind)).toContain('signed-in');

  const elsewhere = 'other-browser@example.org';
  await signedUp.call('POST', '/auth/logout');
  await signedUp.call('POST', '/auth/signup', { email: elsewhere, password: testPassword });
  const mailed = await readLink(server, elsewhere);
  const other = new CookieBrowser(server);
  const confirmed = await other.call('POST', '/auth/verify-email', { email: elsewhere, code: mailed.code });
  expect([confirmed.json().signed_in, confirmed.json().choose_password, other.token]).toEqual([false, true, undefined]);
});

test('an address that a stranger signed up: its link in the browser of the owner asks for a password of the owner', async () => {
  const email = 'squatted-link@example.org';
  const strangerBrowser = new CookieBrowser(server);
  await strangerBrowser.call('POST', '/auth/signup', { email, password: testPassword });
  const { code } = await readLink(server, email);
  const owner = new CookieBrowser(server);
  const opened = await owner.call('POST', '/auth/verify-email', { email, code });
  expect([opened.statusCode, opened.json()]).toEqual([
    200,
    { message: 'Choose a password to finish signing up.', signed_in: false, choose_password: true },
  ]);
  await expect(login(email)).rejects.toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });

  const chosen = 'lantern orchard seven';
  const answer = await owner.call('POST', '/auth/password/reset', { email, code, new_password: chosen });
  expect(answer.json()).toEqual({ message: 'Your address is confirmed. You can sign in now.' });
  await expect(login(email)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  const again = await strangerBrowser.call('POST', '/auth/verify-email', { email, code });
  expect([again.json().detail.code, strangerBrowser.token]).toEqual(['CODE_INVALID', undefined]);
  const { session_token } = await login(email, chosen);
  const { entries } = await clientOf(server, accountsContract, session_token ?? '').readTrail({ query: {} });
  expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['signed-up', 'email-verified']));
  expect((await readMails(server, email)).map(({ kind }) => kind)).toEqual(['access.verify']);
});

test('the link of a sign-up sets no password once the address is confirmed', async () => {
  const email = 'confirmed-before@example.org';
  await stranger().signup({ body: { email, password: testPassword } });
  const { code } = await readLink(server, email);
  await sql`update accounts.users set email_verified_at = now() where email = ${email}`.execute(server.app.db);
  const body = { email, code, new_password: 'lantern orchard seven' };
  await expect(stranger().resetPassword({ body })).rejects.toMatchObject({ code: 'CODE_INVALID' });
  expect((await login(email)).message).toBe('Login successful');
});

test('an unconfirmed sign-up of a stranger keeps nobody out: the owner of the address signs up and gets a link', async () => {
  const email = 'squatted-first@example.org';
  const [squatter, owner] = [new CookieBrowser(server), new CookieBrowser(server)];
  await squatter.call('POST', '/auth/signup', { email, password: testPassword });
  const answer = await owner.call('POST', '/auth/signup', { email, password: 'lantern orchard seven' });
  expect([answer.statusCode, answer.json()]).toEqual([
    201,
    { message: "You're signed up! Open the link we sent to your address.", mailAt: null },
  ]);
  await server.settle();
  expect(await readMails(server, email)).toHaveLength(2);
  const { code } = await readLink(server, email);
  const opened = await owner.call('POST', '/auth/verify-email', { email, code });
  expect(opened.json()).toMatchObject({ signed_in: false, choose_password: true });
  // Neither password works before the owner has chosen one behind the link.
  await expect(login(email)).rejects.toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
  await expect(login(email, 'lantern orchard seven')).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
});

test('a second sign-up after that of the owner replaces no password', async () => {
  const email = 'signed-up-again@example.org';
  const [owner, squatter] = [new CookieBrowser(server), new CookieBrowser(server)];
  await owner.call('POST', '/auth/signup', { email, password: 'lantern orchard seven' });
  await squatter.call('POST', '/auth/signup', { email, password: testPassword });
  await server.settle();
  const { code } = await readLink(server, email);
  expect((await owner.call('POST', '/auth/verify-email', { email, code })).json().signed_in).toBe(true);
  await expect(login(email)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  expect((await login(email, 'lantern orchard seven')).message).toBe('Login successful');
});

test('a browser that signed up twice with two passwords chooses one behind the link', async () => {
  const email = 'two-passwords@example.org';
  const browser = new CookieBrowser(server);
  await browser.call('POST', '/auth/signup', { email, password: testPassword });
  await browser.call('POST', '/auth/signup', { email, password: 'lantern orchard seven' });
  await server.settle();
  const { code } = await readLink(server, email);
  const answer = await browser.call('POST', '/auth/verify-email', { email, code });
  expect([answer.json().choose_password, browser.token]).toEqual([true, undefined]);
});

test('the browser of one sign-up is not signed in by the link of another', async () => {
  const browser = new CookieBrowser(server);
  for (const email of ['first-of-two@example.org', 'second-of-two@example.org'])
    await browser.call('POST', '/auth/signup', { email, password: testPassword });
  const { code } = await readLink(server, 'first-of-two@example.org');
  const answer = await browser.call('POST', '/auth/verify-email', { email: 'first-of-two@example.org', code });
  expect([answer.statusCode, answer.json().signed_in, browser.token]).toEqual([200, false, undefined]);
});

test('a link that changes nothing signs nobody in', async () => {
  const browser = new CookieBrowser(server);
  const email = 'wrong-code@example.org';
  await browser.call('POST', '/auth/signup', { email, password: testPassword });
  const answer = await browser.call('POST', '/auth/verify-email', { email, code: 'A'.repeat(22) });
  expect([answer.json().detail.code, browser.token]).toEqual(['CODE_INVALID', undefined]);
});

const busyCalls = [
  ['a sign-up', busySignUp, '/auth/signup', { password: testPassword }, 201],
  ['a request to resend verification', busyMail, '/auth/verify-email/resend', {}, 200],
  ['a forgotten-password request', busyMail, '/auth/password/forgot', {}, 200],
] as const;

test.each(busyCalls)(
  'under load %s is accepted with a solved challenge, and seldom without one',
  async (_, busy, url, more, status) => {
    await sql`delete from platform.limits`.execute(server.app.db);
    const ask = async (email: string, solution?: string) => {
      const response = await server.inject({ method: 'POST', url, payload: { email, ...more, solution } });
      return { status: response.statusCode, detail: response.json().detail };
    };
    const name = url.replaceAll('/', '-');
    await useUp(server, busy, 'quiet');
    const { detail } = await ask(`busy${name}@example.org`);
    expect(detail.code).toBe('CHALLENGE');
    const solution = (await solve(detail.fields.challenge)) ?? '';
    expect((await ask(`busy${name}@example.org`, solution)).status).toBe(status);
    expect((await ask(`again${name}@example.org`, solution)).detail.code).toBe('CHALLENGE');
    expect((await ask(`plain${name}@example.org`, '')).status).toBe(status);
    await useUp(server, busy, 'plain');
    expect((await ask(`late${name}@example.org`, '')).detail.code).toBe('LIMITED');
    await sql`delete from platform.limits`.execute(server.app.db);
  },
);

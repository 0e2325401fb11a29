import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../../../../test/harness/test-client.ts';
import { accessContract } from '../contract.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  // all other people in this file are ordinary users
  const first = await signUpUser(server, 'first@example.org');
  expect((await first.as(accountsContract).readProfile()).role).toBe('admin');
});
afterAll(() => server.close());

const stranger = () => clientOf(server, accessContract);

test('signing in returns the session as a cookie and as a bearer token, and stores only its hash', async () => {
  await signUpUser(server, 'ada@example.org');
  const response = await server.inject({
    method: 'POST',
    url: '/auth/login',
    payload: { email: 'Ada@Example.org', password: testPassword },
  });
  const body = response.json();
  expect(body).toMatchObject({
    message: 'Login successful',
    user: { email: 'ada@example.org', name: 'ada', company: null, role: 'user' },
    next: null,
    session: null,
  });
  const [setCookie, device] = [response.headers['set-cookie']].flat();
  expect(device).toMatch(/^holdfast-device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(setCookie).toBe(`holdfast=${body.session_token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`);
  for (const headers of [
    { cookie: `holdfast=${body.session_token}` },
    { authorization: `Bearer ${body.session_token}` },
  ]) {
    const profile = await server.inject({ url: '/auth/profile', headers });
    expect(profile.json()).toMatchObject({ user_id: body.user_id, email: 'ada@example.org', name: 'ada' });
  }
  const stored = await sql<{ text: string }>`select row_to_json(s)::text || row_to_json(u)::text as text
    from accounts.sessions s join accounts.users u on u.id = s.user_id where u.email = 'ada@example.org'`.execute(
    server.app.db,
  );
  expect(stored.rows[0]?.text).not.toContain(body.session_token);
});

test('a wrong password and an unknown account get the same response', async () => {
  await signUpUser(server, 'known@example.org');
  const answers = [];
  for (const email of ['known@example.org', 'unknown@example.org', 'no address']) {
    const response = await server.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { email, password: 'wrong password', app: 'user' },
    });
    answers.push([response.statusCode, response.body, response.headers['set-cookie']]);
  }
  expect(answers[0]?.[0]).toBe(401);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});

test('the administrator sign-in accepts administrators only', async () => {
  await signUpUser(server, 'plain@example.org');
  await expect(
    stranger().login({ body: { email: 'plain@example.org', password: testPassword, app: 'admin' } }),
  ).rejects.toMatchObject({ status: 403, code: 'NOT_AN_ADMIN' });
  const admin = await stranger().login({ body: { email: 'first@example.org', password: testPassword, app: 'admin' } });
  expect(admin).toMatchObject({ session_token: null, next: 'MFA_ENROLL', user: { role: 'admin' } });
});

test('password guesses at one account are rate-limited per network and do not lock the owner out elsewhere', async () => {
  await signUpUser(server, 'victim@example.org');
  const guess = (remoteAddress: string, password: string) =>
    server.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { email: 'victim@example.org', password },
      remoteAddress,
    });
  // Side by side, from rotating addresses of one IPv6 network.
  const outcomes = await Promise.all(
    Array.from({ length: 14 }, (_, at) => guess(`2001:db8:1:2::${at + 1}`, `guess number ${at}`)),
  );
  const statuses = outcomes.map((one) => one.statusCode).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
  const limited = outcomes.find((one) => one.statusCode === 429);
  expect(limited?.json().detail.code).toBe('LIMITED');
  expect(Number(limited?.headers['retry-after'])).toBeGreaterThan(60);
  expect((await guess('2001:db8:1:2:ffff::1', testPassword)).statusCode).toBe(429);
  expect((await guess('2001:db8:1:3::1', testPassword)).statusCode).toBe(200);
});

test("signing in issues a new session instead of reusing the browser's old one", async () => {
  const user = await signUpUser(server, 'fixed@example.org');
  const planted = (await signUpUser(server, 'mallory@example.org')).token;
  const response = await server.inject({
    method: 'POST',
    url: '/auth/login',
    headers: { cookie: `holdfast=${planted}`, origin: 'http://localhost', host: 'localhost' },
    payload: { email: user.email, password: testPassword },
  });
  expect(response.json().session_token).not.toBe(planted);
  expect(String(response.headers['set-cookie'])).toContain(response.json().session_token);
  expect((await clientOf(server, accountsContract, planted).readProfile()).email).toBe('mallory@example.org');
});

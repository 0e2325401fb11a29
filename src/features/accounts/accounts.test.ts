import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../../../test/harness/test-client.ts';
import { accountsContract } from './contract.ts';
import { sweepExpired } from './jobs.ts';
import { listActiveUserIds, loadOwnerZone } from './public.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  // Everybody else in this file is an ordinary user.
  const first = await signUpUser(server, 'first@example.org');
  expect((await first.as(accountsContract).readProfile()).role).toBe('admin');
});
afterAll(() => server.close());

const stranger = () => clientOf(server, accountsContract);
const jsonHeaders = { 'content-type': 'application/json' };

test('signing up signs in, with the session as cookie and as token', async () => {
  const response = await server.inject({
    method: 'POST',
    url: '/auth/signup',
    payload: { email: 'Ada@Example.org', password: testPassword, timezone: 'Europe/London' },
  });
  expect(response.statusCode).toBe(201);
  const body = response.json();
  expect(body).toMatchObject({
    message: 'Signup successful',
    user: { email: 'ada@example.org', name: 'ada', company: null, role: 'user' },
    next: null,
    session: null,
  });
  const setCookie = String(response.headers['set-cookie']);
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
  expect(stored.rows[0]?.text).not.toContain(testPassword);
});

test('a known address is refused in any spelling, and its password stays', async () => {
  await signUpUser(server, 'taken@example.org');
  for (const email of ['taken@example.org', ' TAKEN@example.org', 'taken\uff20EXAMPLE.org']) {
    await expect(stranger().signup({ body: { email, password: 'another password 99' } })).rejects.toMatchObject({
      status: 409,
      code: 'EMAIL_EXISTS',
      message: 'This email is already registered. Please use a different email or try logging in.',
    });
  }
  await expect(
    stranger().login({ body: { email: 'taken@example.org', password: 'another password 99' } }),
  ).rejects.toMatchObject({ status: 401 });
  expect((await stranger().login({ body: { email: 'Taken@example.org', password: testPassword } })).message).toBe(
    'Login successful',
  );
});

test('fifty sign-ups with one address make one account', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      stranger().signup({ body: { email: 'race@example.org', password: testPassword } }),
    ),
  );
  expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'EMAIL_EXISTS' });
});

test('what cannot be an account is refused field by field', async () => {
  await expect(stranger().signup({ body: { email: 'a@b@c', password: testPassword } })).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_INPUT',
    fields: { email: 'This is not an e-mail address.' },
  });
  await expect(stranger().signup({ body: { email: 'x@example.org', password: '1234567' } })).rejects.toMatchObject({
    status: 400,
    code: 'WEAK_PASSWORD',
    fields: { password: 'Use at least 8 characters.' },
  });
});

test('nobody becomes something by saying so', async () => {
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
    expect(response.json().detail.fields).toEqual({ [Object.keys(extra)[0] ?? '']: 'Not known here' });
  }
  const proto = await server.inject({
    method: 'POST',
    url: '/auth/signup',
    headers: jsonHeaders,
    payload: `{"email":"mallory@example.org","password":"${testPassword}","__proto__":{"role":"admin"}}`,
  });
  expect(proto.statusCode).toBe(400);
  await expect(
    stranger().login({ body: { email: 'mallory@example.org', password: testPassword } }),
  ).rejects.toMatchObject({ status: 401 });
});

test('a wrong password and an unknown account get the same answer', async () => {
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

test('the door for administrators opens for administrators', async () => {
  await signUpUser(server, 'plain@example.org');
  await expect(
    stranger().login({ body: { email: 'plain@example.org', password: testPassword, app: 'admin' } }),
  ).rejects.toMatchObject({ status: 403, code: 'NOT_AN_ADMIN' });
  const admin = await stranger().login({ body: { email: 'first@example.org', password: testPassword, app: 'admin' } });
  expect(admin.user.role).toBe('admin');
});

test('signing out ends the session for every request at once, and only this one', async () => {
  const user = await signUpUser(server, 'leaver@example.org');
  const other = await stranger().login({ body: { email: user.email, password: testPassword } });
  expect(other.session_token).not.toBe(user.token);
  const response = await server.inject({
    method: 'POST',
    url: '/auth/logout',
    headers: { cookie: `holdfast=${user.token}`, origin: 'http://localhost', host: 'localhost' },
  });
  expect(response.statusCode).toBe(200);
  expect(String(response.headers['set-cookie'])).toContain('Max-Age=0');
  await expect(user.as(accountsContract).readProfile()).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  expect((await clientOf(server, accountsContract, other.session_token).readProfile()).email).toBe(user.email);
  expect(await stranger().logout()).toEqual({ message: 'Logged out' });
});

test('a session ends 30 days after its last use, and use prolongs it', async () => {
  const user = await signUpUser(server, 'slow@example.org');
  const age = (last: string, expires: string) =>
    sql`update accounts.sessions set last_seen_at = now() - ${last}::interval, expires_at = now() + ${expires}::interval
      where user_id = ${user.userId}`.execute(server.app.db);
  const ask = () => server.inject({ url: '/auth/profile', headers: { cookie: `holdfast=${user.token}` } });

  await age('1 minute', '1 day');
  expect((await ask()).headers['set-cookie']).toBeUndefined();
  await age('3 minutes', '1 day');
  expect(String((await ask()).headers['set-cookie'])).toContain(`holdfast=${user.token}; Max-Age=2592000`);
  const { rows } = await sql<{
    days: number;
  }>`select extract(day from expires_at - now())::int as days from accounts.sessions where user_id = ${user.userId}`.execute(
    server.app.db,
  );
  expect(rows[0]?.days).toBe(29);
  await age('31 days', '-1 second');
  expect((await ask()).statusCode).toBe(401);
});

test('guessing at one account is slowed down for the guesser, not for its owner elsewhere', async () => {
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

test('profile and preferences are changed key by key', async () => {
  const user = await signUpUser(server, 'prefs@example.org');
  const api = user.as(accountsContract);
  expect(await api.readAccountProfile()).toEqual({
    user_id: user.userId,
    email: 'prefs@example.org',
    name: 'prefs',
    company: null,
    role: 'user',
    mfaEnabled: false,
    phone: null,
    avatarUrl: null,
    timezone: 'UTC',
    locale: 'en-US',
    timeFormat: '12h',
    dateFormat: 'YYYY-MM-DD',
    weekStart: 7,
    notifications: { bookingReminders: true, syncErrors: true, productUpdates: false },
  });
  expect(await api.changeProfile({ body: { name: '  Zoe\u0308 ', phone: '+44 1' } })).toMatchObject({
    name: 'Zo\u00eb',
    phone: '+44 1',
  });
  expect(await api.changeProfile({ body: { phone: '' } })).toMatchObject({ name: 'Zo\u00eb', phone: null });
  const changed = await api.changePreferences({
    body: { timezone: 'Asia/Kolkata', notifications: { productUpdates: true } },
  });
  expect(changed).toMatchObject({
    timezone: 'Asia/Kolkata',
    timeFormat: '12h',
    notifications: { bookingReminders: true, syncErrors: true, productUpdates: true },
  });
  expect(await api.changePreferences({ body: {} })).toEqual(changed);
  for (const wrong of [
    { timezone: 'Mars/Olympus' },
    { timeFormat: '13h' },
    { weekStart: 0 },
    { locale: '!!' },
    { notifications: { spam: true } },
  ]) {
    const response = await server.inject({
      method: 'PATCH',
      url: '/api/account/preferences',
      headers: { authorization: `Bearer ${user.token}` },
      payload: wrong,
    });
    expect(response.statusCode, JSON.stringify(wrong)).toBe(400);
  }
  for (const wrong of [
    { name: 'a\r\nb' },
    { avatarUrl: 'javascript:alert(1)' },
    { email: 'x@y.z' },
    { name: 'x\u0000' },
    { name: '\ud800' },
  ]) {
    const response = await server.inject({
      method: 'PATCH',
      url: '/api/account/profile',
      headers: { authorization: `Bearer ${user.token}` },
      payload: wrong,
    });
    expect(response.statusCode, JSON.stringify(wrong)).toBe(400);
  }
});

test('the sweep removes what has had its time and nothing else', async () => {
  const user = await signUpUser(server, 'swept@example.org');
  await sql`update accounts.sessions set expires_at = now() - interval '1 second' where user_id = ${user.userId}`.execute(
    server.app.db,
  );
  const count = async (where: string) =>
    (
      await sql<{ n: number }>`select count(*)::int as n from accounts.sessions where ${sql.raw(where)}`.execute(
        server.app.db,
      )
    ).rows[0]?.n;
  const living = await count('expires_at > now()');
  expect(await count('expires_at < now()')).toBeGreaterThan(0);
  await sweepExpired.handle(server.app, {}, AbortSignal.timeout(5_000), {
    id: 'x',
    attempt: 0,
    isLast: false,
    log: server.app.log,
  });
  expect(await count('expires_at < now()')).toBe(0);
  expect(await count('expires_at > now()')).toBe(living);
});

test('whoever used a session a moment ago counts as active, in the zone they live in', async () => {
  const user = await signUpUser(server, 'active@example.org');
  expect(await listActiveUserIds(server.app.db)).toContain(user.userId);
  await sql`update accounts.sessions set last_seen_at = now() - interval '6 minutes' where user_id = ${user.userId}`.execute(
    server.app.db,
  );
  expect(await listActiveUserIds(server.app.db)).not.toContain(user.userId);
  await user.as(accountsContract).changePreferences({ body: { timezone: 'Asia/Tokyo' } });
  expect(await listActiveUserIds(server.app.db)).toContain(user.userId);
  expect(await loadOwnerZone(server.app.db, user.userId)).toBe('Asia/Tokyo');
});

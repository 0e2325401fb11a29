import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import type { Contract } from '#kernel/contract.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../../../test/harness/test-client.ts';
import { accountsContract } from './contract.ts';
import { sweepExpired } from './jobs.ts';
import { listActiveUserIds } from './public.ts';
import { loadOwnerZone } from './users/hosts.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  // all other people in this file are ordinary users
  const first = await signUpUser(server, 'first@example.org');
  expect((await first.as(accountsContract).readProfile()).role).toBe('admin');
});
afterAll(() => server.close());

const strangerAt = <const C extends Contract>(contract: C) => clientOf(server, contract);

const sweep = () =>
  sweepExpired.handle(server.app, {}, AbortSignal.timeout(5_000), {
    id: 'x',
    attempt: 0,
    isLast: false,
    log: server.app.log,
  });

test('signing out ends only its own session, at once for every request', async () => {
  const user = await signUpUser(server, 'leaver@example.org');
  const other = await strangerAt(accessContract).login({ body: { email: user.email, password: testPassword } });
  expect(other.session_token).not.toBe(user.token);
  const response = await server.inject({
    method: 'POST',
    url: '/auth/logout',
    headers: { cookie: `holdfast=${user.token}`, origin: 'http://localhost', host: 'localhost' },
  });
  expect(response.statusCode).toBe(200);
  expect(String(response.headers['set-cookie'])).toContain('Max-Age=0');
  await expect(user.as(accountsContract).readProfile()).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  expect((await clientOf(server, accountsContract, other.session_token ?? '').readProfile()).email).toBe(user.email);
  expect(await strangerAt(accountsContract).logout()).toEqual({ message: 'Logged out' });
});

test('a session ends 30 days after its last use and is extended by use', async () => {
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

test('profile and preferences change only the given keys and refuse invalid values', async () => {
  const user = await signUpUser(server, 'prefs@example.org');
  const api = user.as(accountsContract);
  expect(await api.readAccountProfile()).toEqual({
    user_id: user.userId,
    email: 'prefs@example.org',
    adminAccess: 'none',
    impersonatedUntil: null,
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
    weekends: true,
    weekNumbers: false,
    moreZones: [],
    theme: 'system',
    density: 'comfortable',
    hideEmail: false,
    notifications: { bookingReminders: true, syncErrors: true, productUpdates: false },
  });
  for (const name of ['\u00ad', '\u{e0041}', '\u200d\u200c'])
    expect(await api.changeProfile({ body: { name } })).toMatchObject({ name: 'prefs' });
  expect(await api.changeProfile({ body: { name: '  Zoe\u0308 ', phone: '+44 1' } })).toMatchObject({
    name: 'Zo\u00eb',
    phone: '+44 1',
  });
  expect(await api.changeProfile({ body: { phone: '' } })).toMatchObject({ name: 'Zo\u00eb', phone: null });
  const changed = await api.changePreferences({
    body: {
      timezone: 'Asia/Kolkata',
      weekends: false,
      moreZones: ['Asia/Tokyo'],
      theme: 'dark',
      density: 'compact',
      hideEmail: true,
      notifications: { productUpdates: true },
    },
  });
  expect(changed).toMatchObject({
    timezone: 'Asia/Kolkata',
    weekends: false,
    moreZones: ['Asia/Tokyo'],
    theme: 'dark',
    density: 'compact',
    hideEmail: true,
    timeFormat: '12h',
    notifications: { bookingReminders: true, syncErrors: true, productUpdates: true },
  });
  expect(await api.changePreferences({ body: {} })).toEqual(changed);
  for (const wrong of [
    { timezone: 'Mars/Olympus' },
    { timeFormat: '13h' },
    { weekStart: 0 },
    { moreZones: ['UTC', 'Asia/Tokyo', 'Asia/Kolkata'] },
    { moreZones: ['Mars/Olympus'] },
    { theme: 'auto' },
    { density: null },
    { hideEmail: 'yes' },
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

test('the sweep removes expired sessions and keeps the others', async () => {
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
  await sweep();
  expect(await count('expires_at < now()')).toBe(0);
  expect(await count('expires_at > now()')).toBe(living);
});

test('an account unconfirmed for a week is deleted, a confirmed or younger one is kept', async () => {
  const { db } = server.app;
  const body = { password: testPassword };
  for (const name of ['young', 'old', 'confirmed']) {
    await strangerAt(accessContract).signup({ body: { ...body, email: `${name}@week.example` } });
  }
  await sql`update accounts.users set created_at = now() - interval '8 days' where email <> 'young@week.example'`.execute(
    db,
  );
  await sql`update accounts.users set email_verified_at = now() where email = 'confirmed@week.example'`.execute(db);
  await sweep();
  const { rows } = await sql<{ email: string }>`select email from accounts.users where email like '%@week.example'
    order by email`.execute(db);
  expect(rows.map(({ email }) => email)).toEqual(['confirmed@week.example', 'young@week.example']);
  // The address is free for its owner.
  await strangerAt(accessContract).signup({ body: { ...body, email: 'old@week.example' } });
});

test("a user counts as active within minutes of the last request, and the owner's zone follows the preference", async () => {
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

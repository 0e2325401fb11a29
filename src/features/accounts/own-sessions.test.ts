import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken } from '#platform/crypto.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { recordAccountEvent } from './audit/account-log.ts';
import { accountsContract } from './contract.ts';
import { sweepExpired } from './jobs.ts';
import { openSession } from './sessions/sessions.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());

const phone = {
  id: 'test',
  ip: '2001:db8::7',
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
};
const openOnPhone = (user: TestUser) =>
  openSession(server.app.db, { id: user.userId }, { method: 'passkey', secondFactor: true, request: phone });

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, token: string, payload?: object) =>
  server.inject({
    method,
    url,
    headers: { cookie: `holdfast=${token}`, origin: 'http://localhost', host: 'localhost' },
    ...(payload === undefined ? {} : { payload }),
  });

test('the session list marks the current browser and leaves out expired sessions', async () => {
  const user = await signUpUser(server, 'ada@example.org');
  await signUpUser(server, 'somebody-else@example.org');
  await openOnPhone(user);
  const old = await openOnPhone(user);
  await sql`update accounts.sessions set expires_at = now() - interval '1 second'
    where token_hash = ${hashToken(old)}`.execute(server.app.db);
  const { sessions } = await user.as(accountsContract).listSessions();
  expect(sessions).toHaveLength(2);
  expect(sessions.find((one) => !one.current)).toMatchObject({
    device: { program: 'Safari', system: 'iPhone' },
    ip: '2001:db8::7',
    method: 'passkey',
    secondFactor: true,
  });
  expect(sessions.filter((one) => one.current)).toHaveLength(1);
  expect((await call('GET', '/api/account/sessions', old)).statusCode).toBe(401);
});

test('a session has an absolute end: one that is used every month ends 180 days after sign-in', async () => {
  const user = await signUpUser(server, 'every-month@example.org');
  const statuses: [days: number, status: number][] = [];
  for (let days = 29; days <= 203; days += 29) {
    await sql`update accounts.sessions set created_at = created_at - interval '29 days',
      last_seen_at = last_seen_at - interval '29 days', expires_at = expires_at - interval '29 days'
      where user_id = ${user.userId}`.execute(server.app.db);
    statuses.push([days, (await call('GET', '/api/account/sessions', user.token)).statusCode]);
  }
  expect(statuses).toEqual([29, 58, 87, 116, 145, 174, 203].map((days) => [days, days < 180 ? 200 : 401]));
});

test('a session can be ended by its owner only, and ending the current one clears its cookie', async () => {
  const user = await signUpUser(server, 'owner@example.org');
  const other = await signUpUser(server, 'other@example.org');
  const onPhone = await openOnPhone(user);
  const { sessions } = await user.as(accountsContract).listSessions();
  const [here, there] = [sessions.find((one) => one.current)?.id, sessions.find((one) => !one.current)?.id];
  for (const sessionId of [there, randomUUIDv7()]) {
    expect((await call('DELETE', `/api/account/sessions/${sessionId}`, other.token)).statusCode).toBe(404);
  }
  expect((await call('GET', '/auth/profile', onPhone)).statusCode).toBe(200);
  const ended = await call('DELETE', `/api/account/sessions/${there}`, user.token);
  expect([ended.statusCode, ended.headers['set-cookie']]).toEqual([204, undefined]);
  expect((await call('GET', '/auth/profile', onPhone)).statusCode).toBe(401);
  expect((await call('DELETE', `/api/account/sessions/${there}`, user.token)).statusCode).toBe(404);
  const left = await call('DELETE', `/api/account/sessions/${here}`, user.token);
  expect(String(left.headers['set-cookie'])).toContain('Max-Age=0');
});

test('signing out everywhere includes the current session only on request and leaves other users signed in', async () => {
  const user = await signUpUser(server, 'everywhere@example.org');
  const other = await signUpUser(server, 'bystander@example.org');
  const onPhone = await openOnPhone(user);
  const api = user.as(accountsContract);
  expect(await api.logoutEverywhere({ body: { includingThis: false } })).toEqual({ message: 'Logged out', ended: 1 });
  expect((await call('GET', '/auth/profile', onPhone)).statusCode).toBe(401);
  expect((await api.listSessions()).sessions).toHaveLength(1);
  expect((await api.logoutEverywhere({ body: { includingThis: false } })).ended).toBe(0);
  const all = await call('POST', '/auth/logout/everywhere', user.token, { includingThis: true });
  expect([all.json().ended, String(all.headers['set-cookie']).includes('Max-Age=0')]).toEqual([1, true]);
  expect((await call('GET', '/auth/profile', user.token)).statusCode).toBe(401);
  expect((await call('GET', '/auth/profile', other.token)).statusCode).toBe(200);
});

test('the audit log of an account is shown newest first, page by page, to its owner only', async () => {
  const user = await signUpUser(server, 'trail@example.org');
  const other = await signUpUser(server, 'no-trail@example.org');
  const api = user.as(accountsContract);
  for (let n = 0; n < 60; n += 1) {
    await recordAccountEvent(server.app.db, {
      userId: user.userId,
      kind: 'passkey-renamed',
      request: n === 59 ? null : phone,
      details: { name: `Key ${n}` },
    });
  }
  const first = await api.readTrail();
  expect(first.entries).toHaveLength(50);
  expect(first.entries[0]).toMatchObject({
    kind: 'passkey-renamed',
    ip: null,
    device: { program: null, system: null },
    details: { name: 'Key 59' },
  });
  expect(first.entries[1]).toMatchObject({ ip: '2001:db8::7', device: { program: 'Safari', system: 'iPhone' } });
  const second = await api.readTrail({ query: { before: first.next ?? '' } });
  const renamed = [...first.entries, ...second.entries].filter((entry) => entry.kind === 'passkey-renamed');
  expect(renamed.map((entry) => entry.details.name)).toEqual(Array.from({ length: 60 }, (_, n) => `Key ${59 - n}`));
  expect(second.next).toBeNull();
  const foreign = await other.as(accountsContract).readTrail({ query: { before: first.next ?? '' } });
  expect(foreign.entries.filter((entry) => entry.kind === 'passkey-renamed')).toEqual([]);
});

test('the audit log of an account contains sign-outs and drops entries after a year', async () => {
  const user = await signUpUser(server, 'year@example.org');
  await user.as(accountsContract).logout();
  const again = await openOnPhone(user);
  const api = clientOf(server, accountsContract, again);
  const kinds = async () => (await api.readTrail()).entries.map((entry) => entry.kind);
  expect(await kinds()).toContain('signed-out');
  await sql`update accounts.trail set at = now() - interval '12 months 1 hour' where user_id = ${user.userId}`.execute(
    server.app.db,
  );
  const context = { id: 'x', attempt: 0, isLast: false, log: server.app.log };
  await sweepExpired.handle(server.app, {}, AbortSignal.timeout(5_000), context);
  expect(await kinds()).toEqual([]);
});

test('an undelivered mail is reported to its own recipient only', async () => {
  const user = await signUpUser(server, 'bounced@example.org');
  const other = await signUpUser(server, 'reached@example.org');
  await sql`insert into platform.mails (id, key, message_id, kind, recipient, user_id, state, settled_at, expires_at)
    values (${randomUUIDv7()}, 'test', '<test@example.org>', 'access.password-changed', 'bounced@example.org',
      ${user.userId}, 'bounced', now(), now())`.execute(server.app.db);
  expect((await user.as(accountsContract).listMailTroubles()).troubles).toMatchObject([
    { to: 'bounced@example.org', state: 'bounced' },
  ]);
  expect((await other.as(accountsContract).listMailTroubles()).troubles).toEqual([]);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMails } from '../../../test/harness/read-mails.ts';
import { enrolUser } from '../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { features } from '../../features.ts';
import { accessContract } from '../access/contract.ts';
import { accountsContract } from '../accounts/contract.ts';
import { isFlagOn } from '../accounts/public.ts';
import type { Scope } from '../accounts/rules/scopes.ts';
import { analyticsContract } from '../analytics/contract.ts';
import { calendarContract } from '../calendar/contract.ts';
import { adminContract } from './contract.ts';

let server: TestApp;
let admin: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  admin = await enrolUser(server, await signUpUser(server, 'admin@example.org'));
  await sql`update accounts.users set role = 'admin' where id = ${admin.userId}`.execute(server.app.db);
});
afterAll(() => server.close());

const api = () => admin.as(adminContract);
const why = 'a test asks for it';
const make = (scopes: Scope[]) => api().createKey({ body: { name: 'a script', scopes, reason: why } });
const call = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, key: string, payload?: object) =>
  server.inject({ method, url, headers: { authorization: `Bearer ${key}` }, ...(payload ? { payload } : {}) });
const acts = async (action: string) => {
  const { rows } = await sql<{ reason: string; details: Record<string, unknown> }>`
    select reason, details from accounts.audit where action = ${action} order by position`.execute(server.app.db);
  return rows;
};

test('an API key is shown once, stored as a hash, and listed by its first and last characters', async () => {
  const { key, id } = await make(['read']);
  expect(key).toMatch(/^hfk_[\w-]{40,}$/);
  const [listed] = (await api().listKeys()).keys;
  expect(listed).toMatchObject({
    id,
    name: 'a script',
    scopes: ['read'],
    email: 'admin@example.org',
    lastUsedAt: null,
  });
  expect(listed?.masked).toBe(`${key.slice(0, 8)}…${key.slice(-4)}`);
  const { rows } =
    await sql`select * from accounts.api_keys where row_to_json(api_keys)::text like ${`%${key.slice(8, 30)}%`}`.execute(
      server.app.db,
    );
  expect(rows).toEqual([]);
  expect(await acts('key_creation')).toEqual([{ reason: why, details: { scopes: 'read', days: 90 } }]);
});

test('an API key allows only its scopes, as its creator, and nothing once revoked', async () => {
  const { key, id } = await make(['read']);
  const profile = await call('GET', '/api/account/profile', key);
  expect(profile.json()).toMatchObject({ email: 'admin@example.org' });
  expect((await call('PATCH', '/api/account/preferences', key, { weekends: false })).statusCode).toBe(403);
  expect((await api().listKeys()).keys.find((one) => one.id === id)?.lastUsedAt).not.toBeNull();
  await api().revokeKey({ body: { keyId: id, reason: why } });
  expect((await call('GET', '/api/account/profile', key)).statusCode).toBe(401);
  await expect(api().revokeKey({ body: { keyId: id, reason: why } })).rejects.toMatchObject({ status: 404 });
  expect((await call('GET', '/api/account/profile', `hfk_${'x'.repeat(43)}`)).statusCode).toBe(401);
});

test('API keys that outlive everything: a key ends at its date, 90 days after it was made by default', async () => {
  const dayMs = 86_400_000;
  const left = ({ expiresAt }: { expiresAt: number }) => Math.round((expiresAt - Date.now()) / dayMs);
  const { key, ...usual } = await make(['read']);
  const short = await api().createKey({ body: { name: 'a month', scopes: ['read'], days: 30, reason: why } });
  expect([left(usual), left(short)]).toEqual([90, 30]);
  const body = { name: 'for good', scopes: ['read'], days: 3650, reason: why };
  expect((await call('POST', '/api/admin/keys', admin.token, body)).statusCode).toBe(400);
  await sql`update accounts.api_keys set expires_at = now() - interval '1 second' where id = ${usual.id}`.execute(
    server.app.db,
  );
  expect((await call('GET', '/api/account/profile', key)).statusCode).toBe(401);
  expect((await api().listKeys()).keys.map(({ id }) => id)).not.toContain(usual.id);
});

test('API keys that outlive everything: their person is told by mail and trail when one is made and when it ends', async () => {
  const { id } = await make(['read', 'write']);
  await api().revokeKey({ body: { keyId: id, reason: why } });
  const mails = (await readMails(server, 'admin@example.org')).filter(({ kind }) => kind.startsWith('accounts.key'));
  expect(mails.slice(-2).map(({ kind, subject }) => [kind, subject])).toEqual([
    ['accounts.key-made', 'An API key was created'],
    ['accounts.keys-ended', 'API keys were revoked'],
  ]);
  const { entries } = await admin.as(accountsContract).readTrail({ query: {} });
  expect(entries.slice(0, 2).map(({ kind, details }) => [kind, details.name])).toEqual([
    ['api-key-ended', 'a script'],
    ['api-key-made', 'a script'],
  ]);
});

test('API keys that outlive everything: a password change ends them where it is asked for', async () => {
  const { key } = await make(['read']);
  const works = async (one: string) => (await call('GET', '/api/account/profile', one)).statusCode === 200;
  const change = async (password: string, more: object) => {
    const payload = { new_password: password, ...more };
    const answer = await call('POST', '/api/account/password', admin.token, payload);
    const token = answer.json().session_token as string;
    admin = { ...admin, token, as: (contract) => clientOf(server, contract, token) };
  };
  await change('amber window twenty', {});
  expect(await works(key)).toBe(true);
  await change('quiet harbour eleven', { end_keys: true });
  expect(await works(key)).toBe(false);
});

test('API keys that outlive everything: signing out everywhere ends them where it is asked for', async () => {
  const { key } = await make(['read']);
  const works = async () => (await call('GET', '/api/account/profile', key)).statusCode === 200;
  const signOut = (body: { includingThis: boolean; end_keys?: boolean }) =>
    admin.as(accountsContract).logoutEverywhere({ body });
  await signOut({ includingThis: false });
  expect(await works()).toBe(true);
  const before = (await readMails(server, 'admin@example.org')).length;
  await signOut({ includingThis: false, end_keys: true });
  expect(await works()).toBe(false);
  const mails = await readMails(server, 'admin@example.org');
  expect(mails.slice(before).map(({ kind }) => kind)).toEqual(['accounts.keys-ended']);
});

test('API keys that outlive everything: a key from before the second factor ends with it', async () => {
  const early = await signUpUser(server, 'key-before-factor@example.org');
  await sql`update accounts.users set role = 'admin' where id = ${early.userId}`.execute(server.app.db);
  await sql`update accounts.settings set require_admin_mfa = false`.execute(server.app.db);
  const body = { name: 'early', scopes: ['read' as const], reason: why };
  const { key } = await early.as(adminContract).createKey({ body });
  expect((await call('GET', '/api/account/profile', key)).statusCode).toBe(200);
  const enrolled = await enrolUser(server, early);
  expect((await call('GET', '/api/account/profile', key)).statusCode).toBe(401);
  const later = await enrolled.as(adminContract).createKey({ body });
  expect((await call('GET', '/api/account/profile', later.key)).statusCode).toBe(200);
  await sql`update accounts.settings set require_admin_mfa = true`.execute(server.app.db);
});

test('every admin route refuses API keys without its scope, and no API key reaches sign-in routes', async () => {
  const [writing, adminReading] = await Promise.all([make(['read', 'write']), make(['admin:read'])]);
  const endpoints = features.flatMap((feature) => (feature.routes ?? []).flat()).map(({ endpoint }) => endpoint);
  const closed = endpoints.filter(({ auth }) => auth === 'admin');
  expect(closed.length).toBeGreaterThan(12);
  for (const { method, path } of closed) {
    expect((await call(method, path, writing.key)).statusCode, `${method} ${path}`).toBe(403);
    if (method !== 'GET')
      expect((await call(method, path, adminReading.key)).statusCode, `${method} ${path}`).toBe(403);
  }
  expect((await call('GET', '/api/admin/overview', adminReading.key)).statusCode).toBe(200);
  expect((await call('GET', '/api/account/profile', adminReading.key)).statusCode).toBe(403);
  const signingIn = endpoints.filter(({ auth, path }) => auth === 'user' && path.startsWith('/auth/'));
  expect(signingIn.length).toBeGreaterThan(3);
  for (const { method, path } of signingIn)
    expect((await call(method, path.replace(/\{[^}]+\}/g, 'x'), writing.key)).statusCode, path).toBe(403);
  expect((await call('GET', '/api/stream', writing.key)).statusCode).toBe(401);
  // a public endpoint ignores an API key
  expect((await call('GET', '/api/session', writing.key)).json()).toEqual({ user: null });
});

test("an API key cannot create keys, and a demoted administrator's key is refused in the console", async () => {
  const { key } = await make(['admin:read', 'admin:write']);
  const body = { name: 'another', scopes: ['read'], reason: why };
  expect((await call('POST', '/api/admin/keys', key, body)).json()).toMatchObject({
    detail: { code: 'REAUTHENTICATE' },
  });
  await sql`update accounts.users set role = 'user' where id = ${admin.userId}`.execute(server.app.db);
  expect((await call('GET', '/api/admin/overview', key)).statusCode).toBe(403);
  await sql`update accounts.users set role = 'admin' where id = ${admin.userId}`.execute(server.app.db);
});

test('a disabled feature flag takes effect at once for the users concerned and is audited', async () => {
  const { db } = server.app;
  const ada = await signUpUser(server, 'ada@example.org');
  expect((await api().listFlags()).flags).toEqual([
    { name: 'published-feeds', enabled: true, rollout: 100 },
    { name: 'weekly-digest', enabled: true, rollout: 100 },
  ]);
  const publish = () => ada.as(calendarContract).publishFeed({ params: { content: 'busy' } });
  await publish();
  await api().changeFlag({ body: { name: 'published-feeds', enabled: false, rollout: 100, reason: why } });
  await expect(publish()).rejects.toMatchObject({ status: 403, code: 'SWITCHED_OFF' });
  await api().changeFlag({ body: { name: 'weekly-digest', enabled: true, rollout: 0, reason: why } });
  const digest = ada.as(analyticsContract).chooseDigest;
  await expect(digest({ body: { weekly: true } })).rejects.toMatchObject({ code: 'SWITCHED_OFF' });
  expect(await digest({ body: { weekly: false } })).toEqual({ weekly: false, available: false });
  expect(await isFlagOn(db, 'weekly-digest', ada.userId)).toBe(false);
  await api().changeFlag({ body: { name: 'published-feeds', enabled: true, rollout: 100, reason: why } });
  await publish();
  expect((await acts('flag_change')).length).toBe(3);
});

test('sign-up is limited to the invited addresses, or closed, without revealing accounts', async () => {
  const settings = admin.as(accountsContract).changeInstallSettings;
  const join = (email: string) =>
    server.inject({ method: 'POST', url: '/auth/signup', payload: { email, password: 'a long enough passphrase 7' } });
  await settings({ body: { signUp: 'invited', signUpAllowed: ['@Example.net', 'grace@example.org'], reason: why } });
  expect((await join('eve@example.com')).json()).toMatchObject({ detail: { code: 'SIGN_UP_CLOSED' } });
  expect((await join('eve@sub.example.net')).statusCode).toBe(403);
  expect((await join('anybody@example.net')).statusCode).toBe(201);
  expect((await join('Grace@example.org')).statusCode).toBe(201);
  await settings({ body: { signUp: 'closed', reason: why } });
  expect((await join('late@example.net')).statusCode).toBe(403);
  // whether an address has an account is not told by it
  expect((await join('grace@example.org')).json()).toEqual((await join('late@example.net')).json());
  await settings({ body: { signUp: 'open', reason: why } });
  expect((await join('late@example.net')).statusCode).toBe(201);
  expect(accessContract.signup.errors).toContain('SIGN_UP_CLOSED');
});

test('the operator blocks addresses and domains, with a reason in the audit', async () => {
  const settings = admin.as(accountsContract).changeInstallSettings;
  const changed = await settings({ body: { blockedGuests: ['@Bulk.example', 'spam@example.net'], reason: why } });
  expect(changed.blockedGuests).toEqual(['@bulk.example', 'spam@example.net']);
  await expect(settings({ body: { blockedGuests: ['bulk'], reason: why } })).rejects.toMatchObject({ status: 400 });
  expect((await acts('settings_change')).at(-1)).toMatchObject({ details: { blocked: 2 } });
});

test('log retention changes within bounds, and a mail test without a server says so', async () => {
  expect(await api().changeRetention({ body: { logDays: 90, reason: why } })).toEqual({ logDays: 90 });
  expect((await api().readHealth()).logDays).toBe(90);
  expect((await call('PATCH', '/api/admin/retention', admin.token, { logDays: 6, reason: why })).statusCode).toBe(400);
  expect(await api().testMail({ body: { reason: why } })).toMatchObject({ to: 'admin@example.org', outcome: 'none' });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { CookieBrowser } from '../../../test/harness/cookie-browser.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { enrolUser } from '../../../test/harness/second-factor.ts';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, type TestUser, testPassword } from '../../../test/harness/test-client.ts';
import { adminContract } from './contract.ts';

let server: TestApp;
let boss: TestUser;
beforeAll(async () => {
  server = await startTestApp({ http: { pageRoot: await builtPages() } });
  boss = await enrolUser(server, await signUpUser(server, 'boss@example.org'));
}, 60_000);
afterAll(() => server.close());

const admin = () => boss.as(adminContract);
const because = { reason: 'Asked for by mail' };
const audited = async (userId: UserId) =>
  (await admin().readUser({ params: { userId } })).audit.map(({ actionType, reason }) => [actionType, reason]);

test('the user list has ten entries per page and is searched by any part of name or address', async () => {
  const people: TestUser[] = [];
  for (let at = 0; at < 23; at++) people.push(await signUpUser(server, `p${at}@listed.example`));
  const [first] = people;
  await first?.as(accountsContract).changeProfile({ body: { name: 'Zoë Übel_100%' } });
  const page = await admin().listUsers({ query: { search: 'listed.example' } });
  expect(page).toMatchObject({ total: 23, hasNewer: false, hasOlder: true });
  expect(page.people.map(({ email }) => email)).toEqual(
    people
      .slice(13)
      .toReversed()
      .map(({ email }) => email),
  );
  const second = await admin().listUsers({
    query: { search: 'listed.example', after: page.people.at(-1)?.id as never },
  });
  const third = await admin().listUsers({
    query: { search: 'listed.example', after: second.people.at(-1)?.id as never },
  });
  expect(third).toMatchObject({ hasNewer: true, hasOlder: false });
  expect(third.people).toHaveLength(3);
  const back = await admin().listUsers({ query: { search: 'listed.example', before: third.people[0]?.id as never } });
  expect(back.people).toEqual(second.people);
  const found = async (search: string) => (await admin().listUsers({ query: { search } })).people.map(({ id }) => id);
  expect(await found('übel_1')).toEqual([first?.userId]);
  expect(await found('0%')).toEqual([first?.userId]); // neither is a wildcard
  expect(await found('beluga')).toEqual([]);
});

test('an admin action needs a reason and a recent proof, excludes oneself, and fails when it cannot be audited', async () => {
  const { userId } = await signUpUser(server, 'acted@example.org');
  const params = { userId };
  const bare = await server.inject({
    method: 'POST',
    url: `/api/admin/users/${userId}/suspension`,
    headers: { authorization: `Bearer ${boss.token}` },
    payload: { reason: '  a ' },
  });
  expect(bare.statusCode).toBe(400);
  await expect(admin().suspendUser({ params: { userId: boss.userId }, body: because })).rejects.toMatchObject({
    code: 'NOT_YOURSELF',
  });
  await sql`update accounts.sessions set authenticated_at = now() - interval '11 minutes'
    where user_id = ${boss.userId}`.execute(server.app.db);
  await expect(admin().suspendUser({ params, body: because })).rejects.toMatchObject({ code: 'REAUTHENTICATE' });
  await sql`update accounts.sessions set authenticated_at = now()`.execute(server.app.db);
  expect(await audited(userId)).toEqual([]);
  await expect(admin().resetUserMfa({ params, body: because })).rejects.toMatchObject({ code: 'MFA_NOT_SET_UP' });
  expect(await audited(userId)).toEqual([]);
  // a transaction that cannot be written down is none
  await sql`alter table accounts.audit_pending rename to audit_away`.execute(server.app.db);
  await expect(admin().suspendUser({ params, body: because })).rejects.toMatchObject({ status: 500 });
  await sql`alter table accounts.audit_away rename to audit_pending`.execute(server.app.db);
  expect((await admin().readUser({ params })).person.status).toBe('active');
});

test('two administrators who suspend each other at once leave one active', async () => {
  const other = await enrolUser(server, await signUpUser(server, 'rival@example.org'));
  await sql`update accounts.users set role = 'admin' where id = ${other.userId}`.execute(server.app.db);
  const answers = await Promise.allSettled([
    admin().suspendUser({ params: { userId: other.userId }, body: because }),
    other.as(adminContract).suspendUser({ params: { userId: boss.userId }, body: because }),
  ]);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const { rows } = await sql<{ id: string }>`
    select id from accounts.users where role = 'admin' and suspended_at is null`.execute(server.app.db);
  expect(rows).toHaveLength(1);
  await sql`update accounts.users set suspended_at = null, role = case when id = ${boss.userId} then 'admin' else 'user' end
    where id in (${boss.userId}, ${other.userId})`.execute(server.app.db);
  boss = await enrolAgain(boss);
});

/** Enrolls a person again, whichever call won. */
async function enrolAgain(user: TestUser): Promise<TestUser> {
  const opened = await clientOf(server, accountsContract, user.token)
    .readProfile()
    .then(
      () => user,
      () => null,
    );
  if (opened !== null) return opened;
  await sql`update accounts.users set mfa_enabled_at = null where id = ${user.userId}`.execute(server.app.db);
  const { session_token } = await clientOf(server, accessContract).login({
    body: { email: user.email, password: testPassword },
  });
  const token = session_token ?? '';
  return enrolUser(server, { ...user, token, as: (contract) => clientOf(server, contract, token) });
}

test('a suspended user is signed out at once, cannot sign in, and has a closed booking page until resumed', async () => {
  const host = await signUpUser(server, 'suspended-host@example.org');
  const { path } = await insertBookable(server, host, 'intro');
  const page = (at: string) => server.inject({ url: at, headers: { accept: 'text/html' } });
  const params = { userId: host.userId };
  expect((await server.inject({ url: `${path}/slots?from=30000000&to=30001440` })).statusCode).toBe(200);
  const { person } = await admin().suspendUser({ params, body: because });
  expect(person.status).toBe('suspended');
  await expect(host.as(accountsContract).readProfile()).rejects.toMatchObject({ status: 401 });
  const login = () => clientOf(server, accessContract).login({ body: { email: host.email, password: testPassword } });
  await expect(login()).rejects.toMatchObject({ status: 403, code: 'ACCOUNT_SUSPENDED' });
  for (const at of ['/suspended-host', '/suspended-host/intro']) {
    const answer = await page(at);
    expect([at, answer.statusCode]).toEqual([at, 200]);
    expect(answer.body).toContain('Bookings are temporarily unavailable');
  }
  expect((await server.inject({ url: `${path}/slots?from=30000000&to=30001440` })).statusCode).toBe(404);
  const form = await page('/suspended-host/forms/any');
  expect([form.statusCode, form.body.includes('This form is temporarily unavailable')]).toEqual([200, true]);
  expect((await page('/nobody-at-all/forms/any')).statusCode).toBe(404);
  // again is no second act
  await admin().suspendUser({ params, body: because });
  await admin().resumeUser({ params, body: { reason: 'Cleared up' } });
  expect(await audited(host.userId)).toEqual([
    ['user_resumption', 'Cleared up'],
    ['user_suspension', because.reason],
  ]);
  expect(await login()).toMatchObject({ message: 'Login successful' });
  expect((await page('/suspended-host/intro')).body).not.toContain('Bookings are temporarily unavailable');
});

test('an administrator can resend a verification mail and reset a lost second factor together with its sessions', async () => {
  const fresh = await signUpUser(server, 'unconfirmed@example.org');
  await expect(
    admin().resendUserVerification({ params: { userId: fresh.userId }, body: because }),
  ).rejects.toMatchObject({ code: 'ALREADY_VERIFIED' });
  await sql`update accounts.users set email_verified_at = null where id = ${fresh.userId}`.execute(server.app.db);
  await admin().resendUserVerification({ params: { userId: fresh.userId }, body: because });
  expect(await readMails(server, fresh.email)).toHaveLength(1);

  const lost = await enrolUser(server, await signUpUser(server, 'lost-phone@example.org'));
  await admin().resetUserMfa({ params: { userId: lost.userId }, body: because });
  await expect(lost.as(accountsContract).readProfile()).rejects.toMatchObject({ status: 401 });
  const answer = await clientOf(server, accessContract).login({ body: { email: lost.email, password: testPassword } });
  expect(answer.session_token).not.toBeNull();
});

test('impersonation refuses sensitive actions and records every request in the audit log', async () => {
  const seen = await signUpUser(server, 'seen@example.org');
  const browser = new CookieBrowser(server, boss.token);
  const opened = await browser.call('POST', `/api/admin/users/${seen.userId}/impersonation`, because);
  expect(opened.statusCode).toBe(200);
  const session = (await browser.call('GET', '/api/session')).json().user;
  expect(session).toMatchObject({ email: seen.email, adminAccess: 'none' });
  expect(Date.parse(session.impersonatedUntil) - server.app.clock.nowMs()).toBeLessThanOrEqual(30 * 60_000);
  for (const [method, url, body] of [
    ['POST', '/api/account/password', { new_password: 'another lantern nine' }],
    ['POST', '/api/account/email', { email: 'mine@example.org' }],
    ['POST', '/api/account/reauthenticate', { password: testPassword }],
    ['POST', '/auth/mfa/enroll/init', {}],
    ['POST', '/api/account/deletion', { email: seen.email }],
    ['POST', '/api/account/export', undefined],
    ['GET', '/api/published-feeds', undefined],
    ['PUT', '/api/published-feeds/events', undefined],
    ['DELETE', `/api/account/sessions/${seen.userId}`, undefined],
    ['POST', '/auth/logout/everywhere', { includingThis: false }],
    ['GET', '/api/workflows/credentials', undefined],
    ['POST', '/api/connections/caldav', {}],
    ['POST', '/api/mirror-groups', {}],
  ] as const) {
    const answer = await browser.call(method, url, body);
    expect([url, answer.statusCode, answer.json().detail?.code]).toEqual([url, 403, 'IMPERSONATING']);
  }
  expect((await browser.call('GET', '/api/admin/users')).statusCode).toBe(403);
  expect((await browser.call('PATCH', '/api/account/profile', { name: 'Seen' })).statusCode).toBe(200);

  const ended = await browser.call('POST', '/api/impersonation/end');
  expect(ended.json()).toEqual({ isBack: true });
  expect(browser.token).not.toBe(boss.token);
  const token = browser.token ?? '';
  boss = { ...boss, token, as: (contract) => clientOf(server, contract, token) };
  const log = (await admin().listAudit({ query: { actor: 'boss@', action: 'impersonated_request' } })).entries;
  expect(log.map(({ details }) => `${details.method} ${details.route}`)).toContain('PATCH /api/account/profile');
  expect(new Set(log.map(({ actor, subject }) => `${actor} as ${subject?.email}`))).toEqual(
    new Set(['boss@example.org as seen@example.org']),
  );
  expect(log.every(({ requestId }) => requestId !== null)).toBe(true);
  expect((await audited(seen.userId)).filter(([kind]) => kind !== 'impersonated_request')[0]?.[0]).toBe(
    'impersonation_end',
  );
  const { entries } = await seen.as(accountsContract).readTrail({ query: {} });
  expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['impersonated', 'impersonation-ended']));
});

test("impersonation refuses administrators and ends with the administrator's own session", async () => {
  const other = await signUpUser(server, 'second-admin@example.org');
  await sql`update accounts.users set role = 'admin' where id = ${other.userId}`.execute(server.app.db);
  await expect(admin().impersonateUser({ params: { userId: other.userId }, body: because })).rejects.toMatchObject({
    code: 'NOT_ADMINISTRATORS',
  });
  await sql`update accounts.users set role = 'user' where id = ${other.userId}`.execute(server.app.db);
  const browser = new CookieBrowser(server, boss.token);
  await browser.call('POST', `/api/admin/users/${other.userId}/impersonation`, because);
  expect((await browser.call('GET', '/api/session')).json().user.email).toBe(other.email);
  await sql`delete from accounts.sessions where user_id = ${boss.userId}`.execute(server.app.db);
  expect((await browser.call('GET', '/api/session')).json().user).toBeNull();
  boss = await enrolAgain(boss);
});

test("an administrator can export a user's data, and delete the account by its address", async () => {
  const gone = await signUpUser(server, 'to-be-gone@example.org');
  const params = { userId: gone.userId };
  await admin().exportUser({ params, body: because });
  await server.settle();
  const ready = (await admin().readUserExport({ params })).export;
  expect(ready).toMatchObject({ state: 'ready' });
  const file = await server.inject({
    url: `/api/admin/users/${gone.userId}/export/${ready?.id}/file`,
    headers: { authorization: `Bearer ${boss.token}` },
  });
  expect([file.statusCode, file.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK']);
  await admin().suspendUser({ params, body: because });
  await expect(admin().deleteUser({ params, body: { ...because, email: 'other@example.org' } })).rejects.toMatchObject({
    code: 'WRONG_EMAIL',
  });
  await admin().deleteUser({ params, body: { ...because, email: gone.email } });
  await server.settle();
  await expect(admin().readUser({ params })).rejects.toMatchObject({ status: 404 });
  const { entries } = await admin().listAudit({ query: { action: 'user_deletion' } });
  expect(entries[0]).toMatchObject({ subject: { id: gone.userId, email: null }, actor: 'boss@example.org' });
});

const meeting = (uid: string, day: number) =>
  `UID:${uid}@x\nSUMMARY:${uid}\nDTSTART:2027030${day}T150000Z\nDTEND:2027030${day}T160000Z`;

test("a suspended user's calendars are neither read nor written, and catch up once resumed", async () => {
  const world: SyncWorld = await startSyncWorld();
  try {
    const { left, right, person } = world;
    await sql`update accounts.users set role = 'user'`.execute(world.server.app.db);
    const operator = await enrolUser(world.server, await signUpUser(world.server, 'operator@example.org'));
    await sql`update accounts.users set role = 'admin' where id = ${operator.userId}`.execute(world.server.app.db);
    left.put('a.ics', meeting('a', 2));
    await world.pass();
    expect(right.blocks()).toHaveLength(1);
    // planned, and not yet written
    const { rows } = await sql`update sync.mirrors set state = 'pending' returning id`.execute(world.server.app.db);
    expect(rows).toHaveLength(1);
    world.writes();
    const as = operator.as(adminContract);
    await as.suspendUser({ params: { userId: person.userId }, body: because });
    left.put('b.ics', meeting('b', 3));
    const { lastRequests } = await readAllDue(world);
    expect(lastRequests).toBe(0);
    expect(right.blocks()).toHaveLength(1);
    await as.resumeUser({ params: { userId: person.userId }, body: because });
    await world.server.settle();
    await expect.poll(() => right.blocks().length).toBe(2);
  } finally {
    await world.close();
  }
});

/** Everything that a heartbeat would hand out, as often as in a day; how many requests came of it. */
async function readAllDue(world: SyncWorld): Promise<{ lastRequests: number }> {
  const before = world.emulator.ledger.length;
  for (let hour = 0; hour < 4; hour++) {
    await sql`update sync.pulls set next_pull_at = 'epoch'`.execute(world.server.app.db);
    const { tick } = await import('../sync/tick.ts');
    const { sweep } = await import('../sync/sweep.ts');
    await tick(world.server.app);
    await sweep(world.server.app);
    await world.server.settle();
  }
  return { lastRequests: world.emulator.ledger.length - before };
}

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import { insertOwnAccount } from '../../test/harness/own-account.ts';
import { enrolUser } from '../../test/harness/second-factor.ts';
import { killAll, runToEnd, spawnHoldfast } from '../../test/harness/spawn-holdfast.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../../test/harness/test-client.ts';
import { runCommand, usage } from './run-command.ts';

// The server runs all the while: the command has nothing but the database in common with it.
let server: TestApp;
let address: string;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  await signUpUser(server, 'first@example.org');
  address = await server.listen();
  await server.app.feed.ready();
});
afterAll(async () => {
  killAll();
  await server.close();
});

const admin = (...args: string[]) => runToEnd(['scripts/admin.ts', ...args], { DATABASE_URL: server.database.url });
const signIn = (email: string) => clientOf(server, accessContract).login({ body: { email, password: testPassword } });

test('the admin grant command makes a user an administrator and ends their old sessions and streams', async () => {
  const user = await signUpUser(server, 'ada@example.org');
  const stream = await fetch(`${address}/api/stream`, { headers: { authorization: `Bearer ${user.token}` } });
  let hasEnded = false;
  void (async () => {
    for await (const _ of stream.body ?? []);
    hasEnded = true;
  })();
  const { code, output } = await admin('grant', ' ADA@example.org');
  expect([code, output]).toEqual([0, expect.stringContaining('is now an administrator and was signed out everywhere')]);
  await expect.poll(() => hasEnded, { message: 'whether the stream has ended' }).toBe(true);
  await expect(user.as(accountsContract).readProfile()).rejects.toMatchObject({ status: 401 });
  const { session_token } = await signIn('ada@example.org');
  const again = clientOf(server, accountsContract, session_token ?? '');
  expect((await again.readProfile()).role).toBe('admin');
  expect((await again.readTrail()).entries).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'role-granted', ip: null })]),
  );
  expect((await admin('list')).output).toMatch(/ada@example\.org {2}\(no second factor\)\nfirst@example\.org/);
});

test('the admin revoke command takes the role away at once and reports when no administrator is left', async () => {
  const { db } = server.app;
  const { session_token } = await signIn('ada@example.org');
  expect((await runCommand(db, ['revoke', 'ada@example.org'])).lines).toHaveLength(1);
  await expect(clientOf(server, accountsContract, session_token ?? '').readProfile()).rejects.toMatchObject({
    status: 401,
  });
  expect((await runCommand(db, ['revoke', 'ada@example.org'])).lines[0]).toContain("isn't an administrator");
  const last = await runCommand(db, ['revoke', 'first@example.org']);
  expect(last.lines[1]).toContain('There is no administrator anymore');
  expect((await runCommand(db, ['list'])).lines[0]).toContain('There is no administrator');
  expect((await runCommand(db, ['grant', 'first@example.org'])).failed).toBe(false);
});

test('the admin subscribers command lists accounts that want product updates, and the help names it', async () => {
  const { db } = server.app;
  const [reader, other] = [
    await signUpUser(server, 'reader@example.org'),
    await signUpUser(server, 'no-reader@example.org'),
  ];
  const notifications = { syncErrors: true, bookingReminders: true, productUpdates: true };
  await reader.as(accountsContract).changePreferences({ body: { notifications } });
  const list = async () => (await runCommand(db, ['subscribers'], 'https://x.example')).lines.join('\n');
  expect(await list()).toMatch(/^reader@example\.org,\d{4}-.*,https:\/\/x\.example\/profile\s*$/m);
  expect(await list()).not.toContain(other.email);
  await reader
    .as(accountsContract)
    .changePreferences({ body: { notifications: { ...notifications, productUpdates: false } } });
  expect(await list()).not.toContain(reader.email);
  expect(usage).toContain('subscribers');
});

test('the admin mfa-off command lets a user without their second factor sign in by password', async () => {
  const { db } = server.app;
  const user = await enrolUser(server, await signUpUser(server, 'lost@example.org'));
  expect((await signIn(user.email)).next).toBe('MFA_REQUIRED');
  expect((await runCommand(db, ['mfa-off', ' LOST@example.org'])).lines[0]).toContain('with a password only');
  await expect(user.as(accountsContract).readProfile()).rejects.toMatchObject({ status: 401 });
  const { session_token } = await signIn(user.email);
  const again = clientOf(server, accountsContract, session_token ?? '');
  expect((await again.readProfile()).mfaEnabled).toBe(false);
  expect((await again.readTrail()).entries).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'mfa-disabled', ip: null })]),
  );
  expect((await runCommand(db, ['mfa-off', user.email])).lines[0]).toContain('Nothing was changed');
  expect((await runCommand(db, ['mfa-off', 'nobody@example.org'])).failed).toBe(true);
});

test('the admin suspend command ends sessions, refuses sign-ins, and pauses calendars until resume', async () => {
  const { db } = server.app;
  const user = await signUpUser(server, 'heavy@example.org');
  const { accountId } = await insertOwnAccount(server, user);
  const isPaused = async () => {
    const { rows } = await sql<{ isPaused: boolean }>`
      select suspended as "isPaused" from connections.connections where id = ${accountId}`.execute(db);
    return rows[0]?.isPaused;
  };
  const { code, output } = await admin('suspend', ' HEAVY@example.org');
  expect([code, output]).toEqual([0, expect.stringContaining('is suspended and was signed out everywhere')]);
  await expect(user.as(accountsContract).readProfile()).rejects.toMatchObject({ status: 401 });
  await expect(signIn(user.email)).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
  expect(await isPaused()).toBe(true);
  expect((await runCommand(db, ['suspend', user.email])).lines[0]).toContain('already suspended');
  const resumed = await admin('resume', user.email);
  expect([resumed.code, resumed.output]).toEqual([0, expect.stringContaining('can sign in again')]);
  expect((await runCommand(db, ['resume', user.email])).lines[0]).toContain("isn't suspended");
  expect((await signIn(user.email)).session_token).toBeTruthy();
  expect(await isPaused()).toBe(false);
  const { rows } = await sql<{ action: string; actor: string | null }>`
    select action, actor_id as actor from accounts.audit where subject_id = ${user.userId}::text
    union all select action, actor_id from accounts.audit_pending where subject_id = ${user.userId}::text
    order by action`.execute(db);
  expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
    ['user_resumption', null],
    ['user_suspension', null],
  ]);
  const waiting = await sql`select from jobs.job where name = 'sync.go-on-with-person'
    and data ->> 'userId' = ${user.userId}`.execute(db);
  expect(waiting.rows).toHaveLength(1);
  expect((await runCommand(db, ['suspend', 'first@example.org'])).lines).toEqual([
    'first@example.org is the last administrator. Add another one first.',
  ]);
  expect((await runCommand(db, ['suspend', 'nobody@example.org'])).failed).toBe(true);
});

test('the admin verify command confirms an address once', async () => {
  const { db } = server.app;
  await clientOf(server, accessContract).signup({ body: { email: 'no-mail@example.org', password: testPassword } });
  await expect(signIn('no-mail@example.org')).rejects.toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
  const { rows } = await sql<{ at: string }>`select to_char(created_at, 'YYYY-MM-DD"T"HH24:MI"Z"') as at
    from accounts.users where email = 'no-mail@example.org'`.execute(db);
  expect((await runCommand(db, ['verify', 'no-mail@example.org'])).lines).toEqual([
    `no-mail@example.org is confirmed and can sign in with the password of the sign-up at ${rows[0]?.at}.`,
    'Ask the person whether they signed up then. If not, somebody else knows that password: delete the account.',
  ]);
  expect((await signIn('no-mail@example.org')).session_token).toBeTruthy();
  expect((await runCommand(db, ['verify', 'no-mail@example.org'])).lines[0]).toContain('already');
});

test('the admin commands work on a stopped install and leave it stopped', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-admin-'));
  try {
    const env = { DATA_DIR: dir };
    const running = await spawnHoldfast({ env });
    running.kill('SIGTERM');
    expect(await running.exited).toBe(0);
    const none = await runToEnd(['scripts/admin.ts', 'list'], env);
    expect([none.code, none.output]).toEqual([0, expect.stringContaining('There is no administrator')]);
    const unknown = await runToEnd(['scripts/admin.ts', 'grant', 'nobody@example.org'], env);
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('There is no account for')]);
    expect(existsSync(join(dir, 'postgres/data/postmaster.pid'))).toBe(false);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}, 60_000);

test('the admin command reports an error, changes nothing, and exits with 1', async () => {
  for (const args of [[], ['grant'], ['promote', 'x@example.org'], ['list', 'x'], ['grant', 'a@b.c', 'd@e.f']]) {
    expect(await runCommand(server.app.db, args), args.join(' ')).toEqual({ lines: [usage], failed: true });
  }
  const unknown = await admin('grant', 'nobody@example.org');
  expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('There is no account for')]);
  const none = await runToEnd(['scripts/admin.ts', 'list'], { DATA_DIR: '/nonexistent' });
  expect([none.code, none.output]).toEqual([1, expect.stringContaining('There is no install here yet')]);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { Authenticator } from './harness/authenticator.ts';
import { type Browser, openBrowser } from './harness/browser.ts';
import { CookieBrowser } from './harness/cookie-browser.ts';
import { listDoors } from './harness/list-doors.ts';
import { readLink } from './harness/read-link.ts';
import { readMails } from './harness/read-mails.ts';
import { codeOf, enrolUser } from './harness/second-factor.ts';
import { comeBack, exchange, type SignInWorld, signInAt, startSignInWorld } from './harness/sign-in-world.ts';
import { clientOf, signUpUser, testPassword } from './harness/test-client.ts';

/** An account that is being deleted is closed at once, at every door, also to what was begun before. */

let world: SignInWorld;
beforeAll(async () => {
  world = await startSignInWorld();
});
afterAll(() => world?.close());

interface Refusal {
  status: number;
  code: unknown;
}

const stranger = () => clientOf(world.server, accessContract);
const leave = (email: string) =>
  sql`update accounts.users set leaving_at = now() where email = ${email}`.execute(world.server.app.db);

async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const { status, code } = await call.then(
    () => ({ status: 200, code: undefined }),
    (error: Refusal) => error,
  );
  return { status, code };
}

/** Gets somebody as far as each door, has them leave, and then tries it. */
const doors: Record<string, () => Promise<Refusal>> = {
  async 'POST /auth/login'() {
    const { email } = await signUpUser(world.server, 'password@example.org');
    await leave(email);
    return refusalOf(stranger().login({ body: { email, password: testPassword } }));
  },
  async 'POST /auth/passkey/verify'() {
    const { email, token } = await signUpUser(world.server, 'passkey@example.org');
    const [inside, outside] = [new CookieBrowser(world.server, token), new CookieBrowser(world.server)];
    const authenticator = new Authenticator();
    const passkey = authenticator.create((await inside.call('POST', '/api/account/passkeys/options')).json());
    expect((await inside.call('POST', '/api/account/passkeys', { name: 'Key', passkey })).statusCode).toBe(201);
    const asked = (await outside.call('POST', '/auth/passkey/options')).json();
    await leave(email);
    const answer = await outside.call('POST', '/auth/passkey/verify', { passkey: authenticator.get(asked) });
    return { status: answer.statusCode, code: answer.json().detail?.code };
  },
  async 'POST /auth/oauth/exchange'() {
    const email = 'provider@gmail.example';
    expect((await signInAt(world, 'google', email)).status).toBe(200);
    const browser: Browser = openBrowser(world.server);
    const page = await comeBack(browser, 'google', email);
    await leave(email);
    const { status, body } = await exchange(browser, page);
    return { status, code: body.code };
  },
  async 'POST /auth/mfa/verify'() {
    const { email, key } = await enrolUser(world.server, await signUpUser(world.server, 'app@example.org'));
    const { session } = await stranger().login({ body: { email, password: testPassword } });
    await leave(email);
    const code = codeOf(key, world.server, 1);
    return refusalOf(stranger().verifyMfa({ body: { session: session ?? '', code } }));
  },
  async 'POST /auth/mfa/backup/consume'() {
    const { email, backupCodes } = await enrolUser(world.server, await signUpUser(world.server, 'codes@example.org'));
    const { session } = await stranger().login({ body: { email, password: testPassword } });
    await leave(email);
    return refusalOf(stranger().consumeBackupCode({ body: { session: session ?? '', code: backupCodes[0] ?? '' } }));
  },
  async 'POST /auth/mfa/enroll/verify'() {
    const { email } = await signUpUser(world.server, 'admin@example.org');
    await sql`update accounts.users set role = 'admin' where email = ${email}`.execute(world.server.app.db);
    const { session } = await stranger().login({ body: { email, password: testPassword, app: 'admin' } });
    const begun = await stranger().startEnrolment({ body: { session: session ?? '' } });
    await leave(email);
    const code = codeOf(begun.base32Secret, world.server);
    return refusalOf(stranger().finishEnrolment({ body: { session: begun.session, code } }));
  },
};

/** Doors that renew the session one has: it is none any more. */
const inside = ['POST /api/account/password', 'POST /api/account/reauthenticate', 'POST /auth/mfa/disable'];

test('every route that returns a session is tested with an account under deletion', () => {
  expect([...Object.keys(doors), ...inside].toSorted()).toEqual(listDoors());
});

test.each(Object.entries(doors))('an account under deletion is refused at %s with the reason', async (_, tryDoor) => {
  expect(await tryDoor()).toEqual({ status: 403, code: 'ACCOUNT_LEAVING' });
});

test.each(inside)('an account under deletion has no session for %s', async (door) => {
  const { email, token } = await signUpUser(world.server, `inside-${inside.indexOf(door)}@example.org`);
  await leave(email);
  const [, path = ''] = door.split(' ');
  expect((await openBrowser(world.server, token).post(path, { password: testPassword })).status).toBe(401);
});

test('a wrong password reveals nothing about an account under deletion, and no mail is sent', async () => {
  const { email } = await signUpUser(world.server, 'quiet@example.org');
  await leave(email);
  expect(await refusalOf(stranger().login({ body: { email, password: 'not the password' } }))).toEqual({
    status: 401,
    code: 'WRONG_CREDENTIALS',
  });
  await stranger().forgotPassword({ body: { email } });
  await world.server.settle();
  expect(await readMails(world.server, email)).toEqual([]);
});

test('a link mailed before account deletion changes neither password nor address', async () => {
  const { email, as } = await signUpUser(world.server, 'mailed@example.org');
  await stranger().forgotPassword({ body: { email } });
  await as(accessContract).changeEmail({ body: { email: 'mailed.new@example.org' } });
  await world.server.settle();
  const reset = (await readMails(world.server, email)).find(({ kind }) => kind === 'access.reset')?.links[0] ?? '';
  const code = new URL(reset).searchParams.get('code') ?? '';
  const moved = await readLink(world.server, 'mailed.new@example.org');
  await leave(email);
  const leaving = { status: 403, code: 'ACCOUNT_LEAVING' };
  const body = { email, code, new_password: 'quiet harbour eleven' };
  expect(await refusalOf(stranger().resetPassword({ body }))).toEqual(leaving);
  const address = { email: moved.email, code: moved.code };
  expect(await refusalOf(stranger().verifyEmail({ body: address }))).toEqual(leaving);
});

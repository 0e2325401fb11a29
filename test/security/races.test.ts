import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { setUpToken } from '#features/access/sign-in/registration.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { CookieBrowser } from '../harness/cookie-browser.ts';
import { codeOf, enrolUser } from '../harness/second-factor.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../harness/test-client.ts';

/** Races: two callers at the same moment, and actions that begin before something ends. */

let server: TestApp;
beforeEach(async () => {
  server = await startTestApp({ role: 'web', config: { hasPublicUrl: false } });
});
afterEach(() => server.close());

const countAdministrators = async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from accounts.users where role = 'admin'`.execute(server.app.db);
  return rows[0]?.n;
};
const outcomes = (settled: PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code)).toSorted();

describe('concurrent first sign-ups', () => {
  test('one of several concurrent first sign-ups becomes the administrator', async () => {
    const signUps = Array.from({ length: 8 }, (_, at) =>
      clientOf(server, accessContract).signup({ body: { email: `first-${at}@example.org`, password: testPassword } }),
    );
    await Promise.all(signUps);
    expect(await countAdministrators()).toBe(1);
  });

  test('one of several concurrent sign-ups uses up the set-up link', async () => {
    const setup = setUpToken(server.app);
    const signUps = Array.from({ length: 8 }, (_, at) =>
      clientOf(server, accessContract).signup({
        body: { email: `set-up-${at}@example.org`, password: testPassword, setup },
      }),
    );
    expect(outcomes(await Promise.allSettled(signUps))).toEqual([...Array<string>(7).fill('SET_UP_ENDED'), 'done']);
    expect(await countAdministrators()).toBe(1);
  });
});

test('one of two administrators who leave at once stays while other users exist', async () => {
  const [one, other] = [await signUpUser(server, 'one@example.org'), await signUpUser(server, 'other@example.org')];
  await signUpUser(server, 'ordinary@example.org');
  await sql`update accounts.users set role = 'admin' where id = ${other.userId}`.execute(server.app.db);
  const leaving = [one, other].map((person) =>
    person.as(accountsContract).deleteAccount({ body: { email: person.email } }),
  );
  expect(outcomes(await Promise.allSettled(leaving))).toEqual(['ONLY_ADMIN', 'done']);
});

describe('account under deletion', () => {
  test('an account under deletion refuses every sign-in method', async () => {
    const person = await enrolUser(server, await signUpUser(server, 'leaver@example.org'));
    const browser = new CookieBrowser(server, person.token);
    const authenticator = new Authenticator();
    const offered = await browser.call('POST', '/api/account/passkeys/options');
    const passkey = authenticator.create(offered.json());
    expect((await browser.call('POST', '/api/account/passkeys', { name: 'Key', passkey })).statusCode).toBe(201);
    const stranger = clientOf(server, accessContract);
    const waiting = await stranger.login({ body: { email: person.email, password: testPassword } });
    await person.as(accountsContract).deleteAccount({ body: { email: person.email } });

    const answers = await Promise.allSettled([
      stranger.login({ body: { email: person.email, password: testPassword } }),
      stranger.verifyMfa({ body: { session: waiting.session ?? '', code: codeOf(person.key, server, 1) } }),
      stranger.consumeBackupCode({ body: { session: waiting.session ?? '', code: person.backupCodes[0] ?? '' } }),
    ]);
    expect(outcomes(answers)).toEqual(['ACCOUNT_LEAVING', 'ACCOUNT_LEAVING', 'ACCOUNT_LEAVING']);
    const other = new CookieBrowser(server);
    const asked = (await other.call('POST', '/auth/passkey/options')).json();
    const entered = await other.call('POST', '/auth/passkey/verify', { passkey: authenticator.get(asked) });
    expect([entered.statusCode, other.token]).toEqual([403, undefined]);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from accounts.sessions where user_id = ${person.userId}`.execute(server.app.db);
    expect(rows).toEqual([{ n: 0 }]);
  });
});

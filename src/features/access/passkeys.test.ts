import { generateKeyPairSync, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { lockUser } from '#features/accounts/public.ts';
import { inTransaction } from '#platform/db.ts';
import { Authenticator, type Misbehaviour } from '../../../test/harness/authenticator.ts';
import { CookieBrowser } from '../../../test/harness/cookie-browser.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { enrolUser, codeOf as totpOf } from '../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser, testPassword } from '../../../test/harness/test-client.ts';

let server: TestApp;
const clock = fixedClock();
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock });
});
afterAll(() => server.close());

const browserOf = (user: TestUser) => new CookieBrowser(server, user.token);
const codeOf = (response: { json(): { detail?: { code: string } } }) => response.json().detail?.code;

async function register(browser: CookieBrowser, authenticator: Authenticator, wrong: Misbehaviour = {}) {
  const offered = await browser.call('POST', '/api/account/passkeys/options');
  if (offered.statusCode !== 200) return offered;
  return browser.call('POST', '/api/account/passkeys', {
    name: ' Laptop ',
    passkey: authenticator.create(offered.json(), wrong),
  });
}

async function enter(browser: CookieBrowser, authenticator: Authenticator, wrong: Misbehaviour = {}, more = {}) {
  const asked = await browser.call('POST', '/auth/passkey/options');
  expect(asked.statusCode).toBe(200);
  return browser.call('POST', '/auth/passkey/verify', { passkey: authenticator.get(asked.json(), wrong), ...more });
}

const age = (user: TestUser) =>
  sql`update accounts.sessions set authenticated_at = now() - interval '11 minutes'
    where user_id = ${user.userId}`.execute(server.app.db);

const kindsOf = async (user: TestUser, token: string | undefined = user.token) => {
  const answer = await new CookieBrowser(server, token).call('GET', '/api/account/trail');
  return (answer.json().entries as { kind: string }[]).map((entry) => entry.kind);
};

/** Creates a person with one passkey, and its authenticator. */
async function withPasskey(email: string) {
  const user = await signUpUser(server, email);
  const authenticator = new Authenticator();
  const browser = browserOf(user);
  const added = await register(browser, authenticator);
  expect(added.statusCode, added.body).toBe(201);
  return { user, authenticator, browser, passkeyId: added.json().id as string };
}

test('a passkey signs in on another device without an email address and counts as both factors', async () => {
  const { user, authenticator, browser } = await withPasskey('ada@example.org');
  const stranger = new CookieBrowser(server);
  authenticator.signCount = 1;
  const answer = await enter(stranger, authenticator);
  expect(answer.json()).toMatchObject({ user: { email: 'ada@example.org' }, user_id: user.userId, next: null });
  expect(stranger.token).toBe(answer.json().session_token);
  const { sessions } = (await stranger.call('GET', '/api/account/sessions')).json();
  expect(sessions.find((one: { current: boolean }) => one.current)).toMatchObject({
    method: 'passkey',
    secondFactor: true,
  });
  const { passkeys } = (await browser.call('GET', '/api/account/passkeys')).json();
  expect(passkeys).toMatchObject([{ name: 'Laptop', synced: false, lastUsedAt: expect.any(String) }]);
  expect(await kindsOf(user)).toContain('passkey-added');
});

test('passkey options require user verification and a discoverable credential, and ask for no attestation', async () => {
  const { browser, passkeyId } = await withPasskey('options@example.org');
  const offered = (await browser.call('POST', '/api/account/passkeys/options')).json();
  expect(offered).toMatchObject({
    rp: { id: 'localhost' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  });
  expect(offered.excludeCredentials).toHaveLength(1);
  expect(JSON.stringify(offered)).not.toContain(passkeyId);
  const asked = (await new CookieBrowser(server).call('POST', '/auth/passkey/options')).json();
  expect(Object.keys(asked).toSorted()).toEqual(['challenge', 'rpId', 'timeout', 'userVerification']);
});

test('adding or removing a passkey requires a recent proof', async () => {
  const { user, authenticator, browser, passkeyId } = await withPasskey('proof@example.org');
  const offered = await browser.call('POST', '/api/account/passkeys/options');
  await age(user);
  for (const refused of [
    await browser.call('POST', '/api/account/passkeys/options'),
    await browser.call('POST', '/api/account/passkeys', {
      name: 'x',
      passkey: new Authenticator().create(offered.json()),
    }),
    await browser.call('DELETE', `/api/account/passkeys/${passkeyId}`),
  ]) {
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'REAUTHENTICATE']);
  }
  expect((await enter(new CookieBrowser(server), authenticator)).statusCode).toBe(200);
});

test('a passkey registration with a wrong origin, RP ID, challenge or no user verification is refused', async () => {
  const user = await signUpUser(server, 'wrong@example.org');
  const browser = browserOf(user);
  for (const wrong of [
    { origin: 'https://localhost.evil.example' },
    { origin: 'http://localhost:3001' },
    { rpId: 'evil.example' },
    { challenge: 'AAAA' },
    { userVerified: false },
  ]) {
    const refused = await register(browser, new Authenticator(), wrong);
    expect([refused.statusCode, codeOf(refused)], JSON.stringify(wrong)).toEqual([400, 'PASSKEY_REFUSED']);
  }
  const broken = await browser.call('POST', '/api/account/passkeys/options');
  const made = new Authenticator().create(broken.json());
  const cut = await browser.call('POST', '/api/account/passkeys', {
    name: 'x',
    passkey: { ...made, attestationObject: made.attestationObject.slice(0, 40) },
  });
  expect([cut.statusCode, codeOf(cut)]).toEqual([400, 'PASSKEY_REFUSED']);
  expect((await browser.call('GET', '/api/account/passkeys')).json().passkeys).toEqual([]);
});

test('a forged passkey sign-in is refused and recorded in the audit log of the account', async () => {
  const { user, authenticator } = await withPasskey('forged@example.org');
  const other = await signUpUser(server, 'forged-other@example.org');
  const handle = Buffer.from(other.userId.replaceAll('-', ''), 'hex').toString('base64url');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const wrongs: Misbehaviour[] = [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: 'AAAA' },
    { userVerified: false },
    { key: privateKey },
    { userHandle: handle },
  ];
  for (const wrong of wrongs) {
    const refused = await enter(new CookieBrowser(server), authenticator, wrong);
    expect([refused.statusCode, codeOf(refused)], Object.keys(wrong).join()).toEqual([403, 'PASSKEY_REFUSED']);
    expect(refused.cookies.filter((one) => one.name === 'holdfast')).toEqual([]);
  }
  const unknown = await enter(new CookieBrowser(server), new Authenticator());
  expect([unknown.statusCode, codeOf(unknown)]).toEqual([403, 'PASSKEY_REFUSED']);
  expect((await kindsOf(user)).filter((kind) => kind === 'passkey-refused')).toHaveLength(wrongs.length);
});

test('a passkey sign-in with a repeated or lower signature counter is refused as a copy, also concurrently', async () => {
  const { user, authenticator } = await withPasskey('copy@example.org');
  expect((await enter(new CookieBrowser(server), authenticator, { signCount: 7 })).statusCode).toBe(200);
  for (const signCount of [7, 6, 0]) {
    const refused = await enter(new CookieBrowser(server), authenticator, { signCount });
    expect(codeOf(refused), String(signCount)).toBe('PASSKEY_REFUSED');
  }
  const both = await Promise.all([1, 2].map(() => enter(new CookieBrowser(server), authenticator, { signCount: 8 })));
  expect(both.map((one) => one.statusCode).toSorted((a, b) => a - b)).toEqual([200, 403]);
  const { rows } = await sql<{ details: object }>`select details from accounts.trail
    where user_id = ${user.userId} and kind = 'passkey-refused' limit 1`.execute(server.app.db);
  expect(rows[0]?.details).toEqual({ name: 'Laptop', reason: 'copy' });
});

test('a passkey challenge works once, within five minutes, in its own browser and for its own purpose', async () => {
  const { authenticator, browser } = await withPasskey('once@example.org');
  const verify = '/auth/passkey/verify';
  const endsAs = (response: Awaited<ReturnType<CookieBrowser['call']>>) => [response.statusCode, codeOf(response)];

  const stranger = new CookieBrowser(server);
  const asked = (await stranger.call('POST', '/auth/passkey/options')).json();
  const overheard = stranger.cookieHeader;
  const passkey = authenticator.get(asked);
  expect(endsAs(await new CookieBrowser(server).call('POST', verify, { passkey }))).toEqual([410, 'CHALLENGE_ENDED']);
  expect((await stranger.call('POST', verify, { passkey })).statusCode).toBe(200);
  expect(endsAs(await stranger.call('POST', verify, { passkey }))).toEqual([410, 'CHALLENGE_ENDED']);
  const headers = { cookie: overheard, origin: 'http://localhost', host: 'localhost' };
  const replays = await Promise.all(
    [1, 2, 3].map(() => server.inject({ method: 'POST', url: verify, headers, payload: { passkey } })),
  );
  expect(replays.map((one) => one.statusCode)).toEqual([410, 410, 410]);

  const late = (await stranger.call('POST', '/auth/passkey/options')).json();
  clock.advance({ minutes: 5 });
  const tooLate = await stranger.call('POST', verify, { passkey: authenticator.get(late) });
  expect(endsAs(tooLate)).toEqual([410, 'CHALLENGE_ENDED']);

  const proof = (await browser.call('POST', '/api/account/reauthenticate/options')).json();
  expect(endsAs(await browser.call('POST', verify, { passkey: authenticator.get(proof) }))).toEqual([
    410,
    'CHALLENGE_ENDED',
  ]);
  const signIn = (await browser.call('POST', '/auth/passkey/options')).json();
  const asProof = await browser.call('POST', '/api/account/reauthenticate', { passkey: authenticator.get(signIn) });
  expect(endsAs(asProof)).toEqual([410, 'CHALLENGE_ENDED']);
});

test('a passkey of one account cannot be added to another account or prove its user', async () => {
  const { authenticator } = await withPasskey('mine@example.org');
  const other = browserOf(await signUpUser(server, 'not-mine@example.org'));
  const taken = await register(other, authenticator);
  expect([taken.statusCode, codeOf(taken)]).toEqual([409, 'PASSKEY_KNOWN']);
  const asked = (await other.call('POST', '/api/account/reauthenticate/options')).json();
  const refused = await other.call('POST', '/api/account/reauthenticate', { passkey: authenticator.get(asked) });
  expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'PASSKEY_REFUSED']);
});

test('only the owner renames or removes a passkey, and a removed passkey no longer signs in', async () => {
  const { user, authenticator, browser, passkeyId } = await withPasskey('rename@example.org');
  const other = browserOf(await signUpUser(server, 'rename-other@example.org'));
  const url = `/api/account/passkeys/${passkeyId}`;
  for (const id of [passkeyId, randomUUIDv7()]) {
    expect((await other.call('PATCH', `/api/account/passkeys/${id}`, { name: 'mine' })).statusCode).toBe(404);
    expect((await other.call('DELETE', `/api/account/passkeys/${id}`)).statusCode).toBe(404);
  }
  expect((await browser.call('PATCH', url, { name: '  ' })).statusCode).toBe(400);
  expect((await browser.call('PATCH', url, { name: ' Zoe\u0308’s key ' })).json()).toEqual({
    id: passkeyId,
    name: 'Zo\u00eb’s key',
  });
  expect((await browser.call('DELETE', url)).statusCode).toBe(204);
  expect((await browser.call('DELETE', url)).statusCode).toBe(404);
  expect(codeOf(await enter(new CookieBrowser(server), authenticator))).toBe('PASSKEY_REFUSED');
  expect(await kindsOf(user)).toEqual(expect.arrayContaining(['passkey-renamed', 'passkey-removed']));
});

test('adding or removing a passkey sends a mail, and removing it ends the sessions it opened elsewhere', async () => {
  const { user, authenticator, browser, passkeyId } = await withPasskey('told@example.org');
  const thief = new CookieBrowser(server);
  expect((await enter(thief, authenticator)).statusCode).toBe(200);
  expect((await browser.call('DELETE', `/api/account/passkeys/${passkeyId}`)).statusCode).toBe(204);
  expect((await thief.call('GET', '/auth/profile')).statusCode).toBe(401);
  expect((await browser.call('GET', '/auth/profile')).statusCode).toBe(200);
  const mails = await readMails(server, user.email);
  expect(mails.map(({ kind }) => kind)).toEqual(['access.passkey-added', 'access.passkey-removed']);
  for (const { content } of mails) expect(JSON.stringify(content)).toContain('Laptop');
});

test('a passkey removed during a sign-in opens no session', async () => {
  const { user, authenticator } = await withPasskey('under-way@example.org');
  const { db } = server.app;
  const thief = new CookieBrowser(server);
  let entering: ReturnType<typeof enter> | undefined;
  await inTransaction(db, async (tx) => {
    await lockUser(tx, user.userId);
    entering = enter(thief, authenticator);
    const usages = async () => {
      const { rows } = await sql<{ used: boolean }>`
        select last_used_at is not null as used from access.passkeys where user_id = ${user.userId}`.execute(db);
      return rows;
    };
    await expect.poll(usages).toEqual([{ used: true }]);
    await sql`delete from access.passkeys where user_id = ${user.userId}`.execute(tx);
  });
  const answer = await entering;
  expect(answer && codeOf(answer)).toBe('PASSKEY_REFUSED');
  expect(thief.token).toBeUndefined();
});

test('an account gets at most twenty passkeys, even when more are added at once', async () => {
  const user = await signUpUser(server, 'many@example.org');
  const browsers = Array.from({ length: 24 }, () => browserOf(user));
  const answers = await Promise.all(browsers.map((browser) => register(browser, new Authenticator())));
  const statuses = answers.map((one) => one.statusCode);
  expect([
    statuses.filter((status) => status === 201).length,
    statuses.filter((status) => status === 409).length,
  ]).toEqual([20, 4]);
});

test('the administrator sign-in refuses a passkey of an ordinary user', async () => {
  const { authenticator } = await withPasskey('plain@example.org');
  const refused = await enter(new CookieBrowser(server), authenticator, {}, { app: 'admin' });
  expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'NOT_AN_ADMIN']);
});

test('a proof by password or passkey allows sensitive actions again and renews the session token', async () => {
  const { user, authenticator, browser } = await withPasskey('again@example.org');
  const url = '/api/account/reauthenticate';
  const offer = async () => (await browser.call('POST', '/api/account/passkeys/options')).statusCode;
  await age(user);
  expect((await browser.call('GET', url)).json()).toMatchObject({
    password: true,
    passkey: true,
    provedRecently: false,
  });
  expect(await offer()).toBe(403);

  const wrong = await browser.call('POST', url, { password: 'not the password' });
  expect([wrong.statusCode, codeOf(wrong)]).toEqual([403, 'WRONG_CREDENTIALS']);
  expect(await offer()).toBe(403);
  for (const body of [
    {},
    { password: testPassword, passkey: authenticator.get({ challenge: 'AAAA', rpId: 'localhost' }) },
  ]) {
    expect((await browser.call('POST', url, body)).statusCode).toBe(400);
  }

  const before = browser.token;
  const right = await browser.call('POST', url, { password: testPassword });
  expect(right.json()).toEqual({ message: 'Thank you', session_token: browser.token });
  expect(browser.token).not.toBe(before);
  expect((await new CookieBrowser(server, before).call('GET', '/auth/profile')).statusCode).toBe(401);
  expect(await offer()).toBe(200);

  await age(user);
  expect(await offer()).toBe(403);
  const asked = (await browser.call('POST', `${url}/options`)).json();
  const proven = await browser.call('POST', url, { passkey: authenticator.get(asked) });
  expect(proven.statusCode, proven.body).toBe(200);
  expect(await offer()).toBe(200);
  const kinds = await kindsOf(user, browser.token);
  expect(kinds.filter((kind) => kind === 'reauthenticated')).toHaveLength(2);
  expect(kinds.filter((kind) => kind === 'reauthentication-failed')).toHaveLength(1);
});

test('password guesses from an open session are rate-limited and do not end the session', async () => {
  const user = await signUpUser(server, 'guessed@example.org');
  const browser = browserOf(user);
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      browser.call('POST', '/api/account/reauthenticate', { password: `guess ${n}` }),
    ),
  );
  expect(guesses.filter((one) => one.statusCode === 403)).toHaveLength(10);
  expect(guesses.filter((one) => one.statusCode === 429)).toHaveLength(2);
  expect((await browser.call('POST', '/api/account/reauthenticate', { password: testPassword })).statusCode).toBe(429);
  expect((await user.as(accountsContract).readProfile()).email).toBe(user.email);
});

test('an authenticator code proves its user once, and only for an account with an app', async () => {
  const url = '/api/account/reauthenticate';
  const plain = browserOf(await signUpUser(server, 'no-app@example.org'));
  const none = await plain.call('POST', url, { code: '123456' });
  expect([none.statusCode, codeOf(none)]).toEqual([401, 'MFA_CODE_WRONG']);
  const user = await enrolUser(server, await signUpUser(server, 'app@example.org'));
  const browser = new CookieBrowser(server, user.token);
  await age(user);
  clock.advance({ minutes: 1 });
  expect((await browser.call('GET', url)).json()).toEqual({
    password: true,
    code: true,
    passkey: false,
    provedRecently: false,
  });
  const code = totpOf(user.key, server);
  const both = { password: testPassword, code };
  const answers = await Promise.all([1, 2, 3].map(() => new CookieBrowser(server, user.token).call('POST', url, both)));
  expect(answers.filter((one) => one.statusCode === 200)).toHaveLength(1);
  const token = answers.find((one) => one.statusCode === 200)?.json().session_token as string;
  const proven = new CookieBrowser(server, token);
  expect((await proven.call('GET', url)).json().provedRecently).toBe(true);
  const again = await proven.call('POST', url, both);
  expect([again.statusCode, codeOf(again)]).toEqual([401, 'MFA_CODE_WRONG']);
});

test('a second factor that falls to the password: every sensitive act asks for both factors again', async () => {
  const url = '/api/account/reauthenticate';
  const user = await enrolUser(server, await signUpUser(server, 'both-factors@example.org'));
  const browser = browserOf(user);
  await age(user);
  clock.advance({ minutes: 1 });
  const code = totpOf(user.key, server);
  for (const proof of [{ password: testPassword }, { code }]) {
    const refused = await browser.call('POST', url, proof);
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'PROOF_INCOMPLETE']);
  }
  const guess = await browser.call('POST', url, { password: 'not the password', code });
  expect([guess.statusCode, codeOf(guess)]).toEqual([403, 'WRONG_CREDENTIALS']);
  for (const [path, body] of [
    ['/auth/mfa/disable', undefined],
    ['/auth/mfa/backup/regenerate', undefined],
    ['/api/account/email', { email: 'elsewhere@example.org' }],
    ['/api/account/password', { new_password: 'another lantern nine' }],
    ['/api/account/passkeys/options', undefined],
    ['/api/account/identities', { provider: 'google' }],
    ['/api/account/deletion', { email: user.email }],
    ['/api/account/export', undefined],
  ] as const) {
    const refused = await browser.call('POST', path, body);
    expect([path, refused.statusCode, codeOf(refused)]).toEqual([path, 403, 'REAUTHENTICATE']);
  }
  expect((await browser.call('POST', url, { password: testPassword, code })).statusCode).toBe(200);
  expect((await browser.call('POST', '/auth/mfa/disable')).statusCode).toBe(200);
});

test('somebody without a password proves both factors by a passkey, or the code alone', async () => {
  const url = '/api/account/reauthenticate';
  const user = await enrolUser(server, await signUpUser(server, 'by-service@example.org'));
  await sql`delete from access.passwords where user_id = ${user.userId}`.execute(server.app.db);
  await age(user);
  clock.advance({ minutes: 1 });
  expect((await browserOf(user).call('POST', url, { code: totpOf(user.key, server) })).statusCode).toBe(200);
});

test('a passkey sign-in asks for no authenticator code on top', async () => {
  const { user, authenticator } = await withPasskey('both@example.org');
  const enrolled = await enrolUser(server, user);
  const browser = new CookieBrowser(server);
  expect((await enter(browser, authenticator)).json()).toMatchObject({ next: null, user_id: enrolled.userId });
  expect(browser.token).toBeTruthy();
});

test('CVE-2026-45364: addresses of one IPv6 network share one rate limit in every spelling', async () => {
  const ask = (remoteAddress: string) => server.inject({ method: 'POST', url: '/auth/passkey/options', remoteAddress });
  const spellings = (n: number) => [
    `2001:db8:9:1::${n + 1}`,
    `2001:0DB8:0009:0001:0:0:${n + 1}:1`,
    `2001:db8:9:1:${n + 1}::`,
  ];
  const answers = await Promise.all(Array.from({ length: 102 }, (_, n) => ask(spellings(n)[n % 3] ?? '')));
  expect(answers.filter((one) => one.statusCode === 429)).toHaveLength(2);
  expect((await ask('2001:db8:9:2::1')).statusCode).toBe(200);
});

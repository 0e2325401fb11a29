import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { openSession } from '#features/accounts/sessions/public.ts';
import { ApiError } from '#kernel/contract-client.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { type FixedClock, fixedClock } from '../../../test/harness/fixed-clock.ts';
import { codeOf, type EnrolledUser, enrolUser } from '../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, type TestUser, testPassword } from '../../../test/harness/test-client.ts';
import { features } from '../../features.ts';
import { accessContract } from './contract.ts';
import { sweepCodes } from './jobs.ts';
import { createChallenge } from './sign-in/sign-in.ts';
import { savePassword } from './store/passwords.ts';

let server: TestApp;
let clock: FixedClock;
const logged: string[] = [];
beforeAll(async () => {
  clock = fixedClock();
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  server = await startTestApp({
    role: 'web',
    clock,
    log: await createLog({ level: 'trace', format: 'json', destination: sink }),
  });
});
afterAll(() => server.close());
// Guesses of one test must not limit the next. Each begins with a code that no other test has used.
beforeEach(async () => {
  await sql`delete from platform.limits`.execute(server.app.db);
  clock.advance({ minutes: 5 });
});

const post = (url: string, payload: object, { ip = '192.0.2.1', token = '' } = {}) =>
  server.inject({
    method: 'POST',
    url,
    payload,
    remoteAddress: ip,
    ...(token === '' ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
const signIn = async (email: string, app: 'user' | 'admin' = 'user') =>
  (await post('/auth/login', { email, password: testPassword, app })).json();
/** The challenge of a sign-in, without the work of hashing the password. */
const challenge = (user: TestUser, purpose: 'mfa-verify' | 'mfa-enroll' = 'mfa-verify') =>
  createChallenge(server.app.db, { purpose, userId: user.userId, sessionId: null, method: 'password', door: 'user' });
const code = (user: EnrolledUser, steps = 0) => codeOf(user.key, server, steps);
const statusOf = async (token: string) =>
  (await server.inject({ url: '/auth/profile', headers: { cookie: `holdfast=${token}` } })).statusCode;
const newSession = (user: TestUser, secondFactor: boolean) =>
  openSession(
    server.app.db,
    { id: user.userId },
    { method: 'password', secondFactor, request: { id: 'test', ip: '127.0.0.1', userAgent: undefined } },
  );
const forgetProof = (user: TestUser) =>
  sql`update accounts.sessions set authenticated_at = now() - interval '11 minutes' where user_id = ${user.userId}`.execute(
    server.app.db,
  );

let count = 0;
const somebody = () => {
  count += 1;
  return signUpUser(server, `person-${count}@example.org`);
};
const enrolled = async () => enrolUser(server, await somebody());

test('a second factor is set up in three steps, and every later sign-in asks for it', async () => {
  const user = await somebody();
  expect(await user.as(accessContract).readMfa()).toEqual({
    enabledSince: null,
    backupCodesLeft: 0,
    backupCodeCount: 10,
  });
  const started = await user.as(accessContract).startEnrolment({ body: {} });
  expect(started.otpauth).toBe(
    `otpauth://totp/Holdfast:${encodeURIComponent(user.email)}?secret=${started.base32Secret}&issuer=Holdfast`,
  );
  // The key alone changes nothing: who leaves the page now still gets in.
  expect((await signIn(user.email)).next).toBeNull();

  const response = await post(
    '/auth/mfa/enroll/verify',
    { session: started.session, code: codeOf(started.base32Secret, server) },
    { token: user.token },
  );
  const finished = response.json();
  expect(finished).toMatchObject({ success: true, next: null, session: null, user_id: user.userId });
  expect(new Set(finished.backupCodes).size).toBe(10);
  expect(String(response.headers['set-cookie'])).toContain(`holdfast=${finished.session_token}; `);
  const mfa = await clientOf(server, accessContract, finished.session_token).readMfa();
  expect(mfa).toMatchObject({ enabledSince: expect.anything(), backupCodesLeft: 10 });
  expect(await clientOf(server, accountsContract, finished.session_token).readProfile()).toMatchObject({
    mfaEnabled: true,
  });

  const half = await post('/auth/login', { email: user.email, password: testPassword });
  expect(half.statusCode).toBe(200);
  expect(half.headers['set-cookie']).toBeUndefined();
  expect(half.json()).toMatchObject({ session_token: null, next: 'MFA_REQUIRED', session: expect.any(String) });
  expect(half.json().message).not.toBe('Login successful');
  clock.advance({ seconds: 30 });
  const whole = await post('/auth/mfa/verify', {
    session: half.json().session,
    code: codeOf(started.base32Secret, server),
  });
  expect(whole.json()).toMatchObject({ message: 'Login successful', next: null, session: null });
  expect(String(whole.headers['set-cookie'])).toContain(`holdfast=${whole.json().session_token}; `);
  expect(await statusOf(whole.json().session_token)).toBe(200);
});

test('a second-factor set-up requested twice returns the same key', async () => {
  const user = await somebody();
  const session = await challenge(user, 'mfa-enroll');
  const [one, other] = await Promise.all([
    clientOf(server, accessContract).startEnrolment({ body: { session } }),
    clientOf(server, accessContract).startEnrolment({ body: { session } }),
  ]);
  expect(one).toEqual(other);
  expect(one.session).toBe(session);
});

test('CVE-2023-37919: turning the second factor on or off ends every other session', async () => {
  const user = await somebody();
  const elsewhere = await newSession(user, false);
  const on = await enrolUser(server, user);
  expect(await Promise.all([elsewhere, user.token, on.token].map(statusOf))).toEqual([401, 401, 200]);

  const again = await newSession(user, true);
  const off = await on.as(accessContract).disableMfa();
  expect(await Promise.all([again, on.token, off.session_token ?? ''].map(statusOf))).toEqual([401, 401, 200]);
  expect((await signIn(user.email)).next).toBeNull();
});

test('GHSA-xg6x-h9c9-2m83: neither an older cookie nor a half-finished sign-in bypasses the second factor', async () => {
  const user = await somebody();
  const cached = await newSession(user, false);
  await enrolUser(server, user);
  // Even where a session without the second factor is opened by mistake, it is worth nothing.
  const mistake = await newSession(user, false);
  expect(await Promise.all([cached, mistake].map(statusOf))).toEqual([401, 401]);
  const half = await post('/auth/login', { email: user.email, password: testPassword });
  expect(half.cookies).toEqual([]);
});

test('a second-factor challenge is refused as a session token on every other route', async () => {
  const user = await enrolled();
  const tokens = [await challenge(user), await challenge(user, 'mfa-enroll')];
  const closed = features
    .flatMap((feature) => (feature.routes ?? []).flat())
    .map(({ endpoint }) => endpoint)
    .filter(({ auth }) => auth !== 'public');
  expect(closed.length).toBeGreaterThan(30);
  for (const { method, path } of closed) {
    const url = path.replace(/\{[^}]+\}/g, '00000000-0000-4000-8000-000000000000');
    for (const token of tokens) {
      for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `holdfast=${token}` }]) {
        const { statusCode } = await server.inject({
          method,
          url,
          headers: { ...headers, origin: 'http://localhost' },
        });
        expect(statusCode, `${method} ${path}`).toBe(401);
      }
    }
  }
});

test('an authenticator code works once across challenges and concurrent requests, and older codes are refused', async () => {
  const user = await enrolled();
  clock.advance({ seconds: 30 });
  const sessions = await Promise.all(Array.from({ length: 25 }, () => challenge(user)));
  const answers = await Promise.all(
    [...sessions, ...sessions].map((session, at) =>
      post('/auth/mfa/verify', { session, code: code(user) }, { ip: `192.0.2.${at + 1}` }),
    ),
  );
  expect(answers.filter((one) => one.statusCode === 200)).toHaveLength(1);
  for (const one of answers) if (one.statusCode !== 200) expect([401, 429]).toContain(one.statusCode);
  await sql`delete from platform.limits`.execute(server.app.db);
  const late = await post('/auth/mfa/verify', { session: await challenge(user), code: code(user) });
  expect(late.json().detail.code).toBe('MFA_CODE_WRONG');
  // Nor does one from before it; the next one does.
  const before = await post('/auth/mfa/verify', { session: await challenge(user), code: code(user, -1) });
  expect(before.json().detail.code).toBe('MFA_CODE_WRONG');
  const next = await post('/auth/mfa/verify', { session: await challenge(user), code: code(user, 1) });
  expect(next.statusCode).toBe(200);
});

test('the authenticator code used for set-up does not work again', async () => {
  const user = await enrolled();
  const answer = await post('/auth/mfa/verify', { session: await challenge(user), code: code(user) });
  expect(answer.json().detail.code).toBe('MFA_CODE_WRONG');
});

test('an authenticator code one step early or late is accepted, three steps or another format is refused', async () => {
  for (const [steps, status] of [
    [-3, 401],
    [-1, 200],
    [1, 200],
    [3, 401],
  ] as const) {
    const user = await enrolled();
    clock.advance({ minutes: 2 });
    const answer = await post('/auth/mfa/verify', { session: await challenge(user), code: code(user, steps) });
    expect(answer.statusCode, String(steps)).toBe(status);
  }
  const user = await enrolled();
  clock.advance({ minutes: 2 });
  const session = await challenge(user);
  const right = code(user);
  const wide = [...right].map((sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).join('');
  for (const form of [right.slice(1), `${right}0`, ` ${right}`, `${right.slice(0, 3)} ${right.slice(3)}`, wide, '']) {
    const answer = await post('/auth/mfa/verify', { session, code: form });
    expect(answer.statusCode, form).toBe(400);
    expect(answer.json().detail.fields.code).toBe('Enter the six-digit code from your app.');
  }
  expect((await post('/auth/mfa/verify', { session, code: Number(right) })).statusCode).toBe(400);
  // none of them was a guess
  expect((await post('/auth/mfa/verify', { session, code: right })).statusCode).toBe(200);
});

test('CVE-2025-66489: an authenticator code neither replaces the password nor is checked before it', async () => {
  const user = await enrolled();
  clock.advance({ minutes: 2 });
  const right = code(user);
  for (const [body, status] of [
    [{ email: user.email, password: 'wrong password', code: right }, 400],
    [{ email: user.email, password: testPassword, totpCode: right }, 400],
    [{ email: user.email, code: right }, 400],
    [{ email: user.email, password: '' }, 400],
    [{ email: user.email, password: right }, 401],
  ] as const) {
    expect((await post('/auth/login', body)).statusCode, JSON.stringify(Object.keys(body))).toBe(status);
  }
  for (const url of ['/auth/mfa/verify', '/auth/mfa/backup/consume', '/auth/mfa/enroll/verify']) {
    for (const session of ['x', user.userId, user.email, user.token]) {
      const answer = await post(url, { session, code: right });
      expect(answer.json().detail.code, url).toBe('CHALLENGE_ENDED');
    }
    expect((await post(url, { code: right })).statusCode).toBe(400);
    expect((await post(url, { session: null, code: right })).statusCode).toBe(400);
  }
  expect((await signIn(user.email)).next).toBe('MFA_REQUIRED');
  expect((await post('/auth/mfa/verify', { session: await challenge(user), code: right })).statusCode).toBe(200);
});

test('five wrong authenticator codes end a challenge, also concurrently, and the password is required again', async () => {
  const user = await enrolled();
  clock.advance({ minutes: 2 });
  const session = await challenge(user);
  const wrong = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      post('/auth/mfa/verify', { session, code: String(100_000 + at) }, { ip: `192.0.2.${at + 1}` }),
    ),
  );
  const codes = wrong.map((one) => String(one.json().detail.code)).toSorted();
  expect(codes).toEqual([...Array(5).fill('CHALLENGE_ENDED'), ...Array(5).fill('MFA_CODE_WRONG')]);
  const late = await post('/auth/mfa/verify', { session, code: code(user) });
  expect(late.json().detail.code).toBe('CHALLENGE_ENDED');
  expect((await post('/auth/mfa/verify', { session: await challenge(user), code: code(user) })).statusCode).toBe(200);
});

test('code guesses over many challenges are rate-limited per network and do not lock the owner out elsewhere', async () => {
  const user = await enrolled();
  clock.advance({ minutes: 2 });
  const guess = async (ip: string, guessed: string) =>
    (await post('/auth/mfa/verify', { session: await challenge(user), code: guessed }, { ip })).statusCode;
  // Rotating through one IPv6 network, and spelling it differently.
  const statuses = [];
  for (let at = 0; at < 12; at += 1) statuses.push(await guess(`2001:db8:1:2::${at + 1}`, String(100_000 + at)));
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  expect(await guess('2001:0DB8:0001:0002:0000:0000:0000:00ff', code(user))).toBe(429);
  expect(await guess('2001:db8:1:3::1', code(user))).toBe(200);
});

test('code guesses from many networks are rate-limited for minutes only, and backup codes still work', async () => {
  const user = await enrolled();
  clock.advance({ minutes: 2 });
  const answers = [];
  for (let at = 0; at < 35; at += 1) {
    const session = await challenge(user);
    answers.push(
      await post('/auth/mfa/verify', { session, code: String(100_000 + at) }, { ip: `198.51.100.${at + 1}` }),
    );
  }
  const limited = answers.filter((one) => one.statusCode === 429);
  expect(limited.length).toBeGreaterThan(0);
  expect(answers.every((one) => one.statusCode === 401 || one.statusCode === 429)).toBe(true);
  expect(Number(limited[0]?.headers['retry-after'])).toBeLessThanOrEqual(120);
  const session = await challenge(user);
  const owner = await post('/auth/mfa/backup/consume', { session, code: user.backupCodes[0] });
  expect(owner.statusCode).toBe(200);
});

test('a second-factor challenge ends after ten minutes, after a password change, and once used', async () => {
  const user = await enrolled();
  clock.advance({ minutes: 2 });
  const [old, voided, used] = [await challenge(user), await challenge(user), await challenge(user)];
  await sql`update access.challenges set expires_at = now() where token_hash = ${hashToken(old)}`.execute(
    server.app.db,
  );
  expect((await post('/auth/mfa/verify', { session: used, code: code(user) })).statusCode).toBe(200);
  await inTransaction(server.app.db, async (tx) => {
    const { hash } = await tx
      .selectFrom('access.passwords')
      .select('hash')
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow();
    await savePassword(tx, user.userId, hash);
  });
  clock.advance({ minutes: 2 });
  for (const session of [old, voided, used]) {
    const answer = await post('/auth/mfa/verify', { session, code: code(user) });
    expect(answer.json().detail.code).toBe('CHALLENGE_ENDED');
  }
});

test('a second-factor challenge is bound to one purpose, one user and its session', async () => {
  const [user, mallory] = [await enrolled(), await enrolled()];
  clock.advance({ minutes: 2 });
  // Not for the other purpose.
  const enrolling = await challenge(user, 'mfa-enroll');
  for (const url of ['/auth/mfa/verify', '/auth/mfa/backup/consume']) {
    expect((await post(url, { session: enrolling, code: code(user) })).json().detail.code).toBe('CHALLENGE_ENDED');
  }
  const verifying = await challenge(user);
  expect((await post('/auth/mfa/enroll/init', { session: verifying })).json().detail.code).toBe('CHALLENGE_ENDED');
  // Not with another's code.
  for (const [url, given] of [
    ['/auth/mfa/verify', code(mallory)],
    ['/auth/mfa/backup/consume', mallory.backupCodes[0]],
  ] as const) {
    expect((await post(url, { session: verifying, code: given })).json().detail.code).toBe('MFA_CODE_WRONG');
  }
  // Asked for inside a session: for nobody else, with or without a session of theirs.
  const { session, base32Secret } = await user.as(accessContract).startEnrolment({ body: {} });
  const own = await newSession(user, true);
  for (const token of ['', mallory.token, own]) {
    expect((await post('/auth/mfa/enroll/init', { session }, { token })).json().detail.code).toBe('CHALLENGE_ENDED');
    const answer = await post('/auth/mfa/enroll/verify', { session, code: codeOf(base32Secret, server) }, { token });
    expect(answer.json().detail.code).toBe('CHALLENGE_ENDED');
  }
});

test('an authenticator key cannot be replaced without a recent proof or by an older challenge', async () => {
  const user = await somebody();
  // A sign-in from before: its password was right, its way to a first key is still open elsewhere.
  const [before, half] = [await challenge(user, 'mfa-enroll'), await challenge(user, 'mfa-enroll')];
  const pending = await clientOf(server, accessContract).startEnrolment({ body: { session: before } });
  const on = await enrolUser(server, user);
  for (const answer of [
    await post('/auth/mfa/enroll/init', { session: half }),
    await post('/auth/mfa/enroll/init', { session: await challenge(user, 'mfa-enroll') }),
    await post('/auth/mfa/enroll/verify', { session: before, code: codeOf(pending.base32Secret, server) }),
  ]) {
    expect(answer.json().detail.code).toBe('CHALLENGE_ENDED');
  }
  await forgetProof(on);
  const acts = ['/auth/mfa/enroll/init', '/auth/mfa/disable', '/auth/mfa/backup/regenerate'];
  for (const url of acts) {
    const answer = await server.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${on.token}` },
      ...(url === acts[0] ? { payload: {} } : {}),
    });
    expect([answer.statusCode, answer.json().detail.code], url).toEqual([403, 'REAUTHENTICATE']);
  }
  clock.advance({ minutes: 2 });
  expect((await post('/auth/mfa/verify', { session: await challenge(user), code: code(on) })).statusCode).toBe(200);
  expect((await on.as(accessContract).readMfa()).backupCodesLeft).toBe(10);
});

test('replacing the authenticator key voids the old app and the old backup codes', async () => {
  const old = await enrolled();
  clock.advance({ minutes: 2 });
  const fresh = await enrolUser(server, old);
  clock.advance({ minutes: 2 });
  const tries = [
    [old, '/auth/mfa/verify', code(old), 401],
    [old, '/auth/mfa/backup/consume', old.backupCodes[0], 401],
    [old, '/auth/mfa/verify', code(fresh), 200],
    [old, '/auth/mfa/backup/consume', fresh.backupCodes[0], 200],
  ] as const;
  for (const [user, url, given, status] of tries) {
    expect((await post(url, { session: await challenge(user), code: given })).statusCode).toBe(status);
  }
});

test('a backup code signs its owner in once, in any spelling, and nobody else', async () => {
  const [user, mallory] = [await enrolled(), await enrolled()];
  const [first = '', second = '', third = ''] = user.backupCodes;
  const consume = async (person: TestUser, given: string, ip = '192.0.2.1') =>
    (await post('/auth/mfa/backup/consume', { session: await challenge(person), code: given }, { ip })).statusCode;
  expect(await consume(mallory, first)).toBe(401);
  expect(await consume(user, first)).toBe(200);
  expect(await consume(user, first)).toBe(401);
  expect(await consume(user, ` ${second.toLowerCase().replaceAll('-', '')} `)).toBe(200);
  expect((await user.as(accessContract).readMfa()).backupCodesLeft).toBe(8);
  const side = await Promise.all(Array.from({ length: 20 }, (_, at) => consume(user, third, `192.0.2.${at + 1}`)));
  expect(side.filter((status) => status === 200)).toHaveLength(1);
  for (const guess of ['', '123456', 'x'.repeat(61)]) expect([400, 401]).toContain(await consume(user, guess));
});

test('new backup codes void the old ones', async () => {
  const user = await enrolled();
  const { backupCodes } = await user.as(accessContract).regenerateBackupCodes();
  expect(new Set([...backupCodes, ...user.backupCodes]).size).toBe(20);
  const consume = async (given: string | undefined) =>
    (await post('/auth/mfa/backup/consume', { session: await challenge(user), code: given })).statusCode;
  expect(await consume(user.backupCodes[3])).toBe(401);
  expect(await consume(backupCodes[3])).toBe(200);
});

test('disabling the second factor or renewing backup codes is refused where none is set up', async () => {
  const user = await somebody();
  for (const call of [
    () => user.as(accessContract).disableMfa(),
    () => user.as(accessContract).regenerateBackupCodes(),
  ]) {
    await expect(call()).rejects.toMatchObject({ status: 409, code: 'MFA_NOT_SET_UP' });
  }
  await expect(clientOf(server, accessContract).startEnrolment({ body: {} })).rejects.toMatchObject({ status: 401 });
});

test('second-factor keys, codes and tokens appear neither in the database, the log nor any response', async () => {
  const user = await enrolled();
  clock.advance({ minutes: 2 });
  const open = await challenge(user);
  const { base32Secret: pending, session } = await user.as(accessContract).startEnrolment({ body: {} });
  const [given, backup = ''] = [code(user), user.backupCodes[0]];
  await post('/auth/mfa/verify', { session: open, code: '000000' });
  await post('/auth/mfa/verify', { session: open, code: given });
  await post('/auth/mfa/backup/consume', { session: await challenge(user), code: backup });
  const { rows } = await sql<{ text: string }>`
    select row_to_json(t)::text as text from access.totp t union all
    select row_to_json(t)::text from access.backup_codes t union all
    select row_to_json(t)::text from access.challenges t union all
    select row_to_json(t)::text from accounts.trail t union all
    select row_to_json(t)::text from accounts.users t union all
    select row_to_json(t)::text from accounts.sessions t`.execute(server.app.db);
  const stored = rows.map((row) => row.text).join('\n');
  expect(stored).toContain(user.userId);
  expect(logged.join('')).toContain('/auth/mfa/verify');
  for (const secret of [
    user.key,
    pending,
    open,
    session,
    user.token,
    backup,
    backup.replaceAll('-', ''),
    `"${given}"`,
  ]) {
    expect(stored).not.toContain(secret);
    expect(logged.join('')).not.toContain(secret);
  }
  // Nor does any answer tell the key again.
  for (const url of ['/auth/profile', '/api/account/profile', '/api/account/mfa', '/api/account/trail']) {
    const answer = await server.inject({ url, headers: { authorization: `Bearer ${user.token}` } });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).not.toContain(user.key);
    expect(answer.body).not.toContain(backup);
  }
});

test("an authenticator key copied into another user's row does not sign in", async () => {
  const [user, mallory] = [await enrolled(), await enrolled()];
  clock.advance({ minutes: 2 });
  await sql`update access.totp set secret = (select secret from access.totp where user_id = ${mallory.userId})
    where user_id = ${user.userId}`.execute(server.app.db);
  const answer = await post('/auth/mfa/verify', { session: await challenge(user), code: code(mallory) });
  expect(answer.statusCode).toBe(500);
  expect(answer.cookies).toEqual([]);
});

test('the audit log lists every change and use of the second factor', async () => {
  const user = await enrolled();
  clock.advance({ minutes: 2 });
  await post('/auth/mfa/verify', { session: await challenge(user), code: '000000' });
  await post('/auth/mfa/verify', { session: await challenge(user), code: code(user) });
  await post('/auth/mfa/backup/consume', { session: await challenge(user), code: user.backupCodes[0] });
  await user.as(accessContract).regenerateBackupCodes();
  await user.as(accessContract).disableMfa();
  const { rows } = await sql<{ kind: string }>`
    select kind from accounts.trail where user_id = ${user.userId} order by id`.execute(server.app.db);
  expect(rows.map((row) => row.kind)).toEqual([
    'mfa-enabled',
    'mfa-failed',
    'signed-in',
    'backup-code-used',
    'signed-in',
    'backup-codes-made',
    'mfa-disabled',
  ]);
});

test('expired second-factor challenges are removed and open ones kept', async () => {
  const user = await somebody();
  const [old, open] = [await challenge(user), await challenge(user)];
  await sql`update access.challenges set expires_at = now() - interval '1 second'
    where token_hash = ${hashToken(old)}`.execute(server.app.db);
  const context = { id: 'x', attempt: 0, isLast: false, log: server.app.log };
  await sweepCodes.handle(server.app, {}, AbortSignal.timeout(5_000), context);
  const left = await sql<{ token_hash: Buffer }>`
    select token_hash from access.challenges where user_id = ${user.userId}`.execute(server.app.db);
  expect(left.rows.map((row) => row.token_hash)).toEqual([hashToken(open)]);
});

test('a second-factor refusal reaches the API client as a typed error', async () => {
  const error = await clientOf(server, accessContract)
    .verifyMfa({ body: { session: 'x', code: '000000' } })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 401, code: 'CHALLENGE_ENDED' });
});

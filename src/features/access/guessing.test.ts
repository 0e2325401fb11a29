import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { jobsSchema } from '#platform/job-sql.ts';
import { CookieBrowser } from '../../../test/harness/cookie-browser.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, testPassword } from '../../../test/harness/test-client.ts';

// Some two hundred hashes: seconds on an idle machine, a minute on a busy one.
vi.setConfig({ testTimeout: 120_000 });

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const signIn = (email: string, password: string, remoteAddress: string) =>
  server.inject({ method: 'POST', url: '/auth/login', payload: { email, password }, remoteAddress });

test('CVE-2026-45364: 500 wrong passwords from 500 networks are limited and do not lock the owner out', async () => {
  const email = 'victim@example.org';
  await signUpUser(server, email);
  const home = '198.51.100.7';
  expect((await signIn(email, testPassword, home)).statusCode).toBe(200);

  const startMs = performance.now();
  const outcomes: number[] = [];
  for (let batch = 0; batch < 20; batch += 1) {
    const tries = Array.from({ length: 25 }, (_, n) => batch * 25 + n);
    const answers = await Promise.all(
      // Each from a /64 of its own; every third one spells it another way and comes again.
      tries.map((n) =>
        signIn(n % 3 === 0 ? ` ${email.toUpperCase()}` : email, `guess ${n} of many`, `2001:db8:${n.toString(16)}::1`),
      ),
    );
    outcomes.push(...answers.map(({ statusCode }) => statusCode));
  }
  const compared = outcomes.filter((status) => status === 401).length;
  // The home sign-in took one; one more is allowed every nine seconds.
  expect(compared).toBeGreaterThanOrEqual(99);
  expect(compared).toBeLessThanOrEqual(100 + Math.ceil((performance.now() - startMs) / 9_000));
  expect(outcomes.filter((status) => status === 429)).toHaveLength(500 - compared);

  // Where they have signed in before the owner is not even slowed down; elsewhere they wait for minutes at most.
  const owner = await signIn(email, testPassword, home);
  expect(owner.statusCode).toBe(200);
  await sql`update platform.limits set full_at = full_at + interval '1 minute'`.execute(server.app.db);
  const away = await signIn(email, testPassword, '203.0.113.9');
  expect(away.statusCode).toBe(429);
  expect(Number(away.headers['retry-after'])).toBeLessThanOrEqual(120);
  await sql`update platform.limits set full_at = full_at - interval '2 minutes'`.execute(server.app.db);
  expect((await signIn(email, testPassword, '203.0.113.9')).statusCode).toBe(200);

  await server.settle();
  const { entries } = await clientOf(server, accountsContract, owner.json().session_token).readTrail({ query: {} });
  expect(entries.some(({ kind }) => kind === 'sign-in-failed')).toBe(true);
});

test('sign-in denied from many networks: a known browser and a known network are served before 80 strangers', async () => {
  const email = 'kept-place@example.org';
  await signUpUser(server, email);
  const home = '198.51.100.8';
  expect((await signIn(email, testPassword, home)).statusCode).toBe(200);
  const browser = new CookieBrowser(server);
  expect((await browser.call('POST', '/auth/login', { email, password: testPassword })).statusCode).toBe(200);

  let answered = 0;
  const strangers = Array.from({ length: 80 }, (_, n) =>
    signIn(`victim-${n}@example.org`, `guess ${n}`, `192.0.2.${n + 1}`).finally(() => (answered += 1)),
  );
  const before = async (asked: Promise<{ statusCode: number }>) => [(await asked).statusCode, answered] as const;
  const known = await Promise.all([
    before(signIn(email, testPassword, home)),
    // elsewhere, with what the browser keeps
    before(
      server.inject({
        method: 'POST',
        url: '/auth/login',
        payload: { email, password: testPassword },
        remoteAddress: '203.0.113.77',
        headers: { cookie: browser.cookieHeader, origin: 'http://localhost', host: 'localhost' },
      }),
    ),
  ]);
  for (const [status, strangersBefore] of known) {
    expect(status).toBe(200);
    expect(strangersBefore).toBeLessThan(60);
  }
  await Promise.all(strangers);
});

test('the browser of one person keeps no place at the account of another', async () => {
  const [mine, theirs] = ['own-browser@example.org', 'not-their-browser@example.org'];
  for (const email of [mine, theirs]) await signUpUser(server, email);
  const browser = new CookieBrowser(server);
  await browser.call('POST', '/auth/login', { email: mine, password: testPassword });
  const guess = (n: number) =>
    server.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { email: theirs, password: `guess ${n}` },
      remoteAddress: `203.0.113.${100 + n}`,
      headers: { cookie: browser.cookieHeader, origin: 'http://localhost', host: 'localhost' },
    });
  await Promise.all(Array.from({ length: 100 }, (_, n) => signIn(theirs, `guess ${n}`, `10.7.0.${n + 1}`)));
  await sql`update platform.limits set full_at = full_at + interval '1 minute'`.execute(server.app.db);
  expect((await guess(1)).statusCode).toBe(429);
  await sql`delete from platform.limits`.execute(server.app.db);
});

test('a network that tries one password at many accounts is rate-limited', async () => {
  const outcomes: number[] = [];
  for (let batch = 0; batch < 5; batch += 1) {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        signIn(`nobody-${batch}-${n}@example.org`, 'Summer2026!', `2001:db8:ffff:1::${n + 1}`),
      ),
    );
    outcomes.push(...answers.map(({ statusCode }) => statusCode));
  }
  expect(outcomes.filter((status) => status === 401).length).toBeLessThanOrEqual(110);
  expect(outcomes.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15);
});

test('sign-up tells whether an address has an account, and allows 100 tries an hour and network', async () => {
  const email = 'has-an-account@example.org';
  await signUpUser(server, email);
  const signUp = (remoteAddress: string) =>
    server.inject({
      method: 'POST',
      url: '/auth/signup',
      payload: { email, password: 'amber window twenty' },
      remoteAddress,
    });
  const startMs = performance.now();
  const outcomes: number[] = [];
  for (let batch = 0; batch < 5; batch += 1) {
    const answers = await Promise.all(Array.from({ length: 22 }, () => signUp('203.0.113.50')));
    outcomes.push(...answers.map(({ statusCode }) => statusCode));
  }
  const told = outcomes.filter((status) => status === 409).length;
  expect(told).toBeGreaterThanOrEqual(100);
  expect(told).toBeLessThanOrEqual(100 + Math.ceil((performance.now() - startMs) / 36_000));
  expect(outcomes.filter((status) => status === 429)).toHaveLength(110 - told);
  expect((await signUp('203.0.113.51')).statusCode).toBe(409);
});

test('passwords and addresses typed at sign-in or password reset are not stored in jobs', async () => {
  const typed = ['my-secret-passphrase-7', 'somebody.elsewhere@example.org', 'victim@example.org'];
  for (const email of typed) {
    expect((await signIn(email, 'x', '203.0.113.40')).statusCode).toBe(401);
    await server.inject({ method: 'POST', url: '/auth/password/forgot', payload: { email } });
  }
  const jobs = await sql<{ name: string; text: string }>`
    select name, data::text as text from ${sql.table(`${jobsSchema}.job`)}`.execute(server.app.db);
  // the rows exist
  for (const name of ['access.note-failed-sign-in', 'access.send-asked-mail']) {
    expect(jobs.rows.some((job) => job.name === name)).toBe(true);
  }
  for (const text of typed) expect(jobs.rows.filter((job) => job.text.includes(text))).toEqual([]);
});

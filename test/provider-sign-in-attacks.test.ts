import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import { quoteName } from '#platform/mail-message.ts';
import { type Browser, openBrowser } from './harness/browser.ts';
import { answerThere } from './harness/give-consent.ts';
import { readLink } from './harness/read-link.ts';
import { readMails } from './harness/read-mails.ts';
import { comeBack, exchange, type SignInWorld, signInAt, startSignInWorld } from './harness/sign-in-world.ts';
import { clientOf, signUpUser } from './harness/test-client.ts';

/**
 * Attacks on sign-in that must neither sign in nor link anybody: rows 33 to 36 and 39 of the security test plan, and
 * known attacks on others.
 */

let world: SignInWorld;
let victim: Browser;
beforeAll(async () => {
  world = await startSignInWorld();
  await world.microsoft.control.seed({ account: 'eve@outlook.example', personal: true });
});
afterAll(() => world?.close());
beforeEach(() => {
  victim = openBrowser(world.server);
  world.lines.length = 0;
  world.goAhead(0);
});

const stale = '/login?problem=STALE&provider=google';
const pageOf = (url: URL) => url.pathname + url.search;

/** As far as the provider's answer, which `spoil` changes before it comes back. */
async function backWith(browser: Browser, spoil: (back: URL) => void): Promise<string> {
  const { location } = await browser.go('/auth/oauth/google/login');
  const back = await answerThere(location, 'eve@gmail.example');
  spoil(back);
  return pageOf((await browser.go(back.href)).location);
}

const countPeople = async () => {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from accounts.users)::int + (select count(*) from access.identities)::int as n`.execute(
    world.server.app.db,
  );
  return rows[0]?.n;
};

describe('callback of a provider sign-in', () => {
  it.each([
    ['without a state', (back: URL) => back.searchParams.delete('state'), stale],
    ['with a state of its own making', (back: URL) => back.searchParams.set('state', 'x'), stale],
    [
      'with the answer in the fragment',
      (back: URL) => {
        back.hash = back.search.slice(1);
        back.search = '';
      },
      stale,
    ],
    ['in the name of another issuer', (back: URL) => back.searchParams.set('iss', 'https://evil.example'), stale],
    ['with an identity instead of a code', (back: URL) => back.searchParams.set('id_token', 'a.b.c'), stale],
    [
      'with a code nobody gave',
      (back: URL) => back.searchParams.set('code', 'x'),
      '/login?problem=REFUSED&provider=google',
    ],
    [
      'with an error that carries HTML',
      (back: URL) => {
        back.searchParams.delete('code');
        back.searchParams.set('error', '<img src=x onerror=alert(1)>');
        back.searchParams.set('error_description', '<script>alert(1)</script>');
      },
      '/login?problem=REGISTRATION&provider=google',
    ],
  ])('a sign-in callback %s signs nobody in', async (_, spoil, page) => {
    const before = await countPeople();
    expect(await backWith(victim, spoil)).toBe(page);
    expect(victim.cookies.size).toBe(0);
    expect(await countPeople()).toBe(before);
  });

  it('a sign-in callback with two states signs nobody in', async () => {
    const page = await backWith(victim, (back) => back.searchParams.append('state', 'x'));
    expect(page).toMatch(/^\/login\?status=error/);
  });

  it('a sign-in callback after ten minutes signs nobody in', async () => {
    const { location } = await victim.go('/auth/oauth/google/login');
    const back = await answerThere(location, 'eve@gmail.example');
    world.goAhead(601_000);
    expect(pageOf((await victim.go(back.href)).location)).toBe(stale);
  });

  it('a sign-in callback used twice signs nobody in, even with the first state cookie', async () => {
    const { location } = await victim.go('/auth/oauth/google/login');
    const note = new Map(victim.cookies);
    const back = await answerThere(location, 'once@gmail.example');
    expect(pageOf((await victim.go(back.href)).location)).toMatch(/^\/\?token=/);
    for (const [name, value] of note) victim.cookies.set(name, value);
    expect(pageOf((await victim.go(back.href)).location)).toBe(stale);
  });

  it('GHSA-x445-f3h2-j279: a Google callback at the address for Microsoft signs nobody in', async () => {
    const { location } = await victim.go('/auth/oauth/google/login');
    const back = await answerThere(location, 'eve@gmail.example');
    const mixed = back.href.replace('/google/', '/microsoft/');
    expect(pageOf((await victim.go(mixed)).location)).toBe('/login?problem=STALE&provider=microsoft');
  });

  it('a callback for connecting a calendar signs nobody in, and a sign-in callback connects nothing', async () => {
    const dana = await signUpUser(world.server, 'calendar@example.org');
    const browser = openBrowser(world.server, dana.token);
    const { location } = await browser.go('/provider/google/start');
    const back = await answerThere(location, 'eve@gmail.example');
    const mixed = back.href.replace('/provider/google/', '/auth/oauth/google/');
    expect(pageOf((await browser.go(mixed)).location)).toBe('/profile/security?problem=STALE&provider=google');
    const begun = await browser.go('/auth/oauth/google/login');
    const other = await answerThere(begun.location, 'eve@gmail.example');
    const connected = await browser.go(other.href.replace('/auth/oauth/google/', '/provider/google/'));
    expect(connected.location.searchParams.get('status')).toBe('error');
  });

  it('login CSRF: a callback of a sign-in begun in another browser signs nobody in', async () => {
    const attacker = openBrowser(world.server);
    const { location } = await attacker.go('/auth/oauth/google/login');
    const back = await answerThere(location, 'eve@gmail.example');
    expect(pageOf((await victim.go(back.href)).location)).toBe(stale);
    await victim.go('/auth/oauth/google/login'); // with a note of their own, too
    expect(pageOf((await victim.go(back.href)).location)).toBe(stale);
  });

  it('a refused sign-in callback leaves one log line without code, state, or token', async () => {
    const { location } = await victim.go('/auth/oauth/google/login');
    const back = await answerThere(location, 'eve@gmail.example');
    back.searchParams.set('state', 'wrong-state');
    await victim.go(back.href);
    const page = await comeBack(victim, 'google', 'eve@gmail.example');
    expect((await exchange(victim, page)).status).toBe(200);
    const said = world.lines.join('\n');
    expect(world.lines.filter((line) => line.includes('brought nobody'))).toHaveLength(1);
    for (const secret of [back.searchParams.get('code'), 'wrong-state', page.searchParams.get('token')]) {
      expect(said).not.toContain(secret);
    }
    expect(said).not.toContain(victim.cookies.get('holdfast'));
  });
});

describe('authorization at the sign-in provider', () => {
  it.each([
    ['without a proof of possession', (url: URL) => url.searchParams.delete('code_challenge')],
    ['with a plain one', (url: URL) => url.searchParams.set('code_challenge_method', 'plain')],
    ['with somebody else’s', (url: URL) => url.searchParams.set('code_challenge', 'A'.repeat(43))],
  ])('an authorization code is refused if its PKCE challenge was requested %s', async (_, spoil) => {
    const { location } = await victim.go('/auth/oauth/google/login');
    spoil(location);
    const back = await answerThere(location, 'eve@gmail.example');
    expect(pageOf((await victim.go(back.href)).location)).toBe('/login?problem=REFUSED&provider=google');
  });

  it('an ID token with another nonce signs nobody in', async () => {
    const { location } = await victim.go('/auth/oauth/google/login');
    location.searchParams.set('nonce', 'another');
    const back = await answerThere(location, 'eve@gmail.example');
    expect(pageOf((await victim.go(back.href)).location)).toBe(stale);
  });

  it.each(['/x', '/../x', '%2f..', '?x=1'])('a redirect URI with %s appended is refused', async (suffix) => {
    const { location } = await victim.go('/auth/oauth/google/login');
    location.searchParams.set('redirect_uri', location.searchParams.get('redirect_uri') + suffix);
    const response = await fetch(location, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });
});

describe('provider sign-in token', () => {
  const ended = { status: 410, body: { code: 'SIGN_IN_ENDED' } };

  it('a provider sign-in token works once', async () => {
    const page = await comeBack(victim, 'google', 'token@gmail.example');
    const note = new Map(victim.cookies);
    expect(await exchange(victim, page)).toMatchObject({ status: 200 });
    expect(await exchange(victim, page)).toMatchObject(ended);
    for (const [name, value] of note) victim.cookies.set(name, value);
    expect(await exchange(victim, page)).toMatchObject(ended);
  });

  it('a provider sign-in token works once for two concurrent requests', async () => {
    const page = await comeBack(victim, 'google', 'token@gmail.example');
    const answers = await Promise.all([exchange(victim, page), exchange(victim, page)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410]);
  });

  it('a provider sign-in token works only in the browser of the callback (login CSRF)', async () => {
    const attacker = openBrowser(world.server);
    const page = await comeBack(attacker, 'google', 'eve@gmail.example');
    expect(await exchange(victim, page)).toMatchObject(ended);
    await comeBack(victim, 'google', 'token@gmail.example'); // with a note of their own, too
    expect(await exchange(victim, page)).toMatchObject(ended);
    expect(victim.cookies.has('holdfast')).toBe(false);
  });

  it('a provider sign-in token expires after a minute', async () => {
    const page = await comeBack(victim, 'google', 'token@gmail.example');
    world.goAhead(60_001);
    expect(await exchange(victim, page)).toMatchObject(ended);
  });

  it('a provider sign-in token works only for its provider and without extra fields', async () => {
    const page = await comeBack(victim, 'google', 'token@gmail.example');
    const token = page.searchParams.get('token');
    expect(await victim.post('/auth/oauth/exchange', { token, provider: 'google', user_id: 'x' })).toMatchObject({
      status: 400,
    });
    page.searchParams.set('provider', 'microsoft');
    expect(await exchange(victim, page)).toMatchObject(ended);
  });

  it('a provider sign-in token is not a session, and no session token works in a URL', async () => {
    const page = await comeBack(victim, 'google', 'token@gmail.example');
    const token = page.searchParams.get('token') ?? '';
    const headers = { authorization: `Bearer ${token}` };
    expect((await world.server.inject({ url: '/api/account/profile', headers })).statusCode).toBe(401);
    const { body } = await exchange(victim, page);
    expect(page.href).not.toContain(body.session_token);
    for (const name of ['token', 'session_token']) {
      const url = `/api/account/profile?${name}=${String(body.session_token)}`;
      expect((await world.server.inject({ url })).statusCode).toBe(401);
    }
  });

  it('a provider sign-in replaces the session cookie that the browser had before', async () => {
    victim.cookies.set('holdfast', 'preset-by-somebody');
    const { body } = await signInAt(world, 'google', 'token@gmail.example', { browser: victim });
    expect(victim.cookies.get('holdfast')).toBe(body.session_token);
    expect(body.session_token).not.toBe('preset-by-somebody');
  });
});

const exists = { status: 409, body: { code: 'EMAIL_EXISTS' } };

describe('email address from a provider', () => {
  it('nOAuth: an address set by a tenant administrator opens nobody’s account', async () => {
    const target = await signUpUser(world.server, 'ceo@example.org');
    await world.microsoft.control.seed({ account: 'mallory@evil.example', mail: 'ceo@example.org' });
    await world.microsoft.control.seed({
      account: 'mallory2@evil.example',
      mail: 'CEO@example.org',
      domainVerified: true,
    });
    expect(await signInAt(world, 'microsoft', 'mallory@evil.example')).toMatchObject(exists);
    expect(await signInAt(world, 'microsoft', 'mallory2@evil.example')).toMatchObject(exists);
    expect((await target.as(accessContract).listIdentities()).identities).toEqual([]);
  });

  it('GHSA-g38m-r43w-p2q7: an unverified address links no identity to the account that has it', async () => {
    const target = await signUpUser(world.server, 'target@gmail.example');
    await world.google.control.seed({ account: 'target@gmail.example', emailVerified: false });
    expect(await signInAt(world, 'google', 'target@gmail.example')).toMatchObject(exists);
    expect((await target.as(accessContract).listIdentities()).identities).toEqual([]);
  });

  it('an unverified address from a provider does not open an account', async () => {
    await world.google.control.seed({ account: 'unproved@gmail.example', emailVerified: false });
    const { status, body, browser } = await signInAt(world, 'google', 'unproved@gmail.example');
    expect([status, body.code, browser.cookies.has('holdfast')]).toEqual([403, 'EMAIL_NOT_VERIFIED', false]);
  });
});

describe('account created with another person’s address', () => {
  it('an account created with another person’s address belongs to its owner after a password reset', async () => {
    const { control } = world.microsoft;
    await control.seed({ account: 'squatter@evil.example', mail: 'squatted@example.org' });
    expect(await signInAt(world, 'microsoft', 'squatter@evil.example')).toMatchObject({
      status: 403,
      body: { code: 'EMAIL_NOT_VERIFIED' },
    });
    const email = 'squatted@example.org';
    const call = (path: string, body: object) => victim.post(`/auth/password/${path}`, body);
    expect((await call('forgot', { email })).status).toBe(200);
    await world.server.settle();
    // the mail to confirm names the sign-in that it opens
    const asked = JSON.stringify((await readMails(world.server, email))[0]?.content);
    expect(asked).toContain(`sign in at Microsoft as ${quoteName('squatter@evil.example')}`);
    const { code } = await readLink(world.server, email);
    expect((await call('reset', { email, code, new_password: 'orchard lantern ninety' })).status).toBe(200);
    expect(await signInAt(world, 'microsoft', 'squatter@evil.example')).toMatchObject({
      status: 409,
      body: { code: 'EMAIL_EXISTS' },
    });
    const { status } = await victim.post('/auth/login', { email, password: 'orchard lantern ninety' });
    expect(status).toBe(200);
  });
});

describe('unconfirmed account with the address of somebody who signs in at a provider', () => {
  const password = 'lantern orchard seven';
  const squat = async (email: string) => {
    const squatter = openBrowser(world.server);
    const body = { email, password, timezone: 'Pacific/Kiritimati' };
    expect((await squatter.post('/auth/signup', body)).status).toBe(201);
    return { squatter, link: await readLink(world.server, email) };
  };

  it('an unconfirmed account gives way to the owner of its address, and nothing of its maker stays', async () => {
    const email = 'locked-out@gmail.example';
    const { squatter, link } = await squat(email);
    const { status, body } = await signInAt(world, 'google', email, { query: '?timezone=Europe/Paris' });
    expect([status, body.next]).toEqual([200, null]);
    const owner = clientOf(world.server, accessContract, String(body.session_token));
    const profile = await clientOf(world.server, accountsContract, String(body.session_token)).readAccountProfile({});
    expect(profile).toMatchObject({ email, role: 'user', timezone: 'Europe/Paris' });
    expect((await owner.readProofs()).password).toBe(false);
    expect((await owner.listIdentities()).identities.map(({ label }) => label)).toEqual([email]);

    const { code } = link;
    expect(await squatter.post('/auth/login', { email, password })).toMatchObject({ status: 401 });
    expect(await squatter.post('/auth/verify-email', { email, code })).toMatchObject({
      body: { code: 'CODE_INVALID' },
    });
    const reset = { email, code, new_password: 'orchard lantern ninety' };
    expect(await squatter.post('/auth/password/reset', reset)).toMatchObject({ body: { code: 'CODE_INVALID' } });
    const again = await signInAt(world, 'google', email);
    expect([again.status, again.body.user_id]).toEqual([200, body.user_id]);
  });

  it('an unconfirmed account that was made at a provider gives way, and that identity signs in nobody', async () => {
    const email = 'squatted-twice@gmail.example';
    await world.microsoft.control.seed({ account: 'squatter2@evil.example', mail: email });
    expect((await signInAt(world, 'microsoft', 'squatter2@evil.example')).status).toBe(403);
    expect((await signInAt(world, 'google', email)).status).toBe(200);
    expect(await signInAt(world, 'microsoft', 'squatter2@evil.example')).toMatchObject(exists);
  });

  it('an address that the provider has not proved opens no unconfirmed account', async () => {
    const email = 'unproved-squat@gmail.example';
    await squat(email);
    await world.google.control.seed({ account: email, emailVerified: false });
    expect(await signInAt(world, 'google', email)).toMatchObject(exists);
  });

  it('a suspended account whose address nobody confirmed does not give way', async () => {
    const email = 'suspended-squat@gmail.example';
    await squat(email);
    const { db } = world.server.app;
    await sql`update accounts.users set suspended_at = now() where email = ${email}`.execute(db);
    expect(await signInAt(world, 'google', email)).toMatchObject({ status: 403, body: { code: 'ACCOUNT_SUSPENDED' } });
    const { rows } = await sql`select from access.passwords p join accounts.users u on u.id = p.user_id
      where u.email = ${email} and u.email_verified_at is null`.execute(db);
    expect(rows).toHaveLength(1);
  });
});

describe('identity linking', () => {
  it('identity linking refuses a cross-site request', async () => {
    const { token } = await signUpUser(world.server, 'linker@example.org');
    const response = await world.server.inject({
      method: 'POST',
      url: '/api/account/identities',
      headers: { cookie: `holdfast=${token}`, 'sec-fetch-site': 'cross-site' },
      payload: { provider: 'google' },
    });
    expect([response.statusCode, response.json().detail.code]).toEqual([403, 'CROSS_SITE']);
  });

  it('identity linking works only in the session that started it', async () => {
    const [mallory, target] = [
      await signUpUser(world.server, 'mallory@example.org'),
      await signUpUser(world.server, 'linked@example.org'),
    ];
    const browser = openBrowser(world.server, mallory.token);
    const { body } = await browser.post('/api/account/identities', { provider: 'google' });
    const back = await answerThere(new URL(String(body.url)), 'mallory@gmail.example');
    browser.cookies.set('holdfast', target.token);
    expect(pageOf((await browser.go(back.href)).location)).toBe('/profile/security?problem=STALE&provider=google');
    browser.cookies.delete('holdfast');
    expect(pageOf((await browser.go(back.href)).location)).toBe(stale);
    expect((await target.as(accessContract).listIdentities()).identities).toEqual([]);
  });
});

describe('return path after a provider sign-in', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/.//evil.example',
    '@evil.example',
    '%2F%2Fevil.example',
  ])('CVE-2025-71403: a return path to another site is ignored (%j)', async (from) => {
    const query = `?from=${encodeURIComponent(from)}`;
    const page = await comeBack(victim, 'google', 'eve@gmail.example', query);
    expect(page.origin).toBe('http://localhost');
    expect(page.searchParams.has('token')).toBe(true);
    expect(page.searchParams.get('from')).toBeNull();
  });
});

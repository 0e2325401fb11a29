import { generateKeyPairSync, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createAuthorizationServer } from './harness/authorization-server.ts';
import { type Browser, openBrowser, testUrl } from './harness/browser.ts';
import { exchange } from './harness/sign-in-world.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { clientOf } from './harness/test-client.ts';

/** Providers at which people only sign in, against a plain OpenID Connect server; and what identities it could forge. */

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function isSignedSecret(secret: string): boolean {
  const [header = '', claims = '', signature = ''] = secret.split('.');
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
}

const provider = createAuthorizationServer({
  rotates: false,
  nowMs: () => systemClock.nowMs(),
  acceptsSecret: (secret) => secret === 'client-secret' || isSignedSecret(secret),
});
let server: TestApp;
let browser: Browser;
let people = 0;

beforeAll(async () => {
  const config = loadConfig({
    NODE_ENV: 'test',
    PUBLIC_URL: testUrl,
    APPLE_CLIENT_ID: 'holdfast',
    APPLE_TEAM_ID: 'TEAM123456',
    APPLE_KEY_ID: 'KEY1234567',
    APPLE_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })).replaceAll('\n', '\\n'),
    APPLE_URL: provider.client.server.issuer,
    ZOHO_CLIENT_ID: 'holdfast',
    ZOHO_CLIENT_SECRET: 'client-secret',
    ZOHO_URL: provider.client.server.issuer,
  });
  server = await startTestApp({ config, apiFetch: provider.fetch });
});
afterAll(() => server?.close());
beforeEach(() => {
  people += 1;
  provider.misbehaviour.claims = {
    sub: `subject-${people}`,
    email: `person${people}@example.org`,
    email_verified: true,
  };
  browser = openBrowser(server);
});

const formPost = (parameters: URLSearchParams, path = '/auth/oauth/apple/callback') =>
  server.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://appleid.apple.com',
      'sec-fetch-site': 'cross-site',
    },
    payload: parameters.toString(),
  });

describe('Apple sign-in', () => {
  it('an Apple sign-in posts a form that is redirected to the callback and signs the user in', async () => {
    const { location } = await browser.go('/auth/oauth/apple/login');
    expect(location.pathname).toBe('/auth/authorize');
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_mode: 'form_post',
      scope: 'openid email name',
      redirect_uri: 'http://localhost/auth/oauth/apple/callback',
    });
    provider.misbehaviour.claims.email_verified = 'true'; // as Apple writes it
    const form = provider.consent(location.href);
    form.set('user', '{"name":{"firstName":"Dana"}}');
    const sentOn = await formPost(form);
    expect(sentOn.statusCode).toBe(303);
    expect(sentOn.headers.location).not.toContain('firstName');
    expect(sentOn.cookies).toEqual([]);
    const page = (await browser.go(String(sentOn.headers.location))).location;
    expect(await exchange(browser, page)).toMatchObject({
      status: 200,
      body: { user: { email: `person${people}@example.org` } },
    });
    const asked = provider.seen.findLast(({ path }) => path === '/auth/token')?.body;
    const [, claims = ''] = (asked?.get('client_secret') ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))).toMatchObject({
      iss: 'TEAM123456',
      sub: 'holdfast',
      aud: provider.client.server.issuer,
    });
  });

  it('a provider form is accepted only by the Apple callback', async () => {
    const form = new URLSearchParams({ code: 'c', state: 's' });
    expect((await formPost(form, '/auth/oauth/google/callback')).statusCode).toBe(404);
    expect((await formPost(form, '/auth/oauth/exchange')).statusCode).toBe(403);
    expect((await formPost(form, '/auth/logout')).statusCode).toBe(403);
  });

  it('an Apple sign-in with a duplicate or missing parameter signs nobody in', async () => {
    const { location } = await browser.go('/auth/oauth/apple/login');
    const form = provider.consent(location.href);
    form.append('state', 'x');
    for (const answer of [form, new URLSearchParams()]) {
      const sentOn = await formPost(answer);
      const page = (await browser.go(String(sentOn.headers.location))).location;
      expect(page.pathname + page.search).toBe('/login?problem=STALE&provider=apple');
    }
  });
});

describe('Zoho sign-in', () => {
  const comeBack = async () => {
    const { location } = await browser.go('/auth/oauth/zoho/login');
    return (await browser.go(`/auth/oauth/zoho/callback?${provider.consent(location.href).toString()}`)).location;
  };

  it('a Zoho sign-in creates an account and finds it again', async () => {
    const first = await exchange(browser, await comeBack());
    expect(first).toMatchObject({ status: 200, body: { user: { email: `person${people}@example.org` } } });
    expect((await exchange(browser, await comeBack())).body.user_id).toBe(first.body.user_id);
  });

  it.each([
    ['for another application', { aud: 'another' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another question', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['of an hour ago', { exp: Math.floor(systemClock.nowMs() / 1000) - 3_600 }],
    ['without a subject', { sub: undefined }],
  ])('a Zoho sign-in refuses an ID token %s', async (_, claims) => {
    Object.assign(provider.misbehaviour.claims, claims);
    expect((await comeBack()).search).toBe('?problem=STALE&provider=zoho');
  });

  it('a Zoho sign-in needs an address and asks to confirm an unverified one', async () => {
    provider.misbehaviour.claims.email_verified = false;
    expect((await exchange(browser, await comeBack())).body.code).toBe('EMAIL_NOT_VERIFIED');
    people += 1;
    Object.assign(provider.misbehaviour.claims, { sub: 'nameless', email: undefined });
    expect((await exchange(browser, await comeBack())).body.code).toBe('NO_EMAIL');
    Object.assign(provider.misbehaviour.claims, { sub: 'odd', email: 'no address', email_verified: true });
    expect((await exchange(browser, await comeBack())).body.code).toBe('NO_EMAIL');
  });

  it('a Zoho sign-in reports an unreachable provider and a refused registration', async () => {
    provider.misbehaviour.answers.push(new Response('busy', { status: 503 }));
    expect((await comeBack()).search).toBe('?problem=UNREACHABLE&provider=zoho');
    provider.misbehaviour.answers.push(Response.json({ error: 'invalid_client' }, { status: 401 }));
    expect((await comeBack()).search).toBe('?problem=REGISTRATION&provider=zoho');
  });

  it('a Zoho sign-in refuses an ID token signed with an unknown key', async () => {
    provider.forge();
    expect((await comeBack()).search).toBe('?problem=STALE&provider=zoho');
  });
});

it('the sign-in methods say which providers are configured', async () => {
  expect(await clientOf(server, accessContract).readSignInMethods()).toEqual({
    google: 'off',
    microsoft: 'off',
    apple: 'on',
    zoho: 'on',
  });
});

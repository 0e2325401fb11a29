import { createPublicKey, verify } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { emulateGoogle, WRITES_EVENTS } from '../../../test/harness/emulated-google.ts';

/** Google's documented sign-in, each row with its source. */

let google: ReturnType<typeof emulateGoogle>;
beforeEach(async () => {
  google = emulateGoogle();
  await google.control.seed({ account: 'ada@example.com', name: 'Ada' });
});

const EVENTS = 'https://www.googleapis.com/auth/calendar.events';
const authorizePath = (more: Record<string, string>) =>
  `/o/oauth2/v2/auth?${new URLSearchParams({ client_id: 'holdfast.apps.emulated', redirect_uri: 'http://127.0.0.1:1/r', response_type: 'code', scope: EVENTS, ...more }).toString()}`;

describe('the authorization endpoint (OAuth 2.0 for Web Server Applications)', () => {
  it('the authorization response carries the code, the state and the granted scopes', async () => {
    const back = await google.consent('ada@example.com');
    expect(back.get('state')).toBe('the-state');
    expect(back.get('code')).toMatch(/^4\/0A/);
    expect(back.get('scope')).toBe(WRITES_EVENTS);
  });

  it('the consent page lets the user choose an account and deselect scopes (How to handle granular permissions)', async () => {
    const page = await google.ask<string>('GET', authorizePath({}));
    expect(page.body).toContain('value="ada@example.com"');
    expect(page.body).toContain('View and edit events on all your calendars');
    const form = new URLSearchParams({ account: 'ada@example.com', decision: 'allow' });
    const { headers } = await google.ask('POST', authorizePath({}), { body: form });
    const back = new URL(headers.get('location')!).searchParams;
    expect(back.get('scope')).toBe('');
  });

  it('a denied consent redirects back with access_denied', async () => {
    const form = new URLSearchParams({ account: 'ada@example.com', decision: 'deny' });
    const { headers } = await google.ask('POST', authorizePath({ state: 's' }), { body: form });
    expect(headers.get('location')).toBe('http://127.0.0.1:1/r?state=s&error=access_denied');
  });

  it('a consent without an account shows the page again', async () => {
    const { status, body } = await google.ask<string>('POST', authorizePath({}), { body: new URLSearchParams() });
    expect([status, body]).toEqual([400, expect.stringContaining('Choose an account')]);
  });

  it.each([
    ['an unknown client', { client_id: 'other' }, 401, 'invalid_client'],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/r' }, 400, 'redirect_uri_mismatch'],
  ])('an authorization request with %s shows an error page and redirects nowhere', async (_, more, status, code) => {
    const page = await google.ask<string>('GET', authorizePath(more));
    expect(page.status).toBe(status);
    expect(page.headers.get('location')).toBeNull();
    expect(page.body).toContain(code);
  });
});

describe('the token endpoint (OAuth 2.0 for Web Server Applications; RFC 6749, 4.1.3 and 6)', () => {
  const codeOf = async (more: Record<string, string> = {}) =>
    (await google.consent('ada@example.com', WRITES_EVENTS, more)).get('code')!;

  it('an authorization code is exchanged once', async () => {
    const code = await codeOf();
    const { status, body } = await google.exchange(code);
    expect(status).toBe(200);
    expect(body).toMatchObject({ expires_in: 3599, token_type: 'Bearer', scope: WRITES_EVENTS });
    expect(body.access_token).toMatch(/^ya29\./);
    expect(body.refresh_token).toMatch(/^1\/\/0/);
    expect(await google.exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it.each([
    ['another redirect_uri', { redirect_uri: 'http://127.0.0.1:3000/other' }, 'redirect_uri_mismatch'],
    ['another verifier (RFC 7636, 4.6)', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['no such code', { code: '4/0Axx' }, 'invalid_grant'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('a code exchange with %s is refused', async (_, more, error) => {
    expect(await google.exchange(await codeOf(), more)).toMatchObject({ status: 400, body: { error } });
  });

  it('an authorization code expires after ten minutes', async () => {
    const code = await codeOf();
    google.clock.advance(600_000);
    expect((await google.exchange(code)).body.error).toBe('invalid_grant');
  });

  it('a code exchange with a wrong client secret is refused', async () => {
    const answer = await google.exchange(await codeOf(), { client_secret: 'wrong' });
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('a refresh token comes with the first consent, then only with prompt=consent, and never without offline access', async () => {
    expect((await google.exchange(await codeOf())).body.refresh_token).toBeDefined();
    expect((await google.exchange(await codeOf())).body.refresh_token).toBeUndefined();
    expect((await google.exchange(await codeOf({ prompt: 'consent' }))).body.refresh_token).toBeDefined();
    const online = await codeOf({ prompt: 'consent', access_type: 'online' });
    expect((await google.exchange(online)).body.refresh_token).toBeUndefined();
  });

  it('a refresh token is not rotated', async () => {
    const { body } = await google.exchange(await codeOf());
    const first = await google.refresh(body.refresh_token!);
    expect(first.body.refresh_token).toBeUndefined();
    expect(first.body.access_token).not.toBe(body.access_token);
    expect((await google.refresh(body.refresh_token!)).status).toBe(200);
  });

  it('the oldest refresh token is revoked when an account exceeds its limit', async () => {
    await google.control.knobs({ refreshTokenLimit: 2 });
    const tokens: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      tokens.push((await google.exchange(await codeOf({ prompt: 'consent' }))).body.refresh_token!);
    }
    expect((await google.refresh(tokens[0]!)).body.error).toBe('invalid_grant');
    expect((await google.refresh(tokens[1]!)).status).toBe(200);
  });

  it('a refresh token expires after seven days in publishing status Testing', async () => {
    const { body } = await google.exchange(await codeOf());
    await google.control.knobs({ publishing: 'testing' });
    google.clock.advance(7 * 86_400_000 - 1);
    expect((await google.refresh(body.refresh_token!)).status).toBe(200);
    google.clock.advance(1);
    expect((await google.refresh(body.refresh_token!)).body).toEqual({
      error: 'invalid_grant',
      error_description: 'Token has been expired or revoked.',
    });
  });

  it('a refresh token unused for six months expires', async () => {
    const { body } = await google.exchange(await codeOf());
    google.clock.advance(183 * 86_400_000);
    expect((await google.refresh(body.refresh_token!)).body.error).toBe('invalid_grant');
  });

  it('a Workspace session policy refuses the refresh with invalid_rapt', async () => {
    const { body } = await google.exchange(await codeOf());
    await google.control.act({ account: 'ada@example.com', do: 'require-reauth', on: true });
    expect(await google.refresh(body.refresh_token!)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_subtype: 'invalid_rapt' },
    });
  });

  it('a revocation ends the access and refresh token, and a second one is refused', async () => {
    const { token, api } = await google.signIn('ada@example.com');
    const revoke = () => google.ask('POST', '/revoke', { body: new URLSearchParams({ token: token.refresh_token! }) });
    expect((await revoke()).status).toBe(200);
    expect(await revoke()).toMatchObject({ status: 400, body: { error: 'invalid_token' } });
    expect((await api('GET', '/users/me/calendarList')).status).toBe(401);
    expect((await google.refresh(token.refresh_token!)).body.error).toBe('invalid_grant');
  });
});

describe('OpenID Connect', () => {
  it('the discovery document names the issuer and the endpoints (OpenID Connect Discovery, 3)', async () => {
    const { body } = await google.ask('GET', '/.well-known/openid-configuration');
    expect(body).toMatchObject({ issuer: 'http://google.test', token_endpoint: 'http://google.test/token' });
  });

  it('the ID token verifies with the published keys and carries the nonce (OpenID Connect Core, 2)', async () => {
    const back = await google.consent('ada@example.com', WRITES_EVENTS, { nonce: 'n-1' });
    const { body } = await google.exchange(back.get('code')!);
    const [head, claims, signature] = body.id_token!.split('.') as [string, string, string];
    const { body: certs } = await google.ask<{ keys: Record<string, unknown>[] }>('GET', '/oauth2/v3/certs');
    const key = createPublicKey({ key: certs.keys[0]!, format: 'jwk' });
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'http://google.test',
      aud: 'holdfast.apps.emulated',
      email: 'ada@example.com',
      email_verified: true,
      nonce: 'n-1',
      sub: expect.stringMatching(/^\d{21}$/),
    });
  });

  it('a token response without the scope openid has no ID token', async () => {
    const back = await google.consent('ada@example.com', EVENTS);
    expect((await google.exchange(back.get('code')!)).body.id_token).toBeUndefined();
  });

  it("userinfo returns the account's email address, and needs a token (OpenID Connect Core, 5.3)", async () => {
    const { token } = await google.signIn('ada@example.com');
    const headers = { authorization: `Bearer ${token.access_token}` };
    expect((await google.ask('GET', '/v1/userinfo', { headers })).body).toMatchObject({ email: 'ada@example.com' });
    expect((await google.ask('GET', '/v1/userinfo')).status).toBe(401);
  });
});

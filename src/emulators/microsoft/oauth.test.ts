import { createHash, createPublicKey, verify } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import { embedMicrosoft } from './launch.ts';

/** One row per documented behaviour of the Microsoft identity platform; the page it comes from is in brackets. */

const clock = createClock(Temporal.Instant.from('2026-11-23T08:00:00Z').epochMilliseconds);
const microsoft = embedMicrosoft({ clock });
const { control, urls, fetch } = microsoft;
const verifier = 'a-verifier-of-at-least-forty-three-characters-long';
const challenge = createHash('sha256').update(verifier).digest('base64url');
const back = 'https://holdfast.example/provider/microsoft/callback';

function authorizeUrl(more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: 'holdfast',
    response_type: 'code',
    redirect_uri: back,
    response_mode: 'query',
    scope: 'openid profile offline_access User.Read https://graph.microsoft.com/Calendars.ReadWrite',
    state: 's1',
    nonce: 'n1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  });
  return `${urls.authority}/oauth2/v2.0/authorize?${query.toString()}`;
}

async function redirected(url: string, init: RequestInit = {}): Promise<URLSearchParams> {
  const { status, headers } = await fetch(url, { redirect: 'manual', ...init });
  expect(status).toBe(302);
  expect(headers.get('location')).toContain(back);
  return new URL(headers.get('location')!).searchParams;
}

async function token(form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'holdfast', client_secret: 'secret', ...form });
  const response = await fetch(`${urls.authority}/oauth2/v2.0/token`, { method: 'POST', body });
  const text = await response.text();
  return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, string> };
}

async function newCode(): Promise<string> {
  await control.knobs({ autoConsent: true });
  return (await redirected(authorizeUrl())).get('code')!;
}

async function newTokens(): Promise<Record<string, string>> {
  const code = await newCode();
  const granted = await token({ grant_type: 'authorization_code', code, redirect_uri: back, code_verifier: verifier });
  expect(granted.status).toBe(200);
  return granted.body;
}

const refresh = (refreshToken: string) => token({ grant_type: 'refresh_token', refresh_token: refreshToken });
const ask = (path: string, accessToken: string) =>
  fetch(`${urls.graphBase}${path}`, { headers: { authorization: `Bearer ${accessToken}` } });

beforeEach(async () => {
  await control.reset();
  await control.seed({ account: 'ada@contoso.example', name: 'Ada Lovelace', calendars: [{ key: 'home' }] });
  await control.seed({ account: 'ben@contoso.example', name: 'Ben <Bitdiddle>', calendars: [{ key: 'home' }] });
});

describe('the authorization endpoint [v2-oauth2-auth-code-flow]', () => {
  it('the consent page shows the accounts and requested permissions, with escaped text', async () => {
    const page = await (await fetch(authorizeUrl())).text();
    for (const text of [
      'Ada Lovelace',
      'Ben &lt;Bitdiddle&gt;',
      'Have full access to your calendars',
      'value="allow"',
      'value="deny"',
    ]) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain('<Bitdiddle>');
  });

  it('an accepted consent redirects to the client with the code and the state', async () => {
    const body = new URLSearchParams({ account: 'ben@contoso.example', decision: 'allow' });
    const answer = await redirected(authorizeUrl(), { method: 'POST', body });
    expect([answer.get('state'), answer.get('code')?.length]).toEqual(['s1', expect.any(Number)]);
    const { body: granted } = await token({
      grant_type: 'authorization_code',
      code: answer.get('code')!,
      redirect_uri: back,
      code_verifier: verifier,
    });
    expect(await (await ask('/me', granted.access_token!)).json()).toMatchObject({
      userPrincipalName: 'ben@contoso.example',
    });
  });

  it('a declined consent redirects with access_denied and AADSTS65004', async () => {
    const body = new URLSearchParams({ account: 'ada@contoso.example', decision: 'deny' });
    const answer = await redirected(authorizeUrl(), { method: 'POST', body });
    expect(answer.get('error')).toBe('access_denied');
    expect(answer.get('error_description')).toMatch(/^AADSTS65004: .*\r\nTrace ID: /);
    expect(answer.get('state')).toBe('s1');
  });

  it('login_hint selects the account, and prompt=none answers interaction_required', async () => {
    expect(await (await fetch(authorizeUrl({ login_hint: 'ada@contoso.example' }))).text()).not.toContain('ben@');
    expect((await redirected(authorizeUrl({ prompt: 'none' }))).get('error')).toBe('interaction_required');
  });

  it('an unregistered redirect URI or client is never redirected to (AADSTS50011, AADSTS700016)', async () => {
    await control.seed({ apps: [{ clientId: 'holdfast', secret: 'secret', redirectUris: [back] }] });
    const elsewhere = await fetch(authorizeUrl({ redirect_uri: 'https://evil.example' }), { redirect: 'manual' });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([400, expect.stringContaining('AADSTS50011')]);
    const stranger = await fetch(authorizeUrl({ client_id: 'other' }), { redirect: 'manual' });
    expect([stranger.status, await stranger.text()]).toEqual([400, expect.stringContaining('AADSTS700016')]);
  });
});

describe('the token endpoint [v2-oauth2-auth-code-flow]', () => {
  it('an authorization code is exchanged for access, refresh and ID tokens', async () => {
    const tokens = await newTokens();
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: 4_500,
      scope: 'openid profile User.Read Calendars.ReadWrite',
    });
    expect(tokens.refresh_token).toBeTruthy();
  });

  it('the ID token verifies with a key of the JWKS and names the tenant as issuer [id-token-claims-reference]', async () => {
    const { id_token } = await newTokens();
    const [header, claims, signature] = id_token!.split('.');
    const { keys } = (await (await fetch(urls.jwks)).json()) as { keys: { kid: string }[] };
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, string>;
    const jwk = keys.find(({ kid }) => kid === read(header!).kid)!;
    const key = createPublicKey({ key: jwk as never, format: 'jwk' });
    expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature!, 'base64url'))).toBe(true);
    const { tid, iss, aud, nonce } = read(claims!);
    expect({ aud, nonce, iss }).toEqual({ aud: 'holdfast', nonce: 'n1', iss: urls.issuer.replace('{tenantid}', tid!) });
  });

  it('the discovery document of common has an issuer template [v2-protocols-oidc]', async () => {
    const document = await (await fetch(`${urls.authority}/v2.0/.well-known/openid-configuration`)).json();
    expect(document).toMatchObject({
      issuer: expect.stringContaining('/{tenantid}/v2.0'),
      token_endpoint: `${urls.authority}/oauth2/v2.0/token`,
      jwks_uri: urls.jwks,
      userinfo_endpoint: urls.userInfo,
    });
    const { access_token } = await newTokens();
    const userInfo = await fetch(urls.userInfo, { headers: { authorization: `Bearer ${access_token}` } });
    expect(await userInfo.json()).toMatchObject({ name: 'Ada Lovelace', email: 'ada@contoso.example' });
  });

  it.each([
    ['another verifier', { code_verifier: 'another' }, 501481],
    ['another redirect_uri', { redirect_uri: 'https://other.example' }, 50011],
  ])('a code exchange with %s is refused', async (_, wrong, code) => {
    const form = {
      grant_type: 'authorization_code',
      code: await newCode(),
      redirect_uri: back,
      code_verifier: verifier,
    };
    const { status, body } = await token({ ...form, ...wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'invalid_grant',
      error_codes: [code],
      error_description: expect.stringMatching(
        `^AADSTS${code}: .*\r\nTrace ID: .*\r\nCorrelation ID: .*\r\nTimestamp: `,
      ),
      trace_id: expect.any(String),
      correlation_id: expect.any(String),
      timestamp: expect.any(String),
    });
  });

  it('an authorization code is valid once and for ten minutes', async () => {
    const form = {
      grant_type: 'authorization_code',
      code: await newCode(),
      redirect_uri: back,
      code_verifier: verifier,
    };
    expect((await token(form)).status).toBe(200);
    expect((await token(form)).body).toMatchObject({ error_codes: [54005] });
    const late = await newCode();
    clock.advance(11 * 60_000);
    expect((await token({ ...form, code: late })).body).toMatchObject({ error_codes: [70008] });
  });

  it('a refresh gives a new refresh token, and the old one stays valid [refresh-tokens]', async () => {
    const { refresh_token: first } = await newTokens();
    const { body: second } = await refresh(first!);
    expect(second.refresh_token).not.toBe(first);
    expect((await refresh(first!)).status).toBe(200);
    expect((await refresh(second.refresh_token!)).status).toBe(200);
  });

  it('a refresh revokes the old refresh token when so configured (M3)', async () => {
    await control.knobs({ oldRefreshToken: 'revoked' });
    const { refresh_token: first } = await newTokens();
    expect((await refresh(first!)).status).toBe(200);
    expect((await refresh(first!)).body).toMatchObject({ error: 'invalid_grant', error_codes: [50173] });
  });

  it('a refresh token unused for 90 days expires (AADSTS700082)', async () => {
    const { refresh_token } = await newTokens();
    clock.advance(91 * 86_400_000);
    expect((await refresh(refresh_token!)).body).toMatchObject({ error: 'invalid_grant', error_codes: [700082] });
  });

  it('a wrong client secret is refused as invalid_client (AADSTS7000215)', async () => {
    await control.seed({ apps: [{ clientId: 'holdfast', secret: 'right', redirectUris: [back] }] });
    const { status, body } = await refresh('anything');
    expect([status, body.error, body.error_codes]).toEqual([401, 'invalid_client', [7000215]]);
  });

  it('granted scopes can be written as URLs', async () => {
    await control.knobs({ scopeForm: 'url' });
    expect((await newTokens()).scope).toBe(
      'openid profile https://graph.microsoft.com/User.Read https://graph.microsoft.com/Calendars.ReadWrite',
    );
  });

  it('a revocation ends the access token and the refresh token (AADSTS50173)', async () => {
    const { refresh_token, access_token } = await newTokens();
    await control.act({ account: 'ada@contoso.example', do: 'revoke' });
    expect((await ask('/me', access_token!)).status).toBe(401);
    expect((await refresh(refresh_token!)).body).toMatchObject({ error_codes: [50173] });
  });

  it('an expired access token is refused with 401 InvalidAuthenticationToken', async () => {
    const { access_token } = await newTokens();
    clock.advance(76 * 60_000);
    const refused = await ask('/me/calendars', access_token!);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: { code: 'InvalidAuthenticationToken' } });
  });
});

describe('faults of the token endpoint', () => {
  it.each([
    ['M1', undefined, 400, 'invalid_grant', 700082],
    ['M1', '50173', 400, 'invalid_grant', 50173],
    ['M1', '65001', 400, 'invalid_grant', 65001],
    ['M1', 'interaction_required', 400, 'interaction_required', 50076],
    ['M2', undefined, 401, 'invalid_client', 7000222],
  ])('%s %s fails one token request', async (name, variant, status, error, code) => {
    const { refresh_token } = await newTokens();
    await control.addFaults({ name, ...(variant ? { variant } : {}) });
    const refused = await refresh(refresh_token!);
    expect([refused.status, refused.body.error, refused.body.error_codes]).toEqual([status, error, [code]]);
    expect((await refresh(refresh_token!)).status).toBe(200);
  });

  it('M3 loses the response of a refresh, and leaves the old token valid or revoked', async () => {
    const { refresh_token } = await newTokens();
    await control.addFaults({ name: 'M3' });
    expect((await refresh(refresh_token!)).status).toBe(504);
    expect((await refresh(refresh_token!)).status).toBe(200);
    await control.addFaults({ name: 'M3', variant: 'revoked' });
    expect((await refresh(refresh_token!)).status).toBe(504);
    expect((await refresh(refresh_token!)).body).toMatchObject({ error_codes: [50173] });
  });
});

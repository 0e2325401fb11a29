import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createAuthorizationServer } from '../../test/harness/authorization-server.ts';
import { createTestDatabase } from '../../test/harness/test-app.ts';
import type { TestDatabase } from '../../test/harness/test-cluster.ts';
import { systemClock } from './clock.ts';
import { type DatabaseHandle, openDatabase } from './db.ts';
import { createLog } from './log.ts';
import { refreshGrant, revokeGrant } from './oauth.ts';
import { beginJourney, endJourney } from './oauth-journey.ts';
import { OAuthError } from './oauth-server.ts';
import type { BrowserNote } from './routes.ts';

let database: TestDatabase;
let handle: DatabaseHandle;
beforeAll(async () => {
  database = await createTestDatabase();
  handle = openDatabase({ url: database.url, log: await createLog({ level: 'silent', format: 'json' }) });
});
afterAll(async () => {
  await handle.close();
  await database.close();
});

const redirectUri = 'https://holdfast.example.org/provider/google/callback';
const purpose = 'connect google user-1';

function browser(): BrowserNote & { kept: string | null } {
  return {
    kept: null,
    leave(text) {
      this.kept = text;
    },
    take() {
      const text = this.kept;
      this.kept = null;
      return text;
    },
    read() {
      return this.kept;
    },
    hasOperatorKey: () => false,
  };
}

function world(options: { rotates?: boolean } = {}) {
  let aheadMs = 0;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  const server = createAuthorizationServer({ rotates: options.rotates ?? false, nowMs: clock.nowMs });
  const app = { apiFetch: server.fetch, clock, db: handle.db };
  const note = browser();
  return {
    server,
    app,
    note,
    wait(ms: number) {
      aheadMs += ms;
    },
    begin: () =>
      beginJourney(app, note, server.client, { purpose, redirectUri, scopes: ['openid', 'calendar'], luggage: 'bag' }),
    async end(parameters: URLSearchParams, how: { purpose?: string; note?: BrowserNote; redirectUri?: string } = {}) {
      const arrival = await endJourney(app, how.note ?? note, [how.purpose ?? purpose], parameters);
      return { ...(await arrival.finish(server.client, how.redirectUri ?? redirectUri)), luggage: arrival.luggage };
    },
  };
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OAuthError) return `${error.fault} ${error.code}`;
    throw error;
  }
  return 'none';
}

describe('OAuth authorization', () => {
  it('an OAuth authorization uses PKCE, state, and nonce, and returns tokens and a verified identity', async () => {
    const { begin, end, server } = world();
    const url = await begin();
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      client_id: 'holdfast',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid calendar',
      code_challenge_method: 'S256',
      access_type: 'offline',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThan(40);
    expect(url).not.toContain('secret');
    const { grant, identity, luggage } = await end(server.consent(url));
    expect(grant).toMatchObject({ accessToken: 'access-1', scopes: ['openid', 'calendar'] });
    expect(grant.refreshToken).toMatch(/^refresh-/);
    expect(identity).toMatchObject({
      issuer: 'https://login.example.org',
      subject: 'subject-1',
      email: 'dana@example.org',
    });
    expect(luggage).toBe('bag');
  });

  it.each([
    ['of another provider', { purpose: 'connect microsoft user-1' }, 'refused PURPOSE'],
    ['of another person', { purpose: 'connect google user-2' }, 'refused PURPOSE'],
    ['in another browser', { note: browser() }, 'refused NO_NOTE'],
    ['to another address than it was asked for', { redirectUri: `${redirectUri}/../x` }, 'grant invalid_grant'],
  ])('an OAuth callback %s is refused', async (_, how, fault) => {
    const { begin, end, server } = world();
    expect(await faultOf(end(server.consent(await begin()), how))).toBe(fault);
  });

  it.each([
    ['without a state', (parameters: URLSearchParams) => parameters.delete('state'), 'refused STATE'],
    ['with another state', (parameters: URLSearchParams) => parameters.set('state', 'x'), 'refused STATE'],
    ['with two states', (parameters: URLSearchParams) => parameters.append('state', 'x'), 'refused STATE'],
    [
      'with the name of another issuer',
      (parameters: URLSearchParams) => parameters.set('iss', 'https://evil.example'),
      'refused OAUTH_INVALID_RESPONSE',
    ],
    [
      'with a refusal in it',
      (parameters: URLSearchParams) => parameters.set('error', 'access_denied'),
      'grant access_denied',
    ],
    [
      'with tokens of the implicit flow',
      (parameters: URLSearchParams) => parameters.set('id_token', 'x.y.z'),
      'refused OAUTH_UNSUPPORTED_OPERATION',
    ],
  ])('an OAuth callback %s is refused before any token request', async (_, spoil, fault) => {
    const { begin, end, server } = world();
    const parameters = server.consent(await begin());
    spoil(parameters);
    expect(await faultOf(end(parameters))).toBe(fault);
    expect(server.seen.map(({ path }) => path)).not.toContain('/token');
  });

  it('an OAuth callback works once and not after ten minutes', async () => {
    const first = world();
    const url = await first.begin();
    const copy = first.note.kept;
    await first.end(first.server.consent(url));
    first.note.kept = copy;
    expect(await faultOf(first.end(first.server.consent(url)))).toBe('refused USED');
    const second = world();
    const parameters = second.server.consent(await second.begin());
    second.wait(600_000);
    expect(await faultOf(second.end(parameters))).toBe('refused EXPIRED');
  });

  it.each([
    ['a nonce of another sign-in', { nonce: 'x' }],
    ['the audience of another application', { aud: 'other' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['a time long gone', { iat: 1_000, exp: 2_000 }],
  ])('an ID token with %s is refused', async (_, claims) => {
    const { begin, end, server } = world();
    server.misbehaviour.claims = claims;
    expect(await faultOf(end(server.consent(await begin())))).toMatch(/^refused OAUTH_JWT/);
  });

  it('an ID token signed with an unknown key is refused', async () => {
    const { begin, end, server } = world();
    server.forge();
    expect(await faultOf(end(server.consent(await begin())))).toMatch(/^refused OAUTH_KEY/);
  });

  it('a multi-tenant issuer must match the tenant of the ID token', async () => {
    const tid = '72f988bf-86f1-41af-91ab-2d7cd011db47';
    for (const [claims, fault] of [
      [{ tid, iss: `https://login.example.org/${tid}` }, 'none'],
      [
        { tid, iss: 'https://login.example.org/11111111-1111-4111-8111-111111111111' },
        'refused OAUTH_JWT_CLAIM_COMPARISON_FAILED',
      ],
      [{ iss: 'https://login.example.org/{tenantid}x' }, 'refused OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
    ] as const) {
      const { begin, end, server } = world();
      server.client.server.issuer = 'https://login.example.org/{tenantid}';
      server.misbehaviour.claims = claims;
      expect(await faultOf(end(server.consent(await begin())))).toBe(fault);
    }
  });
});

describe('OAuth refresh', () => {
  const json = (status: number, body: object) => Response.json(body, { status });
  it.each([
    [
      '400 invalid_grant',
      () => json(400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }),
      'grant invalid_grant',
    ],
    [
      'a Workspace session policy',
      () => json(400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' }),
      'grant invalid_grant invalid_rapt',
    ],
    [
      'AADSTS50173',
      () =>
        json(400, { error: 'invalid_grant', error_description: 'AADSTS50173: The grant was revoked.\r\nTrace ID: 1' }),
      'grant invalid_grant AADSTS50173',
    ],
    ['interaction_required', () => json(400, { error: 'interaction_required' }), 'grant interaction_required'],
    ['401 invalid_client', () => json(401, { error: 'invalid_client' }), 'client invalid_client'],
    [
      '401 in a header',
      () => new Response('{}', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
      'client invalid_client',
    ],
    [
      'an expired client secret',
      () => json(401, { error: 'invalid_client', error_description: 'AADSTS7000222: expired' }),
      'client invalid_client AADSTS7000222',
    ],
    [
      'temporarily_unavailable',
      () => json(400, { error: 'temporarily_unavailable' }),
      'transient temporarily_unavailable',
    ],
    [
      '503 with a page',
      () => new Response('<h1>Sorry</h1>', { status: 503 }),
      'transient OAUTH_RESPONSE_IS_NOT_CONFORM',
    ],
    [
      '500 that says invalid_grant',
      () => json(500, { error: 'invalid_grant' }),
      'transient OAUTH_RESPONSE_IS_NOT_CONFORM',
    ],
    ['429', () => json(429, { error: 'rate_limited' }), 'transient rate_limited'],
    ['half an answer', () => new Response('{"access_token": "a', { status: 200 }), 'transient BAD_ANSWER'],
    ['silence', () => new TypeError('fetch failed'), 'transient UNREACHABLE'],
  ])('an OAuth refresh that gets %s is classified correctly', async (_, answer, fault) => {
    const { server, app } = world();
    server.misbehaviour.answers.push(answer());
    const work = refreshGrant({ fetch: app.apiFetch, nowMs: app.clock.nowMs }, server.client, server.newRefresh());
    expect(await faultOf(work)).toBe(fault);
  });
});

test('an OAuth grant is revoked, and revoking it twice succeeds', async () => {
  const { server, app } = world();
  const calls = { fetch: app.apiFetch, nowMs: app.clock.nowMs };
  const token = server.newRefresh();
  await revokeGrant(calls, server.client, token);
  expect(server.refreshTokens.size).toBe(0);
  await revokeGrant(calls, server.client, token);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import type { Endpoint } from '#kernel/contract.ts';
import { createSafeFetch } from '#platform/fetch.ts';
import { createLog } from '#platform/log.ts';
import { wireSchema } from '#platform/openapi.ts';
import { features } from '../../src/features.ts';
import { share } from '../harness/law-budget.ts';
import { leavesOf, sampleOf, withValue } from '../harness/sample-input.ts';
import { enrolUser } from '../harness/second-factor.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';

/**
 * Input that no client of ours sends, at every endpoint: generated from the contracts, so that new ones are included.
 */

const endpoints: Endpoint[] = features
  .flatMap((feature) => (feature.routes ?? []).flat())
  .map(({ endpoint }) => endpoint);
const writes = endpoints.filter(({ method, takesFile }) => method !== 'GET' && takesFile === undefined);

let server: TestApp;
let admin: TestUser;
beforeAll(async () => {
  const log = await createLog({ level: 'silent', format: 'json' });
  // Every name leads where we do not call: nothing is fetched.
  const fetch = createSafeFetch({ allowPrivate: [], log, lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
  server = await startTestApp({ role: 'web', fetch });
  admin = await enrolUser(server, await signUpUser(server, 'admin@example.org'));
});
afterAll(() => server.close());
beforeEach(() => sql`delete from platform.limits`.execute(server.app.db));

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

function addressOf({ path, params }: Endpoint): string {
  const values = (params ? sampleOf(wireSchema(params)) : {}) as Record<string, unknown>;
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

let calls = 0;
function call(endpoint: Endpoint, token: string, { body, url }: { body?: unknown; url?: string } = {}) {
  calls += 1;
  return server.inject({
    method: endpoint.method,
    url: url ?? addressOf(endpoint),
    remoteAddress: `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    ...(body === undefined ? {} : { payload: JSON.stringify(body), headers: jsonHeaders(token) }),
  });
}
const jsonHeaders = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

/** Fields of identity, role and ownership, which the server decides and a caller must not set. */
const claims = {
  role: 'admin',
  isAdmin: true,
  admin: true,
  tenantId: 't',
  userId: '0190a6de-5b7f-7cc5-8d5d-000000000001',
  user_id: '0190a6de-5b7f-7cc5-8d5d-000000000001',
  ownerId: 'o',
  plan: 'enterprise',
  emailVerified: true,
  email_verified_at: '2027-01-01T00:00:00Z',
  mfaEnabled: false,
  price: 0,
  id: '0190a6de-5b7f-7cc5-8d5d-000000000001',
  createdAt: '2020-01-01T00:00:00Z',
};

/** Calls whose specification has a user_id, with the rest of their query. */
const namedBySpecification: Record<string, string> = {
  'GET /calendars/availability': 'start_time=2027-03-08T14:00:00Z&end_time=2027-03-08T15:00:00Z',
  'GET /meetings': 'scope=upcoming',
};
/**
 * Where a colleague of a team is meant, never the caller: what that takes is in team-roles.test, and a host who is not of the
 * team is refused by the database. (`contact_owner_first` is a switch.)
 */
const namedAmongColleagues = [
  'DELETE /api/teams/{teamId}/members/{userId}: userId',
  'GET /api/teams/{team_id}/members/{user_id}/to-come: user_id',
  'PATCH /api/teams/{teamId}/members/{userId}: role',
  'PATCH /api/teams/{teamId}/members/{userId}: userId',
  'POST /api/event-types: hosts.0.user_id',
  'POST /api/event-types: settings.contact_owner_first',
  'POST /api/routing/forms: definition.fallback.contact_owner_first',
  'POST /api/routing/forms: definition.fallback.user_ids.0',
  'POST /api/routing/forms: definition.rules.0.action.contact_owner_first',
  'POST /api/routing/forms: definition.rules.0.action.user_ids.0',
  'POST /api/routing/submissions/{submission_id}/reroute: action.contact_owner_first',
  'POST /api/routing/submissions/{submission_id}/reroute: action.user_ids.0',
  'POST /api/routing/submissions/{submission_id}/reroute: to_user_id',
  'POST /api/routing/test: definition.fallback.contact_owner_first',
  'POST /api/routing/test: definition.fallback.user_ids.0',
  'POST /api/routing/test: definition.rules.0.action.contact_owner_first',
  'POST /api/routing/test: definition.rules.0.action.user_ids.0',
  'POST /api/routing/test: facts.contact.owner',
  'POST /api/teams/{teamId}/invitations: role',
  'POST /api/teams/{team_id}/stand-ins: to_user_id',
  'POST /api/teams/{team_id}/stand-ins: user_id',
  'PUT /api/contacts/{id}/owners/{team_id}: user_id',
  'PUT /api/event-types/{id}: hosts.0.user_id',
  'PUT /api/event-types/{id}: settings.contact_owner_first',
  'PUT /api/routing/forms/{id}: definition.fallback.contact_owner_first',
  'PUT /api/routing/forms/{id}: definition.fallback.user_ids.0',
  'PUT /api/routing/forms/{id}: definition.rules.0.action.contact_owner_first',
  'PUT /api/routing/forms/{id}: definition.rules.0.action.user_ids.0',
  'PUT /api/teams/{teamId}/transfer: user_id',
];

describe('CVE-2025-61928, CVE-2026-23478: identity claims in input', () => {
  test('every endpoint that writes refuses extra role, owner, plan, and id fields', async () => {
    expect(writes.length).toBeGreaterThan(50);
    for (const endpoint of writes) {
      const schema = endpoint.body ? wireSchema(endpoint.body) : {};
      const known = Object.keys((schema.properties ?? {}) as object);
      const extra = Object.fromEntries(Object.entries(claims).filter(([key]) => !known.includes(key)));
      const sample = (endpoint.body ? sampleOf(schema) : {}) as object;
      const answer = await call(endpoint, admin.token, { body: { ...sample, ...extra } });
      expect([answer.statusCode, nameOf(endpoint)]).toEqual([400, nameOf(endpoint)]);
      const told = Object.entries(answer.json().detail.fields as Record<string, string>);
      const refused = told.filter(([, why]) => why === 'Unknown field').map(([key]) => key);
      expect(refused, nameOf(endpoint)).toEqual(expect.arrayContaining(Object.keys(extra)));
    }
  });

  test('no endpoint takes the id of another user, except for colleagues of a team', () => {
    // admin calls may name any person, and are refused to everybody else
    const others = endpoints.filter(({ auth }) => auth !== 'admin');
    const named = others.flatMap((endpoint) =>
      ([endpoint.params, endpoint.query, endpoint.body] as const).flatMap((part) =>
        part ? leavesOf(sampleOf(wireSchema(part))).map((path) => `${nameOf(endpoint)}: ${path.join('.')}`) : [],
      ),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(
      named.filter((one) => /user_?id|tenant|owner|role|is_?admin|verified/i.test(one.split(': ')[1] ?? '')).sort(),
    ).toEqual([...Object.keys(namedBySpecification).map((name) => `${name}: user_id`), ...namedAmongColleagues].sort());
  });

  test('endpoints with a user_id in their specification refuse the id of another user', async () => {
    const user = await signUpUser(server, 'named@example.org');
    const headers = { authorization: `Bearer ${user.token}` };
    for (const [name, query] of Object.entries(namedBySpecification)) {
      const url = (userId: string) => `${name.replace('GET ', '')}?${query}&user_id=${userId}`;
      expect((await server.inject({ url: url(admin.userId), headers })).statusCode, name).toBe(403);
      expect((await server.inject({ url: url(user.userId), headers })).statusCode, name).toBe(200);
    }
  });

  test('CVE-2023-3700: GET endpoints refuse a user_id in the query', async () => {
    const reads = endpoints.filter(
      (endpoint) =>
        endpoint.method === 'GET' &&
        endpoint.sendsTo === undefined &&
        namedBySpecification[nameOf(endpoint)] === undefined,
    );
    expect(reads.length).toBeGreaterThan(20);
    for (const endpoint of reads) {
      const url = `${addressOf(endpoint)}?user_id=${admin.userId}`;
      const answer = await call(endpoint, admin.token, { url });
      expect([answer.statusCode, nameOf(endpoint)]).toEqual([400, nameOf(endpoint)]);
      expect(answer.json().detail.fields, nameOf(endpoint)).toMatchObject({ user_id: 'Unknown field' });
    }
  });
});

/** Rows 15 to 17 and 20 to 23 of the plan, and values of other types. */
const hostile: unknown[] = [
  '<script>alert(1)</script>',
  "'; drop table accounts.users; --",
  "{{constructor.constructor('return 1')()}}#{7*7}<%= 7*7 %>",
  'a@b.example\r\nBcc: all@example.org',
  'a\u0000b',
  'a\ud800b',
  '\u202Egnp.exe\u200b',
  `a${'\u0301'.repeat(400)}`,
  '👩‍👩‍👧‍👦'.repeat(1_000),
  '%_%\\',
  '../../etc/passwd',
  'x'.repeat(5_000),
  `${'(a+)+$'}${'a'.repeat(60)}!`,
  '2027-13-45T99:99:99Z',
  '',
  -1,
  1e308,
  true,
  null,
  [],
  ['x'],
  { constructor: { prototype: { polluted: 1 } } },
];

test('no hostile value in any body field causes a server error', { timeout: 300_000 }, async () => {
  let asked = 0;
  for (const endpoint of writes) {
    if (endpoint.body === undefined) continue;
    let { token } = endpoint.auth === 'admin' ? admin : await signUpUser(server, `hostile-${asked}@example.org`);
    const sample = sampleOf(wireSchema(endpoint.body));
    for (const [turn, path] of leavesOf(sample).entries()) {
      await sql`delete from platform.limits`.execute(server.app.db);
      for (const value of share(hostile, turn)) {
        const answer = await call(endpoint, token, { body: withValue(sample, path, value) });
        asked += 1;
        const what = `${nameOf(endpoint)} ${path.join('.')} = ${JSON.stringify(value).slice(0, 40)}: ${answer.body.slice(0, 200)}`;
        expect(answer.body, what).not.toContain('INTERNAL');
        // 503: what is asked for is not set up on this server
        if (answer.statusCode !== 503) expect(answer.statusCode, what).toBeLessThan(500);
        // a change of what proves who they are gives a new token
        const given = /"session_token":"([^"]+)"/.exec(answer.body)?.[1];
        if (given !== undefined && endpoint.auth !== 'public') token = given;
      }
    }
  }
  expect(asked).toBeGreaterThan(1_000);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('no hostile value in any path causes a server error', { timeout: 120_000 }, async () => {
  const values = [
    "'; drop table x; --",
    '%00',
    '%ff',
    '..%2f..%2fetc%2fpasswd',
    '-1',
    'x'.repeat(99),
    '%F0%9F%91%A9',
    '__proto__',
  ];
  const named = endpoints.filter(({ params }) => params !== undefined);
  expect(named.length).toBeGreaterThan(15);
  const { token } = await signUpUser(server, 'paths@example.org');
  for (const endpoint of named) {
    for (const value of values) {
      const url = endpoint.path.replace(/\{[^}]+\}/g, value);
      const answer = await call(endpoint, token, { url });
      expect(answer.statusCode, `${nameOf(endpoint)} ${value}: ${answer.body}`).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode, `${nameOf(endpoint)} ${value}: ${answer.body}`).toBeLessThan(500);
    }
  }
});

test('GHSA-xmf8-cvqr-rfgj: no hostile header causes a server error or signs anybody in', async () => {
  const cookies = [
    'holdfast=%zz',
    'holdfast=%00',
    `holdfast=${'x'.repeat(9_000)}`,
    'holdfast=a; holdfast=b',
    '=;;;=;',
    '__proto__=x; constructor=y',
    'holdfast-note=garbage; holdfast-passkey=garbage',
    'holdfast="',
  ];
  const authorizations = [
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Bearer ${'x'.repeat(9_000)}`,
    'Basic eDp5',
    'Bearer %00',
    'Digest username="x"',
    'bearer\tx',
    'Bearer é',
  ];
  const others = [
    { 'x-user-id': 'admin', 'x-role': 'admin', 'x-forwarded-user': 'admin', 'x-remote-user': 'admin' },
    { 'x-middleware-subrequest': 'middleware', 'x-original-url': '/api/admin/settings', 'x-rewrite-url': '/healthz' },
    { accept: 'a/b;q=x,,,;' },
    { origin: 'not an origin', 'sec-fetch-site': 'what' },
    { 'user-agent': '\u0080\u00ff'.repeat(100) },
    { 'accept-language': '*;q=2,,' },
  ];
  const headers = [
    ...cookies.map((cookie) => ({ cookie })),
    ...authorizations.map((authorization) => ({ authorization })),
    ...others,
  ];
  const { token, provider } = { token: 'x', provider: 'google' };
  for (const one of headers) {
    for (const url of ['/auth/profile', '/api/admin/settings']) {
      const { statusCode } = await server.inject({ url, headers: { ...one } as Record<string, string> });
      expect(statusCode, `${url} ${JSON.stringify(one).slice(0, 80)}`).toBe(401);
    }
    const callback = await server.inject({
      url: '/auth/oauth/google/callback?state=x&code=y',
      headers: { accept: 'application/json', ...one } as Record<string, string>,
    });
    expect(callback.statusCode, JSON.stringify(one)).toBe(303);
    const exchange = await server.inject({
      method: 'POST',
      url: '/auth/oauth/exchange',
      payload: { token, provider },
      headers: { ...one } as Record<string, string>,
    });
    expect([403, 410], JSON.stringify(one)).toContain(exchange.statusCode);
  }
});

test('GHSA-vgj7-76cw-h6f8: markup and template syntax in a profile are stored and returned as text', async () => {
  const user = await signUpUser(server, 'markup@example.org');
  for (const name of ['<img src=x onerror=alert(1)>', '{{7*7}}', '#{7*7}', "=cmd|'/C calc'!A0"]) {
    const profile = await user.as(accountsContract).changeProfile({ body: { name, company: name } });
    expect([profile.name, profile.company]).toEqual([name, name]);
  }
  const turned = await user
    .as(accountsContract)
    .changeProfile({ body: { name: '\u202Egnp.exe', company: 'a\u200bb' } });
  expect([turned.name, turned.company]).toEqual(['gnp.exe', 'ab']);
  const { headers } = await server.inject({ url: '/auth/profile', headers: { authorization: `Bearer ${user.token}` } });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-content-type-options']).toBe('nosniff');
});

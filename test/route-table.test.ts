import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathParameters } from '#kernel/contract.ts';
import { features } from '../src/features.ts';
import { builtPages } from './harness/built-pages.ts';
import { enrolUser } from './harness/second-factor.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';
import { type Row, routeTable } from './route-table.ts';

let server: TestApp;
let address: string;
let people: Record<Person, TestUser>;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', http: { pageRoot: await builtPages() } });
  address = await server.listen();
  people = {
    adminWithoutMfa: await openPerson('adminWithoutMfa', 'admin-without-mfa@example.org'),
    admin: await openPerson('admin', 'admin@example.org'),
    user: await openPerson('user', 'user@example.org'),
    other: await openPerson('other', 'other@example.org'),
  };
});
afterAll(() => server.close());

const served = features.flatMap((feature) => (feature.routes ?? []).flat()).map(({ endpoint }) => endpoint);

test('Gecko 2026-01: the route table has exactly one row for every served route', async () => {
  const document = (await server.inject({ url: '/api/openapi.json' })).json();
  const contracts = served.map(({ method, path }) => `${method} ${path}`);
  const documented = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(contracts.toSorted());
  const others = server.routes().map(({ method, url }) => `${method} ${url.replace(/:([^/]+)/g, '{$1}')}`);
  const table = routeTable.map((row) => row.route as string);
  expect(table.length).toBe(new Set(table).size);
  expect(table.toSorted()).toEqual([...new Set([...contracts, ...others])].toSorted());
});

test('CVE-2023-3700: routes with an id of a user’s data answer 404 to every other caller', () => {
  // parameters that name no person: providers, kinds of feed, secret names, and public booking addresses
  const anybodys = new Set(['name', 'provider', 'content', 'file', 'handle', 'slug', 'token', 'hold_id']);
  // administrators may name any person; the rows of those routes have their own expectations
  const named = routeTable.filter(
    ({ route }) => !route.includes(' /api/admin/') && pathParameters(route).some((name) => !anybodys.has(name)),
  );
  expect(named.length).toBeGreaterThan(12);
  for (const { route, expect: answers } of named) {
    const { other, admin, adminWithoutMfa } = answers;
    expect([other, admin, adminWithoutMfa], route).toEqual([404, 404, 404]);
  }
});

const callers = ['anonymous', 'other', 'adminWithoutMfa', 'admin', 'user'] as const;
type Caller = (typeof callers)[number];
type Person = Exclude<Caller, 'anonymous'>;

async function openPerson(kind: Person, email: string): Promise<TestUser> {
  const person = await signUpUser(server, email);
  const role = kind === 'admin' || kind === 'adminWithoutMfa' ? 'admin' : 'user';
  await sql`update accounts.users set role = ${role} where id = ${person.userId}`.execute(server.app.db);
  return kind === 'admin' ? enrolUser(server, person) : person;
}

async function tokenFor(caller: Caller, row: Row): Promise<string | undefined> {
  if (caller === 'anonymous') return undefined;
  // sessions of these people are needed later, so ending one uses a new person
  if (row.endsSession) return (await openPerson(caller, `${caller}-${row.route.replace(/\W/g, '')}@example.org`)).token;
  return people[caller].token;
}

/** Over a real connection, as an event stream never ends in process. */
async function ask(row: Row, token: string | undefined, values: Record<string, string>) {
  const [method = '', path = ''] = row.route.split(' ');
  const asked = typeof row.query === 'function' ? row.query(values) : row.query;
  const query = asked ? `?${new URLSearchParams(asked).toString()}` : '';
  const url = path.replace(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? '') + query;
  const body = typeof row.body === 'function' ? row.body(values) : row.body;
  const response = await fetch(address + url, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(row.file === undefined ? {} : { 'content-type': row.fileType ?? 'image/png' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(row.file === undefined ? {} : { body: row.file }),
  });
  // an event stream never ends
  const isRefused = response.status >= 400;
  const text = isRefused ? (await response.text()).slice(0, 300) : '';
  if (!isRefused) await response.body?.cancel();
  return { status: response.status, text };
}

for (const row of routeTable) {
  test(`${row.route} answers each kind of caller with the expected status`, async () => {
    const { anonymous, user, other = user, admin = user, adminWithoutMfa = user } = row.expect;
    const wanted = { anonymous, other, adminWithoutMfa, admin, user };
    const given: Record<string, number> = {};
    const refusals: string[] = [];
    for (const caller of callers) {
      const values = (await row.own?.(server, people.user)) ?? {};
      expect(Object.keys(values)).toEqual(expect.arrayContaining(pathParameters(row.route)));
      const { status, text } = await ask(row, await tokenFor(caller, row), values);
      given[caller] = status;
      if (text !== '') refusals.push(`${caller}: ${text}`);
    }
    expect(given, refusals.join('\n')).toEqual(wanted);
    const endpoint = served.find(({ method, path }) => `${method} ${path}` === row.route);
    if (endpoint && endpoint.auth !== 'public') expect(given.anonymous).toBe(401);
    if (endpoint?.auth === 'admin') expect([given.user, given.adminWithoutMfa]).toEqual([403, 403]);
  });
}

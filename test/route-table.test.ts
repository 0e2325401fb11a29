import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathParameters } from '#kernel/contract.ts';
import { features } from '../src/features.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';
import { type Row, routeTable } from './route-table.ts';

let server: TestApp;
let address: string;
let people: Record<'admin' | 'user' | 'other', TestUser>;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  address = await server.listen();
  const admin = await signUpUser(server, 'admin@example.org');
  people = {
    admin,
    user: await signUpUser(server, 'user@example.org'),
    other: await signUpUser(server, 'other@example.org'),
  };
});
afterAll(() => server.close());

const served = features.flatMap((feature) => (feature.routes ?? []).flat()).map(({ endpoint }) => endpoint);

test('every route that is served has a row, and no row is about nothing', async () => {
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

/** Over a real connection, as an event stream never ends in process. */
type Caller = 'anonymous' | 'admin' | 'user' | 'other';

const tokenOf = (caller: Caller) => (caller === 'anonymous' ? undefined : people[caller].token);

async function ask(row: Row, token: string | undefined, values: Record<string, string>) {
  const [method = '', path = ''] = row.route.split(' ');
  const query = row.query ? `?${new URLSearchParams(row.query).toString()}` : '';
  const url = path.replace(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? '') + query;
  const body = typeof row.body === 'function' ? row.body(values) : row.body;
  const response = await fetch(address + url, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.body?.cancel();
  return response.status;
}

for (const row of routeTable) {
  test(`${row.route} answers each kind of caller as it should`, async () => {
    const { anonymous, user, other = user, admin = user } = row.expect;
    const wanted = { anonymous, other, admin, user };
    const given: Record<string, number> = {};
    for (const caller of ['anonymous', 'other', 'admin', 'user'] as const) {
      // Whoever signs out is needed again.
      const leaves = row.route === 'POST /auth/logout' && caller !== 'anonymous';
      const token = leaves ? (await signUpUser(server, `${caller}-leaves@example.org`)).token : tokenOf(caller);
      const values = (await row.own?.(server, people.user)) ?? {};
      expect(Object.keys(values)).toEqual(expect.arrayContaining(pathParameters(row.route)));
      given[caller] = await ask(row, token, values);
    }
    expect(given).toEqual(wanted);
    const endpoint = served.find(({ method, path }) => `${method} ${path}` === row.route);
    if (endpoint && endpoint.auth !== 'public') expect(given.anonymous).toBe(401);
    if (endpoint?.auth === 'admin') expect(given.user).toBe(403);
  });
}

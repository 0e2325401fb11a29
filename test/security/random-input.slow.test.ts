import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Endpoint, generalErrors, pathParameters } from '#kernel/contract.ts';
import { createSafeFetch } from '#platform/fetch.ts';
import { createLog } from '#platform/log.ts';
import { wireSchema } from '#platform/openapi.ts';
import { features } from '../../src/features.ts';
import { builtPages } from '../harness/built-pages.ts';
import { runs, share } from '../harness/law-budget.ts';
import { leavesOf, sampleOf, withValue } from '../harness/sample-input.ts';
import { enrolUser } from '../harness/second-factor.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';
import { type Row, routeTable } from '../route-table.ts';

/**
 * Random requests to everything that is served, by somebody whose objects are there: the rows of the route table with some
 * of their values replaced. A seed is in the title of its test.
 */

const lines: string[] = [];
let server: TestApp;
let admin: TestUser;
beforeAll(async () => {
  const log = await createLog({
    level: 'warn',
    format: 'json',
    destination: { write: (line) => void lines.push(line) },
  });
  // Every name leads where we do not call: nothing is fetched.
  const fetch = createSafeFetch({ allowPrivate: [], log, lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
  server = await startTestApp({ role: 'web', fetch, log, http: { pageRoot: await builtPages() } });
  admin = await newPerson(0, 'admin');
}, 120_000);
afterAll(() => server.close());

const endpoints = new Map<string, Endpoint>(
  features.flatMap((feature) => (feature.routes ?? []).flat()).map(({ endpoint }) => [nameOf(endpoint), endpoint]),
);
function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

let people = 0;
async function newPerson(seed: number, role: 'user' | 'admin'): Promise<TestUser> {
  people += 1;
  const person = await signUpUser(server, `random-${seed}-${people}@example.org`);
  await sql`update accounts.users set role = ${role} where id = ${person.userId}`.execute(server.app.db);
  return role === 'admin' ? enrolUser(server, person) : person;
}

/** Values that no form of ours sends, or that no column holds. */
const values: unknown[] = [
  'a\u0000b',
  'a\u001fb',
  'a\ud800b',
  '\u202e\u200b\ufeff',
  'x',
  '',
  'x'.repeat(3_000),
  '👩‍👩‍👧‍👦'.repeat(20),
  "'; drop table x; --",
  '%00',
  '../../x',
  '2147483648',
  '99999999999999',
  '-1',
  '0a67b21f-1b86-e227-0382-c65c67deb6e1',
  '0190A6DE-5B7F-7CC5-8D5D-000000000001',
  '2027-02-30',
  '9999-12-31T23:59:59Z',
  '2027-03-08T09:00:00.123Z',
  'Europe/Berlin',
  'FREQ=SECONDLY',
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e308,
  0.1,
  0,
  -1,
  1,
  true,
  null,
  [],
  ['x', 'x'],
  {},
  { kind: 'days', first: 'x', last: 'z' },
];
const parts = values.filter((value) => typeof value === 'string' && value !== '').map((value) => String(value));

interface Question {
  url: string;
  body: unknown;
}

/** The row's own request with some of its values replaced; a body also with what is optional, and without some keys. */
function questionOf(row: Row, own: Record<string, string>, endpoint: Endpoint | undefined): fc.Arbitrary<Question> {
  const [, path = ''] = row.route.split(' ');
  const rowQuery = typeof row.query === 'function' ? row.query(own) : (row.query ?? {});
  const rowBody = typeof row.body === 'function' ? row.body(own) : row.body;
  const schema = endpoint?.body && endpoint.takesFile === undefined ? wireSchema(endpoint.body) : undefined;
  const sample = schema === undefined ? undefined : sampleOf(schema);
  const bodies = [rowBody, sample, { ...(sample as object), ...rowBody }].filter((one) => one !== undefined);
  const queries = [
    rowQuery,
    { ...(endpoint?.query ? (sampleOf(wireSchema(endpoint.query)) as object) : {}), ...rowQuery },
  ];
  const some = <T>(from: readonly T[], max: number) =>
    fc.subarray([...from], { maxLength: Math.min(max, from.length) });

  const params = fc
    .tuple(
      ...pathParameters(path).map((name) => fc.option(fc.constantFrom(...parts), { freq: 4, nil: own[name] ?? 'x' })),
    )
    .map((given) =>
      given.reduce<string>(
        (url, value) => url.replace(/\{[^}]+\}/, () => encodeURIComponent(value.toWellFormed())),
        path,
      ),
    );
  const query = fc
    .constantFrom(...queries)
    .chain((base) =>
      fc
        .tuple(some(Object.keys(base), 2), fc.constantFrom(...parts))
        .map(
          ([keys, value]) =>
            new URLSearchParams({ ...base, ...Object.fromEntries(keys.map((key) => [key, value])) } as Record<
              string,
              string
            >),
        ),
    );
  const body = fc
    .constantFrom(...(bodies.length === 0 ? [undefined] : bodies))
    .chain((base) =>
      fc
        .tuple(some(leavesOf(base), 3), fc.array(fc.constantFrom(...values), { minLength: 3, maxLength: 3 }))
        .map(([leaves, put]) => leaves.reduce((whole: unknown, leaf, at) => withValue(whole, leaf, put[at]), base)),
    );
  return fc.record({
    url: fc.tuple(params, query).map(([at, search]) => (search.size === 0 ? at : `${at}?${search.toString()}`)),
    body,
  });
}

let calls = 0;
async function ask(row: Row, { url, body }: Question, token: string | null) {
  calls += 1;
  const isPage = row.route.startsWith('POST ') && !endpoints.has(row.route);
  const form = isPage
    ? new URLSearchParams(Object.entries(body ?? {}).map(([key, value]) => [key, String(value)]))
    : null;
  return server.inject({
    method: row.route.split(' ')[0] as 'GET',
    url,
    // from somewhere else each time
    remoteAddress: `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
    headers: {
      accept: endpoints.has(row.route) ? 'application/json' : 'text/html',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(row.file === undefined ? {} : { 'content-type': row.fileType ?? 'image/png' }),
      ...(row.file !== undefined || body === undefined
        ? {}
        : { 'content-type': isPage ? 'application/x-www-form-urlencoded' : 'application/json' }),
    },
    ...(row.file === undefined
      ? body === undefined
        ? {}
        : { payload: form === null ? JSON.stringify(body) : form.toString() }
      : { payload: Buffer.from(row.file) }),
  });
}

const isAlive = async (token: string) =>
  (await server.inject({ url: '/auth/profile', headers: { authorization: `Bearer ${token}` } })).statusCode === 200;

/** An answer that never ends has no place here. */
const asked = routeTable.filter(({ route }) => route !== 'GET /api/stream');

test.each(share([1, 2], 0))(
  'no random request to anything that is served causes a server error or an undeclared one, seed %i',
  {
    timeout: 600_000,
  },
  async (seed) => {
    let user = await newPerson(seed, 'user');
    let operator = admin;
    for (const row of asked) {
      await sql`delete from platform.limits`.execute(server.app.db);
      const endpoint = endpoints.get(row.route);
      if (!(await isAlive(user.token))) user = await newPerson(seed, 'user');
      if (!(await isAlive(operator.token))) operator = await newPerson(seed, 'admin');
      const who = endpoint?.auth === 'admin' ? operator : user;
      const own = (await row.own?.(server, who)) ?? {};
      const questions = fc.sample(questionOf(row, own, endpoint), { seed, numRuns: runs(16) });
      for (const [at, question] of questions.entries()) {
        const before = lines.length;
        const token = endpoint?.auth === 'public' && at % 2 === 1 ? null : who.token;
        const answer = await ask(row, question, token);
        const what = `${row.route} ${JSON.stringify(question).slice(0, 600)}: ${answer.body.slice(0, 300)}\n${lines.slice(before).join('').slice(0, 2_000)}`;
        // 503: what is asked for is not set up on this server
        if (answer.statusCode !== 503) expect(answer.statusCode, what).toBeLessThan(500);
        const told = lines.slice(before).filter((line) => /a request failed|does not declare/.test(line));
        expect(told, what).toEqual([]);
        if (endpoint === undefined || answer.statusCode < 400) continue;
        const { code } = answer.json().detail as { code: string };
        expect([...Object.keys(generalErrors), ...(endpoint.errors ?? [])], what).toContain(code);
      }
    }
    expect(calls).toBeGreaterThan(1_000);
  },
);

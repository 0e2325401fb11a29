import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '#platform/config.ts';
import { features } from '../../src/features.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';
import { routeTable } from '../route-table.ts';

/**
 * The exposed surface and its dependencies: rows 55, 56, 80 and 94, and the advisories about fail-open and
 * dependencies.
 */

const root = join(import.meta.dirname, '../..');
const endpoints = features.flatMap((feature) => (feature.routes ?? []).flat()).map(({ endpoint }) => endpoint);

let server: TestApp;
let person: TestUser;
beforeAll(async () => {
  const config = loadConfig({ PUBLIC_URL: 'https://calendar.example.org', HOST: '127.0.0.1', PORT: '0' });
  expect(config.environment).toBe('production');
  server = await startTestApp({ role: 'web', config: { ...config, role: 'web' } });
  person = await signUpUser(server, 'person@example.org');
});
afterAll(() => server.close());

const as = (user: TestUser) => ({ authorization: `Bearer ${user.token}` });

describe('public server', () => {
  test('a public server serves no development pages, source files, or internal routes', async () => {
    for (const url of [
      '/dev/mail',
      '/dev/mail/1/html',
      '/.env',
      '/.git/config',
      '/package.json',
      '/src/main.ts',
      '/node_modules/pg/package.json',
      '/assets/index.js.map',
      '/_internal',
      '/debug',
      '/api/debug',
      '/api/internal/users',
      '/server-status',
      '/actuator/env',
      '/graphql',
    ]) {
      for (const accept of ['application/json', '*/*']) {
        const { statusCode } = await server.inject({ url, headers: { ...as(person), accept } });
        expect(statusCode, url).toBe(404);
      }
    }
    expect(server.routes().filter(({ url }) => url.startsWith('/dev/'))).toEqual([
      { method: 'POST', url: '/dev/simulate/connect' },
      { method: 'POST', url: '/dev/simulate/credential' },
    ]);
    for (const [url, payload] of [
      ['/dev/simulate/connect', { provider: 'google' }],
      ['/dev/simulate/credential', { kind: 'slack-bot' }],
    ] as const) {
      const simulated = await server.inject({ method: 'POST', url, headers: as(person), payload });
      expect(simulated.statusCode, url).toBe(404);
    }
    const metrics = await server.inject({ url: '/metrics', remoteAddress: '198.51.100.7' });
    expect(metrics.statusCode).toBe(404);
  });

  test('the session cookie is bound to host and HTTPS, and no session is read from a URL', async () => {
    const { token } = person;
    const profile = (headers: Record<string, string>, query = '') =>
      server.inject({ url: `/auth/profile${query}`, headers });
    expect((await profile({ cookie: `__Host-holdfast=${token}` })).statusCode).toBe(200);
    expect((await profile({ cookie: `holdfast=${token}` })).statusCode).toBe(401);
    for (const name of ['token', 'session', 'session_token', 'access_token', 'sid']) {
      expect((await profile({}, `?${name}=${token}`)).statusCode, name).toBe(401);
    }
    const out = await server.inject({
      method: 'POST',
      url: '/auth/logout',
      headers: { cookie: '__Host-holdfast=x', origin: 'https://calendar.example.org' },
    });
    expect(String(out.headers['set-cookie'])).toMatch(
      /^__Host-holdfast=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('the first sign-up is no administrator, and admin routes refuse users whatever a request claims', async () => {
    await server.inject({
      method: 'POST',
      url: '/auth/signup',
      payload: { email: 'first@example.org', password: 'orchard lantern ninety' },
    });
    const { rows } = await sql<{ role: string }>`
      select role from accounts.users where email = 'first@example.org'`.execute(server.app.db);
    expect(rows).toEqual([{ role: 'user' }]);
    const user = await signUpUser(server, 'ordinary@example.org');
    const ofAdmins = routeTable.filter(({ expect: { admin, user: plain } }) => admin === 200 && plain === 403);
    expect(ofAdmins.length).toBeGreaterThan(1);
    for (const headers of [
      {},
      { 'x-role': 'admin', 'x-admin': 'true', 'x-user-role': 'admin' },
      { cookie: 'role=admin; isAdmin=true' },
      { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
    ]) {
      for (const row of ofAdmins) {
        const [method, url = ''] = row.route.split(' ');
        const answer = await server.inject({
          method: method as 'GET',
          url,
          headers: { ...as(user), ...headers },
          ...(row.body === undefined ? {} : { payload: row.body as object }),
        });
        expect([answer.statusCode, answer.json().detail.code], row.route).toEqual([403, 'FORBIDDEN']);
      }
    }
  });
});

describe('GHSA-8fpg-xm3f-6cx3: broken or missing parts', () => {
  const guarded = routeTable.filter(({ route }) =>
    endpoints.some(({ method, path, auth }) => auth !== 'public' && `${method} ${path}` === route),
  );
  const ask = async (app: TestApp, row: (typeof guarded)[number]) => {
    const [method, path = ''] = row.route.split(' ');
    const url = path.replace(/\{[^}]+\}/g, '0190a6de-5b7f-7cc5-8d5d-000000000001');
    return app.inject({ method: method as 'GET', url, headers: as(person) });
  };

  test('every protected route answers 401 when no feature authenticates', async () => {
    const open = features.map((feature) => {
      const { authenticate, ...others } = feature;
      return authenticate === undefined ? feature : others;
    });
    const app = await startTestApp({ role: 'web', features: open, database: server.database });
    try {
      expect(guarded.length).toBeGreaterThan(40);
      for (const row of guarded) expect((await ask(app, row)).statusCode, row.route).toBe(401);
    } finally {
      await app.close();
    }
  });

  test('every protected route fails without details when sessions cannot be read', async () => {
    await sql`alter table accounts.sessions rename to sessions_gone`.execute(server.app.db);
    try {
      for (const row of guarded) {
        const answer = await ask(server, row);
        expect([answer.statusCode, answer.json().detail.code], row.route).toEqual([500, 'INTERNAL']);
        expect(answer.body).not.toMatch(/sessions|relation|select/);
      }
    } finally {
      await sql`alter table accounts.sessions_gone rename to sessions`.execute(server.app.db);
    }
  });

  test('an incomplete or weak setting prevents the start', () => {
    for (const half of [
      { GOOGLE_CLIENT_ID: 'x' },
      { MICROSOFT_CLIENT_SECRET: 'x' },
      { APPLE_CLIENT_ID: 'x', APPLE_TEAM_ID: 'ABCDEFGHIJ' },
      { ENCRYPTION_KEYS: 'k1:changeme' },
      { ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}` },
      { METRICS_TOKEN: 'short' },
      { PUBLIC_URL: 'https://calendar.example.org/somewhere' },
      { TRUST_PROXY: 'everybody' },
    ]) {
      expect(() => loadConfig(half), JSON.stringify(half)).toThrow(ConfigError);
    }
  });
});

test('CVE-2025-55182, GHSA-qjx2-5xqp-cpf4: no dependency is known to run code from requests, and all are pinned by hash', async () => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string; link?: boolean; hasInstallScript?: boolean; resolved?: string }>;
  };
  const names = Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1) ?? '');
  expect(names.length).toBeGreaterThan(200);
  expect(
    names.filter((name) => /^(react-server-dom|next$|vm2$|node-serialize$|serialize-to-js$|ejs$|pug$)/.test(name)),
  ).toEqual([]);
  // pinned by content, so that a hijacked release is not installed
  for (const [path, { integrity, link }] of Object.entries(lock.packages)) {
    if (path !== '' && link !== true) expect(integrity, path).toMatch(/^sha512-/);
  }
});

test('GHSA-vgj7-76cw-h6f8: no screen or page turns text into markup or code', async () => {
  const names = await readdir(join(root, 'src'), { recursive: true });
  const sources = names.filter((name) => /\.(tsx?|html)$/.test(name) && !/\.test\./.test(name));
  expect(sources.length).toBeGreaterThan(400);
  const makesMarkup =
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|createContextualFragment|\beval\(|new Function\(|\bsetTimeout\(\s*['"`]|<script(?![^>]*\bsrc=)/;
  // Page documents include one script of the build, the only one their policy lets run:
  // src/platform/page-route.test.ts. Texts of people are escaped there as everywhere. The mail page has one constant
  // script, which its policy allows by hash: src/platform/mail-page.test.ts.
  const writeDocuments = [join('platform', 'page-document.ts'), join('platform', 'mail-page.ts')];
  for (const name of sources) {
    if (writeDocuments.includes(name)) continue;
    const text = await readFile(join(root, 'src', name), 'utf8');
    expect(makesMarkup.exec(text)?.[0], name).toBeUndefined();
  }
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import { builtApp } from '../harness/built-app.ts';
import { builtPages } from '../harness/built-pages.ts';
import { dumpDatabase } from '../harness/dump-database.ts';
import { enrolUser } from '../harness/second-factor.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';
import { type Row, routeTable } from '../route-table.ts';

/**
 * Requests that another site can make a browser send, at every route: rows 57 to 59 and 78 of the security test plan.
 */

const builtFiles = async () => ({ webRoot: builtApp, pageRoot: await builtPages() });

let server: TestApp;
let person: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', http: await builtFiles() });
  person = await enrolUser(server, await signUpUser(server, 'person@example.org'));
});
afterAll(() => server.close());

/** A channel of a provider or a mail program proves itself by what it brings; no cookie counts there. */
const raw = new Set(
  features.flatMap((feature) => feature.rawRoutes ?? []).map(({ method, path }) => `${method} ${path}`),
);
const endpoints = features.flatMap((feature) => (feature.routes ?? []).flat()).map(({ endpoint }) => endpoint);

async function addressOf(row: Row): Promise<{ method: 'GET' | 'POST'; url: string }> {
  const [method, path = ''] = row.route.split(' ');
  const values = (await row.own?.(server, person)) ?? {};
  const query = typeof row.query === 'object' ? `?${new URLSearchParams(row.query).toString()}` : '';
  return {
    method: method as 'GET',
    url: path.replace(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? '') + query,
  };
}

const cookie = () => `holdfast=${person.token}`;
const isSignedIn = async () =>
  (await server.inject({ url: '/auth/profile', headers: { cookie: cookie() } })).statusCode === 200;

const foreign: Record<string, Record<string, string>> = {
  'a form or a script of another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'a page on a neighbouring name': { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost' },
  'an old browser on another site': { origin: 'https://evil.example' },
  'a page in a sandbox': { origin: 'null' },
  'a site whose name begins like ours': { origin: 'http://localhost.evil.example' },
  'another port of ours': { origin: 'http://localhost:8080', host: 'localhost' },
  'a browser that says nothing': {},
};

describe('CVE-2026-23622: requests from another site', () => {
  test('a cross-site request changes nothing on any route', async () => {
    const rows = routeTable.filter(({ route }) => !route.startsWith('GET ') && !raw.has(route));
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) {
      const { method, url } = await addressOf(row);
      for (const [who, headers] of Object.entries(foreign)) {
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
          const answer = await server.inject({
            method,
            url,
            headers: { cookie: cookie(), 'content-type': type, ...headers },
            payload: '{}',
          });
          expect([answer.statusCode, answer.json().detail.code], `${row.route}, ${who}, ${type}`).toEqual([
            403,
            'CROSS_SITE',
          ]);
        }
      }
    }
    expect(await isSignedIn()).toBe(true);
  });

  test('a cross-site navigation changes nothing on any route', async () => {
    const rows = routeTable.filter(({ route }) => route.startsWith('GET ') && route !== 'GET /api/stream');
    expect(rows.length).toBeGreaterThan(25);
    // one after the other: two of them may make the same thing of a person, of which there is one
    const asked: Awaited<ReturnType<typeof addressOf>>[] = [];
    for (const row of rows) asked.push(await addressOf(row));
    // Counts of what was asked too often are ours; a session remembers when it was last used.
    // A process says every 15 seconds that it lives, and where no worker is it looks after the system.
    // That a file of the audit was taken is written down, however its reader was led there.
    const ofUse = new Set([
      'accounts.audit',
      'platform.limits',
      'accounts.sessions',
      'platform.feed',
      'admin.processes',
      'admin.watched',
      'admin.probe_sums',
      'admin.alerts',
    ]);
    // counts of a contact's meetings are computed at the first visit, so that visit is made here
    expect((await server.inject({ url: '/api/contacts', headers: { cookie: cookie() } })).statusCode).toBe(200);
    const before = await dumpDatabase(server.app.db);
    for (const { url } of asked) {
      for (const accept of ['text/html', 'application/json']) {
        const headers = { cookie: cookie(), accept, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
        expect((await server.inject({ url, headers })).statusCode, url).not.toBe(500);
      }
    }
    const after = await dumpDatabase(server.app.db);
    for (const [table, rowsOf] of after) if (!ofUse.has(table)) expect(rowsOf, table).toEqual(before.get(table));
    expect(await isSignedIn()).toBe(true);
  });

  test('no response allows another origin to read it', async () => {
    for (const row of routeTable) {
      if (row.route === 'GET /api/stream') continue;
      const { method, url } = await addressOf(row);
      for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'http://localhost']) {
        const headers = { cookie: cookie(), origin, 'access-control-request-method': method };
        const asked = [server.inject({ method: 'OPTIONS', url, headers })];
        if (method === 'GET') asked.push(server.inject({ url, headers }));
        for (const { headers: given } of await Promise.all(asked)) {
          expect(
            Object.keys(given).filter((name) => name.startsWith('access-control-')),
            row.route,
          ).toEqual([]);
        }
      }
    }
  });

  test('pages forbid framing, and an HTTPS install isolates their windows from other sites', async () => {
    const secure = await startTestApp({
      role: 'web',
      database: server.database,
      http: await builtFiles(),
      config: { publicUrl: 'https://calendar.example.org' },
    });
    try {
      for (const app of [server, secure]) {
        for (const url of [
          '/',
          '/login',
          '/admin/login',
          '/dashboard',
          '/profile/security',
          '/mfa/verify',
          '/auth/profile',
          '/nothing',
        ]) {
          const { headers } = await app.inject({ url, headers: { accept: 'text/html' } });
          expect(headers['content-security-policy'], url).toContain("frame-ancestors 'none'");
          expect(headers['x-frame-options'], url).toBe('DENY');
          expect(headers['content-security-policy'], url).not.toMatch(/script-src[^;]*(unsafe|\*|data:|https?:)/);
        }
      }
      const { headers } = await secure.inject({ url: '/login', headers: { accept: 'text/html' } });
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
    } finally {
      await secure.close();
    }
  });
});

describe('personal responses', () => {
  test('personal responses are never stored by caches and vary on Accept', async () => {
    let looked = 0;
    for (const row of routeTable) {
      const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === row.route);
      // writes are refused here, because the form and the proof are missing
      if (endpoint === undefined || row.endsSession) continue;
      const { method, url } = await addressOf(row);
      for (const authority of [{ authorization: `Bearer ${person.token}` }, {}] as Record<string, string>[]) {
        if (method !== 'GET' && authority.authorization !== undefined) continue;
        const { headers } = await server.inject({ method, url, headers: { accept: 'application/json', ...authority } });
        expect(headers['cache-control'], row.route).toBe('no-store');
        looked += 1;
        if (method === 'GET' && !/^\/(api|auth)\//.test(url) && endpoint.sendsTo === undefined) {
          expect(headers.vary, row.route).toMatch(/accept/i);
        }
      }
    }
    expect(looked).toBeGreaterThan(80);
  });

  test('a personal response is served only at its exact path, not at one that looks like a file', async () => {
    const headers = { authorization: `Bearer ${person.token}`, accept: 'application/json' };
    for (const url of [
      '/auth/profile/x.css',
      '/auth/profile;x.css',
      '/auth/profile%2fx.css',
      '/auth/profile/..;/x.js',
      '/auth/profile%00.css',
      '/auth//profile',
      '/AUTH/PROFILE',
      '/auth/profile/',
      '/x/..%2fauth/profile',
      '/x/../auth/profile.css',
    ]) {
      const answer = await server.inject({ url, headers });
      expect(answer.statusCode, url).toBeGreaterThanOrEqual(400);
      expect(answer.body, url).not.toContain(person.email);
    }
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable } from '../../test/harness/bookable.ts';
import { builtPages } from '../../test/harness/built-pages.ts';
import { type DatabaseLink, openDatabaseLink } from '../../test/harness/database-link.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../test/harness/test-client.ts';
import { features } from '../features.ts';
import type { Feature } from './feature.ts';

const failing: Feature = {
  name: 'failing',
  pages: [
    { method: 'GET', path: '/failing-page', handle: () => Promise.reject(new Error('the password hunter2 was wrong')) },
  ],
};

let link: DatabaseLink;
let server: TestApp;
let person: TestUser;
beforeAll(async () => {
  link = await openDatabaseLink();
  server = await startTestApp({
    role: 'web',
    database: link.database,
    features: [...features, failing],
    http: { pageRoot: await builtPages() },
    patienceMs: 1_500,
  });
  person = await signUpUser(server, 'anna@example.org');
  await insertBookable(server, person, 'intro');
});
afterAll(async () => {
  await server.close();
  await link.database.close();
});

const token = 'A'.repeat(24);
const pages = ['/anna', '/anna/intro', '/anna/forms/contact', `/l/${token}`, `/booked/${token}`];
const visit = (url: string, accept = 'text/html,*/*;q=0.8', language = 'de-AT') =>
  server.inject({ url, headers: { accept, 'accept-language': language } });
const send = (payload: string) =>
  server.inject({
    method: 'POST',
    url: '/anna/intro',
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    payload,
  });

test.each(['cut', 'silent'] as const)(
  'while the database is away (%s), pages say so and calls keep their shape',
  async (state) => {
    link.set(state);
    for (const url of pages) {
      const { statusCode, headers, body } = await visit(url);
      expect([url, statusCode, headers['retry-after']]).toEqual([url, 503, '5']);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toContain('frame-ancestors *');
      expect(headers['x-frame-options']).toBeUndefined();
      expect(body).toContain('<html lang="de"');
      expect(body).toContain(`<a href="${url}">Erneut versuchen</a>`);
      expect(body).not.toContain('"detail"');
    }
    const authorization = `Bearer ${person.token}`;
    const call = await server.inject({ url: '/api/account/profile', headers: { authorization } });
    expect([call.statusCode, call.headers['retry-after'], call.json().detail.code]).toEqual([503, '5', 'UNAVAILABLE']);
    // a browser at an address of the API gets what a program gets
    expect((await visit('/api/book/anna/intro/slots?from=0&to=1')).json().detail.code).toBe('UNAVAILABLE');
    expect((await server.inject({ url: '/readyz' })).statusCode).toBe(503);
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
    link.set('whole');
    expect((await visit('/anna')).statusCode).toBe(200);
  },
);

test('a form that meets a database that is away is kept, and nothing is loaded again by itself', async () => {
  link.set('cut');
  const answer = await send('name=Kei&email=kei%40example.jp&slot=1');
  link.set('whole');
  expect(answer.statusCode).toBe(503);
  expect(answer.body).toContain('Go back, where they');
  expect(answer.body).not.toMatch(/http-equiv="refresh"|<a /);
});

test.each([
  ['en', 'Something went wrong'],
  ['de', 'Etwas ist schiefgegangen'],
  ['fr', 'Une erreur s’est produite'],
  ['es', 'Algo salió mal'],
  ['ja', '問題が発生しました'],
])('a fault of the server is a page in the language of its visitor (%s)', async (language, title) => {
  const { statusCode, headers, body } = await visit('/failing-page', 'text/html', language);
  expect(statusCode).toBe(500);
  expect(body).toContain(`<h1>${title}</h1>`);
  // the people who run the install find it by this
  expect(body).toContain(String(headers['x-request-id']));
  expect(body).not.toContain('hunter2');
});

test('a refused page request gets a page: an unreadable address, a form that is too large', async () => {
  for (const answer of [await visit('/anna/%E0%A4%A'), await send(`name=${'x'.repeat(70_000)}`)]) {
    expect([400, 413]).toContain(answer.statusCode);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  }
});

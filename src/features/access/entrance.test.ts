import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { entrances } from './rules/entrance.ts';

/** The pages at which people come in, as the server draws them. */

let server: TestApp;
let user: string;
let admin: string;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', http: { pageRoot: await builtPages() } });
  const person = await signUpUser(server, 'user@example.org');
  const operator = await signUpUser(server, 'admin@example.org');
  await sql`update accounts.users set role = 'admin' where id = ${operator.userId}`.execute(server.app.db);
  await sql`update accounts.users set role = 'user' where id = ${person.userId}`.execute(server.app.db);
  [user, admin] = [person.token, operator.token];
}, 120_000);
afterAll(() => server.close());

const visit = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { accept: 'text/html', ...headers } });
const visitAs = (token: string, url: string) => visit(url, { cookie: `holdfast=${token}` });

test('auth pages render before their script, run no other script, and post what is typed', async () => {
  for (const path of Object.keys(entrances)) {
    const { statusCode, body, headers } = await visit(`${path}?email=a%40b.example&code=c0de`);
    expect(statusCode, path).toBe(200);
    expect(body).toMatch(/<h1[^>]*>[^<]+<\/h1>/);
    for (const [form] of body.matchAll(/<form[^>]*>/g)) expect(form).toContain('method="post"');
    const [, first = ''] = /<script>([\s\S]*?)<\/script>/.exec(body) ?? [];
    const hash = createHash('sha256').update(first).digest('base64');
    expect(headers['content-security-policy'], path).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(headers['content-security-policy']).toContain("form-action 'self';");
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(body).toContain('<link rel="manifest" href="/manifest.webmanifest">');
    expect(headers['content-security-policy']).toContain("manifest-src 'self'");
    expect(body.includes('<meta name="robots" content="noindex">'), path).toBe(!['/login', '/signup'].includes(path));
  }
});

test('auth pages are rendered in the language of the visitor and list the other languages', async () => {
  const { body, headers } = await visit('/login?from=%2Fmeetings', { 'accept-language': 'de-AT,de;q=0.9' });
  expect(body).toContain('<html lang="de"');
  expect(body).toContain('Passwort vergessen?');
  // also what is said when nobody answers
  expect(body).toContain(
    'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  );
  expect(body).toContain('href="/signup?from=%2Fmeetings"');
  for (const name of ['English', 'Deutsch', 'Français', 'Español', '日本語'])
    expect(body).toContain(`>${name}</option>`);
  expect(headers['set-cookie']).toBeUndefined();
  const chosen = await visit('/login?lang=fr', { 'accept-language': 'de' });
  expect([chosen.body.includes('<html lang="fr"'), String(chosen.headers['set-cookie'])]).toEqual([
    true,
    expect.stringContaining('hf-lang=fr'),
  ]);
});

test('a signed-in visitor of an auth page is redirected to the requested page, never to another site', async () => {
  for (const [token, url, to] of [
    [user, '/login', '/dashboard'],
    [user, '/signup?from=%2Fmeetings%3Fscope%3Dpast', '/meetings?scope=past'],
    [user, '/login?from=%2F%2Fevil.example', '/dashboard'],
    [user, '/login?from=https%3A%2F%2Fevil.example', '/dashboard'],
    [user, '/mfa/verify?from=%2Fmeetings', '/meetings'],
    [admin, '/admin/login', '/admin'],
    [admin, '/admin/login?from=%2Fadmin%2Fusers', '/admin/users'],
  ] as const) {
    const { statusCode, headers } = await visitAs(token, url);
    expect([statusCode, headers.location], url).toEqual([303, to]);
  }
  expect((await visitAs('nonsense', '/login')).statusCode).toBe(200);
});

test('a signed-in user may still open the administrator sign-in and pages that mail links lead to', async () => {
  for (const url of ['/admin/login', '/verify-email', '/password/forgot', '/password/reset']) {
    const { statusCode, body } = await visitAs(user, url);
    expect([statusCode, body.includes('"signedIn":true')], url).toEqual([200, true]);
  }
});

test('a browser returning from a provider gets the page that exchanges its token, signed in or not', async () => {
  for (const token of ['nonsense', user]) {
    const { statusCode, body } = await visitAs(token, '/?token=t0ken&provider=google');
    expect([statusCode, body.includes('data-page="entrance"')]).toEqual([200, true]);
  }
  expect((await visitAs(user, '/')).body).not.toContain('data-page="entrance"');
});

test('a query parameter cannot inject a script into an auth page', async () => {
  const { body } = await visit('/login?from=%3C%2Fscript%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E');
  expect(body).not.toContain('<script>alert(1)');
});

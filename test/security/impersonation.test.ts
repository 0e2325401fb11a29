import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/contract.ts';
import { features } from '../../src/features.ts';
import { CookieBrowser } from '../harness/cookie-browser.ts';
import { enrolUser } from '../harness/second-factor.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser } from '../harness/test-client.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());

const served = features.flatMap((feature) => (feature.routes ?? []).flat()).map(({ endpoint }) => endpoint);
const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`;

/** The browser of an administrator in somebody's place. */
async function impersonate(): Promise<CookieBrowser> {
  const admin = await enrolUser(server, await signUpUser(server, `admin-${crypto.randomUUID()}@example.org`));
  await sql`update accounts.users set role = 'admin' where id = ${admin.userId}`.execute(server.app.db);
  const seen = await signUpUser(server, `seen-${crypto.randomUUID()}@example.org`);
  await sql`update accounts.users set role = 'user' where id = ${seen.userId}`.execute(server.app.db);
  const browser = new CookieBrowser(server, admin.token);
  const body = { reason: 'A look at the account' };
  const opened = await browser.call('POST', `/api/admin/users/${seen.userId}/impersonation`, body);
  expect(opened.statusCode).toBe(200);
  return browser;
}

/** Asks every given call in the person's place; gives those that were not refused for it. */
async function listOpen(endpoints: readonly Endpoint[]): Promise<string[]> {
  const open: string[] = [];
  let browser = await impersonate();
  for (const endpoint of endpoints) {
    const answer = await browser.call(endpoint.method, endpoint.path.replace(/\{[^}]+\}/g, crypto.randomUUID()));
    const refused = answer.statusCode === 403 && answer.json().detail?.code === 'IMPERSONATING';
    if (!refused) open.push(nameOf(endpoint));
    // Both are open, and end the session.
    if (/\/(impersonation\/end|logout)$/.test(endpoint.path)) browser = await impersonate();
  }
  return open.toSorted();
}

const writes = served.filter(({ method }) => method !== 'GET');
const reads = served.filter(({ method }) => method === 'GET');

test('impersonation leaves no lasting access: it opens only the listed writes', async () => {
  expect(await listOpen(writes.filter(({ auth }) => auth !== 'public'))).toEqual(
    [
      'POST /api/impersonation/end',
      // the profile and how it is shown
      'PATCH /api/account/profile',
      'PATCH /api/account/preferences',
      'PATCH /api/first-steps',
      'POST /api/notices/read',
      // questions and previews, which keep nothing
      'POST /api/free-times',
      'POST /api/mirror-groups/preview',
      'POST /api/contacts/imports/preview',
      'POST /api/routing/test',
      'POST /api/workflows/preview',
      // repairs, which repeat what the person set up
      'POST /api/calendars/sync/{accountId}',
      'POST /mirrors/{eventId}/resync',
      'POST /api/mirrors/resync',
      'POST /api/mirrors/{mirrorId}/retry',
    ].toSorted(),
  );
});

test('impersonation opens no public sign-in call but signing out', async () => {
  const publicWrites = writes.filter(({ auth }) => auth === 'public');
  expect((await listOpen(publicWrites)).filter((name) => / \/(auth|api\/account)\//.test(name))).toEqual([
    'POST /auth/logout',
  ]);
});

test('impersonation refuses the reads that connect, prove, or hand out', async () => {
  const open = new Set(await listOpen(reads));
  expect(
    reads
      .map(nameOf)
      .filter((name) => !open.has(name))
      .toSorted(),
  ).toEqual(
    [
      'GET /api/account/export/{exportId}/file',
      'GET /api/account/reauthenticate',
      'GET /api/published-feeds',
      'GET /api/workflows/credentials',
      'GET /auth/oauth/{provider}/callback',
      'GET /auth/oauth/{provider}/login',
      'GET /provider/{provider}/callback',
      'GET /provider/{provider}/start',
    ].toSorted(),
  );
});

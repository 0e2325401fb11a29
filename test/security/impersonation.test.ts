import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookingContract } from '#features/booking/contract.ts';
import { routingContract } from '#features/routing/contract.ts';
import type { Endpoint } from '#kernel/contract.ts';
import { features } from '../../src/features.ts';
import { CookieBrowser } from '../harness/cookie-browser.ts';
import { enrolUser } from '../harness/second-factor.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());

const served = features.flatMap((feature) => (feature.routes ?? []).flat()).map(({ endpoint }) => endpoint);
const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`;

const newSeen = () => signUpUser(server, `seen-${crypto.randomUUID()}@example.org`);

/** The browser of an administrator in somebody's place. */
async function impersonate(given?: TestUser): Promise<CookieBrowser> {
  const admin = await enrolUser(server, await signUpUser(server, `admin-${crypto.randomUUID()}@example.org`));
  await sql`update accounts.users set role = 'admin' where id = ${admin.userId}`.execute(server.app.db);
  const seen = given ?? (await newSeen());
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
      'POST /api/guest-times',
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

test('impersonation refuses the reads that connect, prove, show a secret address, or give a file', async () => {
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
      'GET /api/admin/audit/export.csv',
      'GET /api/admin/audit/export.json',
      'GET /api/admin/users/{userId}/export/{exportId}/file',
      'GET /api/booking-links',
      'GET /api/calendars/{calendarId}/file',
      'GET /api/contacts/export.csv',
      'GET /api/contacts/export.vcf',
      'GET /api/meetings/export',
      'GET /analytics/export.csv',
      'GET /api/published-feeds',
      'GET /api/workflows/credentials',
      'GET /auth/oauth/{provider}/callback',
      'GET /auth/oauth/{provider}/login',
      'GET /provider/{provider}/callback',
      'GET /provider/{provider}/start',
    ].toSorted(),
  );
});

test('impersonation shows no address of a private link: not in lists, in search, or in submissions', async () => {
  const seen = await newSeen();
  const booking = seen.as(bookingContract);
  await booking.changeHandle({ body: { handle: `seen${seen.userId.slice(-12)}` } });
  const { event_type: type } = await booking.createEventType({ body: { title: 'Secret plans', kind: 'one-on-one' } });
  const made = await booking.createBookingLink({
    body: { kind: 'private', event_type_id: type.id, label: 'For Gus', uses: null, expires_at: null },
  });
  const routing = seen.as(routingContract);
  const { form } = await routing.createForm({
    body: {
      name: 'Help',
      definition: {
        type: 'conditional',
        title: 'Help',
        intro: '',
        questions: [],
        rules: [],
        fallback: { kind: 'event-type', event_type_id: type.id, user_ids: null, contact_owner_first: false },
        frames: [],
      },
    },
  });
  const attempt = new URLSearchParams({ attempt: crypto.randomUUID() }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  await server.inject({ method: 'POST', url: new URL(form.url ?? '').pathname, payload: attempt, headers });
  const paths = [
    '/api/booking-links',
    `/api/booking-links?event_type_id=${type.id}`,
    '/meeting-links',
    '/api/search?q=booking%20link',
    `/api/routing/forms/${form.id}/submissions`,
  ];
  const linksIn = async (ask: (path: string) => Promise<{ body: string }>) => {
    const found: string[] = [];
    for (const path of paths) if ((await ask(path)).body.includes('/l/')) found.push(path);
    return found;
  };
  const headersOfSeen = { authorization: `Bearer ${seen.token}` };
  expect(made.link.url).toContain('/l/');
  expect(await linksIn((url) => server.inject({ url, headers: headersOfSeen }))).toEqual(paths);
  const browser = await impersonate(seen);
  expect(await linksIn((url) => browser.call('GET', url))).toEqual([]);
  const listed = await browser.call('GET', '/meeting-links');
  expect(listed.json().links.map(({ title }: { title: string }) => title)).toEqual(['Secret plans']);
});

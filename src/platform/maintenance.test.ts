import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { runCommand } from '../../scripts/admin/run-command.ts';
import { insertBookable } from '../../test/harness/bookable.ts';
import { CookieBrowser } from '../../test/harness/cookie-browser.ts';
import { enrolUser } from '../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { signUpUser, type TestUser, testPassword } from '../../test/harness/test-client.ts';
import { features } from '../features.ts';
import { defineJob } from './jobs.ts';
import { addressWithKey } from './this-machine.ts';

let server: TestApp;
let person: TestUser;
let administrator: TestUser;
let ran = 0;
const job = defineJob({
  name: 'test.work',
  payload: z.strictObject({}),
  handle: async () => {
    ran += 1;
  },
});
beforeAll(async () => {
  server = await startTestApp({ features: [...features, { name: 'test', jobs: [job] }] });
  person = await signUpUser(server, 'person@example.org');
  administrator = await signUpUser(server, 'boss@example.org');
  await sql`update accounts.users set role = case email when 'boss@example.org' then 'admin' else 'user' end`.execute(
    server.app.db,
  );
  await insertBookable(server, person, 'intro');
});
afterAll(() => server.close());
beforeEach(() => switchTo('on', 'We move to <b>faster</b> disks until ten.'));

async function switchTo(...words: string[]) {
  const outcome = await runCommand(server.app.db, ['maintenance', ...words]);
  await server.app.maintenance.look();
  return outcome;
}
const bearer = ({ token }: TestUser) => ({ authorization: `Bearer ${token}` });
const page = { accept: 'text/html,*/*' };

test('an API call during maintenance gets 503 with Retry-After and changes nothing', async () => {
  const answer = await server.inject({ method: 'GET', url: '/api/account/profile', headers: bearer(person) });
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
  expect(answer.json()).toEqual({
    detail: {
      code: 'MAINTENANCE',
      message: 'We move to <b>faster</b> disks until ten. Nothing was changed by this call.',
    },
  });
  const signUp = { email: 'new@example.org', password: testPassword };
  expect((await server.inject({ method: 'POST', url: '/auth/signup', payload: signUp })).statusCode).toBe(503);
  const { rows } = await sql`select 1 from accounts.users where email = 'new@example.org'`.execute(server.app.db);
  expect(rows).toEqual([]);
});

test('a page during maintenance is in the visitor’s language and shows the operator’s message escaped', async () => {
  for (const url of ['/', '/calendar', '/person', '/person/intro']) {
    const answer = await server.inject({ url, headers: { ...page, 'accept-language': 'de-AT,de;q=0.9' } });
    expect([url, answer.statusCode, answer.headers['retry-after']]).toEqual([url, 503, '60']);
    expect(answer.body).toContain('<html lang="de"');
    expect(answer.body).toContain('We move to &lt;b&gt;faster&lt;/b&gt; disks until ten.');
    expect(answer.headers['x-frame-options']).toBeUndefined();
  }
});

test('a booking form sent during maintenance is not stored, and the page says so', async () => {
  const answer = await server.inject({
    method: 'POST',
    url: '/person/intro',
    headers: { ...page, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'name=Guest&email=guest%40example.org',
  });
  expect(answer.statusCode).toBe(503);
  expect(answer.body).toContain('was not sent');
  expect(answer.body).not.toContain('http-equiv="refresh"');
  expect((await sql`select 1 from booking.bookings`.execute(server.app.db)).rows).toEqual([]);
});

test('health checks, provider webhooks, and administrators still work during maintenance', async () => {
  for (const url of ['/healthz', '/readyz', addressWithKey(server.app, '/metrics')]) {
    expect((await server.inject({ url })).statusCode, url).toBe(200);
  }
  const notice = await server.inject({ method: 'POST', url: '/hooks/google', headers: { 'x-goog-channel-id': 'x' } });
  expect(notice.statusCode).not.toBe(503);
  const payload = { email: 'boss@example.org', password: testPassword };
  expect((await server.inject({ method: 'POST', url: '/auth/login', payload })).statusCode).toBe(200);
  expect((await server.inject({ url: '/api/account/profile', headers: bearer(administrator) })).statusCode).toBe(200);
});

test("an administrator in a person's place ends that and signs out during maintenance", async () => {
  const boss = await enrolUser(server, administrator);
  const browser = new CookieBrowser(server, boss.token);
  const opened = await browser.call('POST', `/api/admin/users/${person.userId}/impersonation`, { reason: 'Asked for' });
  expect(opened.statusCode).toBe(200);
  expect((await browser.call('GET', '/api/mirror-groups')).statusCode).toBe(503);
  expect((await browser.call('POST', '/api/impersonation/end')).json()).toEqual({ isBack: true });
  expect((await browser.call('GET', '/api/mirror-groups')).statusCode).toBe(200);
  await browser.call('POST', `/api/admin/users/${person.userId}/impersonation`, { reason: 'Asked for again' });
  expect((await browser.call('POST', '/auth/logout')).statusCode).toBeLessThan(300);
});

test('no job starts during maintenance, and none is lost', async () => {
  // A worker that claims has begun the first of them long before the last is sent.
  for (let n = 0; n < 50; n += 1) await server.app.jobs.send(job, {});
  expect(ran).toBe(0);
  expect((await switchTo()).lines[0]).toMatch(/^Maintenance has been on since .*: We move/);
  expect((await switchTo('off')).lines[0]).toContain('Maintenance is off');
  await server.settle();
  expect(ran).toBe(50);
  expect((await server.inject({ url: '/api/account/profile', headers: bearer(person) })).statusCode).toBe(200);
  expect((await switchTo('off')).lines).toEqual(['Maintenance was already off.']);
  expect((await switchTo('on')).failed).toBe(true);
});

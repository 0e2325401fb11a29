import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';

let server: TestApp;
let person: TestUser;
beforeAll(async () => {
  const operator = { name: 'Example Ltd', contact: 'help@example.org', blog: undefined, analyticsScript: undefined };
  server = await startTestApp({ role: 'web', config: { operator } });
  person = await signUpUser(server, 'ada@example.org');
});
afterAll(() => server.close());

const call = (method: 'GET' | 'PATCH' | 'POST', url: string, payload?: object) =>
  server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${person.token}` },
    ...(payload === undefined ? {} : { payload }),
  });
const steps = async () => (await call('GET', '/api/first-steps')).json();

test("first steps are derived from the account's state, and copied or skipped steps are stored", async () => {
  const none = { connected: false, mirrored: false, hours: false, link: false, copied: false, skipped: false };
  expect(await steps()).toEqual(none);
  const { otherCalendarId } = await insertOwnAccount(server, person);
  expect(await steps()).toEqual({ ...none, connected: true, mirrored: true });
  // as when an account has left: its group stays
  await sql`delete from sync.members where calendar_id = ${otherCalendarId}`.execute(server.app.db);
  expect((await steps()).mirrored).toBe(false);
  expect((await call('PATCH', '/api/first-steps', { copied: true })).json().copied).toBe(true);
  expect((await call('PATCH', '/api/first-steps', { skipped: true })).json()).toMatchObject({
    copied: true,
    skipped: true,
  });
  expect((await call('PATCH', '/api/first-steps', {})).json()).toMatchObject({ copied: true, skipped: true });
  expect((await call('PATCH', '/api/first-steps', { skipped: false })).json()).toMatchObject({
    copied: true,
    skipped: false,
  });
  expect((await call('PATCH', '/api/first-steps', { copied: false })).statusCode).toBe(400);
});

test('a support question is mailed to the operator with its diagnostics only when included', async () => {
  expect((await call('POST', '/api/help/support', { message: '  ' })).statusCode).toBe(400);
  const question = { message: 'Where is my event?', diagnostics: 'Browser: x' };
  expect((await call('POST', '/api/help/support', question)).json()).toEqual({ sent: true });
  expect((await call('POST', '/api/help/support', { message: 'Just this.' })).statusCode).toBe(200);
  const [first, second] = (await readMails(server, 'help@example.org')).map(({ content }) => JSON.stringify(content));
  for (const part of ['ada@example.org', 'Where is my event?', 'Browser: x']) expect(first).toContain(part);
  expect(second).toContain('Just this.');
  expect(second).not.toContain('Browser');
});

test('repeated support questions are rate-limited', async () => {
  const answers: number[] = [];
  for (let n = 0; n < 6; n += 1)
    answers.push((await call('POST', '/api/help/support', { message: 'Hello?' })).statusCode);
  expect(answers.at(-1)).toBe(429);
});

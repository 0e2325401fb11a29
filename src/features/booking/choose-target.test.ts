import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserId } from '#kernel/ids.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { connectionsContract } from '../connections/contract.ts';
import { chooseTarget } from './choose-target.ts';
import { defaultSettings } from './rules/type-settings.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());

test('bookings go to our own calendar only while there is no other, also after an account comes back', async () => {
  const { db } = server.app;
  const anna = await signUpUser(server, 'anna@example.org');
  const offer = { type: { settings: defaultSettings('one-on-one') }, link: null };
  const target = async () => (await chooseTarget(db, offer, anna.userId as UserId)).calendarId;
  expect(await target()).toBeNull();
  await anna.as(connectionsContract).connectOwn();
  const own = await target();
  expect(own).not.toBeNull();
  const { calendarId, otherCalendarId, accountId } = await insertOwnAccount(server, anna);
  expect([calendarId, otherCalendarId]).toContain(await target());
  await sql`update connections.calendars set is_primary = id = ${otherCalendarId}
    where connection_id = ${accountId}`.execute(db);
  expect(await target()).toBe(otherCalendarId);
  await sql`update connections.connections set status = 'disconnecting' where id = ${accountId}`.execute(db);
  expect(await target()).toBe(own);
});

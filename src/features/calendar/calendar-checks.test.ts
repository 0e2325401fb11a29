import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#platform/db.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());

const newAccount = async (name: string) => insertOwnAccount(server, await signUpUser(server, `${name}@example.org`));
const insertItem = (calendarId: string, ref: string) => sql`
  insert into calendar.items (id, calendar_id, user_id, ref, version, provenance, body, hash)
  values (${randomUUIDv7()}, ${calendarId}, ${randomUUIDv7()}, ${ref}, '1', 'foreign', '{}', '-')`;
const insertMirror = (targetCalendarId: string) => sql`
  insert into sync.mirrors (id, user_id, origin_calendar_id, origin_item_id, origin_uid, target_calendar_id,
    target_connection_id, identity_key, state)
  values (${randomUUIDv7()}, ${randomUUIDv7()}, ${randomUUIDv7()}, ${randomUUIDv7()}, 'origin', ${targetCalendarId},
    ${randomUUIDv7()}, 'key', 'pending')`;
const countItems = async (calendarId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from calendar.items where calendar_id = ${calendarId}`.execute(server.app.db);
  return rows[0]?.count;
};
const withoutBlocks = (calendarId: string) => sql`delete from sync.mirrors where target_calendar_id = ${calendarId}`;
const withoutCalendar = (calendarId: string) => sql`delete from connections.calendars where id = ${calendarId}`;

describe('database checks of calendars', () => {
  it('an item or a mirror of a missing calendar is refused by the database', async () => {
    const { db } = server.app;
    await expect(insertItem(randomUUIDv7(), '/a.ics').execute(db)).rejects.toThrow('an item needs its calendar');
    await expect(insertMirror(randomUUIDv7()).execute(db)).rejects.toThrow('a mirror needs its target');
  });

  it('a calendar with mirrors cannot be deleted, and a deleted calendar takes its items along', async () => {
    const { db } = server.app;
    const { calendarId } = await newAccount('left');
    await insertItem(calendarId, '/b.ics').execute(db);
    await insertMirror(calendarId).execute(db);
    await expect(withoutCalendar(calendarId).execute(db)).rejects.toThrow('blocks stand in this calendar');
    expect(await countItems(calendarId)).toBeGreaterThan(0);
    await withoutBlocks(calendarId).execute(db);
    await withoutCalendar(calendarId).execute(db);
    expect(await countItems(calendarId)).toBe(0);
  });

  it('an item stored while its calendar is deleted does not stay behind', async () => {
    const { db } = server.app;
    const { calendarId } = await newAccount('raced');
    await withoutBlocks(calendarId).execute(db);
    let deleting: Promise<unknown> = Promise.resolve();
    await inTransaction(db, async (tx) => {
      await insertItem(calendarId, '/c.ics').execute(tx);
      deleting = withoutCalendar(calendarId).execute(db);
      await expect
        .poll(async () => {
          const { rows } = await sql<{ waiting: number }>`
            select count(*)::int as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
          return rows[0]?.waiting;
        })
        .toBeGreaterThan(0);
    });
    await deleting;
    expect(await countItems(calendarId)).toBe(0);
  });
});

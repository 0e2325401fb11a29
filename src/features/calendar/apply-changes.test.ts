import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Item } from '#kernel/event.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { insertOwnAccount, type OwnedAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { applyChanges } from './apply-changes.ts';

let server: TestApp;
let person: TestUser;
let owned: OwnedAccount;

beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  person = await signUpUser(server, 'person@example.org');
  owned = await insertOwnAccount(server, person);
});
afterAll(() => server.close());

const item = (version: string): Item => ({
  ref: '/raced.ics',
  uid: 'raced',
  version,
  provenance: 'foreign',
  body: {
    kind: 'single',
    when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'UTC', duration: { seconds: 3600 } },
    core: { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Raced' },
  },
});

it('keeps one span where two transactions bring the same item for the first time', async () => {
  const { db, clock } = server.app;
  const calendar = {
    calendarId: owned.calendarId as CalendarId,
    userId: person.userId,
    calendarZone: 'UTC',
    ownerZone: 'UTC',
  };
  const page = (version: string) => ({ items: [item(version)], gone: [] });
  let second: Promise<unknown> = Promise.resolve();
  await inTransaction(db, async (tx) => {
    await applyChanges(tx, calendar, page('1'), clock.nowMs());
    second = inTransaction(db, (other) => applyChanges(other, calendar, page('2'), clock.nowMs()));
    // It has taken its view of the table, without our row, and waits for us.
    await expect
      .poll(async () => {
        const { rows } = await sql<{ waiting: number }>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows[0]?.waiting;
      })
      .toBeGreaterThan(0);
  });
  await second;
  const { rows } = await sql<{ version: string; spans: number }>`
    select version, (select count(*)::int from calendar.spans s where s.item_id = i.id) as spans
    from calendar.items i where ref = '/raced.ics'`.execute(db);
  expect(rows).toEqual([{ version: '2', spans: 1 }]);
});

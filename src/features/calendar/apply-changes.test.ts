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

const item = (version: string, name = 'raced', title = 'Raced'): Item => ({
  ref: `/${name}.ics`,
  uid: name,
  version,
  provenance: 'foreign',
  body: {
    kind: 'single',
    when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'UTC', duration: { seconds: 3600 } },
    core: { busy: 'busy', private: false, self: 'none', kind: 'default', title },
  },
});

const ownCalendar = () => ({
  calendarId: owned.calendarId as CalendarId,
  userId: person.userId,
  calendarZone: 'UTC',
  ownerZone: 'UTC',
});

it('knows in a page of many what was there before, and leaves to the planner what changed of it', async () => {
  const { db, clock } = server.app;
  const names = Array.from({ length: 80 }, (_, at) => `many-${at}`);
  const store = (items: Item[]) => {
    const fresh: string[] = [];
    return inTransaction(db, (tx) =>
      applyChanges(tx, ownCalendar(), { items, gone: [] }, clock.nowMs(), async (planned) => {
        fresh.push(...planned.map((one) => one.ref));
        return [];
      }),
    ).then(() => fresh);
  };
  const first = names.slice(0, 60).map((name) => item('1', name));
  expect(await store(first)).toEqual(first.map(({ ref }) => ref));
  await sql`delete from calendar.unplanned`.execute(db);
  // ten changed, ten only have another version, forty are as they were, twenty are new
  const second = names.map((name, at) => item(at < 20 ? '2' : '1', name, at < 10 ? 'Changed' : 'Raced'));
  expect(await store(second)).toEqual(second.slice(60).map(({ ref }) => ref));
  const { rows: unplanned } = await sql<{ ref: string }>`
    select ref from calendar.unplanned u join calendar.items i on i.id = u.item_id`.execute(db);
  expect(unplanned.map(({ ref }) => ref).toSorted()).toEqual(
    second
      .slice(0, 10)
      .map(({ ref }) => ref)
      .toSorted(),
  );
  const { rows } = await sql<{ version: string; title: string; count: number; spans: number }>`
    select version, title, count(*)::int as count,
      sum((select count(*) from calendar.spans s where s.item_id = i.id))::int as spans
    from calendar.items i where ref like '/many-%' group by 1, 2 order by 1, 2`.execute(db);
  expect(rows).toEqual([
    { version: '1', title: 'Raced', count: 60, spans: 60 },
    { version: '2', title: 'Changed', count: 10, spans: 10 },
    { version: '2', title: 'Raced', count: 10, spans: 10 },
  ]);
});

it('keeps one span where two transactions bring the same item for the first time', async () => {
  const { db, clock } = server.app;
  const calendar = ownCalendar();
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

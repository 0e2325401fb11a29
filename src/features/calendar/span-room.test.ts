import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Item } from '#kernel/event.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { WorkBudget } from '#kernel/work-budget.ts';
import { mostInstancesOfPerson, readingLimits } from '#kernel/work-limits.ts';
import { inTransaction } from '#platform/db.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount, type OwnedAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { applyChanges } from './apply-changes.ts';
import { rollSpans } from './roll-spans.ts';

let server: TestApp;
let person: TestUser;
let owned: OwnedAccount;
const clock = fixedClock('2027-03-01T09:00:00Z');

beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock });
  person = await signUpUser(server, 'person@example.org');
  owned = await insertOwnAccount(server, person);
});
afterAll(() => server.close());

/** Nearly as many instances as a series may have. */
const series = (name: string, start = '2026-11-01T09:00:00'): Item => ({
  ref: `/${name}.ics`,
  uid: name,
  version: start,
  provenance: 'foreign',
  body: {
    kind: 'series',
    when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 60 } },
    core: { busy: 'busy', private: false, self: 'none', kind: 'default', title: name },
    rules: ['FREQ=MINUTELY;INTERVAL=150'],
    exRules: [],
    extraDates: [],
    exdates: [],
    overrides: {},
  },
});
const many = (count: number, start?: string) => Array.from({ length: count }, (_, n) => series(`many-${n}`, start));

const store = (items: Item[], budget?: WorkBudget) =>
  inTransaction(server.app.db, (tx) =>
    applyChanges(
      tx,
      { calendarId: owned.calendarId as CalendarId, userId: person.userId, calendarZone: 'UTC', ownerZone: 'UTC' },
      { items, gone: [] },
      clock.nowMs(),
      undefined,
      budget,
    ),
  );

async function listStored(): Promise<{ items: number; spans: number; dense: number }> {
  const { rows } = await sql<{ items: number; spans: number; dense: number }>`
    select count(*)::int as items, (select count(*)::int from calendar.spans) as spans,
      count(*) filter (where problem = 'too dense')::int as dense
    from calendar.items where ref ~ '^/(many|more)-'`.execute(server.app.db);
  return rows[0] ?? { items: 0, spans: 0, dense: 0 };
}

test('a reading fails where its calendar has no room left in the busy index, whatever it read before', async () => {
  await store(many(16), new WorkBudget(readingLimits));
  const before = await listStored();
  expect(before).toMatchObject({ items: 16, dense: 0 });
  // each reading alone is within its budget
  const more = Array.from({ length: 8 }, (_, n) => series(`more-${n}`));
  await expect(store(more, new WorkBudget(readingLimits))).rejects.toMatchObject({ limit: 'instances' });
  expect(await listStored()).toEqual(before);
  // a replaced item frees its own room
  await store(many(16), new WorkBudget(readingLimits));
  expect(await listStored()).toEqual(before);
});

test('a series that is stored without room counts as too dense', async () => {
  const before = await listStored();
  await store(Array.from({ length: 8 }, (_, n) => series(`more-${n}`)));
  expect(await listStored()).toEqual({ items: 24, spans: before.spans, dense: 8 });
});

test('the daily pass over all series keeps within the busy index, and takes back what has room again', async () => {
  await store(many(16, '2029-01-01T09:00:00'));
  await store(Array.from({ length: 8 }, (_, n) => series(`more-${n}`, '2029-01-01T09:00:00')));
  expect(await listStored()).toEqual({ items: 24, spans: 0, dense: 0 });
  clock.advance({ hours: 800 * 24 });
  await rollSpans(server.app, null, new AbortController().signal);
  const { spans, dense } = await listStored();
  expect(spans).toBeLessThanOrEqual(readingLimits.instances);
  expect(spans).toBeGreaterThan(readingLimits.instances - 5_000);
  expect(dense).toBeGreaterThan(0);
  await sql`delete from calendar.items where ref like '/more-%'`.execute(server.app.db);
  await rollSpans(server.app, null, new AbortController().signal);
  expect(await listStored()).toMatchObject({ dense: 0 });
});

test('all calendars of a person share one limit', async () => {
  await sql`delete from calendar.items where ref <> '/many-0.ics'`.execute(server.app.db);
  const { rows } = await sql<{ id: string }>`select gen_random_uuid()::text as id`.execute(server.app.db);
  await sql`
    insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class, rank, meeting)
    select user_id, ${rows[0]?.id}::uuid, item_id, 'x' || n, n, n + 1, false, 'busy', 1, false
    from (select user_id, id as item_id from calendar.items limit 1) i, generate_series(1, ${mostInstancesOfPerson}) n`.execute(
    server.app.db,
  );
  await expect(store([series('last')], new WorkBudget(readingLimits))).rejects.toMatchObject({
    limit: 'instances',
    allowed: mostInstancesOfPerson,
  });
});

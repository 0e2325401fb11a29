import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core, EventBody, Item, Series, When } from '#kernel/event.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { accountsContract } from '../accounts/contract.ts';
import { applyChanges } from './apply-changes.ts';
import { calendarContract } from './contract.ts';
import { findFreeTimes } from './find-free-times.ts';

// a Monday, ten in the morning in Berlin
const clock = fixedClock('2027-03-01T09:00:00Z');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock });
});
afterAll(() => server.close());

const core = (more: Partial<Core> = {}): Core => ({
  busy: 'busy',
  private: false,
  self: 'none',
  kind: 'default',
  title: 'Review',
  ...more,
});
const berlin = (start: string, hours = 1): When => ({
  kind: 'zoned',
  start: `${start}:00`,
  zone: 'Europe/Berlin',
  duration: { seconds: hours * 3_600 },
});
const single = (when: When, more: Partial<Core> = {}): EventBody => ({ kind: 'single', when, core: core(more) });
const daily = (when: When): Series => ({
  kind: 'series',
  when,
  core: core({ title: 'Daily' }),
  rules: ['FREQ=DAILY'],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
});

let people = 0;
async function newPerson() {
  people += 1;
  const user = await signUpUser(server, `free${people}@example.org`);
  await user.as(accountsContract).changePreferences({ body: { timezone: 'Europe/Berlin' } });
  const owned = await insertOwnAccount(server, user);
  const { db } = server.app;
  await sql`delete from sync.mirrors`.execute(db);
  await sql`delete from calendar.items where user_id = ${user.userId}`.execute(db);
  const first = owned.calendarId as CalendarId;
  const second = owned.otherCalendarId as CalendarId;
  const store = (calendarId: CalendarId, bodies: Record<string, EventBody>, more: Partial<Item> = {}) => {
    const items = Object.entries(bodies).map(
      ([ref, body]): Item => ({ ref, uid: `${ref}@x`, version: '1', provenance: 'foreign', body, ...more }),
    );
    const calendar = { calendarId, userId: user.userId, calendarZone: 'UTC', ownerZone: 'Europe/Berlin' };
    return inTransaction(db, (tx) => applyChanges(tx, calendar, { items, gone: [] }, clock.nowMs()));
  };
  const idOf = async (ref: string) => {
    const { rows } = await sql<{ id: string }>`
      select id from calendar.items where ref = ${ref} and user_id = ${user.userId}`.execute(db);
    return rows[0]?.id ?? '';
  };
  const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[Europe/Berlin]`).toInstant().toString();
  const ask = async (start: string, end: string, more: { except_event_id?: string; calendar_ids?: string[] } = {}) => {
    const answer = await user.as(calendarContract).freeTimes({ body: { start: at(start), end: at(end), ...more } });
    return {
      conflicts: answer.conflicts,
      free: answer.free.map((window) => {
        const [from, to] = [window.start, window.end].map((text) =>
          Temporal.Instant.from(text)
            .toZonedDateTimeISO('Europe/Berlin')
            .toPlainDateTime()
            .toString({ smallestUnit: 'minute' }),
        );
        return `${from} ${to?.slice(11)}`;
      }),
    };
  };
  return { user, owned, first, second, store, idOf, ask };
}

test('a taken time lists its conflicts in every calendar and the nearest free times', async () => {
  const { first, second, store, ask, idOf } = await newPerson();
  await store(first, { a: single(berlin('2027-03-03T10:00'), { title: 'Board' }) });
  await store(second, { b: single(berlin('2027-03-03T10:30', 2), { title: 'Dentist', private: true }) });
  const { conflicts, free } = await ask('2027-03-03T10:00', '2027-03-03T11:00');
  expect(conflicts.map(({ title, calendar_id, start }) => [title, calendar_id, start])).toEqual([
    ['Board', first, '2027-03-03T09:00:00.000Z'],
    ['Dentist', second, '2027-03-03T09:30:00.000Z'],
  ]);
  expect(conflicts[0]).toMatchObject({ event_id: await idOf('a'), end: '2027-03-03T10:00:00.000Z' });
  expect(conflicts[0]?.calendar_name).not.toBe('');
  expect(free).toEqual(['2027-03-03T09:00 10:00', '2027-03-03T12:30 13:30', '2027-03-03T13:30 14:30']);
});

test('events that take no time are no conflict, and a free time gets no suggestion', async () => {
  const { first, store, ask } = await newPerson();
  const when = berlin('2027-03-03T10:00');
  await store(first, {
    free: single(when, { busy: 'free' }),
    declined: single(when, { self: 'declined' }),
    here: single(when, { kind: 'working-location' }),
    beside: single(berlin('2027-03-03T11:00')),
  });
  await store(first, { block: single(when) }, { provenance: 'own' });
  expect(await ask('2027-03-03T10:00', '2027-03-03T11:00')).toEqual({ conflicts: [], free: [] });
});

test('an edited event does not conflict with itself, as one instance or as a whole series', async () => {
  const { first, store, ask, idOf } = await newPerson();
  await store(first, { series: daily(berlin('2027-03-01T10:00')) });
  const id = await idOf('series');
  const instance = `${id}_20270303T090000Z`;
  expect((await ask('2027-03-03T10:00', '2027-03-03T11:00')).conflicts).toMatchObject([{ event_id: instance }]);
  expect((await ask('2027-03-03T10:00', '2027-03-03T11:00', { except_event_id: instance })).conflicts).toEqual([]);
  const moved = await ask('2027-03-04T10:00', '2027-03-04T11:00', { except_event_id: instance });
  expect(moved.conflicts).toMatchObject([{ event_id: `${id}_20270304T090000Z` }]);
  expect((await ask('2027-03-04T10:00', '2027-03-04T11:00', { except_event_id: id })).conflicts).toEqual([]);
});

test('hidden calendars conflict as long as they count, others never, and calendars of other people neither', async () => {
  const { first, second, store, ask, user } = await newPerson();
  const other = await newPerson();
  await store(second, { hidden: single(berlin('2027-03-03T10:00'), { title: 'Hidden' }) });
  await other.store(other.first, { foreign: single(berlin('2027-03-03T10:00'), { title: 'Foreign' }) });
  await sql`update connections.calendars set visible = false where id = ${second}`.execute(server.app.db);
  const { conflicts, free } = await ask('2027-03-03T10:00', '2027-03-03T11:00');
  expect(conflicts).toMatchObject([{ title: 'Hidden' }]);
  expect(free).not.toContain('2027-03-03T10:00 11:00');
  const asked = await ask('2027-03-03T10:00', '2027-03-03T11:00', { calendar_ids: [first, second, other.first] });
  expect(asked.conflicts).toMatchObject([{ title: 'Hidden' }]);
  await sql`update connections.calendars set include_in_unified = false where id = ${second}`.execute(server.app.db);
  expect((await ask('2027-03-03T10:00', '2027-03-03T11:00')).conflicts).toEqual([]);
  expect(user.userId).not.toBe(other.user.userId);
});

test('suggested times are never in the past, and a series conflicts years ahead too', async () => {
  const { first, store, ask } = await newPerson();
  await store(first, {
    today: single(berlin('2027-03-01T10:00')),
    series: daily(berlin('2027-03-01T15:00')),
  });
  expect((await ask('2027-03-01T10:00', '2027-03-01T11:00')).free).toEqual([
    '2027-03-01T11:00 12:00',
    '2027-03-01T12:00 13:00',
    '2027-03-01T13:00 14:00',
  ]);
  const far = await ask('2029-05-15T15:30', '2029-05-15T16:30');
  expect(far.conflicts).toMatchObject([{ title: 'Daily' }]);
  expect(far.free).toEqual(['2029-05-15T16:00 17:00', '2029-05-15T14:00 15:00', '2029-05-15T13:00 14:00']);
});

test('a request for whole days gets whole days, and an end that is not after its start is refused', async () => {
  const { first, store, ask } = await newPerson();
  await store(first, { a: single(berlin('2027-03-27T10:00')), b: single(berlin('2027-03-28T10:00')) });
  expect((await ask('2027-03-27T00:00', '2027-03-28T00:00')).free).toEqual([
    '2027-03-26T00:00 00:00',
    '2027-03-29T00:00 00:00',
    '2027-03-25T00:00 00:00',
  ]);
  await expect(ask('2027-03-27T10:00', '2027-03-27T10:00')).rejects.toMatchObject({ code: 'BAD_TIME' });
});

test('free times take as many queries for twenty calendars as for two', async () => {
  const { user, owned, first, store } = await newPerson();
  const { app } = server;
  const ask = async () => {
    let queries = 0;
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const proposal = { start: '2029-03-07T09:00:00Z', end: '2029-03-07T10:00:00Z' };
    const { conflicts } = await findFreeTimes({ ...app, db }, { userId: user.userId } as never, proposal);
    return { queries, conflicts: conflicts.length };
  };
  await store(first, { a: daily(berlin('2027-03-01T10:00')) });
  const two = await ask();
  for (let n = 0; n < 18; n += 1) {
    const id = randomUUIDv7() as string as CalendarId;
    await sql`insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable)
      values (${id}, ${owned.accountId}, ${user.userId}, ${id}, 'More', '#336699', true)`.execute(app.db);
    await store(id, { [`more${n}`]: daily(berlin('2027-03-01T10:00')) });
  }
  expect(two.conflicts).toBe(1);
  expect(await ask()).toEqual({ queries: two.queries, conflicts: 19 });
  expect(two.queries).toBeLessThanOrEqual(11);
});

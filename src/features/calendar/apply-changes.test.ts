import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { availabilityContract } from '#features/availability/contract.ts';
import { calendarContract } from '#features/calendar/contract.ts';
import type { Item } from '#kernel/event.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { insertOwnAccount, type OwnedAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { applyChanges } from './apply-changes.ts';
import { rollSpans } from './roll-spans.ts';

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

it('a page of many items plans only new and changed ones, and leaves waiting items to the planner', async () => {
  const { db, clock } = server.app;
  const names = Array.from({ length: 80 }, (_, at) => `many-${at}`);
  const store = (items: Item[], leaves = false) => {
    const toPlan: string[] = [];
    return inTransaction(db, (tx) =>
      applyChanges(tx, ownCalendar(), { items, gone: [] }, clock.nowMs(), async (planned) => {
        toPlan.push(...planned.map((one) => one.ref));
        return leaves ? planned : [];
      }),
    ).then((hasMore) => ({ toPlan: toPlan.toSorted(), hasMore }));
  };
  const refsOf = (items: Item[]) => items.map(({ ref }) => ref).toSorted();
  const listWaiting = async () => {
    const { rows } = await sql<{ ref: string; version: number }>`
      select ref, u.version from calendar.unplanned u join calendar.items i on i.id = u.item_id order by ref`.execute(
      db,
    );
    return rows;
  };
  const first = names.slice(0, 60).map((name) => item('1', name));
  expect(await store(first)).toEqual({ toPlan: refsOf(first), hasMore: false });
  // ten changed, ten only have another version, forty are as they were, twenty are new
  const second = names.map((name, at) => item(at < 20 ? '2' : '1', name, at < 10 ? 'Changed' : 'Raced'));
  expect(await store(second)).toEqual({
    toPlan: refsOf([...second.slice(0, 10), ...second.slice(60)]),
    hasMore: false,
  });
  expect(await listWaiting()).toEqual([]);
  const left = second.slice(0, 2).map(({ ref, version }) => item(version, ref.slice(1, -4), 'Left'));
  expect(await store(left, true)).toEqual({ toPlan: refsOf(left), hasMore: true });
  const third = second.slice(0, 10).map(({ ref, version }) => item(version, ref.slice(1, -4), 'Changed'));
  expect(await store(third)).toEqual({ toPlan: [], hasMore: true });
  expect(await listWaiting()).toEqual(refsOf(left).map((ref) => ({ ref, version: 2 })));
  expect(await store(first.slice(20))).toEqual({ toPlan: [], hasMore: false });
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

it('an event that cannot be read any more keeps its time and is told, until it can be read again', async () => {
  const { db, clock } = server.app;
  const store = (...items: Item[]) =>
    inTransaction(db, (tx) => applyChanges(tx, ownCalendar(), { items, gone: [] }, clock.nowMs()));
  const unreadable = (version: string, name: string): Item => ({
    ...item(version, name),
    body: { kind: 'withheld', reason: 'cut-off' },
  });
  const stateOf = async (name: string) => {
    const { rows } = await sql<{ version: string; problem: string | null; spans: number }>`
      select version, problem, (select count(*)::int from calendar.spans s where s.item_id = i.id) as spans
      from calendar.items i where ref = ${`/${name}.ics`}`.execute(db);
    return rows[0];
  };
  const unread = async () => {
    const { calendars } = await person.as(calendarContract).listCalendars();
    return calendars.find(({ id }) => id === owned.calendarId);
  };
  await store(item('1', 'damaged', 'Dentist'));
  await store(unreadable('2', 'damaged'), unreadable('1', 'never-read'));
  expect(await stateOf('damaged')).toEqual({
    version: '2',
    problem: 'kept as it was read before: cut-off',
    spans: 1,
  });
  expect(await stateOf('never-read')).toMatchObject({ problem: 'cut-off', spans: 0 });
  expect(await unread()).toMatchObject({
    unread: 2,
    warnings: 2,
  });
  await store(item('1', 'damaged', 'Dentist'));
  expect(await stateOf('damaged')).toMatchObject({ version: '1', problem: null, spans: 1 });
});

it('an event that can be read in part keeps the times it had, and takes the one that is named beside them', async () => {
  const { db, clock } = server.app;
  const store = (...items: Item[]) =>
    inTransaction(db, (tx) => applyChanges(tx, ownCalendar(), { items, gone: [] }, clock.nowMs()));
  const first = Temporal.Instant.fromEpochMilliseconds(clock.nowMs())
    .toZonedDateTimeISO('UTC')
    .toPlainDate()
    .add({ days: 1 });
  const when = {
    kind: 'zoned',
    start: `${first.toString()}T09:00:00`,
    zone: 'UTC',
    duration: { seconds: 3600 },
  } as const;
  const core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Stand-up' } as const;
  const nothing = { exRules: [], extraDates: [], exdates: [], overrides: {} };
  const series: Item = {
    ...item('1', 'in-part'),
    body: { kind: 'series', when, core, rules: ['FREQ=WEEKLY;COUNT=3'], ...nothing },
  };
  const warnings = ['rule-unreadable {"source":"RRULE:FREQ=SOMETIMES"}'];
  const part = (version: string, start: string): Item => ({
    ...series,
    version,
    warnings,
    body: {
      kind: 'instances',
      of: '',
      from: -8.64e15,
      to: 8.64e15,
      list: { [`${start.replaceAll(/[-:]/g, '')}Z`]: { when: { ...when, start }, core } },
    },
  });
  const state = async () => {
    const { rows } = await sql<{ problem: string | null; starts: string[] }>`
      select problem, array(select to_char(to_timestamp(start_ms / 1000) at time zone 'UTC', 'MM-DD HH24:MI')
        from calendar.spans s where s.item_id = i.id order by start_ms) as starts
      from calendar.items i where ref = ${series.ref}`.execute(db);
    return rows[0] ?? expect.fail('no item');
  };
  const partly = { problem: `read in part: ${warnings[0]}` };
  const startOf = (days: number) => {
    const day = Temporal.PlainDateTime.from(when.start).add({ days });
    return { start: day.toString({ smallestUnit: 'second' }), shown: day.toString({ smallestUnit: 'minute' }) };
  };
  const shown = (days: number) => startOf(days).shown.slice(5).replace('T', ' ');
  await store(part('1', startOf(0).start));
  expect(await state()).toEqual({ ...partly, starts: [shown(0)] });
  // nothing of it was known as a whole
  await store(part('2', startOf(400).start));
  expect(await state()).toEqual({ ...partly, starts: [shown(400)] });
  await store(series);
  const whole = (await state()).starts;
  expect(whole).toEqual([shown(0), shown(7), shown(14)]);
  const kept = { problem: `kept as it was read before: ${warnings[0]}` };
  await store(part('3', startOf(0).start));
  expect(await state()).toEqual({ ...kept, starts: whole });
  await store(part('4', startOf(100).start));
  expect(await state()).toEqual({ ...kept, starts: [...whole, shown(100)] });
  await store(part('4', startOf(100).start));
  expect((await state()).starts).toHaveLength(whole.length + 1);
  await store({ ...series, version: '5' });
  expect(await state()).toEqual({ problem: null, starts: whole });
});

it('two transactions that store the same new item leave one span', async () => {
  const { db, clock } = server.app;
  const calendar = ownCalendar();
  const page = (version: string) => ({ items: [item(version)], gone: [] });
  let second: Promise<unknown> = Promise.resolve();
  await inTransaction(db, async (tx) => {
    await applyChanges(tx, calendar, page('1'), clock.nowMs());
    second = inTransaction(db, (other) => applyChanges(other, calendar, page('2'), clock.nowMs()));
    // the statement has its snapshot of the table without our row, and waits for us
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

it('an item under a tentative hold rule has the rank of the rule, and is busy without it', async () => {
  const { db, clock } = server.app;
  const holds = person.as(availabilityContract);
  const rank = async () => {
    const { rows } = await sql<{ class: string; rank: number }>`
      select class, rank from calendar.spans s join calendar.items i on i.id = s.item_id where ref = '/held.ics'`.execute(
      db,
    );
    return rows;
  };
  const { holds: rules } = await holds.setHold({ body: { kind: 'title-prefix', value: 'hold:', rank: 3 } });
  const held = { ...item('1', '/held.ics', 'Hold: gym'), ref: '/held.ics' };
  await inTransaction(db, (tx) => applyChanges(tx, ownCalendar(), { items: [held], gone: [] }, clock.nowMs()));
  expect(await rank()).toEqual([{ class: 'soft', rank: 3 }]);
  await holds.removeHold({ params: { id: rules[0]?.id ?? '' } });
  await rollSpans(server.app, person.userId, new AbortController().signal);
  expect(await rank()).toEqual([{ class: 'busy', rank: 1 }]);
});

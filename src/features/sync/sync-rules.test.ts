import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { ItemId, UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { type Side, type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { accountsContract } from '../accounts/contract.ts';
import { calendarContract } from '../calendar/contract.ts';
import { unplanItems } from '../calendar/public.ts';
import { meetingsContract } from '../meetings/contract.ts';
import { syncContract } from './contract.ts';
import { reconcile } from './reconcile.ts';
import type { MirrorRulePatch } from './rules/mirror-rule.ts';
import { sweep } from './sweep.ts';

let world: SyncWorld;
afterEach(() => world.close());

const event = (uid: string, from: string, to: string, more = '') =>
  `UID:${uid}@x\nSUMMARY:Event ${uid}\nDTSTART:${from}\nDTEND:${to}\n${more}`.trim();
const starts = (side: Side) =>
  side
    .blocks()
    .map((one) => /DTSTART[^:]*:(\S+)/.exec(one.body)?.[1] ?? '')
    .toSorted();
const titles = (side: Side) =>
  side
    .blocks()
    .map((one) => /SUMMARY:(.*)\r/.exec(one.body)?.[1] ?? '')
    .toSorted();
const sync = () => world.person.as(syncContract);
const theGroup = async () => {
  const [group] = (await sync().listGroups()).groups;
  if (group === undefined) throw new Error('there is no group');
  return group;
};
const changed = async (rule: MirrorRulePatch, more: object = {}) => {
  const { groupId, name, enabled, members, pairs, revision } = await theGroup();
  return { params: { groupId }, body: { name, enabled, members, pairs, rule, revision, ...more } };
};
/** Saves a change and tells what its preview said, what was then written, and how many requests that took. */
const saveAndCompare = async (rule: MirrorRulePatch, more: object = {}) => {
  const { params, body } = await changed(rule, more);
  const { revision: _, ...input } = body;
  const { diff } = await sync().previewGroup({ body: { ...input, groupId: params.groupId } });
  world.writes();
  await sync().changeGroup({ params, body });
  await world.server.settle();
  return { said: { create: diff.create, update: diff.update, delete: diff.delete }, wrote: world.writes(), diff };
};
type Diff = Awaited<ReturnType<typeof saveAndCompare>>['diff'];
const rowsOf = (diff: Diff) => diff.targets.flatMap((target) => target.rows);
const instantOf = (time: string | null | undefined) => (time ? Temporal.Instant.from(time).toString() : null);
const nextDays = async (days: number) => {
  world.clock.advance({ hours: 24 * days });
  await sweep(world.server.app);
  await world.pass();
};

describe('changes of a rule', () => {
  const weekly = `BEGIN:VEVENT
    UID:s@x
    SUMMARY:Standup
    DTSTART;TZID=America/New_York:20270302T090000
    DTEND;TZID=America/New_York:20270302T093000
    RRULE:FREQ=WEEKLY;COUNT=4
    END:VEVENT`;

  test('a changed rule writes exactly what its preview said', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('s.ics', weekly);
    left.put('a.ics', event('a', '20270303T230000Z', '20270304T000000Z'));
    left.put('b.ics', event('b', '20270304T150000Z', '20270304T160000Z'));
    left.put('free.ics', event('free', '20270305T150000Z', '20270305T160000Z', 'TRANSP:TRANSPARENT'));
    right.put('r.ics', event('r', '20270304T180000Z', '20270304T190000Z'));
    await world.pass();
    expect([left.blocks().length, right.blocks().length]).toEqual([1, 3]);

    const same = await saveAndCompare({});
    expect(same).toMatchObject({ said: { create: 0, update: 0, delete: 0 }, wrote: 0, diff: { unchanged: 4 } });

    const titled = await saveAndCompare({ privacy: 'title', titleTemplate: '{title}' });
    expect(titled).toMatchObject({ said: { create: 0, update: 4, delete: 0 }, wrote: 4 });
    expect(titles(right)).toEqual(['Event a', 'Event b', 'Standup']);

    const all = await saveAndCompare({ events: 'all' });
    expect(all).toMatchObject({ said: { create: 1, update: 4, delete: 0 }, wrote: 5 });
    expect(titles(right)).toEqual(['Busy', 'Busy', 'Busy', 'Busy']);

    // instance by instance now: four for one; the late event goes
    const hours = { start: '08:00', end: '17:00', weekdays: [1, 2, 3, 4, 5], zone: 'America/New_York' };
    const office = await saveAndCompare({ hours });
    expect(office).toMatchObject({ said: { create: 4, update: 0, delete: 3 }, wrote: 7 });
    const created = rowsOf(office.diff).filter(({ action }) => action === 'create');
    expect(created).toEqual([expect.objectContaining({ origin: 'Standup', writes: 'Busy', blocks: 4, series: null })]);
    expect(instantOf(created[0]?.startsAt)).toBe('2027-03-02T14:00:00Z');
    expect(starts(right)).toEqual([
      '20270302T140000Z',
      '20270304T150000Z',
      '20270309T140000Z',
      '20270316T130000Z', // summer time
      '20270323T130000Z',
    ]);

    const words = await saveAndCompare({ excludeKeywords: ['standup'] });
    expect(words).toMatchObject({ said: { create: 1, update: 0, delete: 4 }, wrote: 5 });
    expect((await theGroup()).breakers).toEqual([]);
    expect(rowsOf(words.diff).map(({ action, origin, blocks }) => [action, origin, blocks])).toEqual([
      ['delete', 'Standup', 4],
      ['create', 'Event a', 1],
    ]);

    const off = await saveAndCompare({}, { enabled: false });
    expect(off).toMatchObject({ said: { create: 0, update: 0, delete: 3 }, wrote: 3 });
    expect([left.blocks(), right.blocks()]).toEqual([[], []]);
  });

  test('a review lists every event of a full month', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    const { groupId } = await theGroup();
    await sync().removeGroup({ params: { groupId } });
    await world.server.settle();
    for (let day = 1; day <= 28; day++) {
      const date = `202703${String(day).padStart(2, '0')}`;
      left.put(`full-${day}.ics`, event(`full-${day}`, `${date}T150000Z`, `${date}T160000Z`));
    }
    await world.pass();
    const { diff } = await sync().previewGroup({
      body: {
        groupId: null,
        name: 'Main calendars',
        enabled: true,
        rule: {},
        members: [left.calendarId, right.calendarId].map((calendarId) => ({
          calendarId,
          isSource: true,
          isTarget: true,
        })),
        pairs: [],
      },
    });
    const [target] = diff.targets;
    expect(target?.create).toBeGreaterThan(20);
    expect(target?.rows).toHaveLength(target?.rowCount ?? 0);
  });

  test('a review is grouped by calendar, with the first date of a series in the window and the words to be written', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    const { groupId } = await theGroup();
    await sync().removeGroup({ params: { groupId } });
    await world.server.settle();
    left.put(
      's.ics',
      `BEGIN:VEVENT
      UID:s@x
      SUMMARY:Therapy
      DTSTART;TZID=America/New_York:20250107T090000
      DTEND;TZID=America/New_York:20250107T093000
      RRULE:FREQ=WEEKLY
      END:VEVENT`,
    );
    left.put('a.ics', event('a', '20270320T150000Z', '20270320T160000Z'));
    right.put('day.ics', 'UID:day@x\nSUMMARY:Fair\nDTSTART;VALUE=DATE:20270310\nDTEND;VALUE=DATE:20270312');
    await world.pass();
    const sides = [left.calendarId, right.calendarId];
    const { diff } = await sync().previewGroup({
      body: {
        groupId: null,
        name: 'Main calendars',
        enabled: true,
        rule: {},
        members: sides.map((calendarId) => ({ calendarId, isSource: true, isTarget: true })),
        pairs: [],
      },
    });
    expect(diff).toMatchObject({ create: 3, update: 0, delete: 0, unchanged: 0 });
    const target = (calendarId: string) => diff.targets.find((one) => one.calendarId === calendarId);
    expect(target(right.calendarId)).toMatchObject({ create: 2, update: 0, delete: 0, rowCount: 2 });
    const rows = target(right.calendarId)?.rows ?? [];
    expect(rows).toMatchObject([
      {
        sourceCalendarId: left.calendarId,
        origin: 'Therapy',
        writes: 'Busy',
        details: false,
        series: {
          rule: 'FREQ=WEEKLY',
          start: '2025-01-07T09:00:00',
          zone: 'America/New_York',
          since: '2025-01-07T14:00:00.000Z',
          changed: 0,
          excluded: 0,
        },
      },
      { origin: 'Event a', writes: 'Busy', series: null, blocks: 1, allDay: false },
    ]);
    // Every Tuesday since 2025: the row has the first one in the window, and its own length.
    const first = Temporal.Instant.from(rows[0]?.startsAt ?? '');
    expect(first.toString()).toBe('2027-03-02T14:00:00Z');
    expect(first.until(Temporal.Instant.from(rows[0]?.endsAt ?? '')).total('minutes')).toBe(30);
    const [fair] = target(left.calendarId)?.rows ?? [];
    expect(fair).toMatchObject({ origin: 'Fair', writes: 'Busy', allDay: true });
    expect(
      Temporal.Instant.from(fair?.startsAt ?? '')
        .until(fair?.endsAt ?? '')
        .total('hours'),
    ).toBe(48);
    expect(diff.pairs.map(({ create }) => create).toSorted((one, other) => one - other)).toEqual([1, 2]);
  });

  test('a review has each block that is written, in the order of their times', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    const { groupId } = await theGroup();
    await sync().removeGroup({ params: { groupId } });
    await world.server.settle();
    left.put(
      's.ics',
      `BEGIN:VEVENT
      UID:s@x
      SUMMARY:Review
      DTSTART;TZID=America/New_York:20270216T090000
      DTEND;TZID=America/New_York:20270216T093000
      RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=5
      EXDATE;TZID=America/New_York:20270330T090000
      END:VEVENT
      BEGIN:VEVENT
      UID:s@x
      RECURRENCE-ID;TZID=America/New_York:20270413T090000
      STATUS:CANCELLED
      SUMMARY:Review
      DTSTART;TZID=America/New_York:20270413T090000
      DTEND;TZID=America/New_York:20270413T093000
      END:VEVENT
      BEGIN:VEVENT
      UID:s@x
      RECURRENCE-ID;TZID=America/New_York:20270316T090000
      SUMMARY:Review moved
      DTSTART;TZID=America/New_York:20270317T110000
      DTEND;TZID=America/New_York:20270317T113000
      END:VEVENT`,
    );
    left.put('late.ics', event('late', '20270320T150000Z', '20270320T160000Z'));
    const now = Temporal.Instant.fromEpochMilliseconds(world.server.app.clock.nowMs());
    const past = now.subtract({ hours: 6 });
    const basic = (at: Temporal.Instant) => at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
    left.put('past.ics', event('past', basic(past), basic(past.add({ hours: 1 }))));
    await world.pass();
    const body = {
      name: 'Main calendars',
      enabled: true,
      rule: {},
      members: [
        { calendarId: left.calendarId, isSource: true, isTarget: false },
        { calendarId: right.calendarId, isSource: false, isTarget: true },
      ],
      pairs: [],
    };
    const { diff } = await sync().previewGroup({ body: { ...body, groupId: null } });
    const rows = rowsOf(diff);
    expect(rows.map(({ origin, blocks }) => [origin, blocks])).toEqual([
      ['Event past', 1],
      ['Review', 1],
      ['Event late', 1],
    ]);
    // one object at CalDAV: it begins before the window, has its moved date, and leaves out two
    expect(rows[1]).toMatchObject({
      startsAt: '2027-03-02T14:00:00.000Z',
      series: { rule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=5', since: '2027-02-16T14:00:00.000Z', changed: 1, excluded: 2 },
    });
    await sync().createGroup({ body });
    await world.server.settle();
    expect(right.blocks().some(({ body }) => body.includes('DTSTART;TZID=America/New_York:20270216T090000'))).toBe(
      true,
    );
    expect(right.blocks()).toHaveLength(3);
  });

  test('a rule of one pair leaves the other pairs alone and goes with its pair', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('a.ics', event('a', '20270303T150000Z', '20270303T160000Z'));
    right.put('r.ics', event('r', '20270304T180000Z', '20270304T190000Z'));
    await world.pass();
    const pair = { sourceCalendarId: left.calendarId, targetCalendarId: right.calendarId, enabled: true };
    const rule: MirrorRulePatch = { privacy: 'title', titleTemplate: '{title}' };
    await saveAndCompare({}, { pairs: [{ ...pair, rule }] });
    expect([titles(left), titles(right)]).toEqual([['Busy'], ['Event a']]);
    // its breaker remembers something: the rule of a pair that is not sent any more goes all the same
    await sql`update sync.pairs set breaker = 'open'`.execute(world.server.app.db);
    await saveAndCompare({}, { pairs: [] });
    await world.server.settle();
    expect(titles(right)).toEqual(['Busy']);
    expect((await theGroup()).pairs.filter((one) => Object.keys(one.rule).length > 0)).toEqual([]);
    await saveAndCompare({}, { pairs: [{ ...pair, enabled: false, rule: {} }] });
    expect([left.blocks().length, right.blocks().length]).toEqual([1, 0]);
  });

  test('a rule change that empties most of a target needs no confirmation', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    for (let n = 0; n < 14; n += 1) {
      left.put(`${n}.ics`, event(String(n), `202703${String(n + 10)}T150000Z`, `202703${String(n + 10)}T160000Z`));
    }
    await world.pass();
    expect(right.blocks()).toHaveLength(14);
    await saveAndCompare({ includeKeywords: ['nothing has this'] });
    expect(right.blocks()).toEqual([]);
    await saveAndCompare({});
    expect(right.blocks()).toHaveLength(14);
    await saveAndCompare({ futureDays: 10 });
    expect(right.blocks()).toHaveLength(2);
    expect((await theGroup()).breakers).toEqual([]);
  });

  test('a rule change that drops the free events needs no confirmation, and the next mass deletion does', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    await sync().changeGroup(await changed({ events: 'all' }));
    for (let n = 0; n < 14; n += 1) {
      const at = `202703${String(n + 10)}`;
      left.put(`${n}.ics`, event(String(n), `${at}T150000Z`, `${at}T160000Z`, 'TRANSP:TRANSPARENT'));
      left.put(`busy${n}.ics`, event(`busy${n}`, `${at}T170000Z`, `${at}T180000Z`));
    }
    await world.pass();
    expect(right.blocks()).toHaveLength(28);
    await saveAndCompare({ events: 'busy' });
    expect(right.blocks()).toHaveLength(14);
    expect((await theGroup()).breakers).toEqual([]);
    // the person decided that, and nothing else
    for (let n = 0; n < 14; n += 1) left.remove(`busy${n}.ics`);
    await world.pass();
    expect(right.blocks()).toHaveLength(14);
    expect((await theGroup()).breakers).toMatchObject([{ deletes: 14 }]);
  });

  test('a rule change based on an old revision is refused, and nothing of it is stored', async () => {
    world = await startSyncWorld();
    const first = await changed({ privacy: 'title' });
    const second = await changed({ privacy: 'details' });
    await sync().changeGroup(first);
    await expect(sync().changeGroup(second)).rejects.toMatchObject({ code: 'STALE', status: 409 });
    expect((await theGroup()).rule).toEqual({ privacy: 'title' });
    expect((await theGroup()).revision).toBe(2);
  });

  test('a person has up to 100 mirror groups', async () => {
    world = await startSyncWorld();
    await sql`insert into sync.groups (id, user_id, name, enabled, rule)
      select gen_random_uuid(), ${world.person.userId}, 'Empty', true, '{}' from generate_series(1, 98)`.execute(
      world.server.app.db,
    );
    const body = { name: 'Another', enabled: true, rule: {}, members: [], pairs: [] };
    const { group } = await sync().createGroup({ body });
    await expect(sync().createGroup({ body })).rejects.toMatchObject({ code: 'TOO_MANY', status: 409 });
    await sync().removeGroup({ params: { groupId: group.groupId } });
    await sync().createGroup({ body });
    expect((await sync().listGroups()).groups).toHaveLength(100);
  });

  test('an event with more dates than a group may have keeps its blocks, and the explanation says so', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    const dense = (count: number) =>
      `UID:dense@x\nSUMMARY:Dense\nDTSTART:20270302T090000Z\nDTEND:20270302T091500Z\nRRULE:FREQ=HOURLY;COUNT=${count}`;
    left.put('dense.ics', dense(3));
    await world.pass();
    expect(right.blocks()).toHaveLength(3);
    left.put('dense.ics', dense(6_000));
    await sync().changeGroup(await changed({ futureDays: 730 }));
    await world.pass();
    expect(right.blocks()).toHaveLength(3);
    const { rows } = await sql<{ id: string }>`
      select id from calendar.items where calendar_id = ${left.calendarId}`.execute(world.server.app.db);
    const { targets } = await sync().explainMirror({
      query: { event_id: rows[0]?.id ?? '', calendar_id: right.calendarId },
    });
    expect(targets[0]?.reasons.map(({ code }) => code)).toEqual(['too-dense']);
  });

  test('previews of one person have an allowance', async () => {
    world = await startSyncWorld();
    const body = { groupId: null, name: 'New', enabled: true, rule: {}, members: [], pairs: [] };
    const preview = () => sync().previewGroup({ body });
    const codes: unknown[] = [];
    for (let n = 0; n < 120 && codes.length === 0; n += 1)
      await preview().catch((error: { code?: string }) => codes.push(error.code));
    expect(codes).toEqual(['LIMITED']);
  });

  test('events of suspended people are not planned until their account is back', async () => {
    world = await startSyncWorld();
    const { left, person, server } = world;
    const { db } = server.app;
    left.put('a.ics', event('a', '20270320T150000Z', '20270320T160000Z'));
    await world.pass();
    const userId = person.userId as UserId;
    const rowCount = async () =>
      Number(
        (await sql<{ n: string }>`select count(*) as n from sync.mirrors where user_id = ${userId}`.execute(db)).rows[0]
          ?.n,
      );
    const plan = () => reconcile(server.app, userId, new AbortController().signal);
    expect(await rowCount()).toBe(1);
    const { rows } = await sql<{ id: ItemId }>`
      select id from calendar.items where calendar_id = ${left.calendarId}`.execute(db);
    await sql`update accounts.users set suspended_at = now() where id = ${userId}`.execute(db);
    await sql`delete from sync.mirrors where user_id = ${userId}`.execute(db);
    await inTransaction(db, (tx) =>
      unplanItems(
        tx,
        rows.map(({ id }) => id),
      ),
    );
    await plan();
    expect(await rowCount()).toBe(0);
    await sql`update accounts.users set suspended_at = null where id = ${userId}`.execute(db);
    await plan();
    expect(await rowCount()).toBe(1);
  });

  test('a mirror group that cannot work is refused', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    const member = (calendarId: string) => ({ calendarId, isSource: true, isTarget: true });
    const body = { name: 'Other', enabled: true, rule: {}, members: [member(left.calendarId)], pairs: [] };
    await expect(sync().createGroup({ body })).rejects.toMatchObject({ code: 'CALENDAR_IN_OTHER_GROUP', status: 409 });
    await expect(sync().previewGroup({ body: { ...body, groupId: null } })).rejects.toMatchObject({
      code: 'CALENDAR_IN_OTHER_GROUP',
    });
    const twice = { members: [member(right.calendarId), member(right.calendarId)] };
    await expect(sync().changeGroup(await changed({}, twice))).rejects.toMatchObject({ status: 400 });
    const nobodys = { members: [member('00000000-0000-7000-8000-000000000000')] };
    await expect(sync().changeGroup(await changed({}, nobodys))).rejects.toMatchObject({ status: 404 });
    await sql`update connections.calendars set writable = false where id = ${right.calendarId}`.execute(
      world.server.app.db,
    );
    await expect(sync().changeGroup(await changed({}))).rejects.toMatchObject({ code: 'NOT_WRITABLE' });
    const hours = { start: '08:00', end: '24:30', weekdays: [1], zone: 'Europe/Berlin' };
    await expect(sync().changeGroup(await changed({ hours }))).rejects.toThrow('hours');
  });
});

test('a removed group removes every mirror that it wrote, and nothing else', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  left.put('a.ics', event('a', '20270303T150000Z', '20270303T160000Z'));
  right.put('r.ics', event('r', '20270304T180000Z', '20270304T190000Z'));
  await world.pass();
  const { groupId } = await theGroup();
  await sync().removeGroup({ params: { groupId } });
  await world.server.settle();
  expect(left.objects().map((one) => one.name)).toEqual(['a.ics']);
  expect(right.objects().map((one) => one.name)).toEqual(['r.ics']);
  await expect(sync().removeGroup({ params: { groupId } })).rejects.toMatchObject({ status: 404 });
  world.writes();
  await world.pass();
  expect(world.writes()).toBe(0);
});

test('a calendar is pulled no more often than the polling interval of its person', async () => {
  world = await startSyncWorld();
  const { settings } = await sync().readSettings();
  await sync().changeSettings({ body: { ...settings, pollSeconds: 3_600 } });
  await world.pass();
  const { rows } = await sql<{ aheadS: number }>`
    select extract(epoch from next_pull_at)::float8 - ${world.clock.nowMs() / 1000}::float8 as "aheadS"
    from sync.pulls`.execute(world.server.app.db);
  expect(rows.length).toBe(2);
  for (const { aheadS } of rows) expect(aheadS).toBeGreaterThanOrEqual(3_600);
});

describe('mirror window of a person', () => {
  test('the mirror window of a person applies to all groups without a window of their own', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('near.ics', event('near', '20270303T150000Z', '20270303T160000Z'));
    left.put('far.ics', event('far', '20270601T150000Z', '20270601T160000Z'));
    await world.pass();
    expect(starts(right)).toEqual(['20270303T150000Z', '20270601T150000Z']);
    const { settings } = await sync().readSettings();
    await sync().changeSettings({ body: { ...settings, futureDays: 30 } });
    await world.pass();
    expect(starts(right)).toEqual(['20270303T150000Z']);
    expect((await sync().listGroups()).groups[0]?.effectiveRule.futureDays).toBe(30);
    await sync().changeGroup(await changed({ futureDays: 200 }));
    await world.pass();
    expect(starts(right)).toEqual(['20270303T150000Z', '20270601T150000Z']);
  });

  test('the mirror window moves with the days of its owner: past mirrors go, and coming ones arrive', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    await sync().changeGroup(await changed({ pastDays: 1, futureDays: 7 }));
    left.put('past.ics', event('past', '20270228T150000Z', '20270228T160000Z'));
    left.put('next.ics', event('next', '20270310T150000Z', '20270310T160000Z'));
    await world.pass();
    expect(starts(right)).toEqual(['20270228T150000Z']);
    await sweep(world.server.app);
    await world.pass();
    world.writes();
    world.clock.advance({ hours: 12 });
    await sweep(world.server.app);
    await world.pass();
    expect(world.writes()).toBe(0); // still the same day
    await nextDays(1);
    expect(starts(right)).toEqual([]);
    await nextDays(1);
    expect(starts(right)).toEqual(['20270310T150000Z']);
    world.writes();
    await sweep(world.server.app);
    await world.pass();
    expect(world.writes()).toBe(0);
  });

  test('an endless expanded series moves forward by one instance a day', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    const hours = { start: '00:00', end: '24:00', weekdays: [1, 2, 3, 4, 5, 6, 7], zone: 'UTC' };
    await sync().changeGroup(await changed({ pastDays: 1, futureDays: 5, hours }));
    left.put('s.ics', event('s', '20270215T150000Z', '20270215T160000Z', 'RRULE:FREQ=DAILY'));
    await world.pass();
    expect(starts(right)[0]).toBe('20270228T150000Z');
    expect(right.blocks()).toHaveLength(7);
    const kept = right.blocks().map((one) => one.name);
    world.writes();
    await nextDays(1);
    expect(starts(right)[0]).toBe('20270301T150000Z');
    expect(world.writes()).toBe(2);
    expect(right.blocks().filter((one) => kept.includes(one.name))).toHaveLength(6);
    // weeks away, as after a long outage: most of it is past, which is nobody's deletion
    await nextDays(30);
    expect(right.blocks()).toHaveLength(7);
    expect((await theGroup()).breakers).toEqual([]);
  });
});

test('a person who changes zone gets all-day events and mirrors at other instants, without a write', async () => {
  world = await startSyncWorld();
  const { left, right, person } = world;
  const { changePreferences } = person.as(accountsContract);
  await changePreferences({ body: { timezone: 'Europe/Berlin' } });
  left.put('day.ics', 'UID:day@x\nSUMMARY:Day\nDTSTART;VALUE=DATE:20270303\nDTEND;VALUE=DATE:20270304');
  await world.pass();
  const query = { from: '2027-03-01T00:00:00Z', to: '2027-03-10T00:00:00Z' };
  const shown = async () => {
    const { events } = await person.as(calendarContract).listEvents({ query });
    return events
      .map((one) => [
        one.is_holdfast_block ? 'block' : 'event',
        one.start_time,
        one.end_time,
        one.start_date,
        one.end_date,
      ])
      .map((parts) => parts.join(' '))
      .toSorted();
  };
  expect(await shown()).toEqual([
    'block 2027-03-02T23:00:00.000Z 2027-03-03T23:00:00.000Z 2027-03-03 2027-03-04',
    'event 2027-03-02T23:00:00.000Z 2027-03-03T23:00:00.000Z 2027-03-03 2027-03-04',
  ]);
  world.writes();
  await changePreferences({ body: { timezone: 'America/New_York' } });
  await world.server.settle();
  await world.pass();
  expect(await shown()).toEqual([
    'block 2027-03-03T05:00:00.000Z 2027-03-04T05:00:00.000Z 2027-03-03 2027-03-04',
    'event 2027-03-03T05:00:00.000Z 2027-03-04T05:00:00.000Z 2027-03-03 2027-03-04',
  ]);
  expect(right.blocks()[0]?.body).toContain('DTSTART;VALUE=DATE:20270303');
  expect(world.writes()).toBe(0);
});

test('a mirror that its user changed is released when the rule says so', async () => {
  world = await startSyncWorld();
  const { left, right, person } = world;
  await sync().changeGroup(await changed({ onUserEdit: 'release' }));
  left.put('a.ics', event('a', '20270303T150000Z', '20270303T160000Z'));
  await world.pass();
  const [block] = right.blocks();
  const inside = block?.body.split('BEGIN:VEVENT')[1]?.split('END:VEVENT')[0] ?? '';
  right.put(block?.name ?? '', inside.replace('SUMMARY:Busy', 'SUMMARY:Mine now'));
  await world.pass();
  left.put('a.ics', event('a', '20270303T170000Z', '20270303T180000Z'));
  await world.pass();
  left.remove('a.ics');
  await world.pass();
  expect(titles(right)).toEqual(['Mine now']);
  expect(starts(right)).toEqual(['20270303T150000Z']);
  expect(left.objects()).toEqual([]);
  const { mirrors } = await person.as(meetingsContract).listMeetings({ query: { scope: 'mirrors' } });
  expect(mirrors.map((row) => [row.status, row.reason])).toEqual([['skipped', 'released']]);
});

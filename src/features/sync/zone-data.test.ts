import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Side, type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { contentHash } from '../../kernel/event-hash.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import { inTransaction } from '../../platform/db.ts';
import { applyZoneData } from '../calendar/apply-zone-data.ts';
import { calendarContract } from '../calendar/contract.ts';
import { syncContract } from './contract.ts';
import { listDue, moveMirrors } from './store/mirrors.ts';

/**
 * Manitoba keeps -05 from November 2026 on: tzdata 2026e. With 2026c, 09:00 in Winnipeg was 15:00Z in winter, and is 14:00Z now.
 */

let world: SyncWorld;
beforeEach(async () => {
  world = await startSyncWorld({ now: '2027-01-04T09:00:00Z' });
});
afterEach(() => world.close());

const event = (uid: string, lines: string) => `BEGIN:VEVENT\nUID:${uid}@x\nSUMMARY:${uid}\n${lines}\nEND:VEVENT`;
const inZone = (zone: string, day: string, hour: number) =>
  `DTSTART;TZID=${zone}:202701${day}T${hour}0000\nDTEND;TZID=${zone}:202701${day}T${hour + 1}0000`;
const winnipeg = (day: string, hour: number) => inZone('America/Winnipeg', day, hour);

/** Fridays at 09:00, without the 22nd, and at 13:00 on the 29th: as the old law reads them, an hour later by ours. */
const fridays = `${event(
  'series',
  `${winnipeg('08', 10)}\nRRULE:FREQ=WEEKLY;COUNT=5\nEXDATE;TZID=America/Winnipeg:20270122T100000`,
)}\n${event('series', `${winnipeg('29', 14)}\nRECURRENCE-ID;TZID=America/Winnipeg:20270129T100000`)}`;

/** All that is stored or written stays at the instants at which it is; the clocks in Winnipeg show an hour less for them. */
async function readByOldLaw(): Promise<void> {
  const { db } = world.server.app;
  const back = (text: string) =>
    text.replace(/T(\d\d):00:00/g, (_, hour) => `T${`${Number(hour) - 1}`.padStart(2, '0')}:00:00`);
  const { rows: items } = await sql<{ id: string; body: string }>`
    select id, body::text as body from calendar.items where body::text like '%America/Winnipeg%'`.execute(db);
  for (const { id, body } of items) {
    const text = back(body);
    await sql`update calendar.items set body = ${text}::json, hash = ${contentHash(JSON.parse(text))} where id = ${id}`.execute(
      db,
    );
  }
  const { rows: mirrors } = await sql<{ id: string; body: string }>`
    select id, desired as body from sync.mirrors where desired like '%America/Winnipeg%'`.execute(db);
  for (const { id, body } of mirrors) {
    const text = back(body);
    const hash = contentHash(JSON.parse(text));
    await sql`update sync.mirrors set desired = ${text}, desired_hash = ${hash}, applied_hash = ${hash} where id = ${id}`.execute(
      db,
    );
  }
  for (const object of [...world.left.objects(), ...world.right.objects()]) {
    object.body = object.body
      .replace(
        /(TZID=America\/Winnipeg:\d{8}T)(\d\d)/g,
        (_, before, hour) => `${before}${`${Number(hour) - 1}`.padStart(2, '0')}`,
      )
      .replace('BEGIN:VTIMEZONE', 'X-LAW:OLD\r\nBEGIN:VTIMEZONE');
  }
  await markOld();
}

const markOld = () =>
  sql`update calendar.zone_data set version = '2026c', next_version = null, done_to = null`.execute(
    world.server.app.db,
  );
const readByNewLaw = async () => {
  await applyZoneData(world.server.app, AbortSignal.timeout(20_000));
  await world.pass();
};

const blocksOf = (side: Side, pattern: RegExp) =>
  side
    .blocks()
    .flatMap(({ body }) => [...body.matchAll(pattern)].map(([text]) => text.trim()))
    .sort();
const startsOf = async (title: string) => {
  const { events } = await world.person
    .as(calendarContract)
    .listEvents({ query: { from: '2027-01-04T00:00:00Z', to: '2027-02-15T00:00:00Z' } });
  return events
    .filter((one) => one.title === title && one.calendar_id === world.left.calendarId)
    .map((one) => Temporal.Instant.from(one.start_time).toString())
    .sort();
};

describe('newer zone data', () => {
  test('a single event and its block move to the new instant, and nothing else is written', async () => {
    const { left, right } = world;
    left.put('single.ics', event('single', winnipeg('15', 10)));
    left.put('same.ics', event('same', inZone('America/New_York', '15', 12)));
    left.put('utc.ics', event('utc', 'DTSTART:20270116T150000Z\nDTEND:20270116T160000Z'));
    left.put('day.ics', event('day', 'DTSTART;VALUE=DATE:20270118'));
    await world.pass();
    await readByOldLaw();
    await world.pass();
    world.writes();
    const others = blocksOf(right, /DTSTART.*\r/g).filter((line) => line !== 'DTSTART:20270115T150000Z');
    expect([others.length, await startsOf('single')]).toEqual([3, ['2027-01-15T15:00:00Z']]);

    await readByNewLaw();
    expect(await startsOf('single')).toEqual(['2027-01-15T14:00:00Z']);
    expect(blocksOf(right, /DTSTART.*\r/g)).toEqual([...others, 'DTSTART:20270115T140000Z'].sort());
    expect(world.writes()).toBe(1);

    await markOld();
    await readByNewLaw();
    expect(world.writes()).toBe(0);
  });

  test('a series keeps its exceptions, and its block gets the rules of the zone', async () => {
    const { left, right } = world;
    left.put('series.ics', fridays);
    await world.pass();
    await readByOldLaw();
    await world.pass();
    world.writes();
    expect(right.blocks()[0]?.body).toContain('X-LAW:OLD');

    await readByNewLaw();
    expect(await startsOf('series')).toEqual([
      '2027-01-08T14:00:00Z',
      '2027-01-15T14:00:00Z',
      '2027-01-29T18:00:00Z',
      '2027-02-05T14:00:00Z',
    ]);
    expect(right.blocks()).toHaveLength(1);
    expect(right.blocks()[0]?.body).not.toContain('X-LAW:OLD');
    expect(blocksOf(right, /^(EXDATE|RECURRENCE-ID|DTSTART).*Winnipeg.*\r/gm)).toEqual([
      'DTSTART;TZID=America/Winnipeg:20270108T090000',
      'DTSTART;TZID=America/Winnipeg:20270129T130000',
      'EXDATE;TZID=America/Winnipeg:20270122T090000',
      'RECURRENCE-ID;TZID=America/Winnipeg:20270129T090000',
    ]);
    expect(world.writes()).toBe(1);
  });

  test('a plain series is written again, although it says the same', async () => {
    const { left, right } = world;
    left.put('series.ics', event('series', `${winnipeg('08', 10)}\nRRULE:FREQ=WEEKLY;COUNT=5`));
    left.put('same.ics', event('same', `${inZone('America/New_York', '08', 10)}\nRRULE:FREQ=WEEKLY;COUNT=5`));
    await world.pass();
    await readByOldLaw();
    world.writes();
    await readByNewLaw();
    expect(world.writes()).toBe(1);
    const laws = right
      .blocks()
      .map(({ body }) => `${/TZID=([\w/]+):2027/.exec(body)?.[1]} ${body.includes('X-LAW:OLD')}`);
    expect(laws.sort()).toEqual(['America/New_York true', 'America/Winnipeg false']);
  });

  test('no series is written with its former exceptions before it is planned again', async () => {
    const { left, right, person, server } = world;
    const { db, clock } = server.app;
    left.put('series.ics', fridays);
    await world.pass();
    const { rows } = await sql<{ id: string }>`
      select id from calendar.items where calendar_id = ${left.calendarId}`.execute(db);
    const itemIds = rows.map(({ id }) => id);
    await inTransaction(db, (tx) => moveMirrors(tx, { userId: person.userId, itemIds, renamed: [] }));
    const account = right.accountId as ConnectionId;
    expect(await listDue(db, account, { nowMs: clock.nowMs(), limit: 10, without: [] })).toEqual([]);
  });

  test('blocks of single instances move in place', async () => {
    const { left, right, person } = world;
    const sync = person.as(syncContract);
    const [group] = (await sync.listGroups()).groups;
    if (group === undefined) throw new Error('there is no group');
    const { groupId, name, enabled, members, pairs, revision } = group;
    const rule = { hours: { start: '00:00', end: '24:00', weekdays: [1, 2, 3, 4, 5, 6, 7], zone: 'America/New_York' } };
    await sync.changeGroup({ params: { groupId }, body: { name, enabled, members, pairs, rule, revision } });
    left.put('series.ics', fridays);
    await world.pass();
    await readByOldLaw();
    world.writes();
    const names = right.blocks().map((one) => one.name);
    await readByNewLaw();
    expect(right.blocks().map((one) => one.name)).toEqual(names);
    expect(blocksOf(right, /DTSTART.*\r/g)).toEqual([
      'DTSTART:20270108T140000Z',
      'DTSTART:20270115T140000Z',
      'DTSTART:20270129T180000Z',
      'DTSTART:20270205T140000Z',
    ]);
    expect(world.writes()).toBe(4);
  });

  test('an interrupted walk continues after its last page, and one of other data begins again', async () => {
    const { left } = world;
    left.put('single.ics', event('single', winnipeg('15', 10)));
    await world.pass();
    await readByOldLaw();
    const { db } = world.server.app;
    const standAt = (version: string) =>
      sql`update calendar.zone_data set version = '2026c', next_version = ${version},
        done_to = (select max(id::text)::uuid from calendar.items)`.execute(db);
    await standAt(process.versions.tz ?? '');
    await readByNewLaw();
    expect(await startsOf('single')).toEqual(['2027-01-15T15:00:00Z']);
    await standAt('2026d');
    await readByNewLaw();
    expect(await startsOf('single')).toEqual(['2027-01-15T14:00:00Z']);
  });

  test('a process with older data leaves instants alone, and what it may have stored is looked at later', async () => {
    const { left, server } = world;
    left.put('single.ics', event('single', winnipeg('15', 10)));
    await world.pass();
    await readByOldLaw();
    await sql`update calendar.zone_data set version = '9999z'`.execute(server.app.db);
    await readByNewLaw();
    expect(await startsOf('single')).toEqual(['2027-01-15T15:00:00Z']);
    await markOld();
    await readByNewLaw();
    expect(await startsOf('single')).toEqual(['2027-01-15T14:00:00Z']);
  });
});

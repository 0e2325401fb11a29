import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConnectionId } from '#kernel/ids.ts';
import { type Side, type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { addCalendar } from '../../emulators/caldav/world.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { refreshCalendars } from '../connections/public.ts';
import { meetingsContract } from '../meetings/contract.ts';
import { syncContract } from './contract.ts';
import { forgetRemoved } from './forget-removed.ts';
import { sweep } from './sweep.ts';

let world: SyncWorld;
afterEach(() => world.close());

const meeting = (uid: string, day: number, hour = 15) => {
  const at = (h: number) => `202703${String(day).padStart(2, '0')}T${String(h).padStart(2, '0')}0000Z`;
  return `UID:${uid}@x\nSUMMARY:Meeting ${uid}\nDTSTART:${at(hour)}\nDTEND:${at(hour + 1)}`;
};
const names = (side: Side) =>
  side
    .blocks()
    .map((one) => one.name)
    .toSorted();
const putMany = (side: Side, count: number, prefix = 'e') => {
  for (let n = 0; n < count; n += 1)
    side.put(`${prefix}${n}.ics`, meeting(`${prefix}${n}`, 2 + (n % 27), 8 + (n % 10)));
};
const eventIds = async () => {
  const query = { from: '2027-03-01T00:00:00Z', to: '2027-04-10T00:00:00Z' };
  const { events } = await world.person.as(calendarContract).listEvents({ query });
  return events.map((one) => one.event_id).toSorted();
};
const breakers = async () => (await world.person.as(syncContract).listGroups()).groups[0]?.breakers ?? [];
const answer = async (what: 'delete' | 'keep') => {
  const sync = world.person.as(syncContract);
  const [group] = (await sync.listGroups()).groups;
  const [breaker] = group?.breakers ?? [];
  if (group === undefined || breaker === undefined) throw new Error('nothing is held back');
  const { sourceCalendarId, targetCalendarId } = breaker;
  const params = { groupId: group.groupId };
  await sync.answerBreaker({ params, body: { sourceCalendarId, targetCalendarId, answer: what } });
  await world.server.settle();
};
/** As if so much time had gone by for the database, whose clock times listings. */
const age = async (seconds: number) => {
  const { db } = world.server.app;
  await sql`update sync.pairs set breaker_at = breaker_at - make_interval(secs => ${seconds})`.execute(db);
};
/** The same collection made again, without its objects: answers with what it had. */
const emptied = ({ calendar }: Side) => {
  const held = [...calendar.objects.values()];
  calendar.objects.clear();
  calendar.nameOfUid.clear();
  calendar.tombstones.clear();
  calendar.log.length = 0;
  calendar.loggedAtMs.length = 0;
  world.emulator.world.incarnations += 1;
  calendar.incarnation = world.emulator.world.incarnations;
  return held;
};
const refill = (side: Side, held: { name: string; body: string }[]) => {
  for (const { name, body } of held) side.put(name, body.split('BEGIN:VEVENT')[1]?.split('END:VEVENT')[0] ?? '');
};

describe('cursors that a server no longer accepts', () => {
  test('an expired cursor leads to a full listing that finds changes, deletes nothing and keeps every id', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    putMany(left, 15);
    await world.pass();
    const [blocks, ids] = [names(right), await eventIds()];
    world.writes();
    left.calendar.oldestToken = left.calendar.log.push('') && left.calendar.log.length;
    left.calendar.loggedAtMs.push(world.clock.nowMs());
    right.calendar.oldestToken = right.calendar.log.push('') && right.calendar.log.length;
    right.calendar.loggedAtMs.push(world.clock.nowMs());
    for (let n = 0; n < 3; n += 1) await world.pass();
    expect(names(right)).toEqual(blocks);
    expect(await eventIds()).toEqual(ids);
    expect(world.writes()).toBe(0);
    left.put('e3.ics', meeting('e3', 5, 20));
    left.remove('e4.ics');
    await world.pass();
    expect(names(right)).toHaveLength(14);
    expect(world.writes()).toBe(2);
  });

  test('a failed listing is not taken for an empty calendar', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    putMany(left, 3);
    await world.pass();
    const blocks = names(right);
    expect(blocks).toHaveLength(3);
    for (const effect of [
      { kind: 'status', status: 500 },
      { kind: 'status', status: 207, contentType: 'text/xml', body: '<?xml version="1.0"?><multistatus xmlns="DAV:">' },
      { kind: 'status', status: 302, location: '/elsewhere/' },
      { kind: 'login-page' },
      { kind: 'truncated', keep: 0.5 },
    ] as const) {
      world.emulator.addFault({ path: '/calendars/left/', times: 6, effect });
      await sql`update sync.pulls set want_listing = true`.execute(world.server.app.db);
      await world.pass();
      expect(names(right), JSON.stringify(effect)).toEqual(blocks);
      world.emulator.faults = [];
    }
    world.clock.advance({ hours: 3 });
    await world.pass();
    await world.pass();
    expect(names(right)).toEqual(blocks);
    expect(await breakers()).toEqual([]);
  });
});

describe('calendars that are suddenly empty', () => {
  test('a suddenly empty calendar keeps its mirrors until a second listing and an answer of its owner', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    putMany(left, 3);
    await world.pass();
    const blocks = names(right);
    emptied(left);
    await world.pass();
    await world.pass();
    expect(names(right)).toEqual(blocks);
    expect(await breakers()).toMatchObject([{ state: 'waiting', deletes: 3 }]);
    // asked again and again within the minute, it says the same, and nothing is decided
    for (let n = 0; n < 3; n += 1) await world.pass();
    expect(await breakers()).toMatchObject([{ state: 'waiting', deletes: 3 }]);
    expect(names(right)).toEqual(blocks);

    await age(61);
    world.clock.advance({ seconds: 62 });
    await world.pass();
    const [open] = await breakers();
    expect(open).toMatchObject({ state: 'open', deletes: 3, sourceCalendarId: left.calendarId });
    expect(open?.examples).toHaveLength(3);
    expect(names(right)).toEqual(blocks);
    world.clock.advance({ hours: 30 });
    await sweep(world.server.app);
    await world.pass();
    expect(names(right)).toEqual(blocks);

    await answer('delete');
    expect(right.objects()).toEqual([]);
    expect(await breakers()).toEqual([]);
    await expect(answer('delete')).rejects.toThrow('nothing is held back');
  });

  test('a calendar that suddenly has only mirrors counts as suddenly empty', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    putMany(left, 3);
    right.put('r.ics', meeting('r', 5, 20));
    await world.pass();
    const blocks = names(right);
    emptied(left);
    await world.pass();
    await world.pass();
    expect(left.objects()).toHaveLength(1);
    await age(61);
    world.clock.advance({ seconds: 62 });
    await world.pass();
    await world.pass();
    expect(await breakers()).toMatchObject([{ state: 'open', deletes: 3 }]);
    expect(names(right)).toEqual(blocks);
  });

  test('mirrors that their owner keeps stay, and are managed again when the events come back', async () => {
    world = await startSyncWorld();
    const { left, right, person } = world;
    putMany(left, 3);
    await world.pass();
    const blocks = names(right);
    const held = emptied(left);
    await world.pass();
    await world.pass();
    await answer('keep');
    await world.pass();
    expect(names(right)).toEqual(blocks);
    expect(await breakers()).toEqual([]);
    const { mirrors } = await person.as(meetingsContract).listMeetings({ query: { scope: 'mirrors' } });
    expect(mirrors.map((row) => [row.status, row.reason])).toEqual([
      ['skipped', 'kept'],
      ['skipped', 'kept'],
      ['skipped', 'kept'],
    ]);
    refill(left, held);
    await world.pass();
    expect(names(right)).toEqual(blocks);
    left.put('e0.ics', meeting('e0', 9, 20));
    await world.pass();
    expect(right.blocks().filter((one) => one.body.includes('DTSTART:20270309T200000Z'))).toHaveLength(1);
    expect(names(right)).toEqual(blocks);
  });

  test('a suddenly empty calendar whose events come back causes no write', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    putMany(left, 12);
    await world.pass();
    const blocks = names(right);
    const held = emptied(left);
    await world.pass();
    await world.pass();
    expect(await breakers()).toMatchObject([{ state: 'waiting', deletes: 12 }]);
    refill(left, held);
    world.writes();
    await world.pass();
    await world.pass();
    expect(await breakers()).toEqual([]);
    expect(names(right)).toEqual(blocks);
    expect(world.writes()).toBe(0);
  });

  test('a suddenly empty calendar is an ordinary one again once it has events', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    putMany(left, 2);
    await world.pass();
    emptied(left);
    await world.pass();
    await world.pass();
    await answer('delete');
    expect(right.objects()).toEqual([]);
    putMany(left, 2, 'n');
    await world.pass();
    expect(right.blocks()).toHaveLength(2);
    left.remove('n0.ics');
    await world.pass();
    expect(right.blocks()).toHaveLength(1);
    expect(await breakers()).toEqual([]);
  });

  test('an emptied target gets each of its mirrors again exactly once', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    putMany(left, 3);
    await world.pass();
    emptied(right);
    for (let n = 0; n < 3; n += 1) await world.pass();
    expect(right.blocks()).toHaveLength(3);
    expect(left.objects()).toHaveLength(3);
    world.writes();
    await world.pass();
    expect(world.writes()).toBe(0);
  });
});

describe('servers that answer once as if a calendar were empty', () => {
  test.each(['left', 'right'] as const)('a false empty listing (%s) doubles and loses nothing', async (which) => {
    world = await startSyncWorld();
    const { left, right } = world;
    putMany(left, 3);
    await world.pass();
    const [blocks, ids] = [names(right), await eventIds()];
    const body = `<?xml version="1.0"?>
      <multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><response>
        <href>/calendars/${which}/work/</href>
        <propstat><prop><resourcetype><collection/><C:calendar/></resourcetype></prop><status>HTTP/1.1 200 OK</status></propstat>
      </response></multistatus>`;
    const mistake = world.emulator.addFault({
      op: 'propfind',
      path: `/calendars/${which}/work/`,
      nth: 2, // the first asks for the state of the calendar, the second for its objects
      effect: { kind: 'status', status: 207, contentType: 'application/xml', body },
    });
    await sql`update sync.pulls set want_listing = true`.execute(world.server.app.db);
    await world.pass();
    expect(mistake.struck).toBe(1);
    for (let n = 0; n < 3; n += 1) {
      world.clock.advance({ minutes: 2 });
      await world.pass();
    }
    expect(names(right)).toEqual(blocks);
    expect((await eventIds()).length).toBe(ids.length);
    expect(await breakers()).toEqual([]);
  });
});

describe('calendars that are gone', () => {
  test('a calendar that is gone keeps its mirrors in other calendars', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    putMany(left, 3);
    await world.pass();
    const blocks = names(right);
    left.user.calendars.delete('work');
    addCalendar(world.emulator.world, left.user, 'other');
    await world.pass();
    await world.pass();
    expect(names(right)).toEqual(blocks);
    left.user.calendars.set('work', left.calendar);
    left.remove('e0.ics');
    world.clock.advance({ hours: 2 });
    await world.pass();
    await world.pass();
    expect(names(right).length).toBeGreaterThanOrEqual(2);
  });
});

test.each([
  ['after its grace', false],
  ['at once where its person removes it', true],
])('a calendar that is gone is forgotten %s, and read again once it is back', async (_, now) => {
  world = await startSyncWorld();
  const { left, right } = world;
  putMany(left, 3);
  await world.pass();
  expect(names(right)).toHaveLength(3);
  const calendar = left.user.calendars.get('work');
  left.user.calendars.delete('work');
  addCalendar(world.emulator.world, left.user, 'other');
  const { app } = world.server;
  const list = async () => {
    const { rows } = await sql<{ id: ConnectionId }>`select id from connections.connections`.execute(app.db);
    for (const { id } of rows) await refreshCalendars(app, id, AbortSignal.timeout(10_000));
  };
  const held = async () => {
    const { rows } = await sql<{ spans: number; items: number }>`
      select (select count(*)::int from calendar.spans) as spans,
        (select count(*)::int from calendar.items where provenance = 'foreign' and gone_at is null) as items`.execute(
      app.db,
    );
    return rows[0];
  };
  await list();
  await forgetRemoved(app, AbortSignal.timeout(10_000));
  expect(await held()).toEqual({ spans: 3, items: 3 });
  const integrations = world.person.as(connectionsContract);
  const find = async () => (await integrations.listIntegrationCalendars()).calendars.find(({ removed }) => removed);
  const gone = await find();
  expect(gone).toMatchObject({ left: false, leavesAt: expect.any(String) });
  const remove = (calendarId = '') => world.person.as(syncContract).removeCalendar({ params: { calendarId } });
  const listed = (await integrations.listIntegrationCalendars()).calendars.find(({ removed }) => !removed);
  await expect(remove(listed?.calendarId)).rejects.toMatchObject({ code: 'STILL_LISTED' });
  if (now) await remove(gone?.calendarId);
  else await sql`update connections.calendars set leaves_at = leaves_at - interval '7 hours'`.execute(app.db);
  expect((await find())?.left).toBe(true);
  for (let n = 0; n < 2; n += 1) await forgetRemoved(app, AbortSignal.timeout(10_000));
  await world.pass();
  expect(await held()).toEqual({ spans: 0, items: 0 });
  expect(names(right)).toEqual([]);
  if (calendar !== undefined) left.user.calendars.set('work', calendar);
  await list();
  await world.pass();
  await world.pass();
  expect(await held()).toEqual({ spans: 3, items: 3 });
  expect(names(right)).toHaveLength(3);
  expect(await find()).toBeUndefined();
});

test('a target that was gone gets the missed changes once its account is reconnected', async () => {
  world = await startSyncWorld();
  const { left, right, person } = world;
  putMany(left, 3);
  await world.pass();
  right.user.calendars.delete('work');
  addCalendar(world.emulator.world, right.user, 'other');
  await world.pass();
  await world.pass();
  left.put('new.ics', meeting('new', 20, 20));
  left.put('e0.ics', meeting('e0', 2, 21));
  left.remove('e1.ics');
  await world.pass();
  expect(right.blocks()).toHaveLength(3);
  right.user.calendars.set('work', right.calendar);
  const { reconnect } = person.as(connectionsContract);
  await reconnect({ params: { accountId: right.accountId }, body: { password: 'secret' } });
  await world.server.settle();
  await world.pass();
  const starts = right.blocks().map((one) => /DTSTART:(\S+)/.exec(one.body)?.[1] ?? '');
  expect(starts.toSorted()).toEqual(['20270302T210000Z', '20270304T100000Z', '20270320T200000Z']);
});

describe('objects with a mirror tag', () => {
  const tagged = (uid: string, tag: string) => `${meeting(uid, 4)}\nX-HOLDFAST-MIRROR:${tag}`;

  test('an event with a forged mirror tag is mirrored like any other', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('forged.ics', tagged('forged', '1:0123456789abcdefghijklmnopqrstuv'));
    await world.pass();
    expect(right.blocks()).toHaveLength(1);
    expect(left.objects()).toHaveLength(1);
  });

  test('a copy of a mirror under another UID is an event of its own and is mirrored', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('a.ics', meeting('a', 2));
    await world.pass();
    const tag = /X-HOLDFAST-MIRROR:(\S+)/.exec(right.blocks()[0]?.body ?? '')?.[1] ?? '';
    right.put('copy.ics', tagged('copy', tag));
    await world.pass();
    await world.pass();
    expect(left.blocks()).toHaveLength(1);
    world.clock.advance({ hours: 30 });
    await sql`update calendar.items set updated_at = updated_at - interval '2 hours'`.execute(world.server.app.db);
    await sweep(world.server.app);
    await world.server.settle();
    expect(right.objects().map((one) => one.name)).toContain('copy.ics');
    expect(right.objects()).toHaveLength(2);
  });

  test('a mirror with a valid tag and no ledger row is deleted after an hour, and nothing else is', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('a.ics', meeting('a', 2));
    left.put('b.ics', meeting('b', 3));
    right.put('own.ics', meeting('own', 5));
    right.put('forged.ics', tagged('forged', '1:0123456789abcdefghijklmnopqrstuv'));
    await world.pass();
    const { db } = world.server.app;
    const [orphan] = right.blocks().filter((one) => one.body.includes('20270302T150000Z'));
    // the ledger loses a row, as a restored backup would; its event is not there any more either
    await sql`delete from sync.mirrors where desired::json #>> '{when,start}' = '2027-03-02T15:00:00'`.execute(db);
    await sql`delete from calendar.items where uid = 'a@x'`.execute(db);
    left.remove('a.ics');
    world.clock.advance({ hours: 25 });
    await world.pass();
    await sweep(world.server.app);
    await world.server.settle();
    expect(right.objects().map((one) => one.name)).toContain(orphan?.name); // not an hour old

    await sql`update calendar.items set updated_at = updated_at - interval '61 minutes'`.execute(db);
    world.clock.advance({ hours: 24 });
    await sweep(world.server.app);
    await world.server.settle();
    expect(right.objects().map((one) => one.name)).not.toContain(orphan?.name);
    expect(right.objects().map((one) => one.name)).toEqual(expect.arrayContaining(['own.ics', 'forged.ics']));
    expect(right.objects()).toHaveLength(3);
    const logs = await sql<{ type: string }>`select type from sync.audit where type = 'mirror.orphan_removed'`.execute(
      db,
    );
    expect(logs.rows).toHaveLength(1);
  });
});

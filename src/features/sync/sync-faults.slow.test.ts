import { afterEach, describe, expect, test } from 'vitest';
import { type Side, type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import type { Operation } from '../../emulators/caldav/operation.ts';
import { addCalendar, removeObject } from '../../emulators/caldav/world.ts';
import type { FaultRule } from '../../emulators/kit/faults.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { meetingsContract } from '../meetings/contract.ts';
import { syncContract } from './contract.ts';
import { pullCalendar } from './pull.ts';

let world: SyncWorld;
afterEach(() => world.close());

const meeting = (uid: string, day: number, hour = 15) => {
  const at = (h: number) => `202703${String(day).padStart(2, '0')}T${String(h).padStart(2, '0')}0000Z`;
  return `UID:${uid}@x\nSUMMARY:Meeting ${uid}\nDTSTART:${at(hour)}\nDTEND:${at(hour + 1)}`;
};
const starts = (side: Side) =>
  side
    .blocks()
    .map((one) => /DTSTART:(\S+)/.exec(one.body)?.[1] ?? '')
    .toSorted();
const accountOf = async (side: Side) => {
  const { accounts } = await world.person.as(connectionsContract).listAccounts();
  return accounts.find((one) => one.accountId === side.accountId);
};
const mirrors = async () =>
  (await world.person.as(meetingsContract).listMeetings({ query: { scope: 'mirrors' } })).mirrors;
const later = async (duration: Temporal.DurationLike) => {
  world.clock.advance(duration);
  await world.pass();
};
const requestsTo = (side: Side, since: number) =>
  world.emulator.ledger.slice(since).filter((entry) => entry.path.includes(`/${side.user.name}/`));

describe('accounts with a changed password', () => {
  test('a changed password stops only its own account and deletes nothing, and a new password resumes it', async () => {
    world = await startSyncWorld();
    const { left, right, person } = world;
    left.put('a.ics', meeting('a', 2));
    right.put('b.ics', meeting('b', 3));
    await world.pass();
    expect([left.blocks().length, right.blocks().length]).toEqual([1, 1]);

    right.user.password = 'changed';
    left.put('c.ics', meeting('c', 4));
    left.remove('a.ics');
    await world.pass();
    expect(await accountOf(right)).toMatchObject({ needsReconnect: true, status: 'error' });
    expect(await accountOf(left)).toMatchObject({ needsReconnect: false, status: 'active', message: null });
    expect(right.objects()).toHaveLength(2);
    expect(left.blocks()).toHaveLength(1);
    const { events } = await person
      .as(calendarContract)
      .listEvents({ query: { from: '2027-03-01T00:00:00Z', to: '2027-03-10T00:00:00Z' } });
    expect(events.filter((one) => !one.is_holdfast_block).map((one) => one.title)).toEqual(['Meeting b', 'Meeting c']);

    const seen = world.emulator.ledger.length;
    for (let n = 0; n < 3; n += 1) await later({ minutes: 90 });
    expect(requestsTo(right, seen)).toEqual([]);
    expect((await mirrors()).filter((row) => row.status === 'failed')).toEqual([]);

    const { reconnect } = person.as(connectionsContract);
    await expect(
      reconnect({ params: { accountId: right.accountId }, body: { password: 'not this one' } }),
    ).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    await reconnect({ params: { accountId: right.accountId }, body: { password: 'changed' } });
    await world.server.settle();
    await world.pass();
    expect(await accountOf(right)).toMatchObject({ needsReconnect: false, status: 'active' });
    expect(starts(right)).toEqual(['20270304T150000Z']);
  });

  test('an account with a changed password can be disconnected, and its objects stay at the provider', async () => {
    world = await startSyncWorld();
    const { left, right, person } = world;
    left.put('a.ics', meeting('a', 2));
    right.put('b.ics', meeting('b', 3));
    await world.pass();
    right.user.password = 'changed';
    await person.as(connectionsContract).disconnect({ params: { accountId: right.accountId } });
    await expect.poll(() => accountOf(right)).toBeUndefined();
    expect(left.objects().map((one) => one.name)).toEqual(['a.ics']);
    expect(right.objects()).toHaveLength(2);
    const seen = world.emulator.ledger.length;
    await later({ hours: 2 });
    expect(requestsTo(right, seen)).toEqual([]);
  });
});

test('an account with a read-only calendar can be disconnected', async () => {
  world = await startSyncWorld();
  const { left, right, person } = world;
  left.put('a.ics', meeting('a', 2));
  right.put('b.ics', meeting('b', 3));
  await world.pass();
  right.calendar.readOnly = true;
  await person.as(connectionsContract).disconnect({ params: { accountId: right.accountId } });
  await expect.poll(() => accountOf(right)).toBeUndefined();
  expect(left.objects().map((one) => one.name)).toEqual(['a.ics']);
  expect(right.objects()).toHaveLength(2);
});

describe('limits of a provider', () => {
  test('a rate limit is waited out as long as the provider says, by its account alone', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    world.emulator.addFault({
      op: 'create',
      path: '/calendars/right/',
      effect: { kind: 'status', status: 429, retryAfter: '300' },
    });
    left.put('a.ics', meeting('a', 2));
    right.put('b.ics', meeting('b', 3));
    await world.pass();
    expect(starts(left)).toEqual(['20270303T150000Z']);
    expect(right.blocks()).toEqual([]);
    const refusedAt = world.emulator.ledger.length;
    await later({ seconds: 299 });
    expect(requestsTo(right, refusedAt).filter((entry) => entry.method === 'PUT')).toEqual([]);
    expect((await mirrors()).map((row) => row.status).toSorted()).toEqual(['created', 'pending']);
    await later({ seconds: 2 });
    expect(starts(right)).toEqual(['20270302T150000Z']);
    expect((await mirrors()).map((row) => [row.status, row.attempts])).toEqual([
      ['created', 0],
      ['created', 0],
    ]);
  });

  test('a full calendar waits, reports an error, and continues when there is room', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    right.calendar.maxObjects = 3;
    for (let n = 2; n < 8; n += 1) left.put(`${n}.ics`, meeting(String(n), n));
    right.put('b.ics', meeting('b', 3));
    await world.pass();
    // one is their own, so two blocks fit: the nearest
    expect(starts(right)).toEqual(['20270302T150000Z', '20270303T150000Z']);
    expect(starts(left)).toEqual(['20270303T150000Z']);
    const waiting = (await mirrors()).filter((row) => row.status === 'pending');
    expect(waiting).toHaveLength(4);
    expect(waiting.every((row) => row.error !== null)).toBe(true);
    world.writes();
    await later({ minutes: 30 });
    expect(world.writes()).toBe(0);
    right.calendar.maxObjects = null;
    await later({ minutes: 31 });
    expect(right.blocks()).toHaveLength(6);
  });

  test('a read-only calendar gets no mirrors, and gets them once it is writable', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    right.calendar.readOnly = true;
    left.put('a.ics', meeting('a', 2));
    right.put('b.ics', meeting('b', 3));
    await world.pass();
    expect(starts(left)).toEqual(['20270303T150000Z']);
    // whether its block was planned before or after the list of calendars told so: nothing is written, nothing given up
    expect(starts(right)).toEqual([]);
    expect((await mirrors()).filter((row) => row.status === 'failed')).toEqual([]);
    right.calendar.readOnly = false;
    await later({ minutes: 61 });
    expect(starts(right)).toEqual(['20270302T150000Z']);
  });
});

describe('objects that a server fails to return', () => {
  const begin = async () => {
    world = await startSyncWorld();
    const { left, emulator } = world;
    left.put('a.ics', meeting('a', 2));
    left.put('ill.ics', meeting('ill', 3));
    const effect = { kind: 'status', status: 500 } as const;
    emulator.addFault({ op: 'multiget', path: '/calendars/left/', times: 0, effect });
    emulator.addFault({ op: 'get', path: '/calendars/left/work/ill.ics', times: 0, effect });
    await world.pass();
    return world;
  };

  test('an object that its server fails to return holds back no other, and is mirrored once it is returned', async () => {
    const { left, right, emulator } = await begin();
    expect(starts(right)).toEqual(['20270302T150000Z']);
    expect(await accountOf(left)).toMatchObject({ status: 'error' });
    emulator.faults = [];
    await later({ minutes: 1 });
    expect(starts(right)).toEqual(['20270302T150000Z', '20270303T150000Z']);
    expect(await accountOf(left)).toMatchObject({ status: 'active' });
  });

  test('an object that its server keeps failing to return is skipped, and its calendar continues', async () => {
    const { left, right } = await begin();
    // as the heartbeat has it read; who asks for it begins to wait anew
    for (let n = 0; n < 3; n += 1) await pullCalendar(world.server.app, left.calendarId, AbortSignal.timeout(10_000));
    expect(await accountOf(left)).toMatchObject({ status: 'active' });
    left.put('c.ics', meeting('c', 4));
    await world.pass();
    expect(starts(right)).toEqual(['20270302T150000Z', '20270304T150000Z']);
    expect(await accountOf(left)).toMatchObject({ status: 'active' });
  });
});

describe('lost, refused and broken responses', () => {
  const effects: [string, Pick<FaultRule, 'phase' | 'effect'>][] = [
    ['a reset before', { phase: 'before', effect: { kind: 'reset' } }],
    ['a reset after', { phase: 'after', effect: { kind: 'reset' } }],
    ['a 500 after', { phase: 'after', effect: { kind: 'status', status: 500 } }],
    ['a 503 before', { phase: 'before', effect: { kind: 'status', status: 503 } }],
    ['a 502 page after', { phase: 'after', effect: { kind: 'status', status: 502, contentType: 'text/html' } }],
  ];
  const operations: Operation[] = ['create', 'update', 'delete'];

  for (const [name, fault] of effects) {
    test(`${name} each kind of write leaves one correct mirror, and none after the event is deleted`, async () => {
      world = await startSyncWorld();
      const { left, right } = world;
      const faults = operations.map((op) =>
        world.emulator.addFault({ op, path: '/calendars/right/', times: 2, ...fault }),
      );
      const settle = async () => {
        await world.pass();
        for (let n = 0; n < 4; n += 1) await later({ minutes: 3 });
      };
      left.put('a.ics', meeting('a', 2));
      await settle();
      expect(starts(right)).toEqual(['20270302T150000Z']);
      const [block] = right.objects();
      left.put('a.ics', meeting('a', 2, 18));
      await settle();
      expect(starts(right)).toEqual(['20270302T180000Z']);
      expect(right.objects().map((one) => one.name)).toEqual([block?.name]);
      left.remove('a.ics');
      await settle();
      expect(right.objects()).toEqual([]);
      expect(faults.map((one) => one.struck)).toEqual([2, 2, 2]);
      await world.pass();
      world.writes();
      await world.pass();
      expect(world.writes()).toBe(0);
      expect(await mirrors()).toEqual([]);
    });
  }

  test('a mirror that was written with a lost response is recorded in its audit log', async () => {
    world = await startSyncWorld();
    const { left, right, person } = world;
    world.emulator.addFault({ op: 'create', path: '/calendars/right/', phase: 'after', effect: { kind: 'reset' } });
    left.put('a.ics', meeting('a', 2));
    await world.pass();
    await later({ minutes: 3 });
    const [row] = await mirrors();
    expect(row?.status).toBe('created');
    const { logs } = await person.as(meetingsContract).readAudit({ params: { id: row?.event_id ?? '' } });
    expect(logs.map((one) => one.type)).toEqual(['mirror.repaired', 'mirror.retry']);
    expect(right.objects()).toHaveLength(1);
  });

  test('an outage stops only its account, costs no attempt of any mirror, and ends when the server is back', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    const outage = world.emulator.addFault({
      op: 'write',
      path: '/calendars/right/',
      times: 0,
      effect: { kind: 'reset' },
    });
    for (let n = 2; n < 28; n += 1) left.put(`${n}.ics`, meeting(String(n), n));
    right.put('b.ics', meeting('b', 3));
    await world.pass();
    expect(outage.struck).toBeLessThan(16);
    expect(starts(left)).toEqual(['20270303T150000Z']);
    for (let n = 0; n < 6; n += 1) await later({ minutes: 20 });
    const rows = await mirrors();
    expect(rows.filter((row) => row.status === 'failed')).toEqual([]);
    expect(rows.filter((row) => row.attempts > 0)).toEqual([]);
    world.emulator.faults = [];
    await later({ hours: 2 });
    expect(right.blocks()).toHaveLength(26);
  });

  test('a refused object fails only its own mirror, and is retried on request', async () => {
    world = await startSyncWorld();
    const { left, right, person } = world;
    world.emulator.addFault({ op: 'create', path: '/calendars/right/', effect: { kind: 'status', status: 400 } });
    left.put('a.ics', meeting('a', 2));
    left.put('c.ics', meeting('c', 4));
    await world.pass();
    expect(right.blocks()).toHaveLength(1);
    const [failed, created] = await mirrors();
    expect([failed?.status, created?.status]).toEqual(['failed', 'created']);
    expect(failed?.error).toBeTruthy();
    const [group] = (await person.as(syncContract).listGroups()).groups;
    expect(group?.counts).toEqual({ total: 2, created: 1, pending: 0, failed: 1, skipped: 0 });
    await person.as(meetingsContract).retryMirror({ params: { mirrorId: failed?.id ?? '' } });
    await world.server.settle();
    expect(right.blocks()).toHaveLength(2);
    await expect(
      person.as(meetingsContract).retryMirror({ params: { mirrorId: failed?.id ?? '' } }),
    ).rejects.toMatchObject({ code: 'NOT_FAILED' });
  });
});

describe('a parked block', () => {
  test('a block that its calendar refuses tells its next attempt, and a retry writes it at once', async () => {
    world = await startSyncWorld();
    const { left, right, person } = world;
    world.emulator.addFault({ op: 'create', path: '/calendars/right/', effect: { kind: 'status', status: 403 } });
    left.put('a.ics', meeting('a', 2));
    await world.pass();
    expect(right.blocks()).toHaveLength(0);
    const [parked] = await mirrors();
    expect(parked).toMatchObject({ status: 'pending', attempts: 0 });
    expect(Temporal.Instant.from(parked?.next_attempt_at ?? '').epochMilliseconds).toBe(
      world.clock.nowMs() + 3_600_000,
    );
    expect(parked?.error).toBeTruthy();
    await person.as(meetingsContract).retryMirror({ params: { mirrorId: parked?.id ?? '' } });
    await world.server.settle();
    expect(right.blocks()).toHaveLength(1);
    expect((await mirrors())[0]).toMatchObject({ status: 'created', next_attempt_at: null });
  });
});

describe('unreadable objects', () => {
  const broken = 'UID:broken@x\nSUMMARY:No start at all';

  test('an unreadable object is left out, and every other event is mirrored', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('broken.ics', broken);
    left.put('a.ics', meeting('a', 2));
    await world.pass();
    expect(starts(right)).toEqual(['20270302T150000Z']);
    expect(await accountOf(left)).toMatchObject({ status: 'active', message: null });
  });

  test('an event that becomes unreadable keeps its mirror', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('a.ics', meeting('a', 2));
    await world.pass();
    left.put('a.ics', 'UID:a@x\nSUMMARY:No start at all');
    await world.pass();
    expect(starts(right)).toEqual(['20270302T150000Z']);
    left.put('a.ics', meeting('a', 2, 18));
    await world.pass();
    expect(starts(right)).toEqual(['20270302T180000Z']);
    left.remove('a.ics');
    await world.pass();
    expect(right.objects()).toEqual([]);
  });

  test('an endless rule with an instance every minute is too dense to mirror, and affects no other event', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('dense.ics', `${meeting('dense', 2)}\nRRULE:FREQ=MINUTELY`);
    left.put('never.ics', `${meeting('never', 2)}\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30`);
    left.put('a.ics', meeting('a', 4));
    await world.pass();
    expect(starts(right)).toContain('20270304T150000Z');
    expect(right.blocks().some((one) => one.body.includes('MINUTELY'))).toBe(false);
    expect(await accountOf(left)).toMatchObject({ status: 'active' });
  });
});

test('a mirror that Holdfast removed with a lost response is not taken as deleted by its user', async () => {
  world = await startSyncWorld();
  const { left, right, emulator } = world;
  left.put('a.ics', meeting('a', 2));
  right.put('b.ics', meeting('b', 3));
  await world.pass();
  const blockOf = (side: Side) => side.blocks()[0]?.name ?? '';
  const deleteBlock = () => removeObject(right.calendar, blockOf(right), world.clock.nowMs());
  deleteBlock();
  await world.pass();
  expect(starts(right)).toEqual(['20270302T150000Z']);
  // its event takes no time, so it is removed; that is not heard of, and then its event takes time again
  emulator.addFault({ op: 'delete', effect: { kind: 'reset' }, phase: 'after' });
  emulator.addFault({ op: ['get', 'delete'], effect: { kind: 'status', status: 500 }, nth: 2, times: 5 });
  left.put('a.ics', `${meeting('a', 2)}\nTRANSP:TRANSPARENT`);
  await world.pass();
  expect(right.blocks()).toEqual([]);
  left.put('a.ics', meeting('a', 2));
  await world.pass();
  emulator.faults.length = 0;
  for (let n = 0; n < 3; n += 1) await later({ minutes: 5 });
  expect(starts(right)).toEqual(['20270302T150000Z']);
  // a second time within a day, by its user: let go
  deleteBlock();
  await later({ minutes: 5 });
  expect(right.blocks()).toEqual([]);
  await later({ minutes: 5 });
  expect(right.blocks()).toEqual([]);
});

test('a mirror that is deleted while its event is moved is looked up once and written once', async () => {
  world = await startSyncWorld();
  const { left, right, person } = world;
  left.put('a.ics', meeting('a', 2));
  await world.pass();
  const [block] = right.blocks();
  right.remove(block?.name ?? '');
  left.put('a.ics', meeting('a', 2, 18));
  // only the origin's side is read: the writer meets the loss first
  const before = world.emulator.ledger.length;
  await person.as(syncContract).syncAccount({ params: { accountId: left.accountId } });
  await world.server.settle();
  await world.server.settle();
  expect(starts(right)).toEqual(['20270302T180000Z']);
  expect(requestsTo(right, before).map((one) => one.method)).toEqual(['PUT', 'GET', 'PUT']);
});

test('a calendar added later at the provider is found by Sync now', async () => {
  world = await startSyncWorld();
  const { left, person, server } = world;
  await world.pass();
  addCalendar(world.emulator.world, left.user, 'private', { displayName: 'Private' });
  await world.pass();
  await server.settle();
  const { calendars } = await person.as(connectionsContract).listIntegrationCalendars();
  expect(calendars.filter((one) => one.accountId === left.accountId).map((one) => one.name)).toEqual([
    'left work',
    'Private',
  ]);
});

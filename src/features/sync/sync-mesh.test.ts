import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConnectionId } from '#kernel/ids.ts';
import { type Side, type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { syncContract } from './contract.ts';
import { takeFence } from './store/fences.ts';

let world: SyncWorld;
afterEach(() => world.close());

const event = (uid: string, day: number, hour = 15) => {
  const at = (h: number) => `202703${String(day).padStart(2, '0')}T${String(h).padStart(2, '0')}0000Z`;
  return `UID:${uid}@x\nSUMMARY:Event ${uid}\nDTSTART:${at(hour)}\nDTEND:${at(hour + 1)}`;
};
const starts = (side: Side) =>
  side
    .blocks()
    .map((one) => /DTSTART:(\S+)/.exec(one.body)?.[1] ?? '')
    .toSorted();

describe('three calendars, each mirrored to the others', () => {
  const startMesh = async (): Promise<Side[]> => {
    world = await startSyncWorld();
    const sides = [world.left, world.right, await world.openSide('third')];
    const sync = world.person.as(syncContract);
    const [group] = (await sync.listGroups()).groups;
    if (group === undefined) throw new Error('there is no group');
    const { groupId, name, enabled, rule, pairs, revision } = group;
    const members = sides.map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true }));
    await sync.changeGroup({ params: { groupId }, body: { name, enabled, rule, pairs, revision, members } });
    return sides;
  };

  test('three calendars mirrored to each other have each event once, and a second pass writes nothing', async () => {
    const sides = await startMesh();
    sides.forEach((side, n) => {
      for (let k = 0; k <= n; k += 1) side.put(`${n}${k}.ics`, event(`${n}${k}`, 2 + n, 8 + k));
    });
    for (let n = 0; n < 3; n += 1) await world.pass();
    expect(sides.map((side) => side.objects().length)).toEqual([6, 6, 6]);
    expect(sides.map((side) => side.blocks().length)).toEqual([5, 4, 3]);
    expect(world.writes()).toBe(6 * 2);
    await world.pass();
    expect(world.writes()).toBe(0);

    // every block is read back as if for the first time: nothing is taken for an event of its own
    await sql`update sync.pulls set cursor = null, want_listing = true`.execute(world.server.app.db);
    await world.pass();
    await world.pass();
    expect(world.writes()).toBe(0);

    sides[2]?.put('20.ics', event('20', 9, 20));
    sides[2]?.remove('21.ics');
    await world.pass();
    expect(world.writes()).toBe(4);
    expect(sides.map((side) => side.blocks().length)).toEqual([4, 3, 3]);
  });

  test('a disconnected account of three removes its mirrors everywhere, and the two others continue', async () => {
    const sides = await startMesh();
    const [left, right, third] = sides as [Side, Side, Side];
    for (const [n, side] of sides.entries()) side.put(`${n}.ics`, event(String(n), 2 + n));
    await world.pass();
    await world.person.as(connectionsContract).disconnect({ params: { accountId: third.accountId } });
    const accounts = async () => (await world.person.as(connectionsContract).listAccounts()).accounts.length;
    await expect.poll(accounts).toBe(2);
    expect(third.objects().map((one) => one.name)).toEqual(['2.ics']);
    expect([starts(left), starts(right)]).toEqual([['20270303T150000Z'], ['20270302T150000Z']]);
    left.put('0.ics', event('0', 2, 20));
    await world.pass();
    expect(starts(right)).toEqual(['20270302T200000Z']);
  });

  test('an account that needs a new password does not stop another from being disconnected', async () => {
    const sides = await startMesh();
    const [left, right, third] = sides as [Side, Side, Side];
    for (const [n, side] of sides.entries()) side.put(`${n}.ics`, event(String(n), 2 + n));
    await world.pass();
    right.user.password = 'changed';
    await world.pass();
    await world.person.as(connectionsContract).disconnect({ params: { accountId: third.accountId } });
    const accounts = async () => (await world.person.as(connectionsContract).listAccounts()).accounts.length;
    await expect.poll(accounts).toBe(2);
    expect(third.objects().map((one) => one.name)).toEqual(['2.ics']);
    expect(starts(left)).toEqual(['20270303T150000Z']);
    // the third calendar's blocks at the second go as soon as the second answers again
    const reconnected = { params: { accountId: right.accountId }, body: { password: 'changed' } };
    await world.person.as(connectionsContract).reconnect(reconnected);
    await world.server.settle();
    expect(starts(right)).toEqual(['20270302T150000Z']);
  });
});

describe('writers with a stale fencing token', () => {
  test('the outcomes of a stale writer are refused, and each event ends with one mirror', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    const { db } = world.server.app;
    const control = async (method: string, path: string, body?: object) => {
      const url = new URL(`/_emu/${path}`, world.emulatorUrl);
      const response = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      return (await response.json()) as { id: number };
    };
    const { id } = await control('POST', 'hold', { op: 'create', path: '/calendars/right/', phase: 'after' });
    left.put('a.ics', event('a', 2));
    left.put('b.ics', event('b', 3));
    const passing = world.pass();
    await control('GET', `hold/${id}`);
    // the first writer waits for its answer; another process takes the account over
    const { token } = await takeFence(db, right.accountId as ConnectionId);
    await control('POST', `hold/${id}`, { how: 'answer' });
    await passing;
    const stored = async () => {
      const { rows } = await sql<{ state: string }>`select state from sync.mirrors order by near_ms`.execute(db);
      return rows.map((row) => row.state);
    };
    // the failed job is retried after a while; until then its results are not believed
    expect(right.blocks().length).toBeGreaterThan(0);
    await expect.poll(stored).toEqual(['created', 'created']);
    expect(starts(right)).toEqual(['20270302T150000Z', '20270303T150000Z']);
    const { rows } = await sql<{ token: number }>`
      select token from sync.fences where connection_id = ${right.accountId}`.execute(db);
    expect(Number(rows[0]?.token)).toBeGreaterThan(Number(token));
    const creates = world.emulator.ledger.filter((entry) => entry.method === 'PUT' && entry.status === 201);
    expect(creates).toHaveLength(2);
    await world.server.settle();
    world.writes();
    await world.pass();
    expect(world.writes()).toBe(0);
    const { events } = await world.person
      .as(calendarContract)
      .listEvents({ query: { from: '2027-03-01T00:00:00Z', to: '2027-03-10T00:00:00Z' } });
    expect(events).toHaveLength(4);
  });
});

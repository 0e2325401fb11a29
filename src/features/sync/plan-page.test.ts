import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { inTransaction } from '#platform/db.ts';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { syncContract } from './contract.ts';

let world: SyncWorld;
afterEach(() => world.close());

const event = (uid: string, title: string) =>
  `UID:${uid}@x\nSUMMARY:${title}\nDTSTART:20270303T150000Z\nDTEND:20270303T160000Z`;
const titles = () => world.right.blocks().map((one) => /SUMMARY:(.*)\r/.exec(one.body)?.[1] ?? '');
const waiting = async (type: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks where not granted and locktype = ${type}
      and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(world.server.app.db);
  return rows[0]?.count ?? 0;
};

test('a rule that changes while new events are stored applies to those events', async () => {
  world = await startSyncWorld();
  const { left, server, person } = world;
  const sync = person.as(syncContract);
  const [group] = (await sync.listGroups()).groups;
  if (group === undefined) throw new Error('there is no group');
  const { groupId, name, enabled, members, pairs, revision } = group;
  left.put('a.ics', event('a', 'Standup'));
  let passed: Promise<unknown> = Promise.resolve();
  let saved: Promise<unknown> = Promise.resolve();
  await inTransaction(server.app.db, async (tx) => {
    // the planner has read the rule, and cannot write its plan
    await sql`lock table sync.mirrors in share row exclusive mode`.execute(tx);
    passed = world.pass();
    await expect.poll(() => waiting('relation')).toBe(1);
    const rule = { privacy: 'title' as const, titleTemplate: '{title}' };
    saved = sync.changeGroup({ params: { groupId }, body: { name, enabled, members, pairs, revision, rule } });
    await expect.poll(() => waiting('advisory')).toBe(1);
  });
  await Promise.all([passed, saved]);
  await server.settle();
  expect(titles()).toEqual(['Standup']);
});

test('an event that changes while it is planned is mirrored as it is now', async () => {
  world = await startSyncWorld();
  const { left, server, person } = world;
  const { db } = server.app;
  const sync = person.as(syncContract);
  const [group] = (await sync.listGroups()).groups;
  if (group === undefined) throw new Error('there is no group');
  const { groupId, name, enabled, members, pairs, revision } = group;
  left.put('a.ics', event('a', 'Standup'));
  await world.pass();
  let passed: Promise<unknown> = Promise.resolve();
  await inTransaction(db, async (tx) => {
    // the planner has read the event as it was, and cannot write what it planned
    await sql`select from sync.mirrors for update`.execute(tx);
    const rule = { privacy: 'title' as const, titleTemplate: '{title}' };
    await sync.changeGroup({ params: { groupId }, body: { name, enabled, members, pairs, revision, rule } });
    await expect.poll(() => waiting('transactionid')).toBe(1);
    left.put('a.ics', event('a', 'Retro'));
    passed = world.pass();
    const isStored = async () => {
      const { rows } = await sql`select from calendar.items where title = 'Retro'`.execute(db);
      return rows.length;
    };
    await expect.poll(isStored).toBe(1);
  });
  await passed;
  await server.settle();
  expect(titles()).toEqual(['Retro']);
});

test('an event that changes while its mirror is edited is left to the planner, without a deadlock', async () => {
  world = await startSyncWorld();
  const { left, server } = world;
  const { db } = server.app;
  left.put('a.ics', event('a', 'Standup'));
  await world.pass();
  let passed: Promise<unknown> = Promise.resolve();
  await inTransaction(db, async (tx) => {
    // as who stores that its person touched the block: the row first, then the event
    await sql`update sync.mirrors set seen = 'changed'`.execute(tx);
    left.put('a.ics', `${event('a', 'Standup')}\nCLASS:PRIVATE`.replace('T15', 'T14'));
    passed = world.pass();
    const isWaiting = async () => {
      const { rows } = await sql`select from calendar.unplanned`.execute(db);
      return rows.length;
    };
    await expect.poll(isWaiting).toBe(1);
    await sql`insert into calendar.unplanned as u (item_id, user_id) select origin_item_id, user_id from sync.mirrors
      on conflict (item_id) do update set version = u.version + 1`.execute(tx);
  });
  await passed;
  await server.settle();
  expect(world.right.blocks().map((one) => /DTSTART.*T(\d\d)/.exec(one.body)?.[1])).toEqual(['14']);
});

test('events of one calendar with the same UID have a mirror each, whenever they arrive', async () => {
  world = await startSyncWorld();
  const { left } = world;
  left.put('a.ics', event('same', 'One'));
  left.put('b.ics', event('same', 'Other'));
  await world.pass();
  left.put('c.ics', event('same', 'Third'));
  await world.pass();
  expect(titles()).toHaveLength(3);
  left.remove('b.ics');
  await world.pass();
  expect(titles()).toHaveLength(2);
  world.writes();
  await world.pass();
  expect(world.writes()).toBe(0);
});

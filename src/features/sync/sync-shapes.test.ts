import { afterEach, describe, expect, test } from 'vitest';
import { type Side, type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { syncContract } from './contract.ts';
import type { MirrorRulePatch } from './rules/mirror-rule.ts';

let world: SyncWorld;
afterEach(() => world.close());

const standup = (count: number) => `BEGIN:VEVENT
  UID:s@x
  SUMMARY:Standup
  DTSTART;TZID=America/New_York:20270302T090000
  DTEND;TZID=America/New_York:20270302T093000
  RRULE:FREQ=DAILY;COUNT=${count}
  END:VEVENT`;
const always = { start: '00:00', end: '24:00', weekdays: [1, 2, 3, 4, 5, 6, 7], zone: 'America/New_York' };

const sync = () => world.person.as(syncContract);
const theGroup = async () => {
  const [group] = (await sync().listGroups()).groups;
  if (group === undefined) throw new Error('there is no group');
  return group;
};
const saveRule = async (rule: MirrorRulePatch) => {
  const { groupId, name, enabled, members, pairs, revision } = await theGroup();
  await sync().changeGroup({ params: { groupId }, body: { name, enabled, members, pairs, rule, revision } });
  await world.server.settle();
};
const later = async (duration: Temporal.DurationLike) => {
  world.clock.advance(duration);
  await world.pass();
};
const recurring = (side: Side) => side.blocks().filter((one) => one.body.includes('RRULE')).length;
const single = (side: Side) => side.blocks().filter((one) => !one.body.includes('RRULE')).length;
const writesTo = (side: Side, since: number) =>
  world.emulator.ledger
    .slice(since)
    .filter((entry) => entry.path.includes(`/${side.user.name}/`) && ['PUT', 'DELETE'].includes(entry.method));

describe('series that a rule expands', () => {
  test('a series stays until all of its expanded mirrors are written, and is removed then', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('s.ics', standup(14));
    await world.pass();
    expect([recurring(right), single(right)]).toEqual([1, 0]);
    const since = world.emulator.ledger.length;
    const fault = world.emulator.addFault({
      op: 'create',
      path: '/calendars/right/',
      nth: 9,
      times: 2,
      effect: { kind: 'status', status: 500 },
    });
    await saveRule({ hours: always });
    expect(recurring(right)).toBe(1);
    expect(single(right)).toBeLessThan(14);
    await later({ seconds: 20 });
    for (let n = 0; n < 5; n += 1) {
      expect(recurring(right) === 1 || single(right) === 14).toBe(true);
      await later({ minutes: 2 });
    }
    expect(fault.struck).toBe(2);
    expect([recurring(right), single(right)]).toEqual([0, 14]);
    const writes = writesTo(right, since);
    expect(writes.filter((entry) => entry.method === 'DELETE')).toHaveLength(1);
    expect(writes.at(-1)?.method).toBe('DELETE');
    // most of what stood has gone, and its owner wanted it so
    expect((await theGroup()).breakers).toEqual([]);

    const back = world.emulator.ledger.length;
    await saveRule({});
    expect([recurring(right), single(right)]).toEqual([1, 0]);
    expect(writesTo(right, back).map((entry) => entry.method)).toEqual(['PUT', ...Array(14).fill('DELETE')]);
    world.writes();
    await later({ minutes: 2 });
    expect(world.writes()).toBe(0);
  });

  test('a series stays when one of its expanded mirrors is given up, and goes with its event', async () => {
    world = await startSyncWorld();
    const { left, right } = world;
    left.put('s.ics', standup(5));
    await world.pass();
    world.emulator.addFault({
      op: 'create',
      path: '/calendars/right/',
      nth: 3,
      effect: { kind: 'status', status: 400 },
    });
    await saveRule({ hours: always });
    await later({ hours: 2 });
    expect([recurring(right), single(right)]).toEqual([1, 4]);
    const [breaker] = (await theGroup()).breakers;
    expect(breaker).toBeUndefined();
    // the origin goes: everything goes, whatever was given up
    left.remove('s.ics');
    await later({ minutes: 5 });
    expect(right.blocks()).toEqual([]);
  });
});

test('a removed expanded series counts as one deletion for the breaker', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  await saveRule({ hours: always });
  left.put('s.ics', standup(120));
  left.put('a.ics', 'UID:a@x\nSUMMARY:A\nDTSTART:20270303T150000Z\nDTEND:20270303T160000Z');
  await world.pass();
  expect(right.blocks()).toHaveLength(121);
  left.put('s.ics', standup(120).replaceAll('T09', 'T11').replace('T093000', 'T113000'));
  await world.pass();
  expect(right.blocks()).toHaveLength(121);
  left.remove('s.ics');
  await world.pass();
  expect(right.blocks()).toHaveLength(1);
  expect((await theGroup()).breakers).toEqual([]);
});

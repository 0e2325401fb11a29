import { afterEach, expect, test } from 'vitest';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { syncContract } from './contract.ts';

let world: SyncWorld;
afterEach(() => world.close());

const shown = async () => {
  const query = { from: '2027-03-01T00:00:00Z', to: '2027-04-01T00:00:00Z' };
  const { events } = await world.person.as(calendarContract).listEvents({ query });
  return events.filter((event) => event.provider === 'holdfast').map((event) => `${event.start_time} ${event.title}`);
};

test('the Holdfast calendar takes, moves and drops mirrors, and leaves no trace once disconnected', async () => {
  world = await startSyncWorld();
  const connections = world.person.as(connectionsContract);
  const sync = world.person.as(syncContract);
  const { account } = await connections.connectOwn();
  expect(account).toMatchObject({ provider: 'holdfast', canReconnectWithPassword: false });
  await expect(connections.connectOwn()).rejects.toMatchObject({ code: 'ALREADY_CONNECTED' });
  const { calendars } = await connections.listIntegrationCalendars();
  const own = calendars.find((one) => one.accountId === account.accountId);
  expect(own).toMatchObject({ name: 'Holdfast', color: '#7048e8', writable: true });
  const [group] = (await sync.listGroups()).groups;
  if (own === undefined || group === undefined) throw new Error('nothing to mirror');
  await sync.changeGroup({
    params: { groupId: group.groupId },
    body: {
      name: group.name,
      enabled: true,
      rule: {},
      members: [world.left, world.right, own].map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true })),
      pairs: [],
      revision: group.revision,
    },
  });
  const put = (hour: string) =>
    world.left.put('a.ics', `UID:a@x\nSUMMARY:Review\nDTSTART:20270303T${hour}0000Z\nDTEND:20270303T${hour}3000Z`);
  put('10');
  world.left.put(
    'w.ics',
    'UID:w@x\nSUMMARY:Weekly\nDTSTART:20270304T080000Z\nDTEND:20270304T090000Z\nRRULE:FREQ=WEEKLY;COUNT=2',
  );
  await world.pass();
  await world.pass();
  const weekly = ['2027-03-04T08:00:00.000Z Busy', '2027-03-11T08:00:00.000Z Busy'];
  expect(await shown()).toEqual(['2027-03-03T10:00:00.000Z Busy', ...weekly]);
  put('11');
  await world.pass();
  expect(await shown()).toEqual(['2027-03-03T11:00:00.000Z Busy', ...weekly]);
  world.writes();
  world.clock.advance({ hours: 25 });
  await world.pass();
  expect(world.writes()).toBe(0);
  expect(await shown()).toHaveLength(3);
  world.left.remove('a.ics');
  await world.pass();
  expect(await shown()).toEqual(weekly);
  const params = { accountId: account.accountId };
  await connections.disconnect({ params, query: { delete_events: '1' } });
  await expect
    .poll(async () => (await connections.listAccounts()).accounts.map((one) => one.provider))
    .not.toContain('holdfast');
  expect(await shown()).toEqual([]);
});

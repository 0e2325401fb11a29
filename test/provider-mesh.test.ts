import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { syncContract } from '../src/features/sync/contract.ts';
import {
  caldavAccount,
  googleAccount,
  type MeshAccount,
  type MeshEvent,
  type MeshRequest,
  microsoftAccount,
} from './harness/mesh-accounts.ts';
import { type ProviderWorld, startProviderWorld } from './harness/provider-world.ts';

/**
 * Two Google accounts, an Outlook mailbox and a CalDAV account, two calendars in each, all mirrored to all: every event
 * stands once and is blocked in each of the seven other calendars, by one insert each, however often anybody looks.
 */

const perCalendar = 3;
const others = 7;
const allBlocks = others * perCalendar;

let world: ProviderWorld;
let accounts: [ada: MeshAccount, ben: MeshAccount, cleo: MeshAccount, dora: MeshAccount];
/** The CalDAV account's id. */
let lastConnected: string;
afterEach(() => world.close());

const titleOf = (account: MeshAccount, calendar: number, n: number) => `${account.name} ${calendar} ${n}`;
/** No two events of the mesh begin at one time. */
const eventsOf = (account: MeshAccount, calendar: number): MeshEvent[] =>
  Array.from({ length: perCalendar }, (_, n) => {
    const day = Temporal.Now.plainDateISO('UTC').add({ days: 3 + n });
    const hour = 2 * accounts.indexOf(account) + calendar;
    return { title: titleOf(account, calendar, n), start: day.toPlainDateTime({ hour }), minutes: 30 };
  });

async function startMesh(): Promise<void> {
  world = await startProviderWorld();
  const { google, microsoft, caldav } = world;
  const kinds = ['work', 'home'];
  accounts = [
    googleAccount(google.control, 'ada@google.example', kinds),
    googleAccount(google.control, 'ben@google.example', kinds),
    microsoftAccount(microsoft.control, 'cleo@outlook.example', kinds),
    caldavAccount(caldav, 'dora', kinds),
  ];
  const members = [];
  for (const account of accounts) {
    for (const [n, calendar] of account.calendars.entries()) await account.seed(calendar, eventsOf(account, n));
    const { provider, name } = account;
    const { accountId, calendars } = await (provider === 'caldav'
      ? world.connectCaldav(name)
      : world.connect(provider, name));
    lastConnected = accountId;
    members.push(...calendars.map(({ calendarId }) => calendarId));
  }
  await world.settle();
  await world.mirror(members);
}

/** Requests of every account since `before`, in the order of `accounts`. */
const requestsSince = (before: number[] = []) => Promise.all(accounts.map((account, n) => account.requests(before[n])));
const ledgerEnds = async () => {
  const google = (await world.google.control.ledger()).length;
  return [google, google, (await world.microsoft.control.ledger()).length, (await world.caldav.ledger()).length];
};
const kindsOf = (requests: MeshRequest[]) => {
  const counts = { insert: 0, update: 0, delete: 0 };
  for (const { kind } of requests) if (kind === 'insert' || kind === 'update' || kind === 'delete') counts[kind] += 1;
  return counts;
};
const writes = async (before: number[]) => (await requestsSince(before)).map(kindsOf);
const each = <T>(value: T): T[] => accounts.map(() => value);

/** Counts of own events and blocks in the eight calendars. */
async function standing(): Promise<[own: number, blocks: number][]> {
  const all = await Promise.all(accounts.map((account) => account.standing()));
  return all.flatMap((calendars, n) =>
    (accounts[n]?.calendars ?? []).map((calendar): [number, number] => {
      const found = calendars.get(calendar);
      return [found?.own ?? -1, found?.blocks.length ?? -1];
    }),
  );
}
const everywhere = (own: number, blocks: number) => Array(8).fill([own, blocks]);

test('a mesh of all provider kinds has each event once and one block per other calendar, by single inserts', async () => {
  await startMesh();
  expect(await standing()).toEqual(everywhere(perCalendar, allBlocks));
  expect((await requestsSince()).map(kindsOf)).toEqual(each({ insert: 2 * allBlocks, update: 0, delete: 0 }));
  // a block begins where its event does: all times of the mesh but the calendar's own
  const blocks = await Promise.all(accounts.map((account) => account.standing()));
  const everyStart = accounts.flatMap((account) =>
    account.calendars.flatMap((_, n) => eventsOf(account, n).map(({ start }) => start.toString().slice(0, 16))),
  );
  for (const [n, account] of accounts.entries()) {
    for (const [m, calendar] of account.calendars.entries()) {
      const own = eventsOf(account, m).map(({ start }) => start.toString().slice(0, 16));
      const expected = everyStart.filter((start) => !own.includes(start)).toSorted();
      expect(blocks[n]?.get(calendar)?.blocks).toEqual(expected);
    }
  }

  let before = await ledgerEnds();
  await world.pass();
  // every block is read back as if for the first time: nothing is taken for an event of its own
  await sql`update sync.pulls set cursor = null, want_listing = true`.execute(world.server.app.db);
  await world.pass();
  await world.pass();
  expect(await writes(before)).toEqual(each({ insert: 0, update: 0, delete: 0 }));

  // one event of each account moves, one is deleted
  before = await ledgerEnds();
  for (const account of accounts) {
    const [work = '', home = ''] = account.calendars;
    await account.move(work, titleOf(account, 0, 0), 15);
    await account.remove(home, titleOf(account, 1, 0));
  }
  await world.pass();
  await world.pass();
  expect(await standing()).toEqual(
    accounts.flatMap(() => [
      [perCalendar, allBlocks - 4],
      [perCalendar - 1, allBlocks - 3],
    ]),
  );
  // an account has one block of each change of its own, and two of each of the three others
  expect(await writes(before)).toEqual(each({ insert: 0, update: 7, delete: 7 }));

  before = await ledgerEnds();
  const sync = world.person.as(syncContract);
  const [group] = (await sync.listGroups()).groups;
  await sync.removeGroup({ params: { groupId: group?.groupId ?? '' } });
  await world.settle();
  expect(await standing()).toEqual(
    accounts.flatMap(() => [
      [perCalendar, 0],
      [perCalendar - 1, 0],
    ]),
  );
  expect(await writes(before)).toEqual(each({ insert: 0, update: 0, delete: 2 * allBlocks - 7 }));
  await world.pass();
  expect(await standing()).toEqual(
    accounts.flatMap(() => [
      [perCalendar, 0],
      [perCalendar - 1, 0],
    ]),
  );
});

test('an unresponsive provider delays no other account, and its own accounts catch up afterwards', async () => {
  await startMesh();
  const [ada, ben, ...answering] = accounts;
  const before = await ledgerEnds();
  // as many of each account as may be under way at once: readings of all its calendars first
  const holds = await Promise.all(
    [ada, ben].flatMap(({ name: account }) =>
      [1, 2, 3, 4].map((nth) => world.google.control.hold({ account, op: 'api', nth })),
    ),
  );
  for (const account of [ada, ben]) {
    for (const [n, calendar] of account.calendars.entries()) await account.move(calendar, titleOf(account, n, 0), 15);
  }
  const parked = async () =>
    (await Promise.all([ada.requests(before[0]), ben.requests(before[1])])).map((own) => own.length);
  await expect.poll(parked).toEqual([2, 2]);
  for (const account of answering) await account.move(account.calendars[0] ?? '', titleOf(account, 0, 0), 15);
  // a provider without notices is polled
  await world.person.as(syncContract).syncAccount({ params: { accountId: lastConnected } });
  const arrived = async () => (await writes(before)).map((counts) => counts.update);
  await expect.poll(arrived).toEqual([expect.any(Number), expect.any(Number), 3, 3]);
  expect(
    (await requestsSince(before))
      .slice(0, 2)
      .flat()
      .filter(({ status }) => status !== null),
  ).toEqual([]);

  await Promise.all(holds.map((hold) => hold.parked().then(() => hold.release('answer'))));
  await expect.poll(arrived).toEqual([10, 10, 11, 11]);
  await world.settle();
  expect((await writes(before)).map(({ insert, delete: removed }) => insert + removed)).toEqual(each(0));
  expect(await standing()).toEqual(everywhere(perCalendar, allBlocks));
});

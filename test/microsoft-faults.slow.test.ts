import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NamedFault } from '../src/emulators/kit/faults.ts';
import type { SnapshotEvent } from '../src/emulators/microsoft/snapshot.ts';
import { connectionsContract } from '../src/features/connections/contract.ts';
import { type FixedClock, fixedClock } from './harness/fixed-clock.ts';
import { type Connected, type Json, type ProviderWorld, startProviderWorld } from './harness/provider-world.ts';

/**
 * Each fault of the catalogue strikes the whole product while a person creates, moves and deletes events and a series in
 * one mailbox, which block time in another mailbox and at Google. Once it is over, exactly the right blocks stand there,
 * and the next pass writes nothing.
 */

const from = 'ada@contoso.example';
const to = 'bob@contoso.example';
const toGoogle = 'cleo@example.com';

let clock: FixedClock;
let world: ProviderWorld;
let accounts: Connected[];

/** A new world for each group: the gate of an account counts real minutes, and these clocks do not. */
async function begin(): Promise<void> {
  clock = fixedClock('2027-03-01T06:00:00Z');
  world = await startProviderWorld({ clock, push: false });
  for (const account of [from, to]) {
    await world.microsoft.control.seed({
      account,
      calendars: [{ key: 'calendar', name: 'Calendar', isDefault: true }],
    });
  }
  await world.google.control.seed({ account: toGoogle, timeZone: 'UTC' });
  accounts = [
    await world.connect('microsoft', from),
    await world.connect('microsoft', to),
    await world.connect('google', toGoogle),
  ];
  await world.settle();
  await world.mirror(accounts.flatMap((one) => one.calendars.map((calendar) => calendar.calendarId)));
}

/** `day hour` of everything there is in a calendar, one line for each time that it blocks. */
const timeOf = (text: string) => text.slice(0, 16).replace('T', ' ');
async function eventsIn(account: string): Promise<SnapshotEvent[]> {
  const { accounts: mailboxes } = await world.microsoft.control.snapshot();
  return mailboxes[account]?.calendars.calendar?.events ?? [];
}
const blocksIn = async (account: string) => (await eventsIn(account)).map((event) => timeOf(event.start)).toSorted();
/** A series stands there as one event, of which the first time is told, and one for each time that was moved. */
async function blocksAtGoogle(): Promise<string[]> {
  const { accounts: users } = await world.google.control.snapshot();
  const events = (users[toGoogle]?.calendars[toGoogle]?.events ?? []) as unknown as Json[];
  return events
    .filter((event) => event.status !== 'cancelled' && event.recurringEventId === undefined)
    .map((event) => timeOf((event.start as { dateTime: string }).dateTime))
    .toSorted();
}

/** Expected busy times now, and those that start an event of their own at Google. */
let times: string[];
let firsts: string[];

const later = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString();

/** Actions of a person in the mailbox. `day` keeps the events of different faults apart. */
async function live(day: string, what: 'before' | 'during'): Promise<void> {
  const { control } = world.microsoft;
  const create = (hour: string) =>
    control.act({
      account: from,
      do: 'create',
      calendar: 'calendar',
      event: { subject: `${day} ${hour}`, start: `${day}T${hour}:00:00`, minutes: 30 },
    });
  if (what === 'before') {
    for (const hour of ['08', '09', '10']) await create(hour);
    await control.act({
      account: from,
      do: 'create',
      calendar: 'calendar',
      event: {
        subject: `${day} daily`,
        start: `${day}T12:00:00`,
        minutes: 30,
        repeat: { type: 'daily', count: 3 },
        exceptions: { [later(day, 1)]: { start: `${later(day, 1)}T13:00:00`, minutes: 30 } },
      },
    });
    const ownTimes = [...['08', '09', '10', '12'].map((hour) => `${day} ${hour}:00`), `${later(day, 1)} 13:00`];
    times.push(...ownTimes, `${later(day, 2)} 12:00`);
    firsts.push(...ownTimes);
    return;
  }
  await create('11');
  await control.act({ account: from, do: 'move', event: `${day} 08`, minutes: 15 });
  await control.act({ account: from, do: 'delete', event: `${day} 09` });
  await control.act({ account: from, do: 'delete', event: `${day} daily`, day: later(day, 2) });
  const change = (list: string[]) =>
    list
      .map((time) => (time === `${day} 08:00` ? `${day} 08:15` : time))
      .filter((time) => time !== `${day} 09:00` && time !== `${later(day, 2)} 12:00`)
      .concat(`${day} 11:00`);
  times = change(times);
  firsts = change(firsts);
}

async function expectBlocks(): Promise<void> {
  expect(await blocksIn(to)).toEqual(times.toSorted());
  expect(await blocksAtGoogle()).toEqual(firsts.toSorted());
}

const passes = async (count: number, apart: Temporal.DurationLike) => {
  for (let n = 0; n < count; n += 1) {
    await world.pass();
    clock.advance(apart);
  }
};
async function writes(): Promise<string[]> {
  const ledgers = await Promise.all([world.google.control.ledger(), world.microsoft.control.ledger()]);
  return ledgers
    .flat()
    .filter((entry) => /^(POST|PUT|PATCH|DELETE)$/.test(entry.method) && /\/events/.test(entry.path))
    .map((entry) => `${entry.method} ${entry.path}`);
}

let days = 0;
/** Far enough apart for a series of three days. */
const nextDay = () => {
  days += 4;
  return later('2027-03-02', days);
};

const reads = ['delta', 'list-events', 'get-event', 'list-instances', 'calendar-view', 'list-calendars', 'batch'];
const strikes: (NamedFault & { why: string })[] = [
  { name: 'F1', variant: 'reset', times: 2, why: 'a connection breaks before anything happened' },
  ...['create', 'update', 'delete'].flatMap((op) =>
    ['reset', '502'].map((variant) => ({
      name: 'F2',
      variant,
      op: `${op}-event`,
      why: `the answer to ${op} is lost (${variant}), but it was done`,
    })),
  ),
  { name: 'F3', variant: '503', times: 3, why: 'the provider is down' },
  { name: 'F3', variant: '500', op: 'create-event', phase: 'after', why: 'a create fails, but it was done' },
  { name: 'F4', variant: 'truncated', op: reads, times: 2, why: 'answers are cut off' },
  { name: 'F4', variant: 'truncated', op: 'create-event', phase: 'after', why: 'the answer to a create is cut off' },
  { name: 'F4', variant: 'html', op: 'delta', why: 'a sign-in page instead of a list' },
  { name: 'F6', variant: 'repeated', times: 0, why: 'a page comes twice' },
  { name: 'F6', variant: 'shuffled', times: 0, why: 'pages are shuffled' },
  { name: 'M3', variant: 'valid', op: 'token', why: 'the answer with the new refresh token is lost' },
  { name: 'M4', why: 'a token is refused once' },
  { name: 'M5', variant: '1', times: 2, why: 'too many requests, for a second' },
  { name: 'M5', variant: 'date', why: 'too many requests, until a date' },
  { name: 'M5', variant: 'absent', times: 2, why: 'too many requests, for nobody knows how long' },
  { name: 'M5', variant: '503', why: 'overloaded, for two seconds' },
  { name: 'M6', op: ['create-event', 'update-event', 'delete-event'], times: 2, why: 'too many requests at once' },
  { name: 'M7', variant: 'gone', why: 'a delta token is gone (410)' },
  { name: 'M7', variant: 'syncStateNotFound', why: 'a delta token is not found' },
  { name: 'M7', variant: 'syncStateInvalid', why: 'a delta token is invalid' },
  { name: 'M7', variant: 'resyncRequired', why: 'a delta token is to be given up' },
  { name: 'M8', times: 2, why: 'what stands is told to be removed' },
  { name: 'M9', variant: 'no-master', why: 'instances come without their series' },
  { name: 'M9', variant: 'sparse', times: 0, why: 'exceptions come with half of what they are' },
  { name: 'M10', times: 2, why: 'a change is not told yet' },
  { name: 'M11', variant: 'repeated', times: 0, why: 'an item comes twice' },
  { name: 'M11', variant: 'stale', times: 2, why: 'an item comes as it was and as it is' },
  { name: 'M11', variant: 'foreign-link', why: 'a list goes on at another host' },
  { name: 'M11', variant: 'empty-page', why: 'an empty page that goes on' },
  { name: 'M11', variant: 'wedged', times: 3, why: 'a list goes in circles' },
  { name: 'M12', variant: 'bad-request', why: 'a create was done before (400)' },
  { name: 'M12', variant: 'conflict', why: 'a create was done before (409)' },
  { name: 'M12', variant: 'replay', why: 'a create was done before (201)' },
  { name: 'M13', variant: '412', why: 'somebody changed it first (412)' },
  { name: 'M13', variant: '409', why: 'somebody changed it first (409)' },
  { name: 'M15', op: 'delete-event', phase: 'after', why: 'what is deleted is gone already' },
  { name: 'M17', variant: 'custom', op: reads, times: 0, why: 'zones that nobody knows' },
  { name: 'M17', variant: 'unknown', op: reads, times: 0, why: 'zones of a name that nobody knows' },
  { name: 'M20', variant: '429', why: 'a part of a batch is refused' },
  { name: 'M20', variant: '424', why: 'a part of a batch is not done' },
];

const perWorld = 12;
const groups = Array.from({ length: Math.ceil(strikes.length / perWorld) }, (_, n) =>
  strikes.slice(n * perWorld, (n + 1) * perWorld),
);

describe.each(groups.map((group) => ({ group })))('mirroring from Outlook after provider faults', ({ group }) => {
  beforeAll(async () => {
    days = 0;
    times = [];
    firsts = [];
    await begin();
  }, 60_000);
  afterAll(() => world.close());

  test.each(group)(
    '$name: mirrored blocks are exact, without extra writes, after a fault: $why',
    { timeout: 60_000 },
    async ({ why: _why, ...fault }) => {
      const { control } = world.microsoft;
      const day = nextDay();
      await live(day, 'before');
      await passes(2, { minutes: 1 });
      await expectBlocks();
      await live(day, 'during');
      await control.addFaults(fault);
      await passes(5, { minutes: 20 });
      const armed = await control.faults();
      expect(
        armed.reduce((sum, one) => sum + one.struck, 0),
        'it struck',
      ).toBeGreaterThan(0);
      await control.clearFaults();
      await passes(3, { hours: 1 });
      await expectBlocks();
      await control.clearLedger();
      await world.google.control.clearLedger();
      await passes(1, { minutes: 1 });
      expect(await writes()).toEqual([]);
    },
  );
});

test('M5 300: a mailbox throttled for five minutes is not called, and the other accounts continue', {
  timeout: 60_000,
}, async () => {
  days = 0;
  times = [];
  firsts = [];
  await begin();
  try {
    const { control } = world.microsoft;
    await control.addFaults({ name: 'M5', variant: '300', op: 'create-event' });
    await live(nextDay(), 'before');
    await passes(1, { minutes: 1 });
    expect(await blocksAtGoogle()).toEqual(firsts.toSorted());
    await control.clearLedger();
    await live(nextDay(), 'before');
    await passes(3, { minutes: 1 });
    expect(await blocksAtGoogle()).toEqual(firsts.toSorted());
    expect((await control.ledger()).filter((entry) => entry.account === to)).toEqual([]);
    const { accounts: shown } = await world.person.as(connectionsContract).listAccounts();
    expect(shown.map(({ email, status, needsReconnect }) => [email, status, needsReconnect])).toEqual(
      [from, to, toGoogle].map((account) => [account, 'active', false]),
    );
  } finally {
    await world.close();
  }
});

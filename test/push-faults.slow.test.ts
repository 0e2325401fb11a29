import { afterEach, describe, expect, test } from 'vitest';
import type { FaultRule, NamedFault } from '../src/emulators/kit/faults.ts';
import { connectionsContract } from '../src/features/connections/contract.ts';
import { tick } from '../src/features/sync/tick.ts';
import { watchChannels } from '../src/features/sync/watch-channels.ts';
import { createLog } from '../src/platform/log.ts';
import { type FixedClock, fixedClock } from './harness/fixed-clock.ts';
import {
  type Connected,
  type Json,
  type ProviderName,
  type ProviderWorld,
  startProviderWorld,
} from './harness/provider-world.ts';

/**
 * Notices are hints: whatever becomes of them, of the channels they come by or of the wish to have one, exactly the right
 * blocks stand in the end, and a reading now and then is all that it costs.
 */

const ada = 'ada@example.com';
const carl = 'carl@contoso.example';
const primary = { key: 'calendar', name: 'Calendar', isDefault: true };
const timeout = 60_000;
/** Channels live for a week, 10,080 minutes. */
const agedMinutes = 8_165;

let clock: FixedClock;
let world: ProviderWorld;
let said: { level: string; msg: string }[];
let accounts: Record<string, Connected>;

afterEach(() => world.close());

/** An account at Google and one at Microsoft that block each other; notices wait until they are let go. */
async function begin(faults: Partial<Record<ProviderName, NamedFault | FaultRule>> = {}): Promise<void> {
  said = [];
  const destination = { write: (line: string) => void said.push(JSON.parse(line)) };
  const log = await createLog({ level: 'info', format: 'json', destination });
  clock = fixedClock('2027-03-01T06:00:00Z');
  world = await startProviderWorld({ clock, log });
  await world.google.control.seed({ account: ada, timeZone: 'UTC' });
  await world.microsoft.control.seed({ account: carl, calendars: [primary] });
  for (const provider of ['google', 'microsoft'] as const) {
    await world[provider].control.deliver({ do: 'mode', mode: 'held' });
    const fault = faults[provider];
    if (fault !== undefined) await world[provider].control.addFaults(fault);
  }
  accounts = { [ada]: await world.connect('google', ada), [carl]: await world.connect('microsoft', carl) };
  await world.settle();
  await world.mirror(Object.values(accounts).flatMap((one) => one.calendars.map(({ calendarId }) => calendarId)));
  await world.pass();
  await clearLedgers();
}

const control = (account: string) => (account === ada ? world.google.control : world.microsoft.control);
const clearLedgers = async () => {
  await world.google.control.clearLedger();
  await world.microsoft.control.clearLedger();
};
async function asked(account: string, ...operations: string[]): Promise<number> {
  const ledger = await control(account).ledger();
  return ledger.filter((entry) => entry.account === account && operations.includes(entry.operation)).length;
}
const readings = (account: string) => asked(account, 'events.list', 'delta');
const openings = (account: string) => asked(account, 'events.watch', 'create-subscription');
async function writes(): Promise<string[]> {
  const ledgers = await Promise.all([ada, carl].map((account) => control(account).ledger()));
  return ledgers
    .flat()
    .filter(({ method, path }) => method !== 'GET' && /\/events(\/[^/]+)?$/.test(path))
    .map(({ method, account }) => `${method} ${account}`);
}

async function create(account: string, name: string, hour: number): Promise<void> {
  const when = { start: `2027-03-20T${String(hour).padStart(2, '0')}:00:00`, minutes: 30 };
  if (account === carl) {
    const event = { subject: name, ...when };
    await world.microsoft.control.act({ account, do: 'create', calendar: 'calendar', event });
  } else {
    await world.google.control.act({ account, do: 'create', event: { summary: name, timeZone: 'UTC', ...when } });
  }
}
/** The hours at which blocks of ours begin. */
async function blocksAt(account: string): Promise<number[]> {
  const starts: string[] = [];
  if (account === carl) {
    const snapshot = await world.microsoft.control.snapshot();
    for (const event of snapshot.accounts[carl]?.calendars.calendar?.events ?? [])
      if (event.subject === 'Busy') starts.push(event.start);
  } else {
    const snapshot = await world.google.control.snapshot();
    for (const event of (snapshot.accounts[ada]?.calendars[ada]?.events ?? []) as unknown as Json[])
      if (event.summary === 'Busy') starts.push((event.start as { dateTime: string }).dateTime);
  }
  return starts.map((start) => Number(start.slice(11, 13))).toSorted((one, other) => one - other);
}

const pump = async (account: string) => {
  await control(account).deliver({ do: 'pump' });
  await world.settle();
};
/** Notices that wait at a provider, without those of its own that a channel stands or ages. */
async function waiting(account: string) {
  const { list } = await control(account).deliveries();
  return list.filter(
    ({ state, headers, channel }) =>
      state === 'waiting' && headers['x-goog-resource-state'] !== 'sync' && !channel.startsWith('lifecycle'),
  );
}
/** Time goes by, and the heartbeat looks for what is due. */
async function wait(duration: Temporal.DurationLike): Promise<void> {
  clock.advance(duration);
  await tick(world.server.app);
  await world.settle();
}
/** Time goes by, and somebody looks after the channels. */
async function watch(duration: Temporal.DurationLike): Promise<void> {
  clock.advance(duration);
  await watchChannels(world.server.app);
  await world.settle();
}

async function shown(address: string) {
  const { accounts: listed } = await world.person.as(connectionsContract).listAccounts();
  const found = listed.find((one) => one.email === address);
  if (found === undefined) throw new Error(`${address} is not connected`);
  return found;
}
const expectFollowing = async (address: string, following: 'live' | 'polling') =>
  expect(await shown(address)).toMatchObject({ following, status: 'active', needsReconnect: false, message: null });

/** Channels that Google keeps, subscriptions that Graph keeps. */
async function standing(account: string): Promise<string[]> {
  if (account === carl) return (await world.microsoft.control.snapshot()).subscriptions.map(({ id }) => id);
  return (await world.google.control.snapshot()).channels.filter(({ live }) => live).map(({ id }) => id);
}

describe('unavailable push channel', () => {
  const day = { hours: 24 };

  test.each([
    { account: ada, fault: { name: 'G18', times: 0 } },
    { account: carl, fault: { name: 'M18', variant: 'denied', times: 0 } },
  ])(
    '$fault.name at $account: a refused push channel is retried after a week, and the calendar is polled',
    { timeout },
    async ({ account, fault }) => {
      const other = account === ada ? carl : ada;
      await begin(account === ada ? { google: fault } : { microsoft: fault });
      await expectFollowing(account, 'polling');
      await expectFollowing(other, 'live');
      await create(account, 'Polled', 9);
      await wait({ seconds: 121 });
      expect(await blocksAt(other)).toEqual([9]);
      await clearLedgers();
      for (let n = 0; n < 6; n += 1) await watch(day);
      expect(await openings(account)).toBe(0);
      await control(account).clearFaults();
      await watch(day);
      await watch(day);
      expect(await openings(account)).toBe(1);
      await expectFollowing(account, 'live');
    },
  );

  test.each([
    { account: ada, fault: { name: 'G19', variant: 'unauthorized' }, hours: 1 },
    { account: carl, fault: { name: 'M18', variant: 'validation' }, hours: 1 },
  ])(
    '$fault.name $fault.variant: a refused webhook address is logged for the operator and retried after an hour',
    { timeout },
    async ({ account, fault }) => {
      await begin(account === ada ? { google: fault } : { microsoft: fault });
      await expectFollowing(account, 'polling');
      const alerts = said.filter(({ level }) => level === 'error').map(({ msg }) => msg);
      expect(alerts).toEqual(['the provider does not accept our address for notices']);
      await watch({ minutes: 50 });
      expect(await openings(account)).toBe(0);
      await watch({ minutes: 11 });
      await expectFollowing(account, 'live');
    },
  );

  test.each([
    { account: ada, fault: { name: 'G19', variant: 'channelIdNotUnique' } },
    { account: carl, fault: { name: 'M18', variant: 'gone' } },
    { account: carl, fault: { name: 'M18', variant: 'duplicate' } },
  ])(
    '$fault.name $fault.variant: another push channel is opened a few minutes later',
    { timeout },
    async ({ account, fault }) => {
      await begin(account === ada ? { google: fault } : { microsoft: fault });
      await expectFollowing(account, 'polling');
      await watch({ minutes: 6 });
      await expectFollowing(account, 'live');
      expect(await standing(account)).toHaveLength(1);
    },
  );
});

describe('push notifications', () => {
  test('G20: a push channel works when its first notification arrives before the watch response', {
    timeout,
  }, async () => {
    await begin({ google: { name: 'G20', variant: 'sync-first' } });
    await expectFollowing(ada, 'live');
    await create(ada, 'Standup', 8);
    await pump(ada);
    expect(await blocksAt(carl)).toEqual([8]);
  });

  test.each([ada, carl])('lost push notifications of %s are made up for by polling', { timeout }, async (account) => {
    await begin();
    await control(account).deliver({ do: 'lose', share: 1 });
    await create(account, 'Lost', 9);
    await pump(account);
    const other = account === ada ? carl : ada;
    expect(await blocksAt(other)).toEqual([]);
    await wait({ seconds: 361 });
    expect(await blocksAt(other)).toEqual([9]);
  });

  test.each([ada, carl])(
    'duplicate, reordered, and late push notifications of %s create each block once',
    { timeout },
    async (account) => {
      await begin();
      const other = account === ada ? carl : ada;
      await create(account, 'One', 9);
      await create(account, 'Two', 10);
      const notices = (await waiting(account)).map(({ id }) => id);
      expect(notices.length).toBeGreaterThan(0);
      await control(account).deliver({ do: 'duplicate', ids: notices });
      const all = (await waiting(account)).map(({ id }) => id);
      await control(account).deliver({ do: 'reorder', ids: all.toReversed() });
      await control(account).deliver({ do: 'delay', ids: all.slice(1), ms: 3_600_000 });
      await pump(account);
      expect(await blocksAt(other)).toEqual([9, 10]);
      expect(await writes()).toEqual([`POST ${other}`, `POST ${other}`]);
      await world.pass();
      await wait({ hours: 1 });
      await clearLedgers();
      await pump(account);
      expect(await readings(account)).toBeGreaterThan(0);
      expect(await writes()).toEqual([]);
    },
  );

  test('forged push notifications and those of a closed channel are answered and ignored', { timeout }, async () => {
    await begin();
    await create(ada, 'Known', 9);
    const [notice] = await waiting(ada);
    if (notice === undefined) throw new Error('Google sent no notice');
    const { url, headers } = notice;
    // renewed: the new one stands, the old one is closed, its notice still on its way
    await watch({ minutes: agedMinutes });
    await watch({ minutes: 1 });
    expect(await standing(ada)).not.toContain(notice.channel);
    await world.pass();
    await pump(carl);
    await clearLedgers();
    const [id = '', secret = ''] = (headers['x-goog-channel-token'] ?? '').split('.');
    for (const token of [`${id}.${secret}`, `${id}.${'x'.repeat(secret.length)}`, crypto.randomUUID(), '']) {
      const sent = { ...headers, 'x-goog-channel-token': token };
      const { heard } = await world.google.control.deliver({ do: 'forge', url, headers: sent });
      expect(heard?.status).toBe(200);
    }
    const [subscription = ''] = await standing(carl);
    const items = [
      { subscription, clientState: 'wrong' },
      { subscription: 'unknown', clientState: `${crypto.randomUUID()}.x` },
    ];
    const hook = url.replace('google', 'microsoft');
    await world.microsoft.control.act({ account: carl, do: 'notify', url: hook, items });
    await pump(carl);
    await world.settle();
    expect(await readings(ada)).toBe(0);
    expect(await readings(carl)).toBe(0);
    await world.microsoft.control.act({ account: carl, do: 'notify', url: hook, items: [...items, { subscription }] });
    await pump(carl);
    expect(await readings(carl)).toBe(1);
    const { list } = await world.microsoft.control.deliveries();
    expect(list.filter(({ state }) => state === 'failed')).toEqual([]);
  });

  test('M10: a push notification that arrives before its change is readable causes a second read', {
    timeout,
  }, async () => {
    await begin();
    await world.microsoft.control.knobs({ lagMs: 25_000 });
    await create(carl, 'Late', 9);
    await pump(carl);
    expect(await blocksAt(ada)).toEqual([]);
    await wait({ seconds: 31 });
    expect(await blocksAt(ada)).toEqual([9]);
  });
});

describe('push channels', () => {
  test('push channels are renewed at four fifths of their lifetime without a gap', { timeout }, async () => {
    await begin();
    const before = { [ada]: await standing(ada), [carl]: await standing(carl) };
    await watch({ minutes: 7_860 });
    expect([await openings(ada), await asked(carl, 'renew-subscription')]).toEqual([0, 0]);
    await watch({ minutes: 305 });
    await watch({ minutes: 1 });
    expect([await openings(ada), await asked(carl, 'renew-subscription')]).toEqual([1, 1]);
    const [stands = '', ...more] = await standing(ada);
    expect(more).toEqual([]);
    expect(before[ada]).not.toContain(stands);
    expect(await standing(carl)).toEqual(before[carl]);
    const ledger = await world.google.control.ledger();
    const order = ledger.map(({ operation }) => operation).filter((one) => /watch|stop/.test(one));
    expect(order).toEqual(['events.watch', 'channels.stop']);
    await create(ada, 'Standup', 8);
    await create(carl, 'Review', 15);
    await pump(ada);
    await pump(carl);
    expect([await blocksAt(ada), await blocksAt(carl)]).toEqual([[15], [8]]);
  });

  test('push channels that expired unnoticed are opened again', { timeout }, async () => {
    await begin();
    const before = [...(await standing(ada)), ...(await standing(carl))];
    await watch({ hours: 240 });
    await watch({ minutes: 1 });
    const after = [...(await standing(ada)), ...(await standing(carl))];
    expect(after).toHaveLength(2);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
    await expectFollowing(ada, 'live');
    await expectFollowing(carl, 'live');
  });

  test('G21: a push channel that Google ends early is replaced, even if it cannot be closed', { timeout }, async () => {
    await begin();
    await world.google.control.act({ account: ada, do: 'expire-channels' });
    await create(ada, 'Silent', 9);
    await pump(ada);
    expect(await blocksAt(carl)).toEqual([]);
    await wait({ seconds: 361 });
    expect(await blocksAt(carl)).toEqual([9]);
    await world.google.control.addFaults({ name: 'G21', variant: 'notFound' });
    await watch({ minutes: agedMinutes });
    await watch({ minutes: 1 });
    expect((await world.google.control.faults()).map(({ struck }) => struck)).toEqual([1]);
    expect(await standing(ada)).toHaveLength(1);
    await clearLedgers();
    await watch({ minutes: 10 });
    expect(await asked(ada, 'events.watch', 'channels.stop')).toBe(0);
    await create(ada, 'Heard', 10);
    await pump(ada);
    expect(await blocksAt(carl)).toEqual([9, 10]);
  });

  test('M18: a subscription missing at its renewal is opened again', { timeout }, async () => {
    await begin();
    const before = await standing(carl);
    await world.microsoft.control.deliver({ do: 'lose', share: 1 });
    await world.microsoft.control.act({ account: carl, do: 'lifecycle', event: 'subscriptionRemoved' });
    await watch({ minutes: agedMinutes });
    const after = await standing(carl);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    await expectFollowing(carl, 'live');
  });
});

test('M18: a subscription whose creation response was lost does not block a new one', { timeout }, async () => {
  await begin({ microsoft: { op: 'create-subscription', phase: 'after', effect: { kind: 'reset' } } });
  await expectFollowing(carl, 'polling');
  const lost = await standing(carl);
  expect(lost).toHaveLength(1);
  await watch({ minutes: 6 });
  const after = await standing(carl);
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(lost);
  await expectFollowing(carl, 'live');
  await create(carl, 'Heard', 9);
  await pump(carl);
  expect(await blocksAt(ada)).toEqual([9]);
});

describe('M19: Graph lifecycle notifications', () => {
  const lifecycle = (event: 'missed' | 'subscriptionRemoved' | 'reauthorizationRequired') =>
    world.microsoft.control.act({ account: carl, do: 'lifecycle', event });

  test('M19: a missed lifecycle notification causes a read of the calendar', { timeout }, async () => {
    await begin();
    await world.microsoft.control.deliver({ do: 'lose', share: 1 });
    await create(carl, 'Missed', 9);
    await world.microsoft.control.deliver({ do: 'lose', share: 0 });
    await lifecycle('missed');
    await pump(carl);
    expect(await blocksAt(ada)).toEqual([9]);
  });

  test('M19: a subscriptionRemoved notification opens another subscription and reads missed changes', {
    timeout,
  }, async () => {
    await begin();
    const before = await standing(carl);
    await lifecycle('subscriptionRemoved');
    await create(carl, 'Between', 9);
    await pump(carl);
    const after = await standing(carl);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    expect(await blocksAt(ada)).toEqual([9]);
    await create(carl, 'After', 10);
    await pump(carl);
    expect(await blocksAt(ada)).toEqual([9, 10]);
  });

  test('M19: repeated reauthorizationRequired notifications cause one renewal in ten minutes', {
    timeout,
  }, async () => {
    await begin();
    const storm = async () => {
      await clearLedgers();
      for (let n = 0; n < 20; n += 1) await lifecycle('reauthorizationRequired');
      await pump(carl);
      return asked(carl, 'renew-subscription', 'reauthorize-subscription');
    };
    clock.advance({ minutes: 11 });
    expect(await storm()).toBe(1);
    expect(await storm()).toBe(0);
    clock.advance({ minutes: 11 });
    expect(await storm()).toBe(1);
    await create(carl, 'Flows', 9);
    await pump(carl);
    await wait({ seconds: 3 });
    expect(await blocksAt(ada)).toEqual([9]);
  });
});

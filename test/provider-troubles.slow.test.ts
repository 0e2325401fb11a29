import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectionsContract } from '../src/features/connections/contract.ts';
import { syncContract } from '../src/features/sync/contract.ts';
import type { CalendarId } from '../src/kernel/ids.ts';
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
 * Failures that only a person can mend, or that take a while: access withdrawn, a calendar gone or read-only, a quota
 * used up. The person reads the cause and the remedy, other accounts continue, and existing blocks are kept. After the
 * failure, exactly the right blocks exist everywhere.
 */

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const carl = 'carl@contoso.example';
const team = 'team@group.calendar.example.com';
const primary = { key: 'calendar', name: 'Calendar', isDefault: true };

let clock: FixedClock;
let world: ProviderWorld;
let said: { level: string; msg: string; code?: string }[];
let ids: Record<string, string>;

beforeEach(async () => {
  said = [];
  const destination = { write: (line: string) => void said.push(JSON.parse(line)) };
  const log = await createLog({ level: 'info', format: 'json', destination });
  clock = fixedClock('2027-03-01T06:00:00Z');
  world = await startProviderWorld({ clock, push: false, log });
  ids = {};
}, 60_000);
afterEach(() => world.close());

/** Two accounts at Google and one at Microsoft that block each other, each with an event of its own. */
async function begin(): Promise<Connected[]> {
  await world.google.control.seed({ account: ada, timeZone: 'UTC' }, { account: bob, timeZone: 'UTC' });
  await world.microsoft.control.seed({ account: carl, calendars: [primary] });
  const connected = [
    await world.connect('google', ada),
    await world.connect('google', bob),
    await world.connect('microsoft', carl),
  ];
  for (const [n, account] of [ada, bob, carl].entries()) ids[account] = connected[n]?.accountId ?? '';
  await world.mirror(connected.flatMap((one) => one.calendars.map((calendar) => calendar.calendarId)));
  await create(ada, 'Standup', 8);
  await create(bob, 'Lunch', 12);
  await create(carl, 'Review', 15);
  await passes(2, { minutes: 1 });
  await expectBlocks({ [ada]: [12, 15], [bob]: [8, 15], [carl]: [8, 12] });
  return connected;
}

const passes = async (count: number, apart: Temporal.DurationLike) => {
  for (let n = 0; n < count; n += 1) {
    await world.pass();
    clock.advance(apart);
  }
};

const timeAt = (hour: number) => `2027-03-04T${String(hour).padStart(2, '0')}:00:00`;
async function create(account: string, name: string, hour: number): Promise<void> {
  const when = { start: timeAt(hour), minutes: 30 };
  if (account === carl) {
    const event = { subject: name, ...when };
    await world.microsoft.control.act({ account, do: 'create', calendar: 'calendar', event });
  } else {
    await world.google.control.act({ account, do: 'create', event: { summary: name, timeZone: 'UTC', ...when } });
  }
}

/** The hours at which blocks of ours begin in a calendar. */
async function blocksAt(account: string, calendar?: string): Promise<number[]> {
  const starts: string[] = [];
  if (account === carl) {
    const { accounts } = await world.microsoft.control.snapshot();
    for (const event of accounts[carl]?.calendars[calendar ?? 'calendar']?.events ?? [])
      if (event.subject === 'Busy') starts.push(event.start);
  } else {
    const { accounts } = await world.google.control.snapshot();
    const events = (accounts[account]?.calendars[calendar ?? account]?.events ?? []) as unknown as Json[];
    for (const event of events)
      if (event.summary === 'Busy') starts.push((event.start as { dateTime: string }).dateTime);
  }
  return starts.map((start) => Number(start.slice(11, 13))).toSorted((one, other) => one - other);
}
async function expectBlocks(expected: Record<string, number[]>): Promise<void> {
  const found = await Promise.all(Object.keys(expected).map(async (account) => [account, await blocksAt(account)]));
  const sorted = Object.entries(expected).map(([account, hours]) => [account, hours.toSorted((a, b) => a - b)]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(sorted));
}

/** accounts and calendars as the screens show them */
const connections = () => world.person.as(connectionsContract);
async function account(address: string) {
  const { accounts } = await connections().listAccounts();
  const found = accounts.find((one) => one.email === address);
  if (found === undefined) throw new Error(`${address} is not connected`);
  return found;
}
async function expectWell(...addresses: string[]): Promise<void> {
  for (const address of addresses)
    expect(await account(address)).toMatchObject({ status: 'active', needsReconnect: false, message: null });
}
async function calendar(calendarId: CalendarId | undefined) {
  const { calendars } = await connections().listIntegrationCalendars();
  const found = calendars.find((one) => one.calendarId === calendarId);
  if (found === undefined) throw new Error('no such calendar');
  return found;
}
async function counts() {
  const { groups } = await world.person.as(syncContract).listGroups();
  return groups[0]?.counts;
}

async function writes(): Promise<string[]> {
  const ledgers = await Promise.all([world.google.control.ledger(), world.microsoft.control.ledger()]);
  return ledgers
    .flat()
    .filter((entry) => /^(POST|PUT|PATCH|DELETE)$/.test(entry.method) && entry.path.includes('/events'))
    .map((entry) => `${entry.method} ${entry.account}`);
}
const clearLedgers = async () => {
  await world.google.control.clearLedger();
  await world.microsoft.control.clearLedger();
};
async function expectQuiet(): Promise<void> {
  await clearLedgers();
  await passes(2, { minutes: 1 });
  expect(await writes()).toEqual([]);
}

interface Loss {
  name: string;
  provider: ProviderName;
  address: string;
  strike(): Promise<unknown>;
  /** Found when a token is wanted; else only when it is used. */
  atTokens: boolean;
  /** The text for the person. */
  says: RegExp;
  /** Steps at the provider before a new grant works. */
  mend?(): Promise<unknown>;
}

const losses: Loss[] = [
  {
    name: 'G1: access was withdrawn at Google',
    provider: 'google',
    address: ada,
    strike: () => world.google.control.act({ account: ada, do: 'revoke-access' }),
    atTokens: true,
    says: /Google no longer gives us access.*are safe.*reconnect/,
  },
  {
    name: "G2: a session policy of Google's ended our access",
    provider: 'google',
    address: ada,
    async strike() {
      await world.google.control.act({ account: ada, do: 'require-reauth', on: true });
      await world.google.control.act({ account: ada, do: 'expire-access-tokens' });
    },
    atTokens: true,
    says: /Workspace session policy.*are safe.*reconnect/,
    mend: () => world.google.control.act({ account: ada, do: 'require-reauth', on: false }),
  },
  {
    name: 'G5: Google refuses every token it gives',
    provider: 'google',
    address: ada,
    strike: () => world.google.control.addFaults({ name: 'G5', account: ada, times: 0 }),
    atTokens: false,
    says: /Google no longer gives us access.*Reconnect.*safe/,
    mend: () => world.google.control.clearFaults(),
  },
  {
    name: 'G8: a scope was taken away',
    provider: 'google',
    address: ada,
    strike: () => world.google.control.act({ account: ada, do: 'remove-scopes', scopes: ['calendar.events'] }),
    atTokens: false,
    says: /view and edit events on your calendars.*calendar\.events.*Reconnect the account.*safe/,
  },
  {
    name: 'M1: access was withdrawn at Microsoft',
    provider: 'microsoft',
    address: carl,
    strike: () => world.microsoft.control.act({ account: carl, do: 'revoke' }),
    atTokens: true,
    says: /Microsoft no longer gives us access.*are safe.*reconnect/,
  },
  {
    name: 'M1: Microsoft asks for a second factor',
    provider: 'microsoft',
    address: carl,
    async strike() {
      await world.microsoft.control.act({ account: carl, do: 'expire-access-tokens' });
      await world.microsoft.control.addFaults({ name: 'M1', variant: 'interaction_required', times: 0 });
    },
    atTokens: true,
    says: /sign in at Microsoft again.*second factor.*are safe.*reconnect/,
    mend: () => world.microsoft.control.clearFaults(),
  },
  {
    name: 'M3: the new refresh token was lost, and the old one is worth nothing',
    provider: 'microsoft',
    address: carl,
    async strike() {
      await world.microsoft.control.act({ account: carl, do: 'expire-access-tokens' });
      await world.microsoft.control.addFaults({ name: 'M3', variant: 'revoked' });
    },
    atTokens: true,
    says: /Microsoft no longer gives us access.*are safe.*reconnect/,
  },
];

describe('account that lost its grant', () => {
  test.each(losses)(
    'an account without its grant asks once to be reconnected and keeps everything ($name)',
    { timeout: 60_000 },
    async ({ provider, address, strike, atTokens, says, mend }) => {
      await begin();
      const before = await connections().listIntegrationCalendars();
      await strike();
      await create(bob, 'Dinner', 18);
      await passes(2, { minutes: 20 });

      expect(await account(address)).toMatchObject({ status: 'error', needsReconnect: true });
      expect((await account(address)).message).toMatch(says);
      const others = [ada, bob, carl].filter((one) => one !== address);
      await expectWell(...others);
      const [other = ''] = others.filter((one) => one !== bob);
      // the blocks of the lost account stand, and so do its own; the others block each other as before
      const hour = address === carl ? 15 : 8;
      await expectBlocks({
        [bob]: [8, 15],
        [other]: [hour, 12, 18],
        [address]: [12, address === carl ? 8 : 15],
      });

      const changes = said.filter((line) => line.msg === 'an account has to be connected again');
      expect(changes).toHaveLength(atTokens ? 1 : 0);
      const shown = await account(address);
      await clearLedgers();
      await passes(4, { hours: 1 });
      const ledger = [...(await world.google.control.ledger()), ...(await world.microsoft.control.ledger())];
      expect(ledger.filter((entry) => entry.account === address || (entry.status ?? 0) >= 400)).toEqual([]);
      expect(await account(address)).toEqual({ ...shown, lastSyncedAt: (await account(address)).lastSyncedAt });
      expect(said.filter((line) => line.msg === 'an account has to be connected again')).toEqual(changes);

      await mend?.();
      await clearLedgers();
      const outcome = await world.consent(provider, address, ids[address]);
      expect(outcome.get('status')).toBe('success');
      await world.settle();
      await passes(2, { hours: 1 });
      await expectWell(ada, bob, carl);
      const ofIds = ({ calendars }: typeof before) => calendars.map((one) => one.calendarId);
      expect(ofIds(await connections().listIntegrationCalendars())).toEqual(ofIds(before));
      // the one block that it missed, and nothing else
      expect(await writes()).toEqual([`POST ${address}`]);
      await expectBlocks({ [ada]: [12, 15, 18], [bob]: [8, 15], [carl]: [8, 12, 18] });
      await expectQuiet();
    },
  );
});

describe('refused OAuth registration', () => {
  test.each([
    { name: 'G3', provider: 'google', address: ada, service: 'Google' },
    { name: 'M2', provider: 'microsoft', address: carl, service: 'Microsoft' },
  ] as const)(
    '$name: a refused registration is logged for the operator, and syncing resumes without reconnecting',
    {
      timeout: 60_000,
    },
    async ({ name, provider, address, service }) => {
      await begin();
      if (provider === 'google') await world.google.control.act({ account: ada, do: 'expire-access-tokens' });
      else await world.microsoft.control.act({ account: carl, do: 'expire-access-tokens' });
      await world[provider].control.addFaults({ name, times: 0 });
      await create(bob, 'Dinner', 18);
      await passes(2, { minutes: 6 });
      const shown = await account(address);
      expect(shown).toMatchObject({ status: 'error', needsReconnect: false });
      expect(shown.message).toMatch(
        new RegExp(`${service} doesn't accept this server's registration.*stays connected`),
      );
      expect(said.filter((line) => line.level === 'error').map((line) => line.msg)).toContain(
        'the provider does not accept our registration: see docs/providers.md',
      );
      await world[provider].control.clearFaults();
      await passes(3, { hours: 1 });
      await expectWell(ada, bob, carl);
      await expectBlocks({ [ada]: [12, 15, 18], [bob]: [8, 15], [carl]: [8, 12, 18] });
      await expectQuiet();
    },
  );
});

describe('calendar that refuses writes', () => {
  test('G7: a calendar over its quota pauses with a message, and other calendars continue', {
    timeout: 60_000,
  }, async () => {
    const connected = await begin();
    const { control } = world.google;
    await control.addFaults({ name: 'G7', account: ada, times: 0 });
    await create(bob, 'Dinner', 18);
    await create(bob, 'Film', 20);
    await clearLedgers();
    await passes(1, { minutes: 15 });
    const asked = (await writes()).filter((one) => one.endsWith(ada)).length;
    await passes(2, { minutes: 15 });
    const calendarId = connected[0]?.calendars[0]?.calendarId;
    expect((await calendar(calendarId)).error).toMatch(/Google's usage limit.*an hour.*other calendars keep syncing/);
    await expectBlocks({ [ada]: [12, 15], [carl]: [8, 12, 18, 20] });
    // not asked again within the hour
    expect((await writes()).filter((one) => one.endsWith(ada))).toHaveLength(asked);
    expect(await counts()).toMatchObject({ pending: 2, failed: 0 });
    await control.clearFaults();
    await passes(2, { hours: 1 });
    await expectBlocks({ [ada]: [12, 15, 18, 20], [carl]: [8, 12, 18, 20] });
    expect((await calendar(calendarId)).error).toBeNull();
    await expectQuiet();
  });

  test('G9: a calendar that refuses every change is shown as read-only, and other calendars continue', {
    timeout: 60_000,
  }, async () => {
    const connected = await begin();
    const { control } = world.google;
    await control.addFaults({ name: 'G9', account: ada, times: 0 });
    await control.act({ account: bob, do: 'move', pick: 'Lunch', minutes: 60 });
    await passes(3, { minutes: 15 });
    const calendarId = connected[0]?.calendars[0]?.calendarId;
    expect((await calendar(calendarId)).error).toMatch(/read-only/);
    await expectBlocks({ [ada]: [12, 15], [carl]: [8, 13] });
    await control.clearFaults();
    await passes(2, { hours: 1 });
    await expectBlocks({ [ada]: [13, 15], [carl]: [8, 13] });
    expect((await calendar(calendarId)).error).toBeNull();
    await expectQuiet();
  });
});

test('G14: two inserts with one id that Google accepts end as one event', { timeout: 60_000 }, async () => {
  await begin();
  await world.google.control.addFaults(
    { name: 'F2', variant: 'reset', op: 'events.insert', account: ada },
    { name: 'G14', account: ada, times: 0 },
  );
  await create(bob, 'Dinner', 18);
  await passes(4, { minutes: 20 });
  expect((await world.google.control.faults()).map((one) => one.struck)).toEqual([1, 1]);
  await world.google.control.clearFaults();
  await passes(2, { hours: 1 });
  await expectBlocks({ [ada]: [12, 15, 18], [carl]: [8, 12, 18] });
  await expectQuiet();
});

describe('calendar that is temporarily lost', () => {
  const shared = () => world.google.control;
  const cases = [
    {
      name: 'G17: it is no longer shared',
      lose: () => shared().act({ account: ada, calendar: team, do: 'unshare' }),
      back: () => shared().act({ account: bob, calendar: team, do: 'share', with: ada, role: 'writer' }),
      shown: { removed: true },
      says: /no longer shared.*Syncing resumes/,
    },
    {
      name: 'G17: it is shared for reading only',
      lose: () => shared().act({ account: ada, calendar: team, do: 'set-role', role: 'reader' }),
      back: () => shared().act({ account: ada, calendar: team, do: 'set-role', role: 'writer' }),
      shown: { removed: false, writable: false },
      says: /only read this calendar now.*kept.*write access/,
    },
  ];
  test.each(cases)(
    'a temporarily lost calendar keeps its blocks without duplicates ($name)',
    { timeout: 60_000 },
    async ({ lose, back, shown, says }) => {
      const { control } = world.google;
      await control.seed(
        { account: bob, timeZone: 'UTC', calendars: [{ id: team, summary: 'Team', timeZone: 'UTC' }] },
        { account: ada, timeZone: 'UTC' },
      );
      await control.act({ account: bob, calendar: team, do: 'share', with: ada, role: 'writer' });
      const connected = await world.connect('google', ada);
      await world.mirror(connected.calendars.map((one) => one.calendarId));
      const calendarId = connected.calendars.find((one) => one.name === 'Team')?.calendarId;
      for (const hour of [8, 9, 10]) await create(ada, `At ${hour}`, hour);
      await passes(2, { minutes: 1 });
      expect(await blocksAt(bob, team)).toEqual([8, 9, 10]);

      // refused before its account's list tells why
      await control.addFaults({ name: 'G17', variant: 'requiredAccessLevel', op: 'events.insert', times: 0 });
      await create(ada, 'At 12', 12);
      await passes(1, { minutes: 1 });
      expect((await calendar(calendarId)).error).toMatch(/read-only/);
      await control.clearFaults();
      await lose();
      await control.act({ account: ada, do: 'move', pick: 'At 8', minutes: 180 });
      await control.act({ account: ada, do: 'delete', pick: 'At 9' });
      await passes(2, { minutes: 20 });
      expect(await calendar(calendarId)).toMatchObject(shown);
      expect((await calendar(calendarId)).error).toMatch(says);
      expect(await account(ada)).toMatchObject({ needsReconnect: false });
      expect(await blocksAt(bob, team)).toEqual([8, 9, 10]);
      expect(await counts()).toMatchObject({ failed: 0 });

      await back();
      await passes(2, { minutes: 1 });
      expect(await blocksAt(bob, team)).toEqual([10, 11, 12]);
      expect(await calendar(calendarId)).toMatchObject({ removed: false, writable: true, error: null });
      await expectWell(ada);
      await expectQuiet();
    },
  );
});

describe('Outlook calendar', () => {
  async function withWork() {
    const { control } = world.microsoft;
    await control.seed({ account: carl, calendars: [primary, { key: 'work', name: 'Work' }] });
    const connected = await world.connect('microsoft', carl);
    await world.mirror(connected.calendars.map((one) => one.calendarId));
    for (const hour of [8, 9]) await create(carl, `At ${hour}`, hour);
    await passes(2, { minutes: 1 });
    expect(await blocksAt(carl, 'work')).toEqual([8, 9]);
    return { control, calendarId: connected.calendars.find((one) => one.name === 'Work')?.calendarId };
  }

  test('a deleted Outlook calendar is shown as deleted, and other blocks stay', { timeout: 60_000 }, async () => {
    const { control, calendarId } = await withWork();
    await control.act({ account: carl, do: 'create', calendar: 'work', event: { subject: 'X', start: timeAt(16) } });
    await passes(2, { minutes: 1 });
    expect(await blocksAt(carl)).toEqual([16]);
    await control.act({ account: carl, do: 'remove-calendar', calendar: 'work' });
    await control.act({ account: carl, do: 'move', event: 'At 8', minutes: 180 });
    await passes(3, { hours: 1 });
    expect(await calendar(calendarId)).toMatchObject({ removed: true });
    expect((await calendar(calendarId)).error).toMatch(/was deleted or is no longer shared/);
    await expectWell(carl);
    expect(await blocksAt(carl)).toEqual([16]);
    await expectQuiet();
  });

  test('an Outlook calendar that became read-only keeps its blocks and resumes once writable', {
    timeout: 60_000,
  }, async () => {
    const { control, calendarId } = await withWork();
    await control.act({ account: carl, do: 'change-calendar', calendar: 'work', canEdit: false });
    await control.act({ account: carl, do: 'move', event: 'At 8', minutes: 180 });
    await control.act({ account: carl, do: 'delete', event: 'At 9' });
    await passes(3, { minutes: 20 });
    expect(await calendar(calendarId)).toMatchObject({ writable: false });
    expect((await calendar(calendarId)).error).toMatch(/only read this calendar now/);
    expect(await blocksAt(carl, 'work')).toEqual([8, 9]);
    await control.act({ account: carl, do: 'change-calendar', calendar: 'work', canEdit: true });
    await passes(2, { minutes: 1 });
    expect(await blocksAt(carl, 'work')).toEqual([11]);
    expect(await calendar(calendarId)).toMatchObject({ writable: true, error: null });
    await expectQuiet();
  });
});

test('M21: a mailbox on an on-premises Exchange server is explained, at first and after a later move', {
  timeout: 60_000,
}, async () => {
  const { control } = world.microsoft;
  await control.seed({ account: carl, calendars: [primary] });
  await control.addFaults({ name: 'M21', times: 0 });
  await world.consent('microsoft', carl);
  await passes(2, { minutes: 20 });
  const explained = /organization's own Exchange server.*Exchange \(through DavMail\)/;
  expect(await account(carl)).toMatchObject({ status: 'error', needsReconnect: false });
  expect((await account(carl)).message).toMatch(explained);
  await control.clearFaults();
  await passes(1, { hours: 1 });
  await passes(1, { hours: 1 });
  await expectWell(carl);
  await control.addFaults({ name: 'M21', times: 0 });
  await passes(1, { hours: 1 });
  expect((await account(carl)).message).toMatch(explained);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NamedFault } from '../src/emulators/kit/faults.ts';
import { type FixedClock, fixedClock } from './harness/fixed-clock.ts';
import { type Connected, type Json, type ProviderWorld, startProviderWorld } from './harness/provider-world.ts';

/**
 * Each fault of the catalogue strikes the whole product while a person creates, moves and deletes events at one account
 * that block time at another. Once it is over, exactly the right blocks stand there, and the next pass writes nothing.
 */

const from = 'ada@example.com';
const to = 'bob@example.com';

let clock: FixedClock;
let world: ProviderWorld;
let ada: Connected;
let bob: Connected;

/** A new world for each group: the gate of an account counts real minutes, and these clocks do not. */
async function begin(): Promise<void> {
  clock = fixedClock('2027-03-01T06:00:00Z');
  world = await startProviderWorld({ clock, push: false });
  await world.google.control.seed({ account: from, timeZone: 'UTC' }, { account: to, timeZone: 'UTC' });
  ada = await world.connect('google', from);
  bob = await world.connect('google', to);
  await world.settle();
  await world.mirror([...ada.calendars, ...bob.calendars].map((one) => one.calendarId));
}

const timesOf = (event: Json) => {
  const edge = (name: string) => (event[name] as { dateTime: string }).dateTime;
  return [edge('start'), edge('end')].map((text) => Temporal.Instant.from(text).toString()).join(' ');
};
async function eventsAt(account: string): Promise<Json[]> {
  const { accounts } = await world.google.control.snapshot();
  return (accounts[account]?.calendars[account]?.events ?? []) as unknown as Json[];
}
const originsAt = async (account: string) =>
  (await eventsAt(account))
    .filter((event) => event.summary !== 'Busy')
    .map(timesOf)
    .toSorted();
const blocksAt = async (account: string) =>
  (await eventsAt(account))
    .filter((event) => event.summary === 'Busy')
    .map(timesOf)
    .toSorted();

/** Actions of a person at one account. `day` keeps the events of different faults apart. */
async function live(day: string, what: 'before' | 'during'): Promise<void> {
  const { control } = world.google;
  const create = (hour: string) =>
    control.act({
      account: from,
      do: 'create',
      event: { summary: `${day} ${hour}`, start: `${day}T${hour}:00`, timeZone: 'UTC', minutes: 30 },
    });
  if (what === 'before') {
    for (const hour of ['08', '09', '10']) await create(hour);
    return;
  }
  await create('11');
  await control.act({ account: from, do: 'move', pick: `${day} 08`, minutes: 15 });
  await control.act({ account: from, do: 'delete', pick: `${day} 09` });
}

const passes = async (count: number, apart: Temporal.DurationLike) => {
  for (let n = 0; n < count; n += 1) {
    await world.pass();
    clock.advance(apart);
  }
};
const writes = async () =>
  (await world.google.control.ledger())
    .filter((entry) => /^(POST|PUT|PATCH|DELETE)$/.test(entry.method))
    .filter((entry) => entry.path.includes('/events'));

let days = 0;
const nextDay = () => {
  days += 1;
  return Temporal.PlainDate.from('2027-03-02').add({ days }).toString();
};

const strikes: (NamedFault & { why: string })[] = [
  { name: 'F1', variant: 'reset', times: 2, why: 'a connection breaks before anything happened' },
  ...['insert', 'patch', 'delete'].flatMap((op) =>
    ['reset', '502'].map((variant) => ({
      name: 'F2',
      variant,
      op: `events.${op}`,
      why: `the answer to ${op} is lost (${variant}), but it was done`,
    })),
  ),
  { name: 'F3', variant: '503', times: 3, why: 'the provider is down' },
  { name: 'F3', variant: '500', op: 'events.insert', phase: 'after', why: 'an insert fails, but it was done' },
  { name: 'F4', variant: 'truncated', times: 2, why: 'answers are cut off' },
  { name: 'F4', variant: 'invalid', op: 'events.list', why: 'a list is no JSON' },
  { name: 'F4', variant: 'truncated', op: 'events.insert', phase: 'after', why: 'the answer to an insert is cut off' },
  { name: 'F4', variant: 'login-page', op: 'events.list', why: 'a sign-in page instead of a list' },
  { name: 'F6', variant: 'repeated', times: 0, why: 'a page comes twice' },
  { name: 'F6', variant: 'shuffled', times: 0, why: 'pages are shuffled' },
  { name: 'F6', variant: 'doubled', times: 0, why: 'an item comes twice' },
  { name: 'G4', variant: '503', times: 2, why: 'the token endpoint is down' },
  { name: 'G5', why: 'a token is refused once' },
  { name: 'G6', variant: 'rateLimitExceeded', times: 2, why: 'too many requests (403)' },
  { name: 'G6', variant: 'userRateLimitExceeded', why: 'too many requests of this user' },
  { name: 'G6', variant: '429', times: 2, why: 'too many requests (429)' },
  { name: 'G10', why: 'a sync token is no longer valid' },
  { name: 'G12', variant: 'empty-page', why: 'an empty page that goes on' },
  { name: 'G12', variant: 'short-page', times: 0, why: 'short pages' },
  { name: 'G13', why: 'an insert says that the id exists' },
  { name: 'G15', why: 'somebody changed it first' },
  { name: 'G16', variant: 'deleted', phase: 'after', why: 'what is deleted is gone already' },
];

const groups = Array.from({ length: Math.ceil(strikes.length / 9) }, (_, n) => strikes.slice(n * 9, n * 9 + 9));

describe.each(groups.map((group) => ({ group })))('mirroring from Google after provider faults', ({ group }) => {
  beforeAll(begin);
  afterAll(() => world.close());

  test.each(group)(
    '$name $variant: mirrored blocks are exact, without extra writes, after a fault: $why',
    async ({ why: _why, ...fault }) => {
      const { control } = world.google;
      const day = nextDay();
      await live(day, 'before');
      await passes(2, { minutes: 1 });
      expect(await blocksAt(to)).toEqual(await originsAt(from));
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
      expect(await blocksAt(to)).toEqual(await originsAt(from));
      await control.clearLedger();
      await passes(1, { minutes: 1 });
      expect((await writes()).map((entry) => `${entry.method} ${entry.path}`)).toEqual([]);
    },
  );
});

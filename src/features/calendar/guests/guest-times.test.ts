import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { availabilityContract } from '#features/availability/contract.ts';
import { teamsContract } from '#features/teams/contract.ts';
import { deleteMember, insertMember } from '#features/teams/store/members.ts';
import type { EventBody } from '#kernel/event.ts';
import type { CalendarId, TeamId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import { applyChanges } from '../apply-changes.ts';
import { calendarContract } from '../contract.ts';
import { guestsContract } from './contract.ts';

// a Monday
const clock = fixedClock('2027-03-01T07:00:00Z');
let server: TestApp;
let anna: TestUser;
let bob: TestUser;
let carl: TestUser;
let teamId: TeamId;
let calendarOf: Map<TestUser, CalendarId>;
let n = 0;

beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock });
});
afterAll(() => server.close());

beforeEach(async () => {
  n += 1;
  anna = await signUpUser(server, `anna${n}@example.org`);
  bob = await signUpUser(server, `bob${n}@example.org`);
  carl = await signUpUser(server, `carl${n}@example.org`);
  calendarOf = new Map();
  for (const [person, timezone] of [
    [anna, 'Europe/Berlin'],
    [bob, 'America/New_York'],
    [carl, 'Europe/Berlin'],
  ] as const) {
    await person.as(accountsContract).changePreferences({ body: { timezone } });
    calendarOf.set(person, (await insertOwnAccount(server, person)).calendarId as CalendarId);
    await sql`delete from sync.mirrors where user_id = ${person.userId}`.execute(server.app.db);
    await sql`delete from calendar.items where user_id = ${person.userId}`.execute(server.app.db);
  }
  teamId = (await anna.as(teamsContract).createTeam({ body: { name: 'Sales' } })).team.id;
  await inTransaction(server.app.db, (tx) => insertMember(tx, { teamId, userId: bob.userId, role: 'viewer' }));
});

/** An event of an hour, in UTC. */
async function put(
  person: TestUser,
  ref: string,
  start: string,
  { rule, uid = ref }: { rule?: string; uid?: string } = {},
) {
  const core = { busy: 'busy', private: true, self: 'none', kind: 'default', title: 'Secret' } as const;
  const when = { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 3600 } } as const;
  const body: EventBody =
    rule === undefined
      ? { kind: 'single', when, core }
      : { kind: 'series', when, core, rules: [rule], exRules: [], extraDates: [], exdates: [], overrides: {} };
  const calendarId = calendarOf.get(person) as CalendarId;
  const owner = { calendarId, userId: person.userId, calendarZone: 'UTC', ownerZone: 'UTC' };
  const items = [{ ref, uid, version: '1', provenance: 'foreign' as const, body }];
  await inTransaction(server.app.db, (tx) => applyChanges(tx, owner, { items, gone: [] }, clock.nowMs()));
}

const at = (text: string) => Temporal.Instant.from(`2027-03-${text}:00Z`).epochMilliseconds;
const ask = (start: string, end: string, guests: TestUser[], except_event_id: string | null = null) =>
  anna.as(guestsContract).guestTimes({
    body: {
      start: `2027-03-${start}:00Z`,
      end: `2027-03-${end}:00Z`,
      guests: guests.map(({ email }) => email.toUpperCase()),
      except_event_id,
    },
  });

test('a teammate shares when they are busy on the day of the caller, and people of no common team share nothing', async () => {
  await put(bob, 'a', '2027-03-02T15:00:00');
  await put(bob, 'b', '2027-03-02T15:30:00');
  await put(bob, 'late', '2027-03-03T00:30:00');
  await put(carl, 'c', '2027-03-02T15:00:00');
  const { day, guests, free } = await ask('02T15:00', '02T15:30', [bob, carl]);
  // midnight to midnight in Berlin
  expect(day).toEqual({ start: at('01T23:00'), end: at('02T23:00') });
  expect(guests).toEqual([
    {
      address: bob.email.toUpperCase(),
      shared: true,
      busy_until: at('02T16:30'),
      busy: [{ start: at('02T15:00'), end: at('02T16:30') }],
      hours: 'open',
      off: [
        { start: at('01T23:00'), end: at('02T14:00') },
        { start: at('02T22:00'), end: at('02T23:00') },
      ],
    },
    { address: carl.email.toUpperCase(), shared: false, busy_until: null, busy: [], hours: 'open', off: [] },
  ]);
  // both are open from 14:00 to 16:00 UTC
  expect(free.map(({ start }) => start)).toEqual([at('02T14:30'), at('02T14:00'), at('03T14:00'), at('03T14:30')]);
});

test('nothing is offered while everybody is free, and own events count where a teammate is free', async () => {
  expect(await ask('02T14:00', '02T15:00', [bob])).toMatchObject({
    guests: [{ shared: true, busy_until: null }],
    free: [],
  });
  await put(anna, 'mine', '2027-03-02T14:00:00');
  expect((await ask('02T14:00', '02T15:00', [bob])).free[0]).toEqual({ start: at('02T15:00'), end: at('02T16:00') });
});

test('a teammate on a day off is away, without the reason, and only times after it are offered', async () => {
  const days_off = { first_day: '2027-03-02', last_day: '2027-03-03', reason: 'Surgery' };
  await bob.as(availabilityContract).addDaysOff({ body: days_off });
  const answer = await ask('02T14:00', '02T15:00', [bob]);
  // The day of Berlin. Midnight in New York is at 05:00 UTC.
  expect(answer.guests).toEqual([
    {
      address: bob.email.toUpperCase(),
      shared: true,
      busy_until: null,
      busy: [],
      hours: 'away',
      off: [{ start: at('01T23:00'), end: at('02T23:00') }],
    },
  ]);
  expect(answer.free[0]).toEqual({ start: at('01T15:00'), end: at('01T16:00') });
  expect(answer.free.every(({ start, end }) => end <= at('02T05:00') || start >= at('04T05:00'))).toBe(true);
  expect(JSON.stringify(answer)).not.toContain('Surgery');
});

test('a teammate is away on a holiday that they keep, and not on the day after it', async () => {
  const holidays = { country: 'US', region: null };
  await bob.as(availabilityContract).setHolidays({ body: { ...holidays, worked: [] } });
  // Memorial Day, the last Monday of May
  const may = { start: '2027-05-31T14:00:00Z', end: '2027-05-31T15:00:00Z', guests: [bob.email] };
  expect((await anna.as(guestsContract).guestTimes({ body: may })).guests[0]?.hours).toBe('away');
  const tuesday = { start: '2027-06-01T14:00:00Z', end: '2027-06-01T15:00:00Z', guests: [bob.email] };
  expect((await anna.as(guestsContract).guestTimes({ body: tuesday })).guests[0]?.hours).toBe('open');
});

test('a time before the working hours of a teammate is outside of them, and times within are offered', async () => {
  // 07:00 in New York
  const { guests, free } = await ask('02T12:00', '02T13:00', [bob]);
  expect(guests[0]).toMatchObject({ hours: 'outside', busy_until: null });
  // from 09:00 to 17:00 in New York
  expect(guests[0]?.off).toEqual([
    { start: at('01T23:00'), end: at('02T14:00') },
    { start: at('02T22:00'), end: at('02T23:00') },
  ]);
  expect(free[0]).toEqual({ start: at('02T14:00'), end: at('02T15:00') });
});

test('without a common open hour, times outside open hours are offered', async () => {
  await bob.as(accountsContract).changePreferences({ body: { timezone: 'Pacific/Auckland' } });
  await put(bob, 'a', '2027-03-02T10:00:00');
  const { free } = await ask('02T10:00', '02T11:00', [bob]);
  expect(free.map(({ start }) => start)).toEqual([at('02T11:00'), at('02T09:00'), at('02T12:00'), at('02T08:00')]);
});

test('copies of the edited event in calendars of guests do not count, its other instances do', async () => {
  const rule = 'FREQ=DAILY;COUNT=3';
  await put(anna, 'weekly', '2027-03-02T15:00:00', { rule, uid: 'same@x' });
  await put(bob, 'copy', '2027-03-02T15:00:00', { rule, uid: 'same@x' });
  const range = { from: '2027-03-01T00:00:00Z', to: '2027-03-08T00:00:00Z' };
  const { events } = await anna.as(calendarContract).listEvents({ query: range });
  const own = events.find(({ start_time }) => start_time.startsWith('2027-03-02T15:00'));
  expect((await ask('02T15:00', '02T16:00', [bob])).guests[0]?.busy_until).toBe(at('02T16:00'));
  const asInstance = own?.event_id ?? '';
  expect((await ask('02T15:00', '02T16:00', [bob], asInstance)).guests[0]?.busy_until).toBe(null);
  // moved onto its own next instance
  expect((await ask('03T15:00', '03T16:00', [bob], asInstance)).guests[0]?.busy_until).toBe(at('03T16:00'));
  const asSeries = own?.item_id ?? '';
  expect((await ask('03T15:00', '03T16:00', [bob], asSeries)).guests[0]?.busy_until).toBe(null);
});

test('a member who left shares nothing, and times beyond the prepared ones are not called free', async () => {
  await put(bob, 'a', '2027-03-02T15:00:00');
  const far = { start: '2029-03-01T09:00:00Z', end: '2029-03-01T10:00:00Z', guests: [bob.email] };
  expect((await anna.as(guestsContract).guestTimes({ body: far })).guests[0]?.shared).toBe(false);
  await inTransaction(server.app.db, (tx) => deleteMember(tx, teamId, bob.userId));
  expect((await ask('02T15:00', '02T15:30', [bob])).guests[0]?.shared).toBe(false);
});

test('events of more than a day and more than 50 guests are refused', async () => {
  await expect(ask('02T15:00', '03T15:01', [bob])).rejects.toMatchObject({ code: 'BAD_TIME' });
  await expect(ask('02T15:00', '02T15:00', [bob])).rejects.toMatchObject({ code: 'BAD_TIME' });
  await expect(
    ask(
      '02T15:00',
      '02T16:00',
      Array.from({ length: 51 }, () => bob),
    ),
  ).rejects.toThrow('Too big');
});

const known = (address: string, ...busy: [string, string][]) => ({
  address,
  busy: busy.map(([start, end]) => ({ start: at(start), end: at(end) })),
});
const askKnown = (start: string, end: string, told: ReturnType<typeof known>, except_event_id: string | null = null) =>
  anna.as(guestsContract).guestTimes({
    body: {
      start: `2027-03-${start}:00Z`,
      end: `2027-03-${end}:00Z`,
      guests: ['dora@elsewhere.example'],
      except_event_id,
      known: [told],
    },
  });

test('a guest whose busy times the caller knows counts as one who shares them', async () => {
  const told = known('Dora@elsewhere.example', ['02T10:00', '02T11:30']);
  const { guests, free } = await askKnown('02T10:00', '02T11:00', told);
  expect(guests).toEqual([
    {
      address: 'dora@elsewhere.example',
      shared: true,
      busy_until: at('02T11:30'),
      busy: [{ start: at('02T10:00'), end: at('02T11:30') }],
      hours: 'open',
      off: [],
    },
  ]);
  // an hour, before and after hers, within the open hours of the caller
  expect(free).toContainEqual({ start: at('02T09:00'), end: at('02T10:00') });
  expect(free).toContainEqual({ start: at('02T11:30'), end: at('02T12:30') });
});

test('a guest is not busy with the event that is edited', async () => {
  await put(anna, 'edited', '2027-03-02T10:00:00');
  const { events } = await anna.as(calendarContract).listEvents({
    query: { from: '2027-03-02T00:00:00Z', to: '2027-03-03T00:00:00Z' },
  });
  const told = known('dora@elsewhere.example', ['02T10:00', '02T11:00'], ['02T11:00', '02T12:00']);
  const { guests } = await askKnown('02T10:00', '02T11:00', told, events[0]?.event_id ?? null);
  expect(guests[0]).toMatchObject({ busy_until: null, busy: [{ start: at('02T11:00'), end: at('02T12:00') }] });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { availabilityContract } from '#features/availability/contract.ts';
import { teamsContract } from '#features/teams/contract.ts';
import { insertMember } from '#features/teams/store/members.ts';
import type { Core } from '#kernel/event.ts';
import type { CalendarId, TeamId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { applyChanges } from './apply-changes.ts';
import { calendarContract } from './contract.ts';

let server: TestApp;
let anna: TestUser;
let bob: TestUser;
let teamId: TeamId;

beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock: fixedClock('2027-03-01T07:00:00Z') });
  anna = await signUpUser(server, 'anna@example.org');
  bob = await signUpUser(server, 'bob@example.org');
  teamId = (await anna.as(teamsContract).createTeam({ body: { name: 'Sales' } })).team.id;
  await inTransaction(server.app.db, (tx) => insertMember(tx, { teamId, userId: bob.userId, role: 'viewer' }));
  for (const person of [anna, bob]) {
    await put(person, [
      ['dentist', '2027-03-02T10:00:00', { title: 'Dentist', private: true }],
      ['review', '2027-03-02T10:30:00', { title: 'Review' }],
      ['lunch', '2027-03-02T13:00:00', { title: 'Lunch', busy: 'free' }],
      ['later', '2027-03-20T10:00:00', { title: 'Later' }],
    ]);
  }
});
afterAll(() => server.close());

async function put(person: TestUser, events: [name: string, start: string, core: Partial<Core>, rule?: string][]) {
  const { calendarId } = await insertOwnAccount(server, person);
  const items = events.map(([name, start, core, rule]) => ({
    ref: name,
    uid: name,
    version: '1',
    provenance: 'foreign' as const,
    body: {
      when: { kind: 'zoned' as const, start, zone: 'UTC', duration: { seconds: 3600 } },
      core: { busy: 'busy' as const, private: false, self: 'none' as const, kind: 'default' as const, ...core },
      ...(rule === undefined
        ? { kind: 'single' as const }
        : { kind: 'series' as const, rules: [rule], exRules: [], extraDates: [], exdates: [], overrides: {} }),
    },
  }));
  const owner = { calendarId: calendarId as CalendarId, userId: person.userId, calendarZone: 'UTC', ownerZone: 'UTC' };
  await inTransaction(server.app.db, (tx) => applyChanges(tx, owner, { items, gone: [] }, server.app.clock.nowMs()));
}

const week = { from: '2027-03-01T00:00:00Z', to: '2027-03-08T00:00:00Z' };
const at = (time: string) => Temporal.Instant.from(`2027-03-02T${time}:00Z`).epochMilliseconds;
const busyOf = async (looker: TestUser, whose: TestUser) => {
  const { members } = await looker.as(calendarContract).teamBusy({ params: { teamId }, query: week });
  return members.find(({ user_id }) => user_id === whose.userId)?.busy;
};

test('a team sees when a member is busy, without titles and without the number of events', async () => {
  expect(await busyOf(bob, anna)).toEqual([{ start: at('10:00'), end: at('11:30'), title: null }]);
});

test('a member who shares details shows event titles, but not those of private events', async () => {
  await bob.as(teamsContract).changeSharing({ params: { teamId }, body: { shares: 'details' } });
  expect(await busyOf(anna, bob)).toEqual([
    { start: at('10:00'), end: at('11:00'), title: null },
    { start: at('10:30'), end: at('11:30'), title: 'Review' },
  ]);
  expect(await busyOf(bob, anna)).toHaveLength(1);
});

test('a team sees on which days of their own zone a member is away, without the reason', async () => {
  await anna.as(availabilityContract).addDaysOff({
    body: { first_day: '2027-03-04', last_day: '2027-03-05', reason: 'Surgery' },
  });
  const { members } = await bob.as(calendarContract).teamBusy({ params: { teamId }, query: week });
  const [start, end] = ['2027-03-04T00:00-05:00', '2027-03-06T00:00-05:00'].map(
    (day) => Temporal.Instant.from(day).epochMilliseconds,
  );
  expect(members.find(({ user_id }) => user_id === anna.userId)?.away).toEqual([{ start, end }]);
  expect(members.find(({ user_id }) => user_id === bob.userId)?.away).toEqual([]);
  expect(JSON.stringify(members)).not.toContain('Surgery');
});

test('busy time of a team is shown only to its members, and a range of a year is refused', async () => {
  const eve = await signUpUser(server, 'eve@example.org');
  await expect(busyOf(eve, anna)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const api = bob.as(calendarContract);
  const year = { from: '2027-01-01T00:00:00Z', to: '2027-12-31T00:00:00Z' };
  await expect(api.teamBusy({ params: { teamId }, query: year })).rejects.toMatchObject({ code: 'RANGE' });
});

const everyMinute = `FREQ=DAILY;BYHOUR=${[...Array(24).keys()].join()};BYMINUTE=${[...Array(60).keys()].join()}`;
const may = { from: '2027-05-01T00:00:00Z', to: '2027-05-15T00:00:00Z' };
const busyInMay = async (looker: TestUser) => {
  const { members } = await looker.as(calendarContract).teamBusy({ params: { teamId }, query: may });
  return members.find(({ user_id }) => user_id === bob.userId)?.busy ?? [];
};

test('long titles of a member are cut', async () => {
  const title = '日'.repeat(990);
  await put(bob, [['bomb', '2027-05-01T00:00:00', { title }, `${everyMinute};COUNT=3000`]]);
  const busy = await busyInMay(anna);
  expect(busy).toHaveLength(3_000);
  expect(new Set(busy.map((one) => one.title))).toEqual(new Set(['日'.repeat(200)]));
});

test('a member with more than 300 events a day is busy throughout', async () => {
  await put(bob, [['another', '2027-05-01T00:00:00', { title: 'More' }, `${everyMinute};COUNT=5000`]]);
  const [start, end] = [may.from, may.to].map((at) => Temporal.Instant.from(at).epochMilliseconds);
  expect(await busyInMay(anna)).toEqual([{ start, end, title: null }]);
});

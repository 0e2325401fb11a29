import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertTeam, insertTeamType, type Mate } from '../../../test/harness/bookable-team.ts';
import { type FixedClock, fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { TeamId, UserId } from '../../kernel/ids.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { teamsContract } from '../teams/contract.ts';
import { bookingContract } from './contract.ts';
import { handOver } from './hand-over.ts';
import type { Made } from './rules/booking-endpoints.ts';

const minute = 60_000;
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;

let clock: FixedClock;
let server: TestApp;
beforeAll(async () => {
  clock = fixedClock('2027-03-01T13:00:00Z');
  server = await startTestApp({ clock });
});
afterAll(() => server.close());

let teams = 0;
interface Sales {
  people: TestUser[];
  teamId: TeamId;
  handle: string;
}
/** Three people with a calendar each, in a team: the first owns it, the second is an editor. */
async function newTeam(): Promise<Sales> {
  teams += 1;
  const people: TestUser[] = [];
  for (const name of ['anna', 'ben', 'carla']) {
    const user = await signUpUser(server, `${name}${teams}@example.org`);
    await user.as(connectionsContract).connectOwn();
    people.push(user);
  }
  const handle = `sales${teams}`;
  const mates = people.map((user, n) => ({ user, role: (['owner', 'editor', 'viewer'] as const)[n] ?? 'viewer' }));
  const teamId = await insertTeam(server, handle, mates);
  await server.settle();
  return { people, teamId, handle };
}

let guests = 0;
async function book(path: string, start = nine): Promise<Made['bookings'][number]> {
  guests += 1;
  const payload = { start, name: 'Bo Li', email: `guest-${guests}@example.net`, zone: 'Europe/Berlin' };
  const remoteAddress = `10.1.0.${guests % 250}`;
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload, remoteAddress });
  if (response.statusCode !== 201) throw new Error(`not booked: ${response.body}`);
  await server.settle();
  return response.json<Made>().bookings[0] as Made['bookings'][number];
}
const calendarOf = async (user: TestUser) => {
  const query = { from: '2027-03-01T00:00:00Z', to: '2027-04-30T00:00:00Z' };
  const { events } = await user.as(calendarContract).listEvents({ query });
  return events.map((event) => `${event.start_time.slice(5, 16)} ${event.title}`).sort();
};
const upcoming = async (user: TestUser, team_id?: TeamId) =>
  (await user.as(bookingContract).listBookings({ query: { scope: 'upcoming', ...(team_id ? { team_id } : {}) } }))
    .bookings;
const mails = async (to: string) => {
  const { rows } = await sql<{ kind: string }>`
    select kind from platform.mails where recipient = ${to} order by created_at, id`.execute(server.app.db);
  return rows.map(({ kind }) => kind);
};

const booked = '03-08T14:00 Demo: Bo Li';

describe('bookings of a round robin', () => {
  test('a host who gives a booking away is answered with it, although it is theirs no longer', async () => {
    const { people, teamId, handle } = await newTeam();
    const [anna, , carla] = people as [TestUser, TestUser, TestUser];
    // a viewer of the team has no bookings but their own
    const mates: Mate[] = [
      { user: carla, priority: 1 },
      { user: anna, priority: 2 },
    ];
    const { path } = await insertTeamType(server, { teamId, handle }, mates, { kind: 'round-robin', slug: 'away' });
    await book(path, nine + 120);
    const [mine] = await upcoming(carla);
    const params = { booking_id: mine?.booking_id as never };
    const { booking } = await carla.as(bookingContract).reassignBooking({ params, body: { sequence: 0 } });
    expect(booking).toMatchObject({ sequence: 1, hosts: [{ user_id: anna.userId }] });
    expect(await upcoming(carla)).toEqual([]);
  });

  test('a round-robin booking is reassigned: the guest is notified, and the calendars follow', async () => {
    const { people, teamId, handle } = await newTeam();
    const [anna, ben, carla] = people as [TestUser, TestUser, TestUser];
    const mates: Mate[] = people.map((user) => ({ user }));
    const { path } = await insertTeamType(server, { teamId, handle }, mates, { kind: 'round-robin' });
    const { token } = await book(path);
    expect(await calendarOf(anna)).toEqual([booked]);
    const [mine] = await upcoming(anna);
    expect(mine?.hosts.map(({ user_id }) => user_id)).toEqual([anna.userId]);

    const api = anna.as(bookingContract);
    const params = { booking_id: mine?.booking_id as never };
    const { takers } = await api.listTakers({ params });
    expect(takers.map(({ user_id, free }) => [user_id, free])).toEqual([
      [ben.userId, true],
      [carla.userId, true],
    ]);
    await api.reassignBooking({ params, body: { to: carla.userId as never, sequence: 0 } });
    await server.settle();
    expect([await calendarOf(anna), await calendarOf(ben), await calendarOf(carla)]).toEqual([[], [], [booked]]);
    expect(await upcoming(anna)).toEqual([]);
    expect((await upcoming(carla)).map(({ uid }) => uid)).toEqual([mine?.uid]);
    expect((await server.inject({ method: 'GET', url: `/api/booked/${token}` })).json()).toMatchObject({
      booking: { sequence: 1, start: nine, uid: mine?.uid },
    });
    const guest = mine?.email ?? '';
    // the host who transferred it is not notified
    expect([await mails(guest), await mails(anna.email), await mails(carla.email)]).toEqual([
      ['booking.confirmed', 'booking.reassigned'],
      ['booking.confirmed'],
      ['booking.reassigned'],
    ]);
    // the owner can do so, too: without a name the next by the rule is chosen, and the team's list shows it
    const [ofTeam] = await upcoming(anna, teamId);
    expect(ofTeam?.hosts.map(({ user_id }) => user_id)).toEqual([carla.userId]);
    await api.reassignBooking({ params, body: { sequence: 1 } });
    await server.settle();
    expect([await calendarOf(anna), await calendarOf(carla)]).toEqual([[booked], []]);
    // an editor sees it and does not give it away, a viewer does neither
    await expect(ben.as(bookingContract).reassignBooking({ params, body: { sequence: 2 } })).rejects.toMatchObject({
      status: 403,
    });
    await expect(upcoming(carla, teamId)).rejects.toMatchObject({ status: 403 });
    await expect(carla.as(bookingContract).readBooking({ params })).rejects.toMatchObject({ status: 403 });
  });

  test('a round-robin booking sends live updates to its hosts, former hosts and team managers', async () => {
    const { people, teamId, handle } = await newTeam();
    const [anna, ben, carla] = people as [TestUser, TestUser, TestUser];
    const mates: Mate[] = [{ user: ben, priority: 1 }, { user: carla }];
    const { path } = await insertTeamType(server, { teamId, handle }, mates, { kind: 'round-robin' });
    const heard = new Set<string>();
    const open = people.map(({ userId }) =>
      server.app.feed.subscribe(userId as UserId, undefined, ({ topic }) => {
        if (topic === 'bookings') heard.add(userId);
      }),
    );
    const tells = async (readers: TestUser[], act: () => Promise<unknown>) => {
      await server.settle();
      heard.clear();
      await act();
      await server.settle();
      const wanted = readers.map(({ userId }) => userId as string);
      await expect.poll(() => [...heard]).toEqual(expect.arrayContaining(wanted));
    };
    await tells([anna, ben], () => book(path));
    // a viewer sees no bookings of others
    expect(heard.has(carla.userId)).toBe(false);
    const [mine] = await upcoming(ben);
    const params = { booking_id: mine?.booking_id as never };
    await tells([anna, ben, carla], () =>
      anna.as(bookingContract).reassignBooking({ params, body: { to: carla.userId as never, sequence: 0 } }),
    );
    await tells([anna, ben], () =>
      anna.as(teamsContract).removeMember({ params: { teamId, userId: carla.userId as never } }),
    );
    expect((await upcoming(ben)).length).toBe(1);
    for (const one of open) one.close();
  });

  test('a booking is reassigned when its host leaves the team, and listed when nobody can take it', async () => {
    const { people, teamId, handle } = await newTeam();
    const [anna, ben, carla] = people as [TestUser, TestUser, TestUser];
    const mates: Mate[] = [{ user: ben, priority: 1 }, { user: carla }];
    const { path } = await insertTeamType(server, { teamId, handle }, mates, { kind: 'round-robin' });
    await book(path);
    await book(path);
    await book(path, nine + 60);
    expect((await upcoming(ben)).length).toBe(2);
    await anna.as(teamsContract).removeMember({ params: { teamId, userId: ben.userId as never } });
    await server.settle();
    // at nine carla has another one: that one stays, named, until somebody decides
    expect(await calendarOf(carla)).toEqual([booked, '03-08T15:00 Demo: Bo Li']);
    expect(await calendarOf(ben)).toEqual([booked]);
    const stranded = (await upcoming(anna, teamId)).filter(({ hosts }) => hosts.some((one) => one.left));
    expect(stranded.map(({ start_time }) => start_time)).toEqual([nine * minute]);
    expect(
      (await server.inject({ method: 'GET', url: `${path}/slots?from=${nine - 60}&to=${nine + 480}` })).json(),
    ).not.toMatchObject({ starts: expect.arrayContaining([nine]) as never });
  });
});

test('two hand-overs at once give each booking once, and neither counts it as left', async () => {
  const { people, teamId, handle } = await newTeam();
  const [anna, ben, carla] = people as [TestUser, TestUser, TestUser];
  const mates: Mate[] = [{ user: ben, priority: 1 }, { user: carla }];
  const { path } = await insertTeamType(server, { teamId, handle }, mates, { kind: 'round-robin' });
  await book(path);
  await book(path, nine + 60);
  expect((await upcoming(ben)).length).toBe(1);
  const actor = { userId: anna.userId as UserId };
  const answers = await Promise.all(
    [1, 2].map(() => handOver(server.app, actor, teamId, { from: ben.userId as UserId })),
  );
  for (const { left } of answers) expect(left).toBe(0);
  expect((await upcoming(carla)).length).toBe(2);
});

describe('bookings of a collective', () => {
  test('a collective booking is in the calendar of each host, and is moved and cancelled there', async () => {
    const { people, teamId, handle } = await newTeam();
    const [anna, ben] = people as [TestUser, TestUser, TestUser];
    const mates: Mate[] = [{ user: anna }, { user: ben }];
    const { path } = await insertTeamType(server, { teamId, handle }, mates, { kind: 'collective' });
    const { token, booking } = await book(path);
    expect([await calendarOf(anna), await calendarOf(ben)]).toEqual([[booked], [booked]]);
    expect(booking.host).toContain(' and ');
    expect(await mails(ben.email)).toEqual(expect.arrayContaining(['booking.confirmed']));
    expect((await upcoming(ben)).map(({ uid }) => uid)).toEqual([booking.uid]);
    const move = { start: nine + 60, sequence: 0 };
    await server.inject({ method: 'POST', url: `/api/booked/${token}/reschedule`, payload: move });
    await server.settle();
    expect([await calendarOf(anna), await calendarOf(ben)]).toEqual([
      ['03-08T15:00 Demo: Bo Li'],
      ['03-08T15:00 Demo: Bo Li'],
    ]);
    await server.inject({ method: 'POST', url: `/api/booked/${token}/cancel`, payload: {} });
    await server.settle();
    expect([await calendarOf(anna), await calendarOf(ben)]).toEqual([[], []]);
  });

  test('a collective booking continues with the remaining hosts when one leaves the team', async () => {
    const { people, teamId, handle } = await newTeam();
    const [anna, ben, carla] = people as [TestUser, TestUser, TestUser];
    const mates: Mate[] = [{ user: ben }, { user: carla }];
    const { path } = await insertTeamType(server, { teamId, handle }, mates, { kind: 'collective' });
    await book(path);
    await anna.as(teamsContract).removeMember({ params: { teamId, userId: ben.userId as never } });
    await server.settle();
    expect([await calendarOf(ben), await calendarOf(carla)]).toEqual([[], [booked]]);
    expect((await upcoming(carla)).map(({ hosts }) => hosts.map(({ user_id }) => user_id))).toEqual([[carla.userId]]);
  });
});

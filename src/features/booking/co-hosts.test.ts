import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { UserId } from '../../kernel/ids.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { inboxContract } from '../inbox/contract.ts';
import { refreshNotices } from '../inbox/notices.ts';
import { meetingsContract } from '../meetings/contract.ts';
import { bookingContract } from './contract.ts';
import type { Made } from './rules/booking-endpoints.ts';
import type { TypeSettings } from './rules/type-settings.ts';

const minute = 60_000;
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;
const clock = fixedClock('2027-03-01T13:00:00Z');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ clock });
});
afterAll(() => server.close());

let teams = 0;
async function newPanel(settings: Partial<TypeSettings> = {}) {
  teams += 1;
  const people: TestUser[] = [];
  for (const name of ['anna', 'ben']) {
    const user = await signUpUser(server, `${name}${teams}@example.org`);
    await user.as(connectionsContract).connectOwn();
    people.push(user);
  }
  const [anna, ben] = people as [TestUser, TestUser];
  const handle = `panel${teams}`;
  const teamId = await insertTeam(server, handle, [{ user: anna }, { user: ben }]);
  const hosts = [anna, ben].map((user) => ({ user }));
  const { path } = await insertTeamType(server, { teamId, handle }, hosts, { kind: 'collective', ...settings });
  await server.settle();
  return { anna, ben, path, teamId };
}

async function book(path: string, start = nine) {
  const payload = { start, name: 'Bo Li', email: `bo-${teams}@example.net`, zone: 'Europe/Berlin' };
  const remoteAddress = `10.1.0.${teams}`;
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload, remoteAddress });
  if (response.statusCode !== 201) throw new Error(`not booked: ${response.body}`);
  await server.settle();
  return response.json<Made>().bookings[0] as Made['bookings'][number];
}

const mails = async (to: string) => {
  const { rows } = await sql<{ kind: string }>`
    select kind from platform.mails where recipient = ${to} order by created_at, id`.execute(server.app.db);
  return rows.map(({ kind }) => kind);
};
const notices = async ({ userId, as }: TestUser) => {
  await refreshNotices(server.app, userId as UserId);
  const { notices: all } = await as(inboxContract).listNotices({});
  return all.filter(({ kind }) => kind !== 'stale').map(({ kind, over }) => `${kind}${over ? ' over' : ''}`);
};
const calendarOf = async (user: TestUser) => {
  const query = { from: '2027-03-01T00:00:00Z', to: '2027-04-30T00:00:00Z' };
  return (await user.as(calendarContract).listEvents({ query })).events;
};

const meetingsOf = (user: TestUser, query: { search?: string; attendee?: string } = {}) =>
  user.as(meetingsContract).listMeetings({ query: { scope: 'upcoming', ...query } });

test('every host of a collective booking gets a mail and a notification, and hears of its cancellation by another', async () => {
  const { anna, ben, path } = await newPanel();
  await book(path);
  for (const one of [anna, ben]) {
    expect(await mails(one.email)).toEqual(['booking.confirmed']);
    expect(await notices(one)).toEqual(['booked']);
  }
  const [booking] = (await ben.as(bookingContract).listBookings({ query: { scope: 'upcoming' } })).bookings;
  const params = { booking_id: booking?.booking_id as never };
  await ben.as(bookingContract).cancelBooking({ params, body: {} });
  await server.settle();
  expect(await notices(anna)).toEqual(expect.arrayContaining(['cancelled']));
  // hosts get no notice of their own acts
  expect(await notices(ben)).toEqual(['booked over']);
});

test('a collective booking is a meeting of every host, found by its guest, with the event of that host', async () => {
  const { anna, ben, path } = await newPanel();
  await book(path);
  const ids: string[] = [];
  for (const one of [anna, ben]) {
    const { upcoming, counts } = await meetingsOf(one);
    expect(counts.upcoming).toBe(1);
    const [event] = await calendarOf(one);
    expect(upcoming).toMatchObject([
      { id: event?.event_id, eventType: 'Demo', invitee: 'Bo Li', origin: { calendar_id: event?.calendar_id } },
    ]);
    expect(upcoming[0]?.booking).toMatchObject({ has_event: true, comers: [{ name: 'Bo Li' }] });
    expect((await meetingsOf(one, { attendee: `bo-${teams}@example.net` })).matching).toBe(1);
    expect((await meetingsOf(one, { search: 'Bo Li' })).matching).toBe(1);
    ids.push(upcoming[0]?.id ?? '');
  }
  expect(new Set(ids).size).toBe(2);
});

test('a collective request waits for every host', async () => {
  const { anna, ben, path } = await newPanel({ confirmation: true });
  await book(path);
  for (const one of [anna, ben]) {
    expect((await meetingsOf(one)).counts).toMatchObject({ upcoming: 0, requests: 1 });
    expect(await notices(one)).toEqual(['requested']);
  }
});

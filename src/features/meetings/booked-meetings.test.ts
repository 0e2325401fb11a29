import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { type FixedClock, fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { bookingContract } from '../booking/contract.ts';
import type { TypeSettings } from '../booking/rules/type-settings.ts';
import { connectionsContract } from '../connections/contract.ts';
import { inboxContract } from '../inbox/contract.ts';
import { refreshNotices } from '../inbox/notices.ts';
import { meetingsContract } from './contract.ts';

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

let people = 0;
async function newHost(settings: Partial<TypeSettings> & { kind?: 'group' } = {}, isConnected = true) {
  people += 1;
  const user = await signUpUser(server, `met${people}@example.org`);
  if (isConnected) await user.as(connectionsContract).connectOwn();
  await server.settle();
  return { user, place: await insertBookable(server, user, 'intro', settings) };
}
type Host = Awaited<ReturnType<typeof newHost>>;

let guests = 0;
async function book({ place }: Host, start = nine, name = 'Bo Li') {
  guests += 1;
  const response = await server.inject({
    method: 'POST',
    url: `${place.path}/bookings`,
    payload: { start, name, email: `comer-${guests}@example.net`, zone: 'Europe/Berlin' },
    remoteAddress: `10.9.0.${guests}`,
  });
  expect(response.statusCode).toBe(201);
}

const list = (user: TestUser, query: { scope?: 'upcoming' | 'past'; search?: string; attendee?: string } = {}) =>
  user.as(meetingsContract).listMeetings({ query: { scope: 'upcoming', ...query } });
const notices = async (user: TestUser) => {
  await refreshNotices(server.app, user.userId);
  const { notices: all } = await user.as(inboxContract).listNotices({});
  return all
    .filter(({ kind }) => kind !== 'stale')
    .map(({ kind, over, details }) => `${kind}${over ? ' over' : ''}: ${details.guest} ${details.title}`);
};

test('a booking and its calendar event are one meeting, before and after the event is written', async () => {
  const host = await newHost();
  await book(host);
  const seen = async () => {
    const { upcoming, counts, matching } = await list(host.user);
    expect([counts.upcoming, matching]).toEqual([1, 1]);
    return upcoming[0];
  };
  const expected = {
    eventType: 'Intro',
    invitee: 'Bo Li',
    date: '2027-03-08',
    starts_at: '2027-03-08T14:00:00Z',
    status: 'Confirmed',
    meetingLink: 'https://meet.example.org/anna',
  };
  const before = await seen();
  expect(before).toMatchObject({ ...expected, booking: { seats: 1, comers: [{ name: 'Bo Li', sequence: 0 }] } });
  await server.settle();
  const after = await seen();
  expect(after).toMatchObject({ ...expected, id: before?.id, booking: { ...before?.booking, has_event: true } });
});

test('a booking without a calendar is listed as a meeting and found by its guest', async () => {
  const host = await newHost({ location: { kind: 'phone', who_calls: 'guest', number: '+1 555 0100' } }, false);
  await book(host, nine, 'Zoë Quartz');
  await server.settle();
  const { upcoming } = await list(host.user, { search: 'quartz' });
  expect(upcoming).toMatchObject([{ origin: { subcalendar: '' }, booking: { has_event: false }, meetingLink: null }]);
  const email = upcoming[0]?.email ?? '';
  expect((await list(host.user, { attendee: email })).matching).toBe(1);
  expect((await list(host.user, { attendee: 'nobody@example.net' })).matching).toBe(0);
  expect((await list(host.user, { search: 'nothing like it' })).matching).toBe(0);
});

test('all guests of a group session are in one meeting, and whom they bring has a seat', async () => {
  const host = await newHost({ kind: 'group', seats: 4 });
  await book(host, nine, 'Ada');
  await book(host, nine, 'Ben');
  await sql`update booking.bookings set guests = '["mia@example.net"]' where guest_name = 'Ben'`.execute(server.app.db);
  await server.settle();
  const { upcoming } = await list(host.user);
  expect(upcoming).toMatchObject([
    { invitee: 'Ada', booking: { seats: 4, seats_taken: 3, comers: [{ name: 'Ada' }, { name: 'Ben' }] } },
  ]);
});

test('a booking request is counted and raises a notification until answered, and becomes a meeting when confirmed', async () => {
  const host = await newHost({ confirmation: true });
  await book(host);
  expect(await list(host.user)).toMatchObject({ counts: { requests: 1, upcoming: 0 }, upcoming: [] });
  expect(await notices(host.user)).toEqual(['requested: Bo Li Intro']);
  const bookings = host.user.as(bookingContract);
  const [request] = (await bookings.listBookings({ query: { scope: 'pending' } })).bookings;
  if (request === undefined) throw new Error('nobody asks');
  await bookings.confirmBooking({ params: { booking_id: request.booking_id }, body: {} });
  expect(await list(host.user)).toMatchObject({ counts: { requests: 0, upcoming: 1 } });
  expect((await notices(host.user)).toSorted()).toEqual(['booked: Bo Li Intro', 'requested over: Bo Li Intro']);
});

test('a booked meeting is rescheduled to an offered slot and cancelled without notifying its host', async () => {
  const host = await newHost();
  await book(host);
  const bookings = host.user.as(bookingContract);
  const [booked] = (await list(host.user)).upcoming;
  const bookingId = booked?.booking?.comers[0]?.booking_id as never;
  const params = { booking_id: bookingId };
  const { starts } = await bookings.listBookingSlots({ params, query: { from: nine, to: nine + 180 } });
  expect(starts.map((start) => start - nine)).toEqual([30, 60, 90, 120, 150]);
  await bookings.rescheduleBooking({ params, body: { start: nine + 30, sequence: 0 } });
  // the event is still at its old time
  expect((await list(host.user)).upcoming).toMatchObject([{ starts_at: '2027-03-08T14:30:00Z' }]);
  await bookings.cancelBooking({ params, body: {} });
  expect((await list(host.user)).upcoming.map(({ status }) => status)).not.toContain('Confirmed');
  await server.settle();
  expect((await list(host.user)).counts).toMatchObject({ upcoming: 0 });
  expect(await notices(host.user)).toEqual([]); // hosts get no notice of their own acts
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#platform/db.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { CalendarId, UserId } from '../../kernel/ids.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { editsContract } from '../edits/contract.ts';
import { editingWanted } from '../edits/events.ts';
import { listDueConnections } from '../edits/store/edits.ts';
import { inboxContract } from '../inbox/contract.ts';
import { refreshNotices } from '../inbox/notices.ts';
import { meetingsContract } from '../meetings/contract.ts';
import { bookingContract } from './contract.ts';
import { followEvents } from './follow-events.ts';
import type { Made } from './rules/booking-endpoints.ts';
import type { QuestionAnswer } from './rules/question-endpoints.ts';
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

async function change(user: TestUser, how: 'delete' | { minutes: number }) {
  const [event] = await calendarOf(user);
  if (event === undefined) throw new Error('no event');
  const edits = user.as(editsContract);
  const named = { scope: 'this', version: event.version, tell_guests: false } as const;
  const params = { id: event.event_id };
  if (how === 'delete') {
    await edits.deleteEvent({ params, query: { ...named, tell_guests: 'false' } });
    // the time to undo it
    clock.advance({ seconds: 11 });
    await inTransaction(server.app.db, async (tx) => {
      for (const connectionId of await listDueConnections(tx, clock.nowMs()))
        await server.app.news.announce(tx, editingWanted, { connectionId });
    });
  } else {
    const at = (time: string) =>
      Temporal.Instant.from(time).add({ minutes: how.minutes }).toString({ smallestUnit: 'minute' }).replace('Z', '');
    const when = { kind: 'timed' as const, start: at(event.start_time), end: at(event.end_time), zone: 'UTC' };
    await edits.changeEvent({ params, body: { ...named, changes: { when } } });
  }
  await server.settle();
}
const questionsTo = async (user: TestUser) => (await user.as(bookingContract).listQuestions({})).questions;
async function answer(user: TestUser, given: QuestionAnswer) {
  const [question] = await questionsTo(user);
  if (question === undefined) throw new Error('nothing is asked');
  const { booking_id, question_id } = question;
  await user.as(bookingContract).answerQuestion({ params: { booking_id }, body: { question_id, answer: given } });
  await server.settle();
}
const startsOf = async (user: TestUser) => (await calendarOf(user)).map(({ start_time }) => start_time.slice(11, 16));
const stateOf = async (token: string) => {
  const { booking } = (await server.inject({ method: 'GET', url: `/api/booked/${token}` })).json();
  return [booking.state, booking.start - nine];
};

test('a co-host who deletes the event of a collective booking is asked, and the others hear of the cancellation', async () => {
  const { anna, ben, path } = await newPanel();
  const { token } = await book(path);
  await change(ben, 'delete');
  expect(await questionsTo(ben)).toMatchObject([{ kind: 'deleted', answers: ['cancel', 'restore'] }]);
  expect(await questionsTo(anna)).toEqual([]);
  expect(await mails(ben.email)).toEqual(['booking.confirmed', 'booking.question']);
  expect(await notices(ben)).toEqual(expect.arrayContaining(['booking-deleted']));
  expect(await stateOf(token)).toEqual(['confirmed', 0]);
  await answer(ben, 'cancel');
  expect(await stateOf(token)).toEqual(['cancelled', 0]);
  expect(await mails(anna.email)).toEqual(['booking.confirmed', 'booking.cancelled']);
  expect(await startsOf(anna)).toEqual([]);
});

test('a co-host gets a deleted event back, and is asked again when it is deleted again', async () => {
  const { anna, ben, path } = await newPanel();
  const { token } = await book(path);
  for (const _ of ['first', 'second']) {
    await change(ben, 'delete');
    expect(await startsOf(ben)).toEqual([]);
    await answer(ben, 'restore');
    expect(await startsOf(ben)).toEqual(['14:00']);
    expect(await questionsTo(ben)).toEqual([]);
  }
  expect(await stateOf(token)).toEqual(['confirmed', 0]);
  expect(await mails(anna.email)).toEqual(['booking.confirmed']);
});

test('two hosts are asked about their own events, and an answer settles the question to its host only', async () => {
  const { anna, ben, path } = await newPanel();
  await book(path);
  await change(ben, 'delete');
  await change(anna, 'delete');
  expect((await questionsTo(anna)).map(({ kind }) => kind)).toEqual(['deleted']);
  await answer(anna, 'restore');
  expect([await startsOf(anna), await startsOf(ben)]).toEqual([['14:00'], []]);
  expect([await questionsTo(anna), await questionsTo(ben)]).toMatchObject([[], [{ kind: 'deleted' }]]);
});

test('a collective booking follows the event that a co-host moves, once the co-host says so', async () => {
  const { anna, ben, path } = await newPanel();
  const { token } = await book(path);
  await change(ben, { minutes: 60 });
  expect(await questionsTo(ben)).toMatchObject([{ kind: 'moved', answers: ['follow', 'restore', 'cancel'] }]);
  await answer(ben, 'follow');
  expect(await stateOf(token)).toEqual(['confirmed', 60]);
  expect([await startsOf(anna), await startsOf(ben)]).toEqual([['15:00'], ['15:00']]);
  expect(await mails(anna.email)).toEqual(['booking.confirmed', 'booking.rescheduled']);
  expect(await questionsTo(ben)).toEqual([]);
});

test('the event of a co-host follows the rules of the event type', async () => {
  const kept = await newPanel({ when_moved: 'restore', when_deleted: 'restore' });
  await book(kept.path);
  await change(kept.ben, { minutes: 60 });
  expect(await startsOf(kept.ben)).toEqual(['14:00']);
  await change(kept.ben, 'delete');
  expect(await startsOf(kept.ben)).toEqual(['14:00']);
  expect(await questionsTo(kept.ben)).toEqual([]);

  const followed = await newPanel({ when_moved: 'follow', when_deleted: 'cancel' });
  const { token } = await book(followed.path);
  await change(followed.ben, { minutes: 60 });
  expect(await stateOf(token)).toEqual(['confirmed', 60]);
  await change(followed.ben, 'delete');
  expect(await stateOf(token)).toEqual(['cancelled', 60]);
  expect(await startsOf(followed.anna)).toEqual([]);
  expect(await mails(followed.anna.email)).toEqual(['booking.confirmed', 'booking.rescheduled', 'booking.cancelled']);
});

test('a move of the booking is not undone by an event that is not moved yet', async () => {
  const { ben, path } = await newPanel({ when_moved: 'follow', when_deleted: 'cancel' });
  const { token } = await book(path);
  const [event] = await calendarOf(ben);
  // the move is kept, and the job that writes the events of other hosts is still to come
  await sql`update booking.appointments a set start_ms = start_ms + ${60 * minute}, end_ms = end_ms + ${60 * minute}
    from booking.bookings b where b.appointment_id = a.id and b.guest_email = ${`bo-${teams}@example.net`}`.execute(
    server.app.db,
  );
  await followEvents(server.app, event?.calendar_id as CalendarId, AbortSignal.timeout(10_000));
  expect(await stateOf(token)).toEqual(['confirmed', 60]);
  await change(ben, 'delete');
  expect(await stateOf(token)).toEqual(['confirmed', 60]);
});

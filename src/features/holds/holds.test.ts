import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { inTransaction } from '#platform/db.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { availabilityContract } from '../availability/contract.ts';
import { bookingContract } from '../booking/contract.ts';
import type { TypeSettings } from '../booking/rules/type-settings.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { editsContract } from '../edits/contract.ts';
import { editingWanted } from '../edits/events.ts';
import { listDueConnections } from '../edits/store/edits.ts';
import { inboxContract } from '../inbox/contract.ts';
import { refreshNotices } from '../inbox/notices.ts';
import { holdsContract } from './contract.ts';
import { releaseHolds } from './holds.ts';
import { settleHolds } from './settle.ts';

const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ clock });
});
afterAll(() => server.close());

/** A Monday in New York, in standard time. */
const msOf = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const at = (time: string) => msOf(`2027-03-08T${time}:00-05:00`);
const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

let people = 0;
async function newPerson() {
  people += 1;
  const user = await signUpUser(server, `keeper${people}@example.org`);
  await sql`update accounts.users set zone = 'America/New_York' where id = ${user.userId}`.execute(server.app.db);
  const connections = user.as(connectionsContract);
  await connections.connectOwn();
  const [calendar] = (await connections.listIntegrationCalendars()).calendars;
  await server.settle();
  if (calendar === undefined) throw new Error('there is no calendar');
  return { user, calendarId: calendar.calendarId, holds: user.as(holdsContract) };
}
type Person = Awaited<ReturnType<typeof newPerson>>;
type NewHold = z.output<NonNullable<typeof holdsContract.createHold.body>>;

async function keep(person: Person, more: Partial<NewHold> = {}) {
  const { hold } = await person.holds.createHold({
    body: {
      calendar_id: person.calendarId,
      title: 'Deep work',
      start: at('10:00'),
      end: at('11:00'),
      rank: 4,
      range: { kind: 'day' },
      expires_at: null,
      harden_before_minutes: null,
      ...more,
    },
  });
  await server.settle();
  return hold;
}

let slugs = 0;
async function book({ user }: { user: TestUser }, start: number, settings: Partial<TypeSettings> = {}) {
  slugs += 1;
  const { path } = await insertBookable(server, user, `intro-${slugs}`, settings);
  const response = await tryBooking(path, start);
  expect(response.statusCode, response.body).toBe(201);
  await server.settle();
  const { bookings } = response.json<{ bookings: { token: string }[] }>();
  return { path, token: bookings[0]?.token ?? '' };
}
function tryBooking(path: string, start: number) {
  const payload = {
    start: start / minute,
    name: 'Gus',
    email: `gus${slugs}@example.net`,
    zone: 'UTC',
    language: 'en',
  };
  return server.inject({ method: 'POST', url: `${path}/bookings`, payload });
}
async function asGuest(token: string, act: string, payload: object = {}) {
  const response = await server.inject({ method: 'POST', url: `/api/booked/${token}/${act}`, payload });
  expect(response.statusCode, response.body).toBe(200);
  await server.settle();
}

const week = { from: '2027-03-06T00:00:00Z', to: '2027-03-14T00:00:00Z' };
async function standing({ user }: Person) {
  const { events } = await user.as(calendarContract).listEvents({ query: week });
  const time = (text: string) =>
    Temporal.Instant.from(text).toZonedDateTimeISO('America/New_York').toPlainTime().toString().slice(0, 5);
  return events.map((one) => `${time(one.start_time)}-${time(one.end_time)} ${one.title} ${one.class}`).sort();
}
const history = async ({ holds }: Person, hold_id: string) =>
  (await holds.readHold({ params: { hold_id: hold_id as never } })).history.map(({ kind, for: booked }) =>
    booked === null ? kind : `${kind} for ${booked}`,
  );

test('a tentative hold stays bookable for more important events and moves when it is booked over', async () => {
  const person = await newPerson();
  const hold = await keep(person);
  expect(await standing(person)).toEqual(['10:00-11:00 Deep work soft']);
  const check = () =>
    person.user
      .as(calendarContract)
      .checkAvailability({ query: { start_time: iso(at('10:00')), end_time: iso(at('11:00')) } });
  expect(await check()).toMatchObject({
    available: true,
    conflicts: [],
    priority_conflicts: [{ rank: 4, class: 'soft' }],
  });
  await book(person, at('10:00'));
  expect(await standing(person)).toEqual(['10:00-10:30 Intro: Gus busy', '10:30-11:30 Deep work soft']);
  expect(await history(person, hold.hold_id)).toEqual(['moved for Intro, Gus', 'made']);
  // the hold gave way on its own: nobody is asked
  expect((await person.user.as(bookingContract).listQuestions()).questions).toEqual([]);
  await settleHolds(server.app, person.user.userId);
  expect(await history(person, hold.hold_id)).toHaveLength(2);
});

test('a tentative hold returns when its booking is cancelled, and makes room again when it is moved', async () => {
  const person = await newPerson();
  const hold = await keep(person);
  const { token } = await book(person, at('10:00'));
  await asGuest(token, 'reschedule', { start: at('14:00') / minute, sequence: 0 });
  expect(await standing(person)).toEqual(['10:00-11:00 Deep work soft', '14:00-14:30 Intro: Gus busy']);
  await asGuest(token, 'reschedule', { start: at('10:30') / minute, sequence: 1 });
  expect(await standing(person)).toEqual(['10:30-11:00 Intro: Gus busy', '11:00-12:00 Deep work soft']);
  await asGuest(token, 'cancel');
  expect(await standing(person)).toEqual(['10:00-11:00 Deep work soft']);
  expect(await history(person, hold.hold_id)).toEqual([
    'returned',
    'moved for Intro, Gus',
    'returned',
    'moved for Intro, Gus',
    'made',
  ]);
});

test('a tentative hold without a range shrinks, then disappears, and returns when there is room', async () => {
  const person = await newPerson();
  const hold = await keep(person, { range: { kind: 'none' } });
  const first = await book(person, at('10:00'));
  expect(await standing(person)).toEqual(['10:00-10:30 Intro: Gus busy', '10:30-11:00 Deep work soft']);
  const second = await book(person, at('10:30'));
  expect(await standing(person)).toEqual(['10:00-10:30 Intro: Gus busy', '10:30-11:00 Intro: Gus busy']);
  const { holds } = await person.holds.listHolds();
  expect(holds).toMatchObject([{ state: 'gave-way', start_time: null }]);
  await asGuest(first.token, 'cancel');
  expect(await standing(person)).toEqual(['10:30-11:00 Intro: Gus busy']);
  await asGuest(second.token, 'cancel');
  expect(await standing(person)).toEqual(['10:00-11:00 Deep work soft']);
  expect(await history(person, hold.hold_id)).toEqual([
    'returned',
    'gave-way for Intro, Gus',
    'shrunk for Intro, Gus',
    'made',
  ]);
});

test('a tentative hold refuses bookings of equal rank, and every booking once it has hardened', async () => {
  const person = await newPerson();
  await keep(person, { rank: 3, harden_before_minutes: 60 });
  const { path } = await insertBookable(server, person.user, 'equal', { rank: 3 });
  expect((await tryBooking(path, at('10:00'))).statusCode).toBe(409);
  const important = await insertBookable(server, person.user, 'important', { rank: 2 });
  const starts = async () => {
    const response = await server.inject({
      method: 'GET',
      url: `${important.path}/slots?from=${at('09:00') / minute}&to=${at('17:00') / minute}`,
    });
    expect(response.statusCode, response.body).toBe(200);
    return JSON.stringify(response.json()).includes(String(at('10:00') / minute));
  };
  const check = async () =>
    (
      await person.user
        .as(calendarContract)
        .checkAvailability({ query: { start_time: iso(at('10:00')), end_time: iso(at('11:00')), rank: '2' } })
    ).conflicts.map(({ rank }) => rank);
  const now = clock.now();
  try {
    clock.set(iso(at('09:00') - 1));
    expect([await starts(), await check()]).toEqual([true, []]);
    expect((await person.holds.listHolds()).holds[0]?.rank_now).toBe(3);
    clock.set(iso(at('09:00')));
    expect([await starts(), await check()]).toEqual([false, [1]]);
    expect((await person.holds.listHolds()).holds[0]?.rank_now).toBe(1);
    expect((await tryBooking(important.path, at('10:00'))).statusCode).toBe(409);
  } finally {
    clock.set(now);
  }
});

test("a user's own tentative event stays under a booking, is marked, and raises a notification", async () => {
  const person = await newPerson();
  await person.user.as(availabilityContract).setHold({ body: { kind: 'title-prefix', value: 'Hold:', rank: 4 } });
  const when = { kind: 'timed' as const, start: '2027-03-08T10:00', end: '2027-03-08T11:00', zone: 'America/New_York' };
  const { edit } = await person.user.as(editsContract).createEvent({
    body: {
      calendar_id: person.calendarId,
      title: 'Hold: gym',
      when,
      recurrence: null,
      description: '',
      location: '',
      meeting_link: null,
      attendees: [],
      busy: 'busy',
      private: false,
      reminders: null,
      tell_guests: false,
    },
  });
  await server.settle();
  await book(person, at('10:00'));
  expect(await standing(person)).toEqual(['10:00-10:30 Intro: Gus busy', '10:00-11:00 Hold: gym soft']);
  const marked = { event_id: edit.item_id, title: 'Intro', guests: ['Gus'] };
  expect(await person.holds.listHolds()).toMatchObject({ holds: [], overbooked: [marked] });
  await refreshNotices(server.app, person.user.userId);
  const { notices } = await person.user.as(inboxContract).listNotices({});
  expect(notices.map(({ kind }) => kind)).toContain('booking-overbooked');
  const bookings = person.user.as(bookingContract);
  const [question] = (await bookings.listQuestions()).questions;
  if (question === undefined) throw new Error('nothing is asked');
  const { booking_id, question_id } = question;
  await bookings.answerQuestion({ params: { booking_id }, body: { question_id, answer: 'ignore' } });
  // an accepted overlap is still listed
  expect((await person.holds.listHolds()).overbooked).toMatchObject([marked]);
});

test('a tentative hold expires once at its time, also with late or repeated workers', async () => {
  const person = await newPerson();
  const hold = await keep(person, { expires_at: msOf('2027-03-05T12:00:00Z') });
  const now = clock.now();
  const signal = new AbortController().signal;
  try {
    clock.set(Temporal.Instant.from('2027-03-05T12:00:00Z').subtract({ milliseconds: 1 }));
    await releaseHolds(server.app, signal);
    expect(await history(person, hold.hold_id)).toEqual(['made']);
    clock.set('2027-03-05T12:00:00Z');
    await Promise.all([1, 2, 3].map(() => releaseHolds(server.app, signal)));
    await server.settle();
    expect(await history(person, hold.hold_id)).toEqual(['released', 'made']);
    expect(await standing(person)).toEqual([]);
    const restored = person.holds.restoreHold({ params: { hold_id: hold.hold_id } });
    await expect(restored).rejects.toMatchObject({ code: 'TOO_LATE' });
  } finally {
    clock.set(now);
  }
});

test('a failed release of a tentative hold has no effect and is repeated by the next run', async () => {
  const person = await newPerson();
  const hold = await keep(person, { expires_at: msOf('2027-03-05T12:00:00Z') });
  const now = clock.now();
  const signal = new AbortController().signal;
  const broken = { ...server.app, feed: { ...server.app.feed, publish: () => Promise.reject(new Error('crashed')) } };
  try {
    clock.set('2027-03-05T12:00:00Z');
    await expect(releaseHolds(broken as never, signal)).rejects.toThrow('crashed');
    expect(await history(person, hold.hold_id)).toEqual(['made']);
    expect(await standing(person)).toEqual(['10:00-11:00 Deep work soft']);
    await releaseHolds(server.app, signal);
    await server.settle();
    expect(await standing(person)).toEqual([]);
  } finally {
    clock.set(now);
  }
});

test('a tentative hold can be changed, removed and restored, and a stale change is refused', async () => {
  const person = await newPerson();
  const hold = await keep(person);
  const params = { hold_id: hold.hold_id };
  const { hold: changed } = await person.holds.changeHold({
    params,
    body: { version: hold.version, changes: { rank: 2, start: at('13:00'), end: at('14:00'), title: 'Reading' } },
  });
  await server.settle();
  expect(await standing(person)).toEqual(['13:00-14:00 Reading soft']);
  const stale = person.holds.changeHold({ params, body: { version: hold.version, changes: { rank: 3 } } });
  await expect(stale).rejects.toMatchObject({
    code: 'CHANGED_MEANWHILE',
    fields: { version: String(changed.version) },
  });
  await person.holds.removeHold({ params });
  await server.settle();
  expect(await standing(person)).toEqual([]);
  await person.holds.restoreHold({ params });
  await server.settle();
  expect(await standing(person)).toEqual(['13:00-14:00 Reading soft']);
  expect(await history(person, hold.hold_id)).toEqual(['restored', 'removed', 'changed', 'made']);
  const { rows } = await sql<{ rank: number }>`
    select rank from calendar.spans where user_id = ${person.user.userId}`.execute(server.app.db);
  expect(rows).toEqual([{ rank: 2 }]);
});

test('a tentative hold follows a move in the calendar and is removed when deleted there', async () => {
  const person = await newPerson();
  const hold = await keep(person);
  const edits = person.user.as(editsContract);
  const eventId = hold.event_id ?? (await person.holds.listHolds()).holds[0]?.event_id ?? '';
  const read = async () => (await edits.readEvent({ params: { event_id: eventId } })).event;
  const when = { kind: 'timed' as const, start: '2027-03-08T15:00', end: '2027-03-08T16:30', zone: 'America/New_York' };
  const { version } = await read();
  await edits.changeEvent({
    params: { id: eventId },
    body: { scope: 'all', version, tell_guests: false, changes: { when, title: 'Later' } },
  });
  await server.settle();
  await book(person, at('15:00'));
  // and gives way from there
  expect(await standing(person)).toEqual(['15:00-15:30 Intro: Gus busy', '15:30-17:00 Later soft']);
  const { version: present } = await read();
  await edits.deleteEvent({ params: { id: eventId }, query: { scope: 'all', version: present, tell_guests: 'false' } });
  const now = clock.now();
  try {
    clock.advance({ seconds: 11 });
    const due = await listDueConnections(server.app.db, clock.nowMs());
    await inTransaction(server.app.db, async (tx) => {
      for (const connectionId of due) await server.app.news.announce(tx, editingWanted, { connectionId });
    });
    await server.settle();
  } finally {
    clock.set(now);
  }
  expect(await standing(person)).toEqual(['15:00-15:30 Intro: Gus busy']);
  expect((await person.holds.listHolds()).holds).toEqual([]);
  expect(await history(person, hold.hold_id)).toEqual(['removed', 'moved for Intro, Gus', 'followed', 'made']);
});

test('a tentative hold with an invalid time, range or calendar is refused with its reason', async () => {
  const person = await newPerson();
  const refused = async (more: Partial<NewHold>) => {
    const made = person.holds.createHold({
      body: {
        calendar_id: person.calendarId,
        title: 'Hold',
        start: at('10:00'),
        end: at('11:00'),
        rank: 4,
        range: { kind: 'day' },
        expires_at: null,
        harden_before_minutes: null,
        ...more,
      },
    });
    return made.then(
      () => 'made',
      (error: { code: string }) => error.code,
    );
  };
  await book(person, at('10:00'));
  expect(await refused({})).toBe('TAKEN');
  expect(await refused({ start: at('12:00'), end: at('12:01') })).toBe('BAD_TIME');
  expect(await refused({ start: msOf('2027-02-01T10:00:00Z'), end: msOf('2027-02-01T11:00:00Z') })).toBe('BAD_TIME');
  expect(await refused({ start: at('12:00'), end: at('13:00'), expires_at: msOf('2027-02-01T11:00:00Z') })).toBe(
    'BAD_TIME',
  );
  const days = { kind: 'days' as const, first: '2027-03-09', last: '2027-03-10' };
  expect(await refused({ start: at('12:00'), end: at('13:00'), range: days })).toBe('BAD_RANGE');
  expect(await refused({ start: at('12:00'), end: at('13:00'), calendar_id: randomUUID() })).toBe('NOT_FOUND');
  const hold_id = randomUUID() as never;
  const first = await keep(person, { start: at('12:00'), end: at('13:00'), hold_id });
  expect(await keep(person, { start: at('12:00'), end: at('13:00'), hold_id })).toMatchObject({
    hold_id: first.hold_id,
  });
  expect(await standing(person)).toEqual(['10:00-10:30 Intro: Gus busy', '12:00-13:00 Deep work soft']);
});

test('two tentative holds of one user never end up at the same time', async () => {
  const person = await newPerson();
  await keep(person, { title: 'One' });
  await keep(person, { title: 'Two' });
  await book(person, at('10:00'), { durations_minutes: [60] });
  expect(await standing(person)).toEqual([
    '10:00-11:00 Intro: Gus busy',
    '11:00-12:00 One soft',
    '12:00-13:00 Two soft',
  ]);
});

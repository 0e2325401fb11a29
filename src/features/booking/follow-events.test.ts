import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Single } from '#kernel/event.ts';
import { canonicalJson, contentHash } from '#kernel/event-hash.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import {
  type ConnectedCalendar,
  launchThreeProviders,
  type ThreeProviders,
} from '../../../test/harness/three-providers.ts';
import { availabilityContract } from '../availability/contract.ts';
import { applyZoneData } from '../calendar/apply-zone-data.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { editsContract } from '../edits/contract.ts';
import { inboxContract } from '../inbox/contract.ts';
import { refreshNotices } from '../inbox/notices.ts';
import { syncContract } from '../sync/contract.ts';
import { bookingContract } from './contract.ts';
import type { QuestionAnswer } from './rules/question-endpoints.ts';
import { verifyBookings } from './verify-bookings.ts';

/** Bookings whose events are moved, deleted and overlapped at Google, Microsoft and a CalDAV server. */

const publicUrl = 'http://localhost';
const minute = 60_000;
const names = ['google', 'microsoft', 'caldav'] as const;
type Name = (typeof names)[number];

/** A Monday at ten in New York, some weeks ahead. */
const monday = Temporal.Now.plainDateISO('UTC').add({ days: 21 });
const ten = monday
  .subtract({ days: monday.dayOfWeek - 1 })
  .toZonedDateTime({ timeZone: 'America/New_York', plainTime: '10:00' }).epochMilliseconds;

let providers: ThreeProviders;
let server: TestApp;
let smtp: TestSmtpServer;
let host: TestUser;
let calendars: Record<Name, ConnectedCalendar>;

beforeAll(async () => {
  [providers, smtp] = await Promise.all([launchThreeProviders(publicUrl), startSmtpServer()]);
  server = await startTestApp({ config: { publicUrl, smtpUrl: smtp.url, ...providers.config } });
  host = await signUpUser(server, 'host@example.org');
  calendars = {
    google: await providers.connect(server, host, 'google', 'host'),
    microsoft: await providers.connect(server, host, 'microsoft', 'host'),
    caldav: await providers.connectCaldav(host, 'host'),
  };
  await server.settle(30_000);
}, 60_000);
afterAll(async () => {
  await server.close();
  await smtp.close();
  await providers.close();
});

/** Times are apart from each other, so that no test is in another's way. */
let slot = 0;
let start = 0;
let slug = 0;
beforeEach(() => {
  slot += 1;
  start = ten + Math.floor(slot / 2) * 86_400_000 * 7 + (slot % 2) * 3 * 3_600_000;
});

async function book(at: Name, settings: Parameters<typeof insertBookable>[3] = {}) {
  slug += 1;
  const { path } = await insertBookable(server, host, `intro-${slug}`, {
    target_calendar_id: calendars[at].calendarId,
    window: { kind: 'rolling', days: 365 },
    ...settings,
  });
  const email = `guest-${slug}@example.net`;
  const response = await server.inject({
    method: 'POST',
    url: `${path}/bookings`,
    payload: { start: start / minute, name: `Gus ${slug}`, email, zone: 'UTC', language: 'en' },
  });
  expect(response.statusCode, response.body).toBe(201);
  const { bookings } = response.json<{ bookings: { token: string; booking: { uid: string } }[] }>();
  await read(at);
  return { path, email, title: `Intro: Gus ${slug}`, uid: bookings[0]?.booking.uid ?? '' };
}

/** Everything of the account is read, and what follows from it is done. */
async function read(at: Name) {
  await server.settle(30_000);
  await host.as(syncContract).syncAccount({ params: { accountId: calendars[at].accountId } });
  await server.settle(30_000);
}

/** A CalDAV server knows objects by their UID. */
async function uidOf(title: string): Promise<string> {
  const { rows } = await sql<{ uid: string }>`
    select uid from calendar.items where title = ${title} and gone_at is null`.execute(server.app.db);
  return rows[0]?.uid ?? '';
}
const textOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
const caldavAct = { user: 'host', calendar: 'work' };
const account = (at: Name) => `host@${at}.example`;
async function moveThere(at: Name, title: string, minutes: number) {
  if (at === 'google') await providers.google.control.act({ account: account(at), do: 'move', pick: title, minutes });
  if (at === 'microsoft') {
    await providers.microsoft.control.act({ account: account(at), do: 'move', event: title, minutes });
  }
  if (at === 'caldav') await providers.caldav.act([{ ...caldavAct, do: 'move', pick: await uidOf(title), minutes }]);
  await read(at);
}
async function deleteThere(at: Name, title: string) {
  if (at === 'google') await providers.google.control.act({ account: account(at), do: 'delete', pick: title });
  if (at === 'microsoft') await providers.microsoft.control.act({ account: account(at), do: 'delete', event: title });
  if (at === 'caldav') await providers.caldav.act([{ ...caldavAct, do: 'delete', pick: await uidOf(title) }]);
  await read(at);
}
/** Somebody puts something else into the host's calendar at Google. */
async function putThere(summary: string, startMs: number) {
  const there = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO('Europe/Berlin');
  await providers.google.control.act({
    account: account('google'),
    do: 'create',
    event: { summary, start: there.toPlainDateTime().toString().slice(0, 16), minutes: 30 },
  });
  await read('google');
}

const bookingOf = async (email: string) => {
  const { rows } = await sql<{ id: string; state: string; sequence: number; startMs: number; verified: boolean }>`
    select b.id, b.state, b.sequence, a.start_ms as "startMs", b.verified from booking.bookings b
      join booking.appointments a on a.id = b.appointment_id where b.guest_email = ${email}`.execute(server.app.db);
  if (rows[0] === undefined) throw new Error('no booking');
  return rows[0];
};
const eventTimes = async (title: string) => {
  const { rows } = await sql<{ startMs: number }>`
    select starts_ms as "startMs" from calendar.items where title = ${title} and gone_at is null
      and user_id = ${host.userId}`.execute(server.app.db);
  return rows.map(({ startMs }) => startMs);
};
const asked = async () => (await host.as(bookingContract).listQuestions({})).questions;
async function answer(given: QuestionAnswer) {
  const [question] = await asked();
  if (question === undefined) throw new Error('nothing is asked');
  const { booking_id, question_id } = question;
  await host.as(bookingContract).answerQuestion({ params: { booking_id }, body: { question_id, answer: given } });
  await server.settle(30_000);
}
const subjects = (address: string) => smtp.mailsTo(address).map(({ parsed }: ReceivedMail) => parsed.subject ?? '');
const toHost = (word: string) => subjects(host.email).filter((subject) => subject.startsWith(word)).length;

test.each(names)('an event moved at %s asks its host once, and is followed', { timeout: 60_000 }, async (at) => {
  const { email, title } = await book(at);
  const before = toHost('Moved in your calendar');
  await moveThere(at, title, 30);
  expect(await asked()).toMatchObject([
    {
      kind: 'moved',
      start_time: start,
      moved_to: { start_time: start + 30 * minute, end_time: start + 60 * minute, onto: null },
      answers: ['follow', 'restore', 'cancel'],
    },
  ]);
  await read(at);
  expect(toHost('Moved in your calendar')).toBe(before + 1);
  expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', sequence: 0, startMs: start });
  await answer('follow');
  await read(at);
  expect(await asked()).toEqual([]);
  expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', sequence: 1, startMs: start + 30 * minute });
  expect(await eventTimes(title)).toEqual([start + 30 * minute]);
  expect(subjects(email).at(-1)).toMatch(/^New time: Intro/);
});

test.each(names)('an event moved at %s is moved back when the event type says so', { timeout: 60_000 }, async (at) => {
  const { email, title } = await book(at, { when_moved: 'restore' });
  const mails = subjects(email).length;
  await moveThere(at, title, 30);
  await read(at);
  expect(await asked()).toEqual([]);
  expect(await eventTimes(title)).toEqual([start]);
  expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', sequence: 0 });
  expect(subjects(email)).toHaveLength(mails);
});

test.each(names)('an event deleted at %s is restored when its host says so', { timeout: 60_000 }, async (at) => {
  const { email, title } = await book(at);
  await deleteThere(at, title);
  expect(await asked()).toMatchObject([{ kind: 'deleted', answers: ['cancel', 'restore'], moved_to: null }]);
  await answer('restore');
  await read(at);
  expect(await asked()).toEqual([]);
  expect(await eventTimes(title)).toEqual([start]);
  expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', sequence: 0 });
});

/**
 * The event as older zone data had it: at its instant, for which the clock of its zone showed an hour less. A CalDAV server
 * keeps the clock, Google and Microsoft the instant.
 */
async function readByOldLaw(at: Name, title: string): Promise<void> {
  const { db } = server.app;
  const { rows } = await sql<{ id: string; body: Single }>`
    select id, body::json as body from calendar.items where title = ${title} and gone_at is null`.execute(db);
  for (const { id, body } of rows) {
    if (body.when.kind !== 'zoned') return expect.fail(body.when.kind);
    const hourBefore = Temporal.PlainDateTime.from(body.when.start).subtract({ hours: 1 });
    const old = { ...body, when: { ...body.when, start: hourBefore.toString({ smallestUnit: 'second' }) } };
    await sql`
      update calendar.items set body = ${canonicalJson(old)}::json, hash = ${contentHash(old)} where id = ${id}`.execute(
      db,
    );
  }
  if (at === 'caldav') {
    await providers.caldav.act([{ ...caldavAct, do: 'move', pick: await uidOf(title), minutes: -60 }]);
  }
  await sql`update calendar.zone_data set version = '2026c', next_version = null, done_to = null`.execute(db);
}
async function readByNewLaw() {
  await applyZoneData(server.app, AbortSignal.timeout(20_000));
  await server.settle(30_000);
}
const clockOf = async (title: string) => {
  const { rows } = await sql<{ start: string }>`
    select body::json -> 'when' ->> 'start' as start from calendar.items
    where title = ${title} and gone_at is null`.execute(server.app.db);
  return rows.map((row) => row.start);
};
async function tryToBook(path: string) {
  const payload = { start: start / minute, name: 'Another', email: 'another@example.net', zone: 'UTC', language: 'en' };
  return (await server.inject({ method: 'POST', url: `${path}/bookings`, payload })).statusCode;
}

test('a booking keeps its instant when the rules of its zone change, and its host says what becomes of its event', {
  timeout: 60_000,
}, async () => {
  const { path, email, title } = await book('caldav');
  const mails = subjects(email).length;
  await readByOldLaw('caldav', title);
  await readByNewLaw();
  expect(await asked()).toMatchObject([
    {
      kind: 'moved',
      start_time: start,
      moved_to: { start_time: start - 60 * minute },
      answers: ['follow', 'restore', 'cancel'],
    },
  ]);
  expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', sequence: 0, startMs: start });
  expect(subjects(email)).toHaveLength(mails);
  expect(await tryToBook(path)).toBe(409);
  await answer('restore');
  await read('caldav');
  expect(await eventTimes(title)).toEqual([start]);
  expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', sequence: 0, startMs: start });
  expect(subjects(email)).toHaveLength(mails);
});

test('a booking follows its event to the new rules of its zone if the event type says so, and its guest is notified', {
  timeout: 60_000,
}, async () => {
  const { email, title } = await book('caldav', { when_moved: 'follow' });
  await readByOldLaw('caldav', title);
  await readByNewLaw();
  await read('caldav');
  expect(await asked()).toEqual([]);
  expect(await eventTimes(title)).toEqual([start - 60 * minute]);
  expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', sequence: 1, startMs: start - 60 * minute });
  expect(subjects(email).at(-1)).toMatch(/^New time: Intro/);
});

test.each(['google', 'microsoft'] as const)(
  'new rules of a zone change the clock of an event at %s, and neither its instant nor its booking',
  { timeout: 60_000 },
  async (at) => {
    const { email, title } = await book(at);
    const mails = subjects(email).length;
    const clock = await clockOf(title);
    await readByOldLaw(at, title);
    expect(await clockOf(title)).not.toEqual(clock);
    await readByNewLaw();
    expect(await clockOf(title)).toEqual(clock);
    expect(await eventTimes(title)).toEqual([start]);
    expect(await asked()).toEqual([]);
    expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', sequence: 0, startMs: start });
    expect(subjects(email)).toHaveLength(mails);
  },
);

test('an event moved in the Holdfast calendar asks its host as well', async () => {
  await host.as(connectionsContract).connectOwn();
  await server.settle(30_000);
  const { calendars: all } = await host.as(connectionsContract).listIntegrationCalendars();
  const own = all.find(({ accountId }) => names.every((name) => calendars[name].accountId !== accountId));
  const { email, title } = await book('caldav', { target_calendar_id: own?.calendarId as CalendarId });
  const { events } = await host
    .as(calendarContract)
    .listEvents({ query: { from: textOf(start), to: textOf(start + 60 * minute) } });
  const event = events.find((one) => one.title === title);
  if (event === undefined) throw new Error('no event');
  const at = (ms: number) => textOf(ms).slice(0, 16);
  const when = { kind: 'timed' as const, start: at(start + 30 * minute), end: at(start + 90 * minute), zone: 'UTC' };
  await host.as(editsContract).changeEvent({
    params: { id: event.event_id },
    body: { scope: 'this', version: event.version, tell_guests: false, changes: { when } },
  });
  await server.settle(30_000);
  expect(await asked()).toMatchObject([{ kind: 'moved', moved_to: { end_time: start + 90 * minute } }]);
  await answer('follow');
  expect(await bookingOf(email)).toMatchObject({ sequence: 1, startMs: start + 30 * minute });
  expect(await asked()).toEqual([]);
});

test('a later conflict is reported once with its answers, and not again after an answer', async () => {
  const { email, title } = await book('caldav');
  const before = toHost('Conflict');
  await putThere('Board', start);
  expect(await asked()).toMatchObject([
    { kind: 'conflict', in_the_way: { title: 'Board', start_time: start }, answers: ['ask-guest', 'cancel', 'ignore'] },
  ]);
  await read('google');
  expect(toHost('Conflict')).toBe(before + 1);
  await refreshNotices(server.app, host.userId);
  const { notices } = await host.as(inboxContract).listNotices({});
  expect(notices.find(({ kind, over }) => kind === 'booking-conflict' && !over)?.details.question?.guests).toEqual([
    title.replace('Intro: ', ''),
  ]);
  await answer('ask-guest');
  expect(subjects(email).at(-1)).toMatch(/^Please choose another time: Intro/);
  expect(smtp.mailsTo(email).at(-1)?.parsed.text).not.toContain('Board');
  await read('google');
  expect(await asked()).toEqual([]);
  expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', sequence: 0 });
  // it is another conflict where it stands elsewhere, and none where it is gone
  await moveThere('google', 'Board', 15);
  expect(await asked()).toMatchObject([{ kind: 'conflict' }]);
  await deleteThere('google', 'Board');
  expect(await asked()).toEqual([]);
});

test('a booking that is moved onto a conflict is never followed automatically', async () => {
  const { email, title } = await book('caldav', { when_moved: 'follow' });
  await putThere('Board', start + 60 * minute);
  await moveThere('caldav', title, 60);
  expect(await asked()).toMatchObject([{ kind: 'moved', moved_to: { onto: 'Board' } }]);
  await moveThere('caldav', title, -30);
  expect(await bookingOf(email)).toMatchObject({ sequence: 1, startMs: start + 30 * minute });
  expect(await asked()).toEqual([]);
});

test('a booking whose event is deleted is cancelled if the event type says so, and its guest is notified', async () => {
  const { email, title } = await book('caldav', { when_deleted: 'cancel' });
  await deleteThere('caldav', title);
  expect(await bookingOf(email)).toMatchObject({ state: 'cancelled', sequence: 1 });
  expect(subjects(email).at(-1)).toMatch(/^Canceled: Intro/);
});

test('a booking declined by its host in the calendar is questioned or cancelled, and its guest is notified', async () => {
  const declineThere = async (pick: string) => {
    const command = { account: account('google'), do: 'respond', pick, response: 'declined' } as const;
    await providers.google.control.act(command);
    await read('google');
  };
  const asking = await book('google');
  await declineThere(asking.title);
  expect(await asked()).toMatchObject([{ kind: 'declined', answers: ['cancel', 'ignore'] }]);
  expect(toHost('Declined in your calendar')).toBe(1);
  expect(await bookingOf(asking.email)).toMatchObject({ state: 'confirmed' });
  await read('google');
  expect(toHost('Declined in your calendar')).toBe(1);
  await answer('cancel');
  await read('google');
  expect(await asked()).toEqual([]);
  expect(await bookingOf(asking.email)).toMatchObject({ state: 'cancelled', sequence: 1 });
  expect(subjects(asking.email).at(-1)).toMatch(/^Canceled: Intro/);
  expect(await eventTimes(asking.title)).toEqual([]);
  const following = await book('google', { when_deleted: 'cancel' });
  await declineThere(following.title);
  expect(await bookingOf(following.email)).toMatchObject({ state: 'cancelled' });
  expect(subjects(following.email).at(-1)).toMatch(/^Canceled: Intro/);
});

test('a tentative hold that is booked over stays, and its host is asked about it', async () => {
  await host.as(availabilityContract).setHold({ body: { kind: 'title-prefix', value: 'Hold:', rank: 4 } });
  await putThere('Hold: maybe', start);
  const { title } = await book('caldav');
  expect(await asked()).toMatchObject([{ kind: 'overbooked', in_the_way: { title: 'Hold: maybe' } }]);
  await answer('ignore');
  await read('google');
  expect(await asked()).toEqual([]);
  expect(await eventTimes('Hold: maybe')).toEqual([start]);
  expect(await eventTimes(title)).toEqual([start]);
});

test.each(['google', 'caldav'] as const)(
  'an event at %s has the UID of its invitation, and a restored event has another',
  { timeout: 60_000 },
  async (at) => {
    const { email, title, uid } = await book(at);
    const content = smtp.mailsTo(email)[0]?.parsed.attachments[0]?.content ?? '';
    const invitation = typeof content === 'string' ? content : new TextDecoder().decode(content);
    expect(/^UID:(.*)$/m.exec(invitation.replaceAll('\r\n ', ''))?.[1]?.trim()).toBe(uid);
    expect(await uidOf(title)).toBe(uid);
    const invitedBy = async () => {
      const { rows } = await sql<{ attendees: { email: string }[] | null }>`
      select body::json -> 'core' -> 'attendees' as attendees from calendar.items
      where title = ${title} and gone_at is null`.execute(server.app.db);
      return rows.flatMap(({ attendees }) => (attendees ?? []).map((one) => one.email));
    };
    expect(await invitedBy()).toContain(email);
    // put back it is another event, which the invitation is not about: it names its guest and invites nobody
    await deleteThere(at, title);
    await answer('restore');
    await read(at);
    expect(await uidOf(title)).not.toBe(uid);
    expect(await invitedBy()).not.toContain(email);
  },
);

test('guests of a group are not shown to each other in its event', async () => {
  await book('google', { kind: 'group', seats: 3 });
  const { rows } = await sql<{ attendees: unknown }>`
    select body::json -> 'core' -> 'attendees' as attendees from calendar.items where title = 'Intro (1 of 3)'`.execute(
    server.app.db,
  );
  expect(rows).toEqual([{ attendees: null }]);
});

test('a guest who declines in a calendar is noted, and the booking stays confirmed', async () => {
  const { email, title } = await book('google');
  const attendees = [{ email, responseStatus: 'declined' }];
  const { google } = providers;
  await google.control.act({ account: account('google'), do: 'edit', pick: title, patch: { attendees } as never });
  await read('google');
  const { rows } = await sql`select state, guest_response from booking.bookings where guest_email = ${email}`.execute(
    server.app.db,
  );
  expect(rows).toEqual([{ state: 'confirmed', guest_response: 'declined' }]);
  expect(await asked()).toEqual([]);
});

test('a booking made while a calendar was unreachable is verified later', async () => {
  // it was read a moment ago, which is as good as now
  const forget = () =>
    sql`update connections.calendars set last_synced_at = last_synced_at - interval '1 hour'`.execute(server.app.db);
  await forget();
  await providers.google.control.addFaults({ op: 'events.list', times: 0, effect: { kind: 'status', status: 503 } });
  const { email, title } = await book('caldav');
  expect(await bookingOf(email)).toMatchObject({ state: 'confirmed', verified: false });
  await forget();
  await verifyBookings(server.app, AbortSignal.timeout(30_000));
  expect(await bookingOf(email)).toMatchObject({ verified: false });
  await refreshNotices(server.app, host.userId);
  const { notices } = await host.as(inboxContract).listNotices({});
  expect(notices.find(({ kind, over }) => kind === 'stale' && !over)?.details).toMatchObject({ blocks: false });
  await providers.google.control.clearFaults();
  await verifyBookings(server.app, AbortSignal.timeout(30_000));
  expect(await bookingOf(email)).toMatchObject({ verified: true });
  expect(await eventTimes(title)).toEqual([start]);
});

test('prevented conflicts are recorded', async () => {
  const { path, title } = await book('caldav', { durations_minutes: [30] });
  const facts = async () => {
    const { rows } = await sql<{ kind: string; title: string }>`
      select p.kind, i.title from booking.preventions p join calendar.items i on i.id = p.item_id
      where p.start_ms >= ${start} and p.start_ms < ${start + 4 * 60 * minute} order by p.start_ms`.execute(
      server.app.db,
    );
    return rows;
  };
  await putThere('Came late', start + 60 * minute);
  const payload = { start: start / minute + 60, name: 'Bo', email: 'bo@example.net', zone: 'UTC', language: 'en' };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  expect(response.statusCode).toBe(409);
  await putThere('Elsewhere', start + 150 * minute);
  await server.inject({ method: 'POST', url: `${path}/bookings`, payload: { ...payload, start: start / minute + 90 } });
  await server.settle(30_000);
  expect(await facts()).toEqual([
    { kind: 'rejected', title: 'Came late' },
    { kind: 'masked', title: 'Elsewhere' },
  ]);
  expect(await eventTimes(title)).toEqual([start]);
});

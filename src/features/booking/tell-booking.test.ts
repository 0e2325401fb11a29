import ICAL from 'ical.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { expireBookings } from './expire-bookings.ts';
import { remindPeople } from './remind-people.ts';
import { bookingTokenPlace } from './rules/booking-address.ts';
import type { TypeSettings } from './rules/type-settings.ts';

const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
/** Mondays, nine o'clock in New York, before and after the change of the clock. */
const monday = Date.UTC(2027, 2, 8, 14) / minute;
const next = Date.UTC(2027, 2, 15, 13) / minute;

let server: TestApp;
let smtp: TestSmtpServer;
let anna: TestUser;
let slugs = 0;
let guests = 0;

beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ clock, config: { smtpUrl: smtp.url } });
  anna = await signUpUser(server, 'anna@example.org');
  await sql`update accounts.users set zone = 'America/New_York'`.execute(server.app.db);
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

interface Given {
  settings?: Partial<TypeSettings>;
  start?: number;
  body?: object;
}

async function book({ settings = {}, start = monday, body = {} }: Given = {}) {
  slugs += 1;
  guests += 1;
  await sql`update booking.blocks set expires_ms = 0`.execute(server.app.db);
  await sql`truncate booking.appointments cascade`.execute(server.app.db);
  const { path } = await insertBookable(server, anna, `intro-${slugs}`, settings);
  const email = `guest-${guests}@example.net`;
  const response = await server.inject({
    method: 'POST',
    url: `${path}/bookings`,
    payload: { start, name: 'Gus Guest', email, zone: 'Asia/Tokyo', language: 'en', ...body },
  });
  expect(response.statusCode, response.body).toBe(201);
  const { bookings } = response.json<{ bookings: { token: string | null; booking: { uid: string } }[] }>();
  await server.settle();
  return { path, email, token: bookings[0]?.token ?? '', uid: bookings[0]?.booking.uid ?? '' };
}

async function asGuest(token: string, act: string, payload: object = {}) {
  const response = await server.inject({ method: 'POST', url: `/api/booked/${token}/${act}`, payload });
  expect(response.statusCode, response.body).toBe(200);
  await server.settle();
}

async function asHost(act: string, payload: object = {}) {
  const { rows } = await sql<{ id: string }>`select id from booking.bookings order by created_ms desc limit 1`.execute(
    server.app.db,
  );
  const response = await server.inject({
    method: 'POST',
    url: `/api/bookings/${rows[0]?.id}/${act}`,
    payload,
    headers: { authorization: `Bearer ${anna.token}` },
  });
  expect(response.statusCode, response.body).toBe(200);
  await server.settle();
}

async function asHostOf(id: string | undefined, act: string, payload: object = {}) {
  const headers = { authorization: `Bearer ${anna.token}` };
  const response = await server.inject({ method: 'POST', url: `/api/bookings/${id}/${act}`, payload, headers });
  expect(response.statusCode, response.body).toBe(200);
  await server.settle();
}

async function idsByTime(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select b.id from booking.bookings b
    join booking.appointments a on a.id = b.appointment_id order by a.start_ms`.execute(server.app.db);
  return rows.map(({ id }) => id);
}

const weekly = { recurring: { max: 4, every: 'week' } } as const;
const subjects = (address: string) => smtp.mailsTo(address).map(({ parsed }) => parsed.subject);

/** The calendar part of a mail, read by another program's parser. */
function calendarOf({ raw, parsed }: ReceivedMail) {
  const part = parsed.attachments.find(
    ({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics',
  );
  if (part === undefined) throw new Error('no calendar in this mail');
  const text = typeof part.content === 'string' ? part.content : new TextDecoder().decode(part.content);
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
  return {
    method: calendar.getFirstPropertyValue('method'),
    told: /text\/calendar;[^\n]*(?:\n\s[^\n]*)*method=(\w+)/i.exec(raw)?.[1],
    events: events.map((event) => ({
      uid: event.uid,
      sequence: event.sequence,
      startMs: event.startDate.toUnixTime() * 1_000,
      instanceMs: event.isRecurrenceException() ? event.recurrenceId.toUnixTime() * 1_000 : null,
      starts: startsOf(event),
      status: event.component.getFirstPropertyValue('status'),
      who: event.attendees.map((one) => String(one.getFirstValue())),
    })),
  };
}

/** Returns the starts of a recurring meeting. */
function startsOf(event: ICAL.Event): number[] | null {
  if (!event.isRecurring()) return null;
  const iterator = event.iterator();
  const found: number[] = [];
  for (let at = iterator.next(); at; at = iterator.next()) found.push(at.toUnixTime() * 1_000);
  return found;
}

test('a booking is emailed to guest and host, with a calendar invitation for the guest', async () => {
  const { email, token, uid } = await book();
  const [mail, ...more] = smtp.mailsTo(email);
  expect(more).toEqual([]);
  expect(mail?.parsed.subject).toBe('Intro with anna, Mon, Mar 8, 11:00 PM');
  expect(mail?.parsed.text).toContain('Monday, March 8, 2027\n  11:00 – 11:30 PM, Tokyo (GMT+9)');
  expect(mail?.links.some((link) => link.includes(`/booked/${token}?proof=`))).toBe(true);
  expect(mail && calendarOf(mail)).toEqual({
    method: 'REQUEST',
    told: 'REQUEST',
    events: [
      {
        uid,
        sequence: 0,
        startMs: monday * minute,
        instanceMs: null,
        starts: null,
        status: 'CONFIRMED',
        who: [`mailto:${email}`],
      },
    ],
  });
  const atHost = smtp.mailsTo('anna@example.org').at(-1);
  expect(atHost?.parsed.subject).toBe('New booking: Intro with Gus Guest, Mon, Mar 8, 9:00 AM');
  expect(atHost?.parsed.text).toContain(email);
  expect(atHost?.parsed.text).not.toContain(token);
});

test('a moved booking keeps its UID with a higher SEQUENCE, and a cancelled one is sent as CANCEL', async () => {
  const { email, token, uid } = await book();
  await asGuest(token, 'reschedule', { start: next, sequence: 0 });
  await asGuest(token, 'cancel', { reason: 'Ill, see http://evil.example/now' });
  const [, moved, cancelled] = smtp.mailsTo(email);
  expect(moved && calendarOf(moved).events).toMatchObject([{ uid, sequence: 1, startMs: next * minute }]);
  expect(moved?.parsed.text).toContain('Former time: Monday, March 8, 2027\n  11:00 – 11:30 PM, Tokyo (GMT+9)');
  expect(cancelled && calendarOf(cancelled)).toMatchObject({ method: 'CANCEL', events: [{ uid, sequence: 2 }] });
  expect(subjects('anna@example.org').slice(-2)).toEqual([
    'Rescheduled: Intro with Gus Guest, Mon, Mar 15, 9:00 AM',
    'Canceled: Intro with Gus Guest, Mon, Mar 15, 9:00 AM',
  ]);
  // text of a stranger is never a link
  expect(smtp.mailsTo('anna@example.org').at(-1)?.parsed.html).not.toMatch(/href="http:\/\/evil/);
  expect(smtp.mailsTo('anna@example.org').at(-1)?.links.join()).not.toContain('evil.example');
});

test('a booking request is emailed to guest and host, and the answer to the guest', async () => {
  const asked = await book({ settings: { confirmation: true } });
  expect(subjects(asked.email)).toEqual(['Request sent: Intro with anna, Mon, Mar 8, 11:00 PM']);
  expect(smtp.mailsTo(asked.email)[0]?.parsed.attachments).toEqual([]);
  expect(subjects('anna@example.org').at(-1)).toBe('Please confirm: Intro with Gus Guest, Mon, Mar 8, 9:00 AM');
  await asHost('confirm');
  expect(subjects(asked.email).at(-1)).toBe('Intro with anna, Mon, Mar 8, 11:00 PM');
  expect(subjects(asked.email)).toHaveLength(2);
  const refused = await book({ settings: { confirmation: true } });
  await asHost('decline', { reason: 'Not this week' });
  // words of the host are on the page, and in mails once the guest has confirmed the address
  expect(smtp.mailsTo(refused.email).at(-1)?.parsed.text).not.toContain('Not this week');
  expect(smtp.mailsTo(refused.email).at(-1)?.parsed.text).toContain('Reason: See the booking page');
});

test('a guest who brings others confirms the email address before the others get any email', async () => {
  const friend = 'friend@example.net';
  const { email } = await book({ settings: { guests_allowed: 3 }, body: { guests: [friend] } });
  expect(subjects(email)).toEqual(['Confirm your booking: Intro with anna, Mon, Mar 8, 11:00 PM']);
  expect(smtp.mailsTo(friend)).toEqual([]);
  const link = smtp.mailsTo(email)[0]?.links.find((one) => one.includes('/booked/')) ?? '';
  const { pathname, searchParams } = new URL(link);
  const token = pathname.split('/').at(-1) ?? '';
  await asGuest(token, 'confirm', { proof: searchParams.get('proof') });
  expect(subjects(email).at(-1)).toBe('Intro with anna, Mon, Mar 8, 11:00 PM');
  const [invited] = smtp.mailsTo(friend);
  expect(invited && calendarOf(invited).events[0]?.who).toEqual([`mailto:${email}`, `mailto:${friend}`]);
  expect(invited?.raw).not.toContain(token);
});

const weekMs = 7 * 86_400_000;
const starts = [monday * minute, next * minute, next * minute + weekMs];

test('times that were booked together are one recurring event in one email', async () => {
  const { email } = await book({ settings: weekly, body: { times: 3 } });
  const [mail, ...more] = smtp.mailsTo(email);
  expect(more).toEqual([]);
  expect(mail && calendarOf(mail)).toMatchObject({
    method: 'REQUEST',
    told: 'REQUEST',
    events: [{ sequence: 0, starts }],
  });
  expect(mail && new Set(calendarOf(mail).events.map(({ uid }) => uid)).size).toBe(1);
});

test('a single change in a series is emailed as one instance of the same event', async () => {
  const { email, token } = await book({ settings: weekly, body: { times: 3 } });
  const ids = await idsByTime();
  const last = () => {
    const mail = smtp.mailsTo(email).at(-1);
    return mail && calendarOf(mail);
  };
  const uid = last()?.events[0]?.uid;
  await asGuest(token, 'reschedule', { start: monday + 60, sequence: 0 });
  expect(last()).toMatchObject({
    method: 'REQUEST',
    events: [{ uid, sequence: 1, instanceMs: starts[0], startMs: (monday + 60) * minute }],
  });
  await asHostOf(ids[1], 'cancel');
  expect(last()).toMatchObject({
    method: 'CANCEL',
    events: [{ uid, sequence: 2, instanceMs: starts[1], startMs: starts[1] }],
  });
  clock.advance({ minutes: 1 });
  await asHostOf(ids[2], 'cancel');
  expect(last()).toMatchObject({ method: 'CANCEL', events: [{ uid, sequence: 3, instanceMs: starts[2] }] });
  // nothing is left of it: the meeting itself is taken out
  clock.advance({ minutes: 1 });
  await asHostOf(ids[0], 'cancel');
  expect(last()).toMatchObject({ method: 'CANCEL', events: [{ uid, sequence: 4, instanceMs: null }] });
  expect(smtp.mailsTo(email)).toHaveLength(5);
});

test('a cancelled series is one email that cancels the whole event', async () => {
  const { email, token } = await book({ settings: weekly, body: { times: 3 } });
  await asGuest(token, 'cancel', { following: true });
  const [booked, cancelled, ...more] = smtp.mailsTo(email);
  expect(more).toEqual([]);
  const uid = booked && calendarOf(booked).events[0]?.uid;
  expect(cancelled && calendarOf(cancelled)).toMatchObject({
    method: 'CANCEL',
    told: 'CANCEL',
    events: [{ uid, sequence: 3, instanceMs: null, status: 'CANCELLED' }],
  });
  expect(cancelled?.parsed.text).toContain('Mon, Mar 22, 2027');
});

test('a partly cancelled series is emailed with its remaining times', async () => {
  const { email } = await book({ settings: weekly, body: { times: 3 } });
  const { rows } = await sql<{ id: string; token: string }>`select b.id, b.token from booking.bookings b
    join booking.appointments a on a.id = b.appointment_id order by a.start_ms`.execute(server.app.db);
  const second = rows[1];
  if (second === undefined) throw new Error('no second time');
  await asGuest(server.app.keyring.open(second.token, bookingTokenPlace(second.id)), 'cancel', { following: true });
  const mail = smtp.mailsTo(email).at(-1);
  expect(mail?.parsed.subject).toMatch(/^Canceled: Intro/);
  expect(mail && calendarOf(mail)).toMatchObject({
    method: 'REQUEST',
    events: [{ sequence: 2, instanceMs: null, starts: [starts[0]] }],
  });
});

test('a host answers a whole series at once, and its guest gets one email', async () => {
  const settings = { ...weekly, confirmation: true };
  const { email } = await book({ settings, body: { times: 3 } });
  const [first] = await idsByTime();
  await asHostOf(first, 'confirm', { series: true });
  expect(subjects(email)).toEqual([
    'Request sent: Intro with anna, Mon, Mar 8, 11:00 PM and 2 more',
    'Intro with anna, Mon, Mar 8, 11:00 PM and 2 more',
  ]);
  const mail = smtp.mailsTo(email).at(-1);
  expect(mail && calendarOf(mail)).toMatchObject({ method: 'REQUEST', events: [{ starts }] });
  const refused = await book({ settings, body: { times: 3 } });
  const ids = await idsByTime();
  // a single one of them, then the rest
  await asHostOf(ids[1], 'confirm');
  await asHostOf(ids[2], 'decline', { series: true, reason: 'Away' });
  expect(subjects(refused.email)).toEqual([
    'Request sent: Intro with anna, Mon, Mar 8, 11:00 PM and 2 more',
    'Intro with anna, Mon, Mar 15, 10:00 PM',
    'Not confirmed: Intro with anna, Mon, Mar 8, 11:00 PM and 1 more',
  ]);
  const one = smtp.mailsTo(refused.email)[1];
  expect(one && calendarOf(one).events[0]?.starts).toEqual([starts[1]]);
  const { rows } = await sql<{ state: string }>`select b.state from booking.bookings b
    join booking.appointments a on a.id = b.appointment_id order by a.start_ms`.execute(server.app.db);
  expect(rows.map(({ state }) => state)).toEqual(['declined', 'confirmed', 'declined']);
});

test('times of a series that are confirmed one by one are emailed one by one', async () => {
  const { email } = await book({
    settings: { recurring: { max: 4, every: 'week' }, confirmation: true },
    body: { times: 2 },
  });
  const { rows } = await sql<{ id: string }>`select id from booking.bookings`.execute(server.app.db);
  for (const { id } of rows) {
    clock.advance({ minutes: 1 });
    const headers = { authorization: `Bearer ${anna.token}` };
    await server.inject({ method: 'POST', url: `/api/bookings/${id}/confirm`, payload: {}, headers });
    await server.settle();
  }
  expect(subjects(email).map(String).sort()).toEqual([
    'Intro with anna, Mon, Mar 15, 10:00 PM',
    'Intro with anna, Mon, Mar 8, 11:00 PM',
    'Request sent: Intro with anna, Mon, Mar 8, 11:00 PM and 1 more',
  ]);
});

const tokensByTime = async () => {
  const { rows } = await sql<{ id: string; token: string }>`select b.id, b.token from booking.bookings b
    join booking.appointments a on a.id = b.appointment_id order by a.start_ms`.execute(server.app.db);
  return rows.map(({ id, token }) => server.app.keyring.open(token, bookingTokenPlace(id)));
};

/** The plain text of the last mail to somebody, in one line. */
const textOf = (address: string) => (smtp.mailsTo(address).at(-1)?.parsed.text ?? '').replaceAll(/\s+/g, ' ');

test('a mail about a series has all of its dates, however many, and leads to the page that lists them', async () => {
  const friend = 'series-friend@example.net';
  const { email, token } = await book({
    settings: { recurring: { max: 20, every: 'week' }, guests_allowed: 2, window: { kind: 'rolling', days: 200 } },
    body: { times: 14, guests: [friend] },
  });
  const proof = smtp.mailsTo(email)[0]?.links.find((one) => one.includes('proof=')) ?? '';
  await asGuest(token, 'confirm', { proof: new URL(proof).searchParams.get('proof') });
  for (const address of [email, friend, 'anna@example.org'])
    for (const day of ['Mon, Mar 8', 'Mon, Mar 15', 'Mon, May 24', 'Mon, May 31', 'Mon, Jun 7'])
      expect(textOf(address), address).toContain(day);
  const [first] = await tokensByTime();
  expect(
    smtp
      .mailsTo(email)
      .at(-1)
      ?.links.some((link) => link.includes(`/booked/${first}`)),
  ).toBe(true);
  expect(textOf(email)).toContain('View all dates');
  // the limit of the first date is not that of the others
  expect(textOf(email)).toContain('Each date has its own page');
});

test('a mail about one date of a series names it, says that the others do not change, and leads to them', async () => {
  const { email } = await book({ settings: weekly, body: { times: 3 } });
  const tokens = await tokensByTime();
  await asGuest(tokens[1] ?? '', 'reschedule', { start: next + 60, sequence: 0 });
  for (const address of [email, 'anna@example.org']) {
    expect(textOf(address)).toContain('Date 2 of 3');
    expect(textOf(address)).toContain("The other dates of this series don't change.");
  }
  await asGuest(tokens[1] ?? '', 'cancel');
  expect(textOf(email)).toContain('You canceled your meeting with anna');
  expect(textOf(email)).toContain("The other dates of this series don't change.");
  expect(textOf(email)).toContain('View all dates');
  expect(
    smtp
      .mailsTo(email)
      .at(-1)
      ?.links.some((link) => link.includes(`/booked/${tokens[1]}`)),
  ).toBe(true);
  await asGuest(tokens[0] ?? '', 'cancel', { following: true });
  // nothing is left of it
  expect(textOf(email)).not.toContain("don't change");
  expect(textOf(email)).toContain('Book again');
});

test('a reminder of a later date of a series leads to the page of that date', async () => {
  const { email } = await book({ settings: weekly, body: { times: 3 } });
  const tokens = await tokensByTime();
  const started = clock.now();
  clock.set('2027-03-14T13:00:30Z');
  await remindPeople(server.app, new AbortController().signal);
  await server.settle();
  clock.set(started);
  expect(subjects(email).at(-1)).toBe('Reminder: Intro with anna, Mon, Mar 15, 10:00 PM');
  const links =
    smtp
      .mailsTo(email)
      .at(-1)
      ?.links.filter((link) => link.includes('/booked/')) ?? [];
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(link).toContain(tokens[1]);
  expect(textOf(email)).toContain('Date 2 of 3');
});

test('a move that its host has to confirm is told with what it gives up, and so is its end', async () => {
  const friendOf = (act: string) => `moved-friend-${act}@example.net`;
  const moved = async (act: 'decline' | 'expire' | 'confirm') => {
    const made = await book({
      settings: { confirmation: true, guests_allowed: 2 },
      body: { guests: [friendOf(act)] },
    });
    const proof = smtp.mailsTo(made.email)[0]?.links.find((one) => one.includes('proof=')) ?? '';
    await asGuest(made.token, 'confirm', { proof: new URL(proof).searchParams.get('proof') });
    await asHost('confirm');
    await asGuest(made.token, 'reschedule', { start: next, sequence: 0 });
    expect(textOf(made.email)).toContain(
      'The new time is waiting for a confirmation from anna. Your former time is no longer booked',
    );
    expect(textOf(made.email)).toContain('Former time: Monday, March 8, 2027');
    expect(textOf('anna@example.org')).toContain("If you decline, the meeting doesn't take place.");
    if (act === 'expire') {
      const started = clock.now();
      clock.set(Temporal.Instant.fromEpochMilliseconds((next + 1) * minute));
      await expireBookings(server.app);
      await server.settle();
      clock.set(started);
    } else await asHost(act);
    return made.email;
  };
  const declined = await moved('decline');
  expect(textOf(declined)).toContain("anna couldn't confirm the new time");
  expect(textOf(declined)).toContain('This meeting no longer takes place.');
  expect(textOf(friendOf('decline'))).toContain("anna couldn't confirm the new time");
  const buttons = smtp
    .mailsTo(declined)
    .at(-1)
    ?.links.filter((link) => link.includes(`/anna/intro-${slugs}`));
  expect(buttons?.length).toBeGreaterThan(0);
  const expired = await moved('expire');
  expect(textOf(expired)).toContain("anna didn't respond in time, so this meeting no longer takes place.");
  // no actor
  expect(textOf(friendOf('expire'))).toContain("The new time wasn't confirmed in time");
  const confirmed = await moved('confirm');
  expect(textOf(confirmed)).not.toContain('no longer');
  // a request that was never confirmed had no time to lose
  const asked = await book({ settings: { confirmation: true } });
  await asGuest(asked.token, 'reschedule', { start: next, sequence: 0 });
  expect(textOf(asked.email)).not.toContain('no longer booked');
  await asHost('decline');
  expect(textOf(asked.email)).not.toContain('no longer takes place');
});

test('a request that its host moves is not told as a wish of its guest', async () => {
  const { email } = await book({ settings: { confirmation: true } });
  await asHost('reschedule', { start: next, sequence: 0 });
  expect(textOf(email)).toContain('anna moved your request to a new time');
  expect(textOf(email)).not.toContain('You requested a new time');
});

test('a mail about a cancellation says who canceled', async () => {
  const byGuest = await book();
  await asGuest(byGuest.token, 'cancel');
  expect(textOf(byGuest.email)).toContain('You canceled your meeting with anna');
  expect(textOf('anna@example.org')).toContain('Gus Guest canceled your meeting');
  const byHost = await book();
  await asHost('cancel');
  expect(textOf(byHost.email)).toContain('anna canceled your meeting');
});

test('a very long guest name does not stop the email to the host', async () => {
  const name = 'a.'.repeat(60);
  const before = smtp.mailsTo('anna@example.org').length;
  await book({ body: { name } });
  expect(smtp.mailsTo('anna@example.org')).toHaveLength(before + 1);
});

test('a reminder is sent once for each time, and not for times that are past or cancelled', async () => {
  const { email, token } = await book();
  const count = () => subjects(email).filter((subject) => subject?.startsWith('Reminder')).length;
  const remind = async () => {
    await remindPeople(server.app, new AbortController().signal);
    await server.settle();
  };
  await remind();
  expect(count()).toBe(0);
  const started = clock.now();
  clock.set('2027-03-07T14:00:30Z');
  await remind();
  await remind();
  expect(count()).toBe(1);
  expect(subjects('anna@example.org').at(-1)).toBe('Reminder: Intro with Gus Guest, Mon, Mar 8, 9:00 AM');
  await asGuest(token, 'reschedule', { start: next, sequence: 0 });
  clock.set('2027-03-14T13:00:30Z');
  await remind();
  expect(count()).toBe(2);
  // an outage of an hour: what was due meanwhile is left
  await asGuest(token, 'reschedule', { start: next + 7 * 1_440, sequence: 1 });
  clock.set('2027-03-21T14:30:00Z');
  await remind();
  expect(count()).toBe(2);
  await asGuest(token, 'cancel');
  clock.set('2027-03-21T13:00:30Z');
  await remind();
  expect(count()).toBe(2);
  clock.set(started);
});

test('a move to the time that a booking has already changes nothing, and nobody is told', async () => {
  const { token, email } = await book({ settings: { confirmation: false } });
  const before = smtp.received.length;
  const stateOf = async () =>
    (await server.inject({ url: `/api/booked/${token}` })).json<{
      booking: { sequence: number; state: string; start: number };
    }>().booking;
  await asGuest(token, 'reschedule', { start: monday, sequence: 0 });
  await asHost('reschedule', { start: monday, sequence: 0 });
  await asHost('reschedule', { start: monday, sequence: 0, anyway: true });
  expect(await stateOf()).toMatchObject({ sequence: 0, state: 'confirmed', start: monday });
  expect(smtp.received.slice(before).map(({ to, parsed }) => [...to, parsed.subject])).toEqual([]);
  // a real move is told
  await asGuest(token, 'reschedule', { start: monday + 60, sequence: 0 });
  expect(await stateOf()).toMatchObject({ sequence: 1, start: monday + 60 });
  expect(smtp.received.slice(before).map(({ to }) => to[0])).toContain(email);
});

test('a seat that is moved to the time it has stays, and nobody is told', async () => {
  const { token } = await book({ settings: { seats: 5 } });
  const before = smtp.received.length;
  await asGuest(token, 'reschedule', { start: monday, sequence: 0 });
  expect(smtp.received.length).toBe(before);
});

test('a place in a calendar file is a number or an address without words around it, or the kind of meeting', async () => {
  const placeOf = async (location: TypeSettings['location'], body: object = {}) => {
    const { email } = await book({ settings: { location }, body });
    const [mail] = smtp.mailsTo(email);
    const ics = mail?.parsed.attachments.find(({ mimeType }) => mimeType.includes('calendar'));
    const text = new TextDecoder().decode(ics?.content as ArrayBuffer);
    const calendar = new ICAL.Component(ICAL.parse(text) as never);
    return calendar.getFirstSubcomponent('vevent')?.getFirstPropertyValue('location');
  };
  expect(await placeOf({ kind: 'phone', who_calls: 'guest', number: '+49 30 5550123' })).toBe('+49 30 5550123');
  // a number that somebody typed is told where its guest has confirmed the booking
  const called = await placeOf({ kind: 'phone', who_calls: 'host', number: '' }, { phone: '+81 3-5550-1234' });
  expect(called).toMatch(/^Phone call: .* will call$/);
  expect(await placeOf({ kind: 'in-person', address: ' ' })).toMatch(/^In person\. .* will tell you where\.$/);
  expect(await placeOf({ kind: 'in-person', address: 'Main Street 1' })).toBe('Main Street 1');
});

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Bookable, insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { bookingContract } from './contract.ts';
import { remindPeople } from './remind-people.ts';
import type { TypeSettings } from './rules/type-settings.ts';

/** A Monday, nine o'clock in New York, and an hour later. */
const start = Date.parse('2027-03-08T14:00:00Z') / 60_000;
const later = start + 60;
const bookedAt = '2027-03-01T08:00:00Z';
const clock = fixedClock(bookedAt);

let server: TestApp;
let smtp: TestSmtpServer;
let anna: TestUser;
let count = 0;

beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ clock, config: { smtpUrl: smtp.url } });
  anna = await signUpUser(server, 'anna@example.org');
  await sql`update accounts.users set zone = 'America/New_York'`.execute(server.app.db);
});
beforeEach(async () => {
  await server.settle();
  clock.set(bookedAt);
  await sql`update booking.blocks set expires_ms = 0`.execute(server.app.db);
  await sql`truncate booking.appointments cascade`.execute(server.app.db);
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

async function offer(settings: Partial<TypeSettings> = {}): Promise<Bookable> {
  count += 1;
  return insertBookable(server, anna, `intro-${count}`, settings);
}

async function book({ path }: Bookable, at = start) {
  count += 1;
  const email = `guest-${count}@example.net`;
  const payload = { start: at, name: 'Gus Guest', email, zone: 'Asia/Tokyo', language: 'en' };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  expect(response.statusCode, response.body).toBe(201);
  await server.settle();
  return { email, token: response.json<{ bookings: { token: string }[] }>().bookings[0]?.token };
}

async function asGuest(token: string | undefined, act: string, payload: object = {}) {
  const response = await server.inject({ method: 'POST', url: `/api/booked/${token}/${act}`, payload });
  expect(response.statusCode, response.body).toBe(200);
  await server.settle();
}

const setBookingReminders = (isOn: boolean) =>
  sql`update accounts.users set notifications = notifications || jsonb_build_object('bookingReminders', ${isOn}::boolean)
    where id = ${anna.userId}`.execute(server.app.db);

/** Changes the reminders as the editor does. */
async function setReminders({ typeId }: Bookable, reminders: number[]) {
  const as = anna.as(bookingContract);
  const { event_type } = await as.readEventType({ params: { id: typeId } });
  const { version, title, slug, description, hidden, secret, settings } = event_type;
  const changed = { ...settings, reminders_minutes: reminders };
  await as.changeEventType({
    params: { id: typeId },
    body: { version, title, slug, description, hidden, secret, settings: changed },
  });
}

const remind = () => remindPeople(server.app, new AbortController().signal);

/** Runs the job at these moments, twice each; how many reminders a mailbox has after each of them. */
async function remindersAt(email: string, moments: readonly string[]) {
  const counts: number[] = [];
  for (const moment of moments) {
    clock.set(moment);
    for (let run = 0; run < 2; run += 1) {
      await remind();
      await server.settle();
    }
    counts.push(remindersOf(email));
  }
  return counts;
}

const remindersOf = (email: string) =>
  smtp.mailsTo(email).filter(({ parsed }) => parsed.subject?.startsWith('Reminder')).length;

test('guests are reminded 24 hours before by default, and at no other time', async () => {
  const { email } = await book(await offer());
  const moments = ['2027-03-07T13:59:30Z', '2027-03-07T14:00:30Z', '2027-03-08T13:00:30Z', '2027-03-08T13:45:30Z'];
  expect(await remindersAt(email, moments)).toEqual([0, 1, 1, 1]);
});

test('each of several reminders is sent once, whatever their order', async () => {
  const { email } = await book(await offer({ reminders_minutes: [60, 2_880, 15] }));
  const moments = [
    '2027-03-06T14:00:10Z',
    '2027-03-07T14:00:10Z',
    '2027-03-08T13:00:10Z',
    '2027-03-08T13:09:00Z',
    '2027-03-08T13:45:10Z',
  ];
  expect(await remindersAt(email, moments)).toEqual([1, 1, 2, 2, 3]);
});

test('the host gets the same reminders, and none with the preference off', async () => {
  await book(await offer({ reminders_minutes: [120, 60] }));
  const before = remindersOf(anna.email);
  const both = await remindersAt(anna.email, ['2027-03-08T12:00:10Z', '2027-03-08T13:00:10Z']);
  expect(both.map((reminders) => reminders - before)).toEqual([1, 2]);
  await setBookingReminders(false);
  clock.set(bookedAt);
  const { email } = await book(await offer({ reminders_minutes: [120] }), later);
  expect(await remindersAt(anna.email, ['2027-03-08T13:00:10Z'])).toEqual([before + 2]);
  expect(remindersOf(email)).toBe(1);
  await setBookingReminders(true);
});

test('an event type without reminders reminds nobody', async () => {
  const { email } = await book(await offer({ reminders_minutes: [] }));
  expect(await remindersAt(email, ['2027-03-07T14:00:10Z', '2027-03-08T13:00:10Z'])).toEqual([0, 0]);
});

test('a booking that is made after the moment of a reminder gets the later ones only', async () => {
  const type = await offer({ reminders_minutes: [1_440, 60] });
  clock.set('2027-03-07T14:00:00Z');
  const { email } = await book(type);
  expect(await remindersAt(email, ['2027-03-07T14:00:10Z', '2027-03-08T13:00:10Z'])).toEqual([0, 1]);
});

test('a request counts from its confirmation', async () => {
  const type = await offer({ reminders_minutes: [1_440, 60], confirmation: true });
  const { email } = await book(type);
  clock.set('2027-03-07T14:02:00Z');
  const { rows } = await sql<{ id: string }>`select id from booking.bookings`.execute(server.app.db);
  await server.inject({
    method: 'POST',
    url: `/api/bookings/${rows[0]?.id}/confirm`,
    payload: {},
    headers: { authorization: `Bearer ${anna.token}` },
  });
  await server.settle();
  expect(await remindersAt(email, ['2027-03-07T14:03:00Z', '2027-03-08T13:00:10Z'])).toEqual([0, 1]);
});

test('a move plans the reminders of the new time, from the moment of the move', async () => {
  const { email, token } = await book(await offer({ reminders_minutes: [1_440, 60] }));
  // more mails than an unconfirmed address gets of one host in a day
  await sql`update booking.bookings set mail_confirmed_ms = 1`.execute(server.app.db);
  expect(await remindersAt(email, ['2027-03-07T14:00:10Z'])).toEqual([1]);
  clock.set('2027-03-07T14:05:00Z');
  await asGuest(token, 'reschedule', { start: later, sequence: 0 });
  // a day before the new time is still ahead
  expect(await remindersAt(email, ['2027-03-07T15:00:10Z'])).toEqual([2]);
  clock.set('2027-03-07T15:02:00Z');
  await asGuest(token, 'reschedule', { start, sequence: 1 });
  // back at the first time, whose day before is past
  expect(await remindersAt(email, ['2027-03-07T15:03:00Z', '2027-03-08T13:00:10Z'])).toEqual([2, 3]);
});

test('a change without a new time repeats no reminder', async () => {
  const { email } = await book(await offer());
  expect(await remindersAt(email, ['2027-03-07T14:00:10Z'])).toEqual([1]);
  await sql`update booking.bookings set sequence = sequence + 1`.execute(server.app.db);
  expect(await remindersAt(email, ['2027-03-07T14:00:40Z'])).toEqual([1]);
});

test('reminders follow their event type until they are sent', async () => {
  const type = await offer();
  const { email } = await book(type);
  await setReminders(type, [120]);
  expect(await remindersAt(email, ['2027-03-07T14:00:10Z', '2027-03-08T12:00:10Z'])).toEqual([0, 1]);
  // one that comes closer is sent as well, and a moment that passed is left
  await setReminders(type, [125, 60]);
  expect(await remindersAt(email, ['2027-03-08T12:00:40Z', '2027-03-08T13:00:10Z'])).toEqual([1, 2]);
});

/** Runs a test on an install without a mail server: all mails wait in the outbox. */
async function withoutMailServer(run: () => Promise<void>) {
  const connected = { server, anna };
  server = await startTestApp({ clock });
  try {
    anna = await signUpUser(server, 'anna@example.org');
    await run();
  } finally {
    await server.close();
    ({ server, anna } = connected);
  }
}

/** Reminders that would be sent if there were a mail server, by their people. */
async function listWaiting(): Promise<string[]> {
  const { rows } = await sql<{ to: string }>`select recipient as "to" from platform.mails
    where kind = 'booking.reminder' and state = 'queued' order by recipient`.execute(server.app.db);
  return rows.map(({ to }) => to);
}

test('reminders that wait are withdrawn with their setting, and no others', () =>
  withoutMailServer(async () => {
    const type = await offer({ reminders_minutes: [1_440, 60] });
    const one = await book(type);
    const other = await book(await offer({ reminders_minutes: [1_440] }), later);
    clock.set('2027-03-07T14:00:10Z');
    await remind();
    expect(await listWaiting()).toEqual([anna.email, one.email]);
    await setReminders(type, [60]);
    expect(await listWaiting()).toEqual([]);
    clock.set('2027-03-07T15:00:10Z');
    await remind();
    await setReminders(type, [30]);
    expect(await listWaiting()).toEqual([anna.email, other.email]);
  }));

test('reminders that wait are withdrawn with a canceled booking, for guests and hosts alike', () =>
  withoutMailServer(async () => {
    const { token } = await book(await offer());
    clock.set('2027-03-07T14:00:10Z');
    await remind();
    expect(await listWaiting()).toHaveLength(2);
    await asGuest(token, 'cancel');
    expect(await listWaiting()).toEqual([]);
  }));

test('one guest of several who cancels takes no reminder from the host and the others', () =>
  withoutMailServer(async () => {
    const type = await offer({ kind: 'group', seats: 5 } as Partial<TypeSettings>);
    const { token } = await book(type);
    const stays = await book(type);
    clock.set('2027-03-07T14:00:10Z');
    await remind();
    // the host once for the session, each guest once
    const { length: reminded } = await listWaiting();
    expect(reminded).toBe(3);
    await asGuest(token, 'cancel');
    expect(await listWaiting()).toEqual([anna.email, stays.email]);
  }));

test('a move withdraws the reminders of the time before', () =>
  withoutMailServer(async () => {
    const { token } = await book(await offer());
    clock.set('2027-03-07T14:00:10Z');
    await remind();
    await asGuest(token, 'reschedule', { start: later, sequence: 0 });
    expect(await listWaiting()).toEqual([]);
  }));

test('a reminder is between five minutes and four weeks before, and there is each only once', async () => {
  const create = async (reminders_minutes: number[]) => {
    const response = await server.inject({
      method: 'POST',
      url: '/api/event-types',
      payload: { title: 'Reminders', kind: 'one-on-one', settings: { reminders_minutes } },
      headers: { authorization: `Bearer ${anna.token}` },
    });
    return response.statusCode;
  };
  expect(await create([5, 40_320])).toBe(201);
  for (const wrong of [[4], [40_321], [60, 60], [5, 10, 15, 20, 25, 30]]) expect(await create(wrong)).toBe(400);
});

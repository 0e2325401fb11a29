import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bookable, insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { bookingContract } from './contract.ts';
import type { Made } from './rules/booking-endpoints.ts';
import { defaultSettings, type TypeSettings } from './rules/type-settings.ts';

/** The terms that a guest was told when they booked, after their event type has changed. */

const start = '2027-03-01T13:00:00Z';
const clock = fixedClock(start);
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / 60_000;
const hour = { until_minutes: 60, text: 'Free until an hour before.' };
const week = { until_minutes: 10_080, text: 'A week ahead, or you pay.' };
const terms = { id: 'terms', label: 'I agree to the house rules', kind: 'checkbox' as const, required: true };
const phone = { id: 'line', label: 'Direct line', kind: 'phone' as const, required: false };

let server: TestApp;
let anna: TestUser;
beforeAll(async () => {
  server = await startTestApp({ clock });
});
afterAll(() => server.close());

let count = 0;
async function offer(settings: Partial<TypeSettings> & { kind?: 'group' } = {}) {
  clock.set(start);
  count += 1;
  // each books the same time, of another host
  anna = await signUpUser(server, `host-${count}@example.org`);
  await anna.as(connectionsContract).connectOwn();
  return insertBookable(server, anna, `intro-${count}`, { cancellation: hour, ...settings });
}

async function change({ typeId }: Bookable, settings: Partial<TypeSettings>) {
  const calls = anna.as(bookingContract);
  const { event_type: type } = await calls.readEventType({ params: { id: typeId } });
  const { version, title, slug, description, hidden, secret } = type;
  const body = { version, title, slug, description, hidden, secret, settings: { ...type.settings, ...settings } };
  await calls.changeEventType({ params: { id: typeId }, body });
}

async function post(url: string, payload: object) {
  const response = await server.inject({ method: 'POST', url, payload, remoteAddress: `10.3.0.${(count % 250) + 1}` });
  return {
    status: response.statusCode,
    body: response.json<Made & { booking: Made['bookings'][number]['booking'] }>(),
  };
}
async function book({ path }: Bookable, more: object = {}) {
  const email = `guest-${count}@example.net`;
  const { body } = await post(`${path}/bookings`, { start: nine, name: 'Gus', email, zone: 'UTC', ...more });
  await server.settle();
  expect(body.bookings, JSON.stringify(body)).toHaveLength(1);
  const [made] = body.bookings;
  return { token: made?.token ?? '', booking: made?.booking, email };
}
const read = async (token: string) =>
  (await server.inject({ url: `/api/booked/${token}` })).json<{ booking: Made['bookings'][number]['booking'] }>()
    .booking;
const lastMail = async (email: string) => JSON.stringify((await readMails(server, email)).at(-1)?.content);
const idOf = async () => (await anna.as(bookingContract).listBookings({ query: { scope: 'upcoming' } })).bookings[0];

test('a later deadline of the event type is none of a booking that was promised another one', async () => {
  const place = await offer();
  const { token, email } = await book(place);
  expect(await lastMail(email)).toContain('1:00 PM'); // an hour before 2 PM UTC
  await change(place, { cancellation: week });
  expect(await read(token)).toMatchObject({
    can_change: true,
    can_change_until: '2027-03-08T13:00:00Z',
    cancellation: hour.text,
  });
  clock.set('2027-03-08T12:59:00Z');
  expect(await post(`/api/booked/${token}/cancel`, {})).toMatchObject({ status: 200 });
});

test('an earlier deadline of the event type gives its guests no more time than their mail says', async () => {
  const place = await offer({ cancellation: week });
  const { token } = await book(place);
  await change(place, { cancellation: hour });
  clock.set('2027-03-01T14:00:00Z');
  expect(await read(token)).toMatchObject({ can_change: false, cancellation: week.text });
  expect(await post(`/api/booked/${token}/cancel`, {})).toMatchObject({ status: 409 });
});

test.each(['one-on-one', 'group'] as const)(
  'a guest who moves a %s booking takes the terms that the page showed',
  async (kind) => {
    const place = await offer(kind === 'group' ? { kind } : {});
    const { token, email } = await book(place);
    const day = { until_minutes: 1_440, text: 'A day ahead.' };
    await change(place, { cancellation: day });
    expect((await post(`/api/booked/${token}/reschedule`, { start: nine + 60, sequence: 0 })).status).toBe(200);
    expect(await read(token)).toMatchObject({ can_change_until: '2027-03-07T15:00:00Z', cancellation: day.text });
    await server.settle();
    expect(await lastMail(email)).toContain('until Sun, Mar 7, 3:00 PM (GMT).');
  },
);

test('a host who moves a booking keeps the terms that its guest was told', async () => {
  const place = await offer();
  const { token } = await book(place);
  await change(place, { cancellation: week });
  const row = await idOf();
  const params = { booking_id: row?.booking_id ?? ('' as never) };
  await anna.as(bookingContract).rescheduleBooking({ params, body: { start: nine + 60, sequence: 0 } });
  expect(await read(token)).toMatchObject({ can_change_until: '2027-03-08T14:00:00Z', cancellation: hour.text });
});

test('a booking keeps its deadline when its event type is deleted', async () => {
  const place = await offer({ cancellation: week });
  clock.set('2027-02-25T13:00:00Z');
  const { token } = await book(place);
  await anna.as(bookingContract).deleteEventType({ params: { id: place.typeId } });
  expect(await read(token)).toMatchObject({ can_change_until: '2027-03-01T14:00:00Z', cancellation: week.text });
  clock.set('2027-03-01T14:00:00Z');
  expect(await post(`/api/booked/${token}/cancel`, {})).toMatchObject({ status: 409 });
});

test('an answer keeps the question that its guest read, for the guest, the host, mails and the calendar', async () => {
  const place = await offer({ questions: [terms, phone] });
  const { token, email } = await book(place, { answers: { terms: true, line: '+49 30 5550123' } });
  await change(place, { questions: [{ ...terms, label: 'I agree to pay 900 €' }] });
  const answers = [
    { label: terms.label, answer: 'Yes' },
    { label: phone.label, answer: '+49 30 5550123' },
  ];
  expect((await read(token)).answers).toEqual(answers);
  const row = await idOf();
  expect(row?.answers).toEqual([{ label: terms.label, answer: true }, answers[1]]);
  // mails have answers once the guest has confirmed the address
  await sql`update booking.bookings set mail_confirmed_ms = 1`.execute(server.app.db);
  expect((await post(`/api/booked/${token}/reschedule`, { start: nine + 60, sequence: 0 })).status).toBe(200);
  await server.settle();
  expect(await lastMail(email)).toContain(terms.label);
  const query = { from: '2027-03-08T00:00:00Z', to: '2027-03-09T00:00:00Z' };
  const { events } = await anna.as(calendarContract).listEvents({ query });
  const [event] = events;
  expect(JSON.stringify(event)).not.toContain('900');
});

test('a booking keeps the title, length, place and number that its guest was told', async () => {
  const number = '+49 30 5550123';
  const place = await offer({ location: { kind: 'phone', who_calls: 'guest', number }, guests_allowed: 3 });
  const { token } = await book(place);
  await change(place, {
    ...defaultSettings('one-on-one'),
    durations_minutes: [90],
    location: { kind: 'in-person', address: 'Elsewhere' },
    recurring: { max: 4, every: 'week' },
  });
  expect(await read(token)).toMatchObject({
    title: 'Intro',
    duration: 30,
    location: { kind: 'phone', number },
    state: 'confirmed',
  });
});

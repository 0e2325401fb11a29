import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { bookingContract } from './contract.ts';
import type { Made } from './rules/booking-endpoints.ts';

/** Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / 60_000;
let server: TestApp;
let anna: TestUser;
beforeAll(async () => {
  server = await startTestApp({ clock: fixedClock('2027-03-01T08:00:00Z') });
  anna = await signUpUser(server, 'anna@example.org');
});
afterAll(() => server.close());

let slugs = 0;
async function book(start: number, settings: object = {}) {
  slugs += 1;
  const { path } = await insertBookable(server, anna, `intro-${slugs}`, settings);
  const email = `guest-${slugs}@example.net`;
  const payload = { start, name: 'Gus Guest', email, zone: 'UTC', language: 'en' };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  expect(response.statusCode, response.body).toBe(201);
  await server.settle();
  return { email, token: response.json<Made>().bookings[0]?.token ?? '' };
}

async function move(token: string, payload: { start: number; sequence: number }) {
  const response = await server.inject({ method: 'POST', url: `/api/booked/${token}/reschedule`, payload });
  const { booking, detail } = response.json<{
    booking?: { start: number; sequence: number };
    detail?: { code: string };
  }>();
  return { status: response.statusCode, start: booking?.start, sequence: booking?.sequence, code: detail?.code };
}

test.each([
  { seats: 1, start: nine },
  { seats: 5, start: nine + 120 },
])(
  'a move whose answer was lost is asked for again and answered as made, with $seats seats',
  async ({ seats, start }) => {
    const { token, email } = await book(start, { seats });
    const wanted = { start: start + 30, sequence: 0 };
    const made = { status: 200, start: start + 30, sequence: 1, code: undefined };
    expect(await move(token, wanted)).toEqual(made);
    expect(await move(token, wanted)).toEqual(made);
    await server.settle();
    const kinds = (await readMails(server, email)).map(({ kind }) => kind);
    // that it was booked has been overtaken in the outbox
    expect(kinds).toEqual(['booking.rescheduled']);
    // another wish of somebody who has not seen the move is refused
    expect(await move(token, { start: start + 60, sequence: 0 })).toMatchObject({
      status: 409,
      code: 'CHANGED_MEANWHILE',
    });
  },
);

test('two clicks at once move a booking once, and both are answered with it', async () => {
  const { token } = await book(nine + 240);
  const wanted = { start: nine + 270, sequence: 0 };
  const made = { status: 200, start: nine + 270, sequence: 1 };
  expect(await Promise.all([move(token, wanted), move(token, wanted)])).toMatchObject([made, made]);
});

test('a host whose answer was lost moves a booking again to the same time, and it is there', async () => {
  await book(nine + 360);
  const api = anna.as(bookingContract);
  const { bookings } = await api.listBookings({ query: { scope: 'upcoming' } });
  const booking_id = bookings.find(({ email }) => email === `guest-${slugs}@example.net`)?.booking_id as never;
  const request = { params: { booking_id }, body: { start: nine + 390, sequence: 0 } };
  const [first, second] = [await api.rescheduleBooking(request), await api.rescheduleBooking(request)];
  expect([first.booking.sequence, second.booking.sequence]).toEqual([1, 1]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable } from '../../../../test/harness/bookable.ts';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser } from '../../../../test/harness/test-client.ts';
import { bookingContract } from '../contract.ts';
import type { Made } from '../rules/booking-endpoints.ts';
import type { BookingData } from '../rules/visit-data.ts';
import { writeBooking } from '../rules/write-booking.ts';

const clock = fixedClock('2027-03-01T07:00:00Z'); // a Monday
const questions = [
  { id: 'terms', label: 'Terms', kind: 'checkbox' as const, required: true },
  { id: 'size', label: 'Size', kind: 'choice' as const, required: false, options: ['Small', 'Large'] },
];

let server: TestApp;
let listed: () => Promise<{ email: string; answers: readonly { label: string; answer: string | true }[] }[]>;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock, http: { pageRoot: await builtPages() } });
  const host = await signUpUser(server, 'anna@example.org');
  await insertBookable(server, host, 'intro', { questions });
  listed = async () => (await host.as(bookingContract).listBookings({ query: { scope: 'upcoming' } })).bookings;
});
afterAll(() => server.close());

let networks = 0;
const network = () => {
  networks += 1;
  return `10.8.0.${networks}`;
};
const visit = (url: string, language = 'en') =>
  server.inject({ url, headers: { accept: 'text/html', 'accept-language': language } });
const dataOf = (body: string) =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null') as BookingData;
const starts = async () => dataOf((await visit('/anna/intro?tz=UTC')).body).starts;
const guest = (email: string) => ({ name: 'Kei', email, zone: 'UTC' });
const recordedOf = async (email: string) =>
  (await listed()).find((booking) => booking.email === email)?.answers.some(({ label }) => label === 'Terms') ?? false;

/** Values that links and forms of other sites may send: only the first is what the page's checkbox sends. */
const texts = ['yes', '0', '1', 'no', 'true', 'false', 'on', 'off', 'Yes', 'YES', ' ', 'null', 'checked'];

test('no link ticks a box, whatever it says, and an unticked box books nothing', async () => {
  const [slot = 0] = await starts();
  for (const text of texts) {
    const { body } = await visit(`/anna/intro?tz=UTC&slot=${slot}&q-terms=${encodeURIComponent(text)}&q-size=Huge`);
    const data = dataOf(body);
    expect([text, data.typed, data.carried]).toEqual([text, {}, { tz: 'UTC' }]);
    expect(/<input[^>]*id="q-terms"[^>]*>/.exec(body)?.[0], text).not.toMatch(/ checked\b/);
  }
  const large = dataOf((await visit(`/anna/intro?tz=UTC&slot=${slot}&q-size=Large&phone=5550123`)).body);
  // no field that the page does not show is filled in, either
  expect(large.typed).toEqual({ 'q-size': 'Large' });
});

test.each(texts)('a box with the text %o is shown, sent and recorded alike', async (text) => {
  const [slot = 0] = await starts();
  const email = `form-${texts.indexOf(text)}@example.org`;
  const sent = await server.inject({
    method: 'POST',
    url: '/anna/intro',
    remoteAddress: network(),
    payload: new URLSearchParams({ ...guest(email), tz: 'UTC', slot: String(slot), 'q-terms': text }).toString(),
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  });
  const isTick = text === 'yes';
  expect([sent.statusCode, await recordedOf(email)]).toEqual(isTick ? [303, true] : [422, false]);
  // the script of the page sends by the same rule
  const { type } = dataOf((await visit('/anna/intro?tz=UTC')).body);
  const written = writeBooking(
    type,
    { 'q-terms': text },
    { start: 1, duration: 30, zone: 'UTC', language: 'en', hold: null },
  );
  expect(written.answers).toEqual(isTick ? { terms: true } : undefined);
});

test.each([...texts, true, false])('a call books with the answer true only: %o', async (answer) => {
  const [start = 0] = await starts();
  const email = `call-${String(answer).trim() || 'blank'}-${typeof answer}@example.org`.toLowerCase();
  const payload = { ...guest(email), start, answers: { terms: answer } };
  const { statusCode } = await server.inject({
    method: 'POST',
    url: '/api/book/anna/intro/bookings',
    payload,
    remoteAddress: network(),
  });
  expect([statusCode, await recordedOf(email)]).toEqual(answer === true ? [201, true] : [400, false]);
});

test.each([
  ['en', 'Yes'],
  ['de', 'Ja'],
  ['fr', 'Oui'],
  ['es', 'Sí'],
  ['ja', 'はい'],
])('a ticked box reads in the language of the page (%s: %s)', async (language, word) => {
  const [start = 0] = await starts();
  const payload = { ...guest(`read-${language}@example.org`), start, language, answers: { terms: true } };
  const made = await server.inject({
    method: 'POST',
    url: '/api/book/anna/intro/bookings',
    payload,
    remoteAddress: network(),
  });
  const [first] = made.json<Made>().bookings;
  expect(first?.booking.answers).toEqual([{ label: 'Terms', answer: word }]);
  const page = await visit(`/booked/${first?.token}?lang=${language}`);
  expect(page.body).toMatch(new RegExp(`<dt>Terms</dt>(?:</?div[^>]*>)*<dd[^>]*>${word}</dd>`));
});

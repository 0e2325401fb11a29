import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable, moveToGoogle } from '../../../../test/harness/bookable.ts';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser } from '../../../../test/harness/test-client.ts';
import type { Made } from '../rules/booking-endpoints.ts';

/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / 60_000;

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({
    role: 'web',
    clock: fixedClock('2027-03-01T13:00:00Z'),
    http: { pageRoot: await builtPages() },
  });
});
afterAll(() => server.close());

test('a fresh booking of a service that makes links says that the link follows, and then has the link', async () => {
  const host = await signUpUser(server, 'anna@example.org');
  const { path } = await insertBookable(server, host, 'meet', { location: { kind: 'google-meet' } });
  const payload = { start: nine, name: 'Kei', email: 'kei@example.net', zone: 'Asia/Tokyo' };
  const made = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  const token = made.json<Made>().bookings[0]?.token;
  const page = async (language: string) => {
    const headers = { accept: 'text/html', 'accept-language': language };
    return (await server.inject({ url: `/booked/${token}`, headers })).body;
  };
  // no calendar of its host creates such links
  expect(await page('en')).toContain('anna will send you the meeting link.');
  await moveToGoogle(server, host);
  expect(await page('en')).toContain('Google Meet. The link appears here shortly.');
  expect(await page('de')).toContain('Google Meet. ');
  await sql`update booking.appointments set join_url = 'https://meet.example.org/abc'`.execute(server.app.db);
  const linked = await page('en');
  expect(linked).toContain('href="https://meet.example.org/abc"');
  expect(linked).not.toContain('appears here shortly');
});

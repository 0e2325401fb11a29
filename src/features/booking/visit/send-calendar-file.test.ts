import ICAL from 'ical.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable } from '../../../../test/harness/bookable.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import type { Made } from '../rules/booking-endpoints.ts';
import type { TypeSettings } from '../rules/type-settings.ts';

/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / 60_000;

let server: TestApp;
let host: TestUser;
beforeAll(async () => {
  server = await startTestApp({ clock: fixedClock('2027-03-01T13:00:00Z') });
  host = await signUpUser(server, 'anna@example.org');
});
afterAll(() => server.close());

/** The file of the booked page, as a calendar library reads it. */
async function fileOf(slug: string, location: TypeSettings['location'], start: number) {
  const { path } = await insertBookable(server, host, slug, { location });
  const payload = { start, name: 'Kei', email: `${slug}@example.net`, zone: 'Asia/Tokyo' };
  const made = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  const token = made.json<Made>().bookings[0]?.token;
  const { body } = await server.inject({ url: `/booked/${token}/calendar.ics` });
  const calendar = new ICAL.Component(ICAL.parse(body) as never);
  const event = calendar.getFirstSubcomponent('vevent');
  return {
    method: calendar.getFirstPropertyValue('method'),
    attendees: event?.getAllProperties('attendee').length,
    organizers: event?.getAllProperties('organizer').length,
    location: event?.getFirstPropertyValue('location'),
    conference: event?.getFirstPropertyValue('conference'),
    description: String(event?.getFirstPropertyValue('description'))
      .replaceAll(token ?? '', '{token}')
      .split('\n'),
  };
}

test('the calendar file of a booked page asks nobody and has a place', async () => {
  const plain = { method: 'PUBLISH', attendees: 0, organizers: 1 };
  const link = 'https://meet.example.org/anna?pwd=1+2';
  expect(await fileOf('video', { kind: 'link', url: link }, nine)).toEqual({
    ...plain,
    location: link,
    conference: link,
    description: [`Join: ${link}`, '', `Reschedule or cancel: ${server.app.config.publicUrl}/booked/{token}`],
  });
  expect(await fileOf('visit', { kind: 'in-person', address: 'Main Street 1, 2nd floor' }, nine + 120)).toEqual({
    ...plain,
    location: 'Main Street 1, 2nd floor',
    conference: null,
    description: [`Reschedule or cancel: ${server.app.config.publicUrl}/booked/{token}`],
  });
  // no calendar of its host creates such links
  expect(await fileOf('meet', { kind: 'google-meet' }, nine + 240)).toMatchObject({
    location: 'anna will send you the meeting link',
  });
});

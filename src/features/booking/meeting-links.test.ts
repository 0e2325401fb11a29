import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bookable, insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { type ProviderWorld, startProviderWorld } from '../../../test/harness/provider-world.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { bookingContract } from './contract.ts';
import { fetchLinks } from './fetch-links.ts';
import { defaultSettings } from './rules/type-settings.ts';

/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / 60_000;
const { signal } = new AbortController();

let world: ProviderWorld;
beforeAll(async () => {
  world = await startProviderWorld({ clock: fixedClock('2027-03-01T13:00:00Z'), push: false });
});
afterAll(() => world.close());

async function book({ path }: Bookable, start: number, email: string) {
  const payload = { start, name: 'Bo Li', email, zone: 'Europe/Berlin' };
  const response = await world.server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  expect(response.statusCode).toBe(201);
  await world.settle();
}
const bookings = () => world.person.as(bookingContract);
const linkOf = async (email: string) => {
  const { bookings: all } = await bookings().listBookings({ query: { scope: 'upcoming' } });
  const one = all.find((booking) => booking.email === email);
  if (one === undefined) throw new Error(`${email} has no booking`);
  return one;
};
const mailsTo = async (email: string) => {
  await world.settle();
  const mails = await readMails(world.server, email);
  return mails.map(
    ({ kind, content }) =>
      `${kind} ${/https:[^"]*(?:meet\.google|teams\.microsoft)[^"\\]*/.exec(JSON.stringify(content))?.[0] ?? '-'}`,
  );
};

test('a meeting is refused until an account can make it, and where its event would not be written there', async () => {
  const make = (location: 'google-meet' | 'teams', target: string | null = null) =>
    bookings().createEventType({
      body: {
        title: 'Intro',
        kind: 'one-on-one',
        settings: { ...defaultSettings('one-on-one'), location: { kind: location }, target_calendar_id: target },
      } as never,
    });
  await expect(make('google-meet')).rejects.toMatchObject({ fields: { 'settings.location': expect.anything() } });
  const account = 'anna@google.example';
  await world.google.control.seed({ account, timeZone: 'America/New_York', calendars: [{}] });
  const google = await world.connect('google', account);
  const own = 'anna@microsoft.example';
  await world.microsoft.control.seed({
    account: own,
    calendars: [{ key: 'calendar', name: 'Calendar', isDefault: true }],
  });
  await world.connect('microsoft', own);
  await world.settle();
  await expect(make('teams', google.calendars[0]?.calendarId ?? '')).rejects.toMatchObject({
    fields: { 'settings.target_calendar_id': expect.anything() },
  });
});

test('the link of a Meet that is made later comes to its guest in an invitation of its own, once', async () => {
  await world.google.control.knobs({ conferencesPend: true });
  const place = await insertBookable(world.server, world.person, 'meet', { location: { kind: 'google-meet' } });
  const email = 'meet@example.net';
  await book(place, nine, email);
  await fetchLinks(world.server.app, signal);
  expect(await linkOf(email)).toMatchObject({ join_url: null, location: { kind: 'google-meet' } });
  expect(await mailsTo(email)).toEqual(['booking.confirmed -']);
  const account = 'anna@google.example';
  await world.google.control.act({ account, do: 'make-conference', pick: 'Intro: Bo Li' });
  await fetchLinks(world.server.app, signal);
  await fetchLinks(world.server.app, signal);
  const { join_url: link, booking_id, sequence } = await linkOf(email);
  expect(link).toMatch(/^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/);
  expect(await mailsTo(email)).toEqual(['booking.confirmed -', `booking.linked ${link}`]);
  // moved, it is the same meeting
  await bookings().rescheduleBooking({ params: { booking_id }, body: { start: nine + 60, sequence } });
  await world.settle();
  await fetchLinks(world.server.app, signal);
  expect(await linkOf(email)).toMatchObject({ join_url: link });
  expect((await mailsTo(email)).at(-1)).toBe(`booking.rescheduled ${link}`);
  const { accounts } = await world.google.control.snapshot();
  expect(JSON.stringify(accounts[account])).toContain('2027-03-08T10:00:00-05:00');
});

test('a Teams meeting is made where the host has Outlook, whatever their first calendar is, and stays when it is moved', async () => {
  const place = await insertBookable(world.server, world.person, 'teams', { location: { kind: 'teams' } });
  const email = 'teams@example.net';
  await book(place, nine + 180, email);
  await fetchLinks(world.server.app, signal);
  const { join_url: link, booking_id, sequence } = await linkOf(email);
  expect(link).toMatch(/^https:\/\/teams\.microsoft\.com\//);
  await bookings().rescheduleBooking({ params: { booking_id }, body: { start: nine + 240, sequence } });
  await world.settle();
  expect((await mailsTo(email)).at(-1)).toBe(`booking.rescheduled ${link}`);
  const { edits } = await world.person.as((await import('../edits/contract.ts')).editsContract).listEdits({
    query: { from: '2027-03-01T00:00:00Z', to: '2027-04-01T00:00:00Z' },
  });
  expect(edits.filter(({ state }) => state === 'failed' || state === 'conflict')).toEqual([]);
});

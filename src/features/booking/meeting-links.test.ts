import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { BookingId } from '#kernel/ids.ts';
import { type Bookable, insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { type ProviderWorld, startProviderWorld } from '../../../test/harness/provider-world.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { syncContract } from '../sync/contract.ts';
import { bookingContract } from './contract.ts';
import { fetchLinks } from './fetch-links.ts';
import { defaultSettings } from './rules/type-settings.ts';
import { tellBooking } from './tell-booking.ts';

/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / 60_000;
const { signal } = new AbortController();

let world: ProviderWorld;
beforeAll(async () => {
  world = await startProviderWorld({ clock: fixedClock('2027-03-01T13:00:00Z'), push: false });
});
afterAll(() => world.close());

async function book({ path }: Bookable, start: number, email: string, more: object = {}) {
  const payload = { start, name: 'Bo Li', email, zone: 'Europe/Berlin', ...more };
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

test('a video meeting is refused unless an account can create it and its event is written there', async () => {
  const make = (location: 'google-meet' | 'teams', target: string | null = null) =>
    bookings().createEventType({
      body: {
        title: 'Intro',
        kind: 'one-on-one',
        settings: { ...defaultSettings('one-on-one'), location: { kind: location }, target_calendar_id: target },
      } as never,
    });
  await expect(make('google-meet')).rejects.toMatchObject({ fields: { 'settings.location': expect.anything() } });
  // an organisation without Meet, an Outlook of one's own: the account is there, and makes none
  const without = 'without@google.example';
  await world.google.control.seed({ account: without, calendars: [{ canMeet: false }] });
  await world.connect('google', without);
  const personal = 'anna@outlook.example';
  await world.microsoft.control.seed({
    account: personal,
    personal: true,
    calendars: [{ key: 'calendar', name: 'Calendar', isDefault: true }],
  });
  await world.connect('microsoft', personal);
  for (const kind of ['google-meet', 'teams'] as const)
    await expect(make(kind)).rejects.toMatchObject({
      fields: { 'settings.location': expect.stringContaining('None of') },
    });
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

const told = (email: string, count: number) => expect.poll(() => mailsTo(email)).toHaveLength(count);

test('a Google Meet link is already in the first email', async () => {
  const place = await insertBookable(world.server, world.person, 'soon', { location: { kind: 'google-meet' } });
  await book(place, nine + 360, 'soon@example.net', { name: 'Su' });
  await told('soon@example.net', 1);
  const { join_url: link } = await linkOf('soon@example.net');
  expect(link).toMatch(/^https:\/\/meet\.google\.com\//);
  expect(await mailsTo('soon@example.net')).toEqual([`booking.confirmed ${link}`]);
});

test('a late Google Meet link reaches its guest in one email of its own', async () => {
  await world.google.control.knobs({ conferencesPend: true });
  const place = await insertBookable(world.server, world.person, 'meet', { location: { kind: 'google-meet' } });
  const email = 'meet@example.net';
  await book(place, nine, email);
  await fetchLinks(world.server.app, signal);
  expect(await linkOf(email)).toMatchObject({ join_url: null, location: { kind: 'google-meet' } });
  await told(email, 1);
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

test('a new Google Meet link of an event that was deleted and written back reaches its guest', async () => {
  await world.google.control.knobs({ conferencesPend: false });
  onTestFinished(async () => {
    await world.google.control.knobs({ conferencesPend: true });
  });
  const settings = { location: { kind: 'google-meet' }, when_deleted: 'restore' } as const;
  const place = await insertBookable(world.server, world.person, 'again', settings);
  const email = 'again@example.net';
  await book(place, nine + 420, email, { name: 'Al' });
  await told(email, 1);
  const { join_url: before } = await linkOf(email);
  const { rows } = await sql<{ ref: string; accountId: string }>`
    select i.ref, c.connection_id as "accountId" from booking.bookings b
      join booking.appointments a on a.id = b.appointment_id join calendar.items i on i.id = a.item_id
      join connections.calendars c on c.id = a.calendar_id where b.guest_email = ${email}`.execute(world.server.app.db);
  const [event] = rows;
  if (event === undefined) throw new Error('the event was not read');
  await world.google.control.act({ account: 'anna@google.example', do: 'delete', pick: event.ref });
  const sync = () => world.person.as(syncContract).syncAccount({ params: { accountId: event.accountId } });
  await sync();
  await world.settle();
  await sync();
  await fetchLinks(world.server.app, signal);
  await told(email, 2);
  const { join_url: after } = await linkOf(email);
  expect(after).not.toBe(before);
  expect(await mailsTo(email)).toEqual([`booking.confirmed ${before}`, `booking.linked ${after}`]);
});

test('late Google Meet links of a series reach their guest in one email, after the last of them', async () => {
  const place = await insertBookable(world.server, world.person, 'weekly', {
    location: { kind: 'google-meet' },
    recurring: { max: 4, every: 'week' },
  });
  const email = 'weekly@example.net';
  await book(place, nine + 120, email, { times: 3, name: 'Wim' });
  await told(email, 1);
  const { rows } = await sql<{ key: string }>`select a.event_key as key from booking.appointments a
    join booking.bookings b on b.appointment_id = a.id where b.guest_email = ${email}`.execute(world.server.app.db);
  const made = async (some: typeof rows) => {
    for (const { key } of some)
      await world.google.control.act({ account: 'anna@google.example', do: 'make-conference', pick: key });
    await fetchLinks(world.server.app, signal);
    await world.settle();
  };
  const links = async () =>
    (await bookings().listBookings({ query: { scope: 'upcoming' } })).bookings
      .filter((one) => one.email === email)
      .flatMap(({ join_url }) => join_url ?? []);
  await made(rows.slice(0, 1));
  expect(await mailsTo(email)).toEqual(['booking.confirmed -']);
  await made(rows.slice(1));
  expect(await links()).toHaveLength(3);
  const [, mail, ...more] = await readMails(world.server, email);
  expect(more).toEqual([]);
  for (const link of await links()) expect(JSON.stringify(mail?.content)).toContain(link);
  await world.google.control.knobs({ conferencesPend: false });
});

test('a link that comes while the mail about a series is written is in the mail', async () => {
  await world.google.control.knobs({ conferencesPend: true });
  onTestFinished(async () => {
    await world.google.control.knobs({ conferencesPend: false });
  });
  const place = await insertBookable(world.server, world.person, 'lessons', {
    location: { kind: 'google-meet' },
    recurring: { max: 4, every: 'week' },
  });
  const email = 'lessons@example.net';
  await book(place, nine + 300, email, { times: 4, name: 'Li' });
  await told(email, 1);
  const { app } = world.server;
  // the jobs of the other dates have nothing left to tell
  await sql`delete from jobs.job where name = 'booking.tell'`.execute(app.db);
  await world.settle();
  // as before its first mail, with the links of three of its dates
  await sql`delete from platform.mails where recipient = ${email}`.execute(app.db);
  await sql`update booking.bookings set told = null, told_without_link = false where guest_email = ${email}`.execute(
    app.db,
  );
  const { rows } = await sql<{ id: string; bookingId: BookingId }>`
    select a.id, b.id as "bookingId" from booking.appointments a join booking.bookings b on b.appointment_id = a.id
    where b.guest_email = ${email} order by a.start_ms`.execute(app.db);
  const links = rows.map((_, n) => `https://meet.google.com/aaa-bbbb-cc${'abcd'[n]}`);
  const link = (n: number) =>
    sql`update booking.appointments set join_url = ${links[n]} where id = ${rows[n]?.id}`.execute(app.db);
  for (const n of [0, 1, 2]) await link(n);
  // the fourth comes after the booking was read
  const late = new Set<object>();
  const db = app.db.withPlugin({
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes('told is not null')) late.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (late.has(queryId)) await link(3);
      return result;
    },
  });
  const change = { bookingId: rows[0]?.bookingId as BookingId, what: 'confirmed' as const, sequence: 0 };
  expect(await tellBooking({ ...app, db }, change, { mayWait: true })).toBe(false);
  expect(late.size).toBeGreaterThan(0);
  expect(await tellBooking(app, change, { mayWait: true })).toBe(true);
  const [mail, ...more] = await readMails(world.server, email);
  expect(more).toEqual([]);
  for (const one of links) expect(JSON.stringify(mail?.content)).toContain(one);
});

test('a Teams meeting is created in the Outlook calendar of its host, and keeps its link when moved', async () => {
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

test('a guest of a host whose accounts create no meeting is told that the host sends the link', async () => {
  const { person, server } = world;
  const place = await insertBookable(server, person, 'by-hand', { location: { kind: 'google-meet' } });
  // as for a team host with another provider only
  await sql`update connections.calendars set conferences = '{}'`.execute(server.app.db);
  const email = 'by-hand@example.net';
  await book(place, nine + 2 * 1_440 + 60, email, { name: 'Ha' });
  await told(email, 1);
  const [mail] = await readMails(server, email);
  expect(JSON.stringify(mail?.content)).toContain('will send you the meeting link');
  expect(JSON.stringify(mail?.content)).not.toContain('link follows');
});

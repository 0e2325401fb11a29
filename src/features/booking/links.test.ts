import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { bookingContract } from './contract.ts';
import { expireBookings } from './expire-bookings.ts';
import { findPublicType } from './find-public-type.ts';
import { deleteSpentLinks } from './store/links.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock: fixedClock('2027-03-01T09:00:00Z') });
});
afterAll(() => server.close());

const noon = Date.parse('2027-03-08T12:00:00Z');
let people = 0;
async function newPerson() {
  people += 1;
  const user = await signUpUser(server, `person${people}@example.org`);
  return { user, api: user.as(bookingContract) };
}
const openAddress = (url: string) => findPublicType(server.app, { token: url.split('/l/')[1] ?? '' });

test('an account and a calendar have one link each, and an event type is created if there is none', async () => {
  const { user, api } = await newPerson();
  const { accountId, calendarId } = await insertOwnAccount(server, user as TestUser);
  const { link } = await api.createBookingLink({ body: { kind: 'calendar', calendar_id: calendarId as never } });
  const again = await api.createBookingLink({ body: { kind: 'calendar', calendar_id: calendarId as never } });
  expect(again.link).toEqual(link);
  const account = await api.createBookingLink({ body: { kind: 'account', account_id: accountId as never } });
  expect(account.link).toMatchObject({ title: '30 minute meeting', account_id: accountId, calendar_id: null });
  expect(await openAddress(link.url)).toMatchObject({ link: { calendarId }, type: { title: '30 minute meeting' } });
  const { links } = await api.listMeetingLinks();
  expect(links.map(({ kind }) => kind).toSorted()).toEqual(['account', 'calendar']);
  await api.changeHandle({ body: { handle: 'with-links' } });
  expect((await api.listMeetingLinks()).links[0]).toMatchObject({
    kind: 'event-type',
    url: expect.stringMatching(/\/with-links\/30-minute-meeting$/),
  });
});

test('a link works until it is deleted, or while its event type exists', async () => {
  const { api } = await newPerson();
  const { id } = (await api.createEventType({ body: { title: 'Secret', kind: 'one-on-one', secret: true } }))
    .event_type;
  const body = { kind: 'private', event_type_id: id, label: 'For Ada', uses: 1, expires_at: noon } as const;
  const { link } = await api.createBookingLink({ body });
  expect(link).toMatchObject({ label: 'For Ada', uses_left: 1, expires_at: noon });
  expect(await openAddress(link.url)).not.toBeNull();
  await api.deleteEventType({ params: { id } });
  expect(await openAddress(link.url)).toBeNull();
  expect((await api.listBookingLinks({ query: {} })).links).toEqual([]);
  await api.restoreEventType({ params: { id } });
  expect((await api.listBookingLinks({ query: { event_type_id: id } })).links).toEqual([link]);
  await api.deleteBookingLink({ params: { id: link.id } });
  expect(await openAddress(link.url)).toBeNull();
});

test('shared times must be in the future, and are kept in order', async () => {
  const { api } = await newPerson();
  const hour = 3_600_000;
  const share = (starts: number[]) =>
    api.createBookingLink({ body: { kind: 'times', starts, duration_minutes: 45, uses: 1 } });
  const { link } = await share([noon + hour, noon]);
  expect(link).toMatchObject({ starts: [noon, noon + hour], duration_minutes: 45, uses_left: 1 });
  expect(await openAddress(link.url)).toMatchObject({ link: { starts: [noon, noon + hour], durationMinutes: 45 } });
  await expect(share([noon, server.app.clock.nowMs()])).rejects.toMatchObject({ code: 'PAST' });
  await expect(share([noon + 20_500])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('a link has its use again when the booking by it waited for its mail in vain', async () => {
  const { user, api } = await newPerson();
  const { event_type: type } = await api.createEventType({ body: { title: 'Intro', kind: 'one-on-one' } });
  const settings = {
    ...type.settings,
    guests_allowed: 1,
    location: { kind: 'link', url: 'https://meet.example.org/' },
  };
  await sql`update booking.event_types set settings = ${JSON.stringify(settings)} where id = ${type.id}`.execute(
    server.app.db,
  );
  const made = await api.createBookingLink({
    body: { kind: 'private', event_type_id: type.id, uses: 1, expires_at: null },
  });
  const usesLeft = async () => (await api.listBookingLinks({ query: {} })).links.map((link) => link.uses_left);
  const url = `/api/book/l/${made.link.url.split('/').at(-1)}`;
  const from = Math.floor(server.app.clock.nowMs() / 60_000);
  const list = await server.inject({ method: 'GET', url: `${url}/slots?from=${from}&to=${from + 20 * 1_440}` });
  const payload = { start: list.json<{ starts: number[] }>().starts[3], name: 'Gus', zone: 'UTC' };
  const more = { email: 'gus@example.nte', guests: ['mia@example.net'] };
  const response = await server.inject({ method: 'POST', url: `${url}/bookings`, payload: { ...payload, ...more } });
  expect(response.statusCode, response.body).toBe(201);
  expect(await usesLeft()).toEqual([0]);
  await sql`update booking.bookings set expires_ms = 1 where user_id = ${(user as TestUser).userId}`.execute(
    server.app.db,
  );
  await expireBookings(server.app);
  await expireBookings(server.app);
  expect(await usesLeft()).toEqual([1]);
});

test('a link to a calendar of another person or to a read-only calendar is refused', async () => {
  const { user, api } = await newPerson();
  const other = await insertOwnAccount(server, (await newPerson()).user as TestUser);
  const notFound = { code: 'NOT_FOUND' };
  for (const body of [
    { kind: 'calendar', calendar_id: other.calendarId as never },
    { kind: 'account', account_id: other.accountId as never },
  ] as const)
    await expect(api.createBookingLink({ body })).rejects.toMatchObject(notFound);
  const { calendarId } = await insertOwnAccount(server, user as TestUser);
  await server.app.db
    .updateTable('connections.calendars')
    .set({ writable: false })
    .where('id', '=', calendarId as never)
    .execute();
  await expect(
    api.createBookingLink({ body: { kind: 'calendar', calendar_id: calendarId as never } }),
  ).rejects.toMatchObject({ code: 'NOT_WRITABLE' });
});

test('links that have been invalid for a month are deleted', async () => {
  const { api } = await newPerson();
  const { id } = (await api.createEventType({ body: { title: 'Intro', kind: 'one-on-one' } })).event_type;
  await api.createBookingLink({ body: { kind: 'private', event_type_id: id, uses: null, expires_at: noon } });
  await api.createBookingLink({ body: { kind: 'private', event_type_id: id, uses: null, expires_at: null } });
  await api.createBookingLink({ body: { kind: 'times', starts: [noon], duration_minutes: 30, uses: null } });
  const count = async () => (await api.listBookingLinks({ query: { event_type_id: id } })).links.length;
  const day = 86_400_000;
  await deleteSpentLinks(server.app.db, noon + 29 * day);
  expect(await count()).toBe(3);
  await deleteSpentLinks(server.app.db, noon + 31 * day);
  expect(await count()).toBe(1);
});

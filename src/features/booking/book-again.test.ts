import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BookingId } from '#kernel/ids.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { bookingContract } from './contract.ts';
import { listBookingFacts } from './list-booking-facts.ts';
import type { Made } from './rules/booking-endpoints.ts';

/** Where guests of secret event types book again after their host said no: by the link that they came by, while it works. */

const minute = 60_000;
const began = '2027-03-01T13:00:00Z';
const clock = fixedClock(began);
/** A Monday, nine o'clock in New York. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;

let server: TestApp;
let anna: TestUser;
beforeAll(async () => {
  server = await startTestApp({ clock });
  anna = await signUpUser(server, 'anna@example.org');
});
beforeEach(async () => {
  await server.settle();
  clock.set(began);
  await sql`truncate booking.appointments, platform.mails cascade`.execute(server.app.db);
});
afterAll(() => server.close());

const api = () => anna.as(bookingContract);
let count = 0;

async function book(path: string) {
  count += 1;
  const email = `guest-${count}@example.net`;
  const payload = { start: nine, name: 'Bo', email, zone: 'Europe/Berlin', language: 'en' };
  const remoteAddress = `10.3.0.${count}`;
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload, remoteAddress });
  expect(response.statusCode, response.body).toBe(201);
  await server.settle();
  const { rows } = await sql<{ id: BookingId }>`select id from booking.bookings where guest_email = ${email}`.execute(
    server.app.db,
  );
  return { email, id: rows[0]?.id as BookingId, token: response.json<Made>().bookings[0]?.token ?? '' };
}

/** A request by a link to an event type that nobody finds otherwise. */
async function askByLink({ uses = null, expires_at = null }: { uses?: number | null; expires_at?: number | null }) {
  const { typeId } = await insertBookable(server, anna, `secret-${count}`, { confirmation: true });
  await sql`update booking.event_types set secret = true where id = ${typeId}`.execute(server.app.db);
  const body = { kind: 'private', event_type_id: typeId, uses, expires_at } as const;
  const { link } = await api().createBookingLink({ body });
  const booked = await book(`/api/book/l/${link.url.split('/').at(-1)}`);
  return { ...booked, link, typeId };
}

async function decline(id: BookingId): Promise<void> {
  await api().declineBooking({ params: { booking_id: id }, body: {} });
  await server.settle();
}

/** The way to another booking: in the last mail to the guest, and by the API. */
async function waysOf({ email, id, token }: { email: string; id: BookingId; token: string }) {
  const mail = (await readMails(server, email)).at(-1);
  expect(mail?.kind).toBe('booking.declined');
  const answer = await server.inject({ url: `/api/booked/${token}` });
  const facts = (await listBookingFacts(server.app, server.app.db, [id])).get(id);
  return [mail?.links.at(-1) ?? null, answer.json<{ booking: { book_url: string | null } }>().booking.book_url, facts];
}

test('a declined guest of a secret event type books again by their own link', async () => {
  const { link, ...booked } = await askByLink({ uses: 2 });
  await decline(booked.id);
  const [mail, call, facts] = await waysOf(booked);
  expect([mail, call]).toEqual([link.url, link.url]);
  expect(facts).toMatchObject({ bookUrl: null, linkUrl: link.url });
});

test('the link of a guest who cancels is in their mail, and in no mail to their host', async () => {
  const { link, email, token } = await askByLink({});
  await server.inject({ method: 'POST', url: `/api/booked/${token}/cancel`, payload: {} });
  await server.settle();
  expect((await readMails(server, email)).at(-1)?.links).toEqual([link.url]);
  const hosts = JSON.stringify(await readMails(server, anna.email));
  expect(hosts).toContain(email);
  expect(hosts).not.toContain(link.url.split('/').at(-1));
});

test.each([
  ['used up', { uses: 1 }, async () => undefined],
  ['expired', { expires_at: Date.parse(began) + 60 * minute }, async () => clock.advance({ hours: 2 })],
  [
    'closed',
    {},
    async ({ link }: Awaited<ReturnType<typeof askByLink>>) => {
      await api().deleteBookingLink({ params: { id: link.id } });
    },
  ],
  [
    'to an event type that is deleted',
    {},
    async ({ typeId }: Awaited<ReturnType<typeof askByLink>>) => {
      await api().deleteEventType({ params: { id: typeId } });
    },
  ],
] as const)('a link that is %s is no way to book again', async (_, link, end) => {
  const booked = await askByLink(link);
  await end(booked);
  await decline(booked.id);
  const [mail, call, facts] = await waysOf(booked);
  expect([mail, call]).toEqual([null, null]);
  expect(facts).toMatchObject({ linkUrl: null });
});

test('a guest who came to a public event type by a private link books again on its page', async () => {
  const { typeId } = await insertBookable(server, anna, 'public', { confirmation: true });
  const body = { kind: 'private', event_type_id: typeId, uses: null, expires_at: null } as const;
  const { link } = await api().createBookingLink({ body });
  const booked = await book(`/api/book/l/${link.url.split('/').at(-1)}`);
  await decline(booked.id);
  const page = `${server.app.config.publicUrl}/anna/public`;
  const [mail, call] = await waysOf(booked);
  expect([mail, call]).toEqual([page, page]);
});

test('workflows lead guests of a team back to the page of the team, also where its host has a page of their own', async () => {
  await insertBookable(server, anna, 'own');
  const teamId = await insertTeam(server, 'sales', [{ user: anna }]);
  const team = { teamId, handle: 'sales' };
  const { path } = await insertTeamType(server, team, [{ user: anna }], { kind: 'round-robin', slug: 'demo' });
  const { id } = await book(path);
  const facts = (await listBookingFacts(server.app, server.app.db, [id])).get(id);
  expect(facts?.bookUrl).toBe(`${server.app.config.publicUrl}/sales/demo`);
});

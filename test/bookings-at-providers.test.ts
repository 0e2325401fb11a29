import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookingContract } from '../src/features/booking/contract.ts';
import type { Made } from '../src/features/booking/rules/booking-endpoints.ts';
import { calendarContract } from '../src/features/calendar/contract.ts';
import { editingWanted } from '../src/features/edits/events.ts';
import { syncContract } from '../src/features/sync/contract.ts';
import type { CalendarId } from '../src/kernel/ids.ts';
import { inTransaction } from '../src/platform/db.ts';
import { type Bookable, insertBookable } from './harness/bookable.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';
import { type ConnectedCalendar, launchThreeProviders, type ThreeProviders } from './harness/three-providers.ts';

/** I-21: a booking is one event in its host's calendar, also when it is moved, the job runs again, and it is cancelled. */

const names = ['google', 'microsoft', 'caldav'] as const;
let providers: ThreeProviders;
let server: TestApp;
let host: TestUser;
let calendars: Record<(typeof names)[number], ConnectedCalendar>;

beforeAll(async () => {
  const publicUrl = 'http://localhost';
  providers = await launchThreeProviders(publicUrl);
  server = await startTestApp({ config: { publicUrl, ...providers.config } });
  host = await signUpUser(server, 'host@example.org');
  calendars = {
    google: await providers.connect(server, host, 'google', 'host'),
    microsoft: await providers.connect(server, host, 'microsoft', 'host'),
    caldav: await providers.connectCaldav(host, 'host'),
  };
  await server.settle(30_000);
}, 60_000);
afterAll(async () => {
  await server.close();
  await providers.close();
});

const post = async <T>(url: string, payload: object) => {
  const response = await server.inject({ method: 'POST', url, payload });
  if (response.statusCode >= 300) throw new Error(`${url}: ${response.statusCode} ${response.body}`);
  return response.json<T>();
};

/** The first starts that are offered two weeks ahead, epoch minutes. */
async function offered({ path }: Bookable): Promise<number[]> {
  const from = Math.floor(Temporal.Now.instant().epochMilliseconds / 60_000) + 14 * 1_440;
  const answer = await server.inject({ url: `${path}/slots?from=${from}&to=${from + 7 * 1_440}` });
  return answer.json<{ starts: number[] }>().starts;
}

test.each(names)('a booking is one event at %s', { timeout: 60_000 }, async (name) => {
  const { calendarId, accountId } = calendars[name];
  const place = await insertBookable(server, host, `at-${name}`, {
    target_calendar_id: calendarId as CalendarId,
    questions: [{ id: 'topic', label: 'Topic', kind: 'text', required: false }],
  });
  /** As it is shown, and again after the provider was asked for everything. */
  const standing = async () => {
    await server.settle(30_000);
    await host.as(syncContract).syncAccount({ params: { accountId } });
    await server.settle(30_000);
    const from = Temporal.Now.instant().toString();
    const to = Temporal.Now.instant()
      .add({ hours: 24 * 40 })
      .toString();
    const { events } = await host.as(calendarContract).listEvents({ query: { from, to, calendar_ids: calendarId } });
    return events.map(({ title, start_time }) => [title, Temporal.Instant.from(start_time).epochMilliseconds / 60_000]);
  };
  const [first = 0, second = 0, third = 0] = await offered(place);
  const made = await post<Made>(`${place.path}/bookings`, {
    start: first,
    name: 'Bo Li',
    email: `bo-${name}@example.net`,
    zone: 'Asia/Tokyo',
    answers: { topic: 'Plans' },
  });
  const token = made.bookings[0]?.token ?? '';
  expect(await standing()).toEqual([['Intro: Bo Li', first]]);
  const { rows } = await sql<{ body: { core: { attendees?: { email: string }[]; notes?: string } } }>`
    select i.body::json as body from calendar.items i join booking.appointments a on a.item_id = i.id
    where a.calendar_id = ${calendarId} and i.gone_at is null`.execute(server.app.db);
  const [
    {
      body: { core },
    } = { body: { core: {} as { attendees?: { email: string }[]; notes?: string } } },
  ] = rows;
  expect(core.notes).toContain('Topic: Plans');
  // a provider that always mails invited people is given none
  expect(core.attendees?.map(({ email }) => email)).toEqual(
    name === 'microsoft' ? undefined : [`bo-${name}@example.net`],
  );

  // moved twice before anybody could write it, and the jobs once more
  await post(`/api/booked/${token}/reschedule`, { start: second, sequence: 0 });
  await post(`/api/booked/${token}/reschedule`, { start: third, sequence: 1 });
  await sql`update edits.edits set state = 'pending', step = 0, settled_ms = null
    where calendar_id = ${calendarId} and state = 'done' and kind = 'create'`.execute(server.app.db);
  await inTransaction(server.app.db, (tx) => server.app.news.announce(tx, editingWanted, { connectionId: accountId }));
  expect(await standing()).toEqual([['Intro: Bo Li', third]]);

  const [row] = (await host.as(bookingContract).listBookings({ query: { scope: 'upcoming' } })).bookings;
  expect(row).toMatchObject({ calendar_id: calendarId, sequence: 2 });
  await post(`/api/booked/${token}/cancel`, { reason: 'Ill' });
  expect(await standing()).toEqual([]);
});

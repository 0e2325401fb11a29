import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bookingContract } from '../src/features/booking/contract.ts';
import { calendarContract } from '../src/features/calendar/contract.ts';
import { connectionsContract } from '../src/features/connections/contract.ts';
import { inboxContract } from '../src/features/inbox/contract.ts';
import { syncContract } from '../src/features/sync/contract.ts';
import type { CalendarId } from '../src/kernel/ids.ts';
import { type Bookable, insertBookable } from './harness/bookable.ts';
import { type Connected, type ProviderWorld, startProviderWorld } from './harness/provider-world.ts';
import { readMails } from './harness/read-mails.ts';

/** A booking keeps its place in the week and its time when the calendar that had its event goes. */

const minute = 60_000;
const ada = 'ada@google.example';
const monday = Temporal.Now.plainDateISO('UTC').add({ days: 21 });
/** A Monday at ten in New York, some weeks ahead. */
const ten = monday
  .subtract({ days: monday.dayOfWeek - 1 })
  .toZonedDateTime({ timeZone: 'America/New_York', plainTime: '10:00' }).epochMilliseconds;
const textOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

let world: ProviderWorld;
let google: Connected;
beforeEach(async () => {
  world = await startProviderWorld();
  await world.google.control.seed({ account: ada, timeZone: 'Europe/Berlin', calendars: [{}] });
  google = await world.connect('google', ada);
  await world.settle();
}, 60_000);
afterEach(() => world.close());

const idOf = (account: Connected) => account.calendars[0]?.calendarId as CalendarId;

async function connectCaldav(): Promise<Connected> {
  await world.caldav.seed([{ user: 'ada', calendar: 'work', objects: [] }]);
  return world.connectCaldav('ada');
}

async function book(place: Bookable, startMs = ten): Promise<string> {
  const response = await world.server.inject({
    method: 'POST',
    url: `${place.path}/bookings`,
    payload: { start: startMs / minute, name: 'Bo Li', email: 'bo@example.net', zone: 'UTC' },
  });
  expect(response.statusCode, response.body).toBe(201);
  return response.json<{ bookings: { token: string }[] }>().bookings[0]?.token ?? '';
}

const disconnect = async ({ accountId }: Connected, query = {}) => {
  await world.person.as(connectionsContract).disconnect({ params: { accountId }, query });
  await expect
    .poll(
      async () => {
        await world.settle();
        const { accounts } = await world.person.as(connectionsContract).listAccounts();
        return accounts.map((one) => one.accountId);
      },
      { timeout: 30_000 },
    )
    .not.toContain(accountId);
  await world.settle();
};

/** The week at ten: titles with the calendar of each. */
async function atTen() {
  const { events } = await world.person
    .as(calendarContract)
    .listEvents({ query: { from: textOf(ten), to: textOf(ten + 30 * minute) } });
  return events.map(({ title, calendar_id }) => [title, calendar_id]);
}
/** The conflict check of a new event at ten. */
async function conflictsAtTen() {
  const { conflicts } = await world.person
    .as(calendarContract)
    .checkAvailability({ query: { start_time: textOf(ten), end_time: textOf(ten + 30 * minute) } });
  return conflicts.map(({ title }) => title);
}
async function titlesAtGoogle(): Promise<string[]> {
  const { accounts } = await world.google.control.snapshot();
  return Object.values(accounts[ada]?.calendars ?? {}).flatMap(({ events }) =>
    events.filter(({ status }) => status !== 'cancelled').map(({ summary }) => (summary ?? '') as string),
  );
}
async function blocks(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from sync.mirrors`.execute(world.server.app.db);
  return rows[0]?.n ?? 0;
}
const calendarsOfBookings = async () =>
  (await world.person.as(bookingContract).listBookings({ query: { scope: 'upcoming' } })).bookings.map(
    ({ calendar_id }) => calendar_id,
  );

test('a booking whose account is disconnected has its event in the next calendar, and one event after reconnecting', {
  timeout: 120_000,
}, async () => {
  const caldav = await connectCaldav();
  const place = await insertBookable(world.server, world.person, 'intro', { target_calendar_id: idOf(google) });
  await book(place);
  await world.settle();
  await world.mirror([idOf(google), idOf(caldav)]);
  await world.pass();
  expect(await titlesAtGoogle()).toEqual(['Intro: Bo Li']);
  expect(await blocks()).toBe(1);

  await disconnect(google);
  await world.pass();
  expect(await atTen()).toEqual([['Intro: Bo Li', idOf(caldav)]]);
  expect(await conflictsAtTen()).toEqual(['Intro: Bo Li']);
  expect(await calendarsOfBookings()).toEqual([idOf(caldav)]);
  expect(await titlesAtGoogle()).toEqual(['Intro: Bo Li']);
  expect(await world.person.as(bookingContract).listQuestions({})).toEqual({ questions: [] });

  google = await world.connect('google', ada);
  await world.pass();
  await world.pass();
  expect(await titlesAtGoogle()).toEqual([]);
  expect(await atTen()).toEqual([['Intro: Bo Li', idOf(caldav)]]);
  expect(await world.person.as(bookingContract).listQuestions({})).toEqual({ questions: [] });
  const sync = world.person.as(syncContract);
  for (const { groupId } of (await sync.listGroups()).groups) await sync.removeGroup({ params: { groupId } });
  await world.settle();
  await world.mirror([idOf(google), idOf(caldav)]);
  await world.pass();
  expect(await titlesAtGoogle()).toHaveLength(1);
  expect(await blocks()).toBe(1);
});

/** Everything that the host was asked about bookings: questions, notices of conflicts, and mails. */
async function everAsked() {
  const { rows } = await sql<{ kind: string; title: string | null }>`select kind, title from booking.questions`.execute(
    world.server.app.db,
  );
  const mails = await readMails(world.server, 'person@example.org');
  const { notices } = await world.person.as(inboxContract).listNotices({});
  const told = notices.map(({ kind }) => kind as string).filter((kind) => kind.includes('conflict'));
  return [...rows, ...told, ...mails.map(({ subject }) => subject).filter((subject) => subject.startsWith('Conflict'))];
}

test('a booking is no conflict with its event in an account that is being disconnected or was connected again', {
  timeout: 120_000,
}, async () => {
  const caldav = await connectCaldav();
  const place = await insertBookable(world.server, world.person, 'intro', { target_calendar_id: idOf(google) });
  await book(place);
  await world.settle();
  await world.mirror([idOf(google), idOf(caldav)]);
  await world.pass();
  expect(await everAsked()).toEqual([]);
  await disconnect(google);
  await world.pass();
  expect(await everAsked()).toEqual([]);
  google = await world.connect('google', ada);
  await world.pass();
  await world.pass();
  expect(await titlesAtGoogle()).toEqual([]);
  expect(await everAsked()).toEqual([]);
});

test('the last calendar of a host leaves the booking in a Holdfast calendar, and a new account leaves it there', {
  timeout: 120_000,
}, async () => {
  const place = await insertBookable(world.server, world.person, 'intro');
  const token = await book(place);
  await world.settle();
  await disconnect(google);
  const { accounts } = await world.person.as(connectionsContract).listAccounts();
  expect(accounts.map(({ provider }) => provider)).toEqual(['holdfast']);
  const [shown] = await atTen();
  expect(shown?.[0]).toBe('Intro: Bo Li');
  expect(await conflictsAtTen()).toEqual(['Intro: Bo Li']);
  await connectCaldav();
  await world.pass();
  expect(await atTen()).toEqual([shown]);
  // a canceled booking leaves nothing, here or at the former provider
  const response = await world.server.inject({ method: 'POST', url: `/api/booked/${token}/cancel`, payload: {} });
  expect(response.statusCode, response.body).toBe(200);
  await world.settle();
  expect(await atTen()).toEqual([]);
  google = await world.connect('google', ada);
  await world.pass();
  await world.pass();
  expect(await titlesAtGoogle()).toEqual([]);
});

test('an account without bookings leaves no calendar behind', { timeout: 60_000 }, async () => {
  await disconnect(google);
  expect((await world.person.as(connectionsContract).listAccounts()).accounts).toEqual([]);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyChanges } from '#features/calendar/public.ts';
import type { Attendee, Core, EventBody, Item } from '#kernel/event.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { bookingContract } from '../booking/contract.ts';
import { searchContract } from './contract.ts';
import { refreshDocuments } from './documents.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock: fixedClock('2027-03-01T09:00:00Z') });
});
afterAll(() => server.close());

interface Person {
  user: TestUser;
  calendarId: CalendarId;
  calendarIds: CalendarId[];
}

let people = 0;
async function newPerson(): Promise<Person> {
  people += 1;
  const user = await signUpUser(server, `reader${people}@example.org`);
  const { calendarId, otherCalendarId } = await insertOwnAccount(server, user);
  await sql`delete from sync.mirrors where user_id = ${user.userId}`.execute(server.app.db);
  await sql`delete from calendar.items where user_id = ${user.userId}`.execute(server.app.db);
  return { user, calendarId: calendarId as CalendarId, calendarIds: [calendarId, otherCalendarId] as CalendarId[] };
}

interface Sketch extends Partial<Core> {
  start?: string;
  attendees?: Attendee[];
}

function bodyOf({ start = '2027-03-02T10:00:00', ...more }: Sketch): EventBody {
  return {
    kind: 'single',
    when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 3600 } },
    core: { busy: 'busy', private: false, self: 'none', kind: 'default', ...more },
  };
}

const signal = new AbortController().signal;

async function store(
  person: Person,
  sketches: Record<string, Sketch>,
  options: Partial<Item> & { gone?: string[] } = {},
) {
  const { gone = [], ...more } = options;
  const items = Object.entries(sketches).map(
    ([ref, sketch]): Item => ({ ref, uid: ref, version: '1', provenance: 'foreign', body: bodyOf(sketch), ...more }),
  );
  const { calendarId, user } = person;
  const owner = { calendarId, userId: user.userId, calendarZone: 'UTC', ownerZone: 'UTC' };
  await inTransaction(server.app.db, (tx) => applyChanges(tx, owner, { items, gone }, server.app.clock.nowMs()));
  await refreshDocuments(server.app, calendarId, { signal });
}

const find = ({ user }: Person, q: string) => user.as(searchContract).search({ query: { q } });
const titles = async (person: Person, q: string) => (await find(person, q)).events.map((hit) => hit.title);

test('search matches word beginnings in any order, case and accents', async () => {
  const person = await newPerson();
  await store(person, { a: { title: 'Déjeuner à Łódź' }, b: { title: 'Dentist', location: 'Rue du Déjeuner' } });
  expect(await titles(person, 'lodz DEJ')).toEqual(['Déjeuner à Łódź']);
  expect(await titles(person, 'dejeuner')).toEqual(['Déjeuner à Łódź', 'Dentist']);
  expect(await titles(person, 'd')).toHaveLength(2);
  // the middle of a word is as near to a title as to a place
  expect((await titles(person, 'jeuner')).toSorted()).toEqual(['Dentist', 'Déjeuner à Łódź']);
  expect(await titles(person, '%_\\')).toEqual([]);
});

test('search ranks matching titles first, then words in titles, then places, and nearer dates before others', async () => {
  const person = await newPerson();
  await store(person, {
    place: { title: 'Lunch', location: 'Review room' },
    word: { title: 'Design review', start: '2027-03-01T10:00:00' },
    soon: { title: 'Review plans', start: '2027-03-03T10:00:00' },
    past: { title: 'Review budget', start: '2027-02-27T09:00:00' },
    late: { title: 'Review law', start: '2027-06-01T10:00:00' },
    whole: { title: 'Review', start: '2028-01-01T10:00:00' },
  });
  expect(await titles(person, 'review')).toEqual([
    'Review',
    'Review plans',
    'Review budget',
    'Review law',
    'Design review',
    'Lunch',
  ]);
});

test('search finds similar words for a typo', async () => {
  const person = await newPerson();
  await store(person, { a: { title: 'Physiotherapy' }, b: { title: 'Orthodontist' } });
  expect(await titles(person, 'phisiotherapy')).toEqual(['Physiotherapy']);
  expect(await titles(person, 'zzzz')).toEqual([]);
});

test('search lists events with other people as meetings, and those people, but neither oneself nor rooms', async () => {
  const person = await newPerson();
  const priya = { email: 'Priya@Example.net', name: 'Priya Raman' };
  await store(person, {
    a: { title: 'Sync', attendees: [priya, { email: person.user.email }] },
    b: { title: 'Priya birthday', attendees: [{ email: person.user.email }] },
    c: { title: 'Plan', start: '2027-03-01T10:00:00', attendees: [{ email: 'priya@example.net' }] },
  });
  const found = await find(person, 'priya');
  expect(found.meetings.map((hit) => hit.title)).toEqual(['Plan', 'Sync']);
  expect(found.events.map((hit) => hit.title)).toEqual(['Priya birthday']);
  expect(found.people).toEqual([{ email: 'priya@example.net', name: 'Priya Raman', events: 2 }]);
  expect((await find(person, 'priya@exam')).people).toHaveLength(1);
  expect((await find(person, 'prija raman')).people).toHaveLength(1);
  expect((await find(person, person.user.email)).people).toEqual([]);
});

test('a search result shows the nearest instance of a series, its calendar and its local day', async () => {
  const person = await newPerson();
  const body: EventBody = {
    kind: 'series',
    when: { kind: 'zoned', start: '2027-01-04T23:30:00', zone: 'UTC', duration: { seconds: 1800 } },
    core: { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Handover', location: 'Bridge' },
    rules: ['FREQ=WEEKLY'],
    exRules: [],
    extraDates: [],
    exdates: [],
    overrides: {},
  };
  await store(person, { a: {} }, { body });
  const { events } = await find(person, 'hand');
  expect(events).toMatchObject([
    {
      title: 'Handover',
      location: 'Bridge',
      day: '2027-03-01',
      recurring: true,
      all_day: false,
      calendar_name: 'Home',
    },
  ]);
  expect(events[0]?.event_id).toMatch(/_20270301T233000Z$/);
});

test('search follows a changed event and forgets a deleted event and its people', async () => {
  const person = await newPerson();
  const attendees = [{ email: 'sam@example.net' }];
  await store(person, { a: { title: 'Kickoff', attendees } });
  await store(person, { a: { title: 'Retrospective', attendees } }, { version: '2' });
  expect((await find(person, 'kickoff')).meetings).toEqual([]);
  expect((await find(person, 'retro')).meetings).toHaveLength(1);
  await store(person, {}, { gone: ['a'] });
  expect((await find(person, 'retro')).meetings).toEqual([]);
  await sql`delete from calendar.items where user_id = ${person.user.userId}`.execute(server.app.db);
  expect((await find(person, 'sam')).people).toEqual([]);
});

test('search does not find mirrors', async () => {
  const person = await newPerson();
  await store(person, { a: { title: 'Shadow' } }, { provenance: 'own' });
  expect(await titles(person, 'shadow')).toEqual([]);
});

test('an unchanged search document is not rewritten, and a lost one is rebuilt', async () => {
  const person = await newPerson();
  await store(person, { a: { title: 'Anchor' } });
  const written = () =>
    sql<{ xmin: string }>`
    select xmin::text from search.documents where user_id = ${person.user.userId}`.execute(server.app.db);
  const before = (await written()).rows;
  await refreshDocuments(server.app, person.calendarId, { all: true, signal });
  expect((await written()).rows).toEqual(before);
  await sql`delete from search.documents where user_id = ${person.user.userId}`.execute(server.app.db);
  await refreshDocuments(server.app, person.calendarId, { signal, all: true });
  expect(await titles(person, 'anchor')).toEqual(['Anchor']);
});

test('search never finds events or people of another user', async () => {
  const [one, other] = [await newPerson(), await newPerson()];
  await store(one, { a: { title: 'Secret merger', attendees: [{ email: 'ceo@example.net', name: 'Merger Person' }] } });
  expect((await find(one, 'merger')).meetings).toHaveLength(1);
  expect(await find(other, 'merger')).toEqual({
    events: [],
    meetings: [],
    people: [],
    contacts: [],
    calendars: [],
    links: [],
  });
  expect(await find(other, 'mergre')).toEqual({
    events: [],
    meetings: [],
    people: [],
    contacts: [],
    calendars: [],
    links: [],
  });
});

test('search finds calendars by account name', async () => {
  const person = await newPerson();
  expect((await find(person, 'home')).calendars).toHaveLength(2);
  expect((await find(person, 'work')).calendars).toEqual([]);
});

test('the search index keeps nothing of a deleted account', async () => {
  const person = await newPerson();
  await store(person, { a: { title: 'Farewell', attendees: [{ email: 'pat@example.net' }] } });
  await sql`delete from accounts.users where id = ${person.user.userId}`.execute(server.app.db);
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from search.documents where user_id = ${person.user.userId})
      + (select count(*) from search.attendances where user_id = ${person.user.userId})
      + (select count(*) from search.people where user_id = ${person.user.userId})
      + (select count(*) from search.readings where calendar_id = any(${person.calendarIds}::uuid[])) as left
  `.execute(server.app.db);
  expect(Number(rows[0]?.left)).toBe(0);
});

test("search finds a user's own booking links by name and by type", async () => {
  const { user } = await newPerson();
  const api = user.as(bookingContract);
  await api.changeHandle({ body: { handle: 'searched-for' } });
  await api.createEventType({ body: { title: 'Intro call', kind: 'one-on-one' } });
  await api.createEventType({ body: { title: 'Deep dive', kind: 'one-on-one' } });
  const titles = async (as: TestUser, q: string) =>
    (await as.as(searchContract).search({ query: { q } })).links.map(({ title }) => title);
  expect(await titles(user, 'intro')).toEqual(['Intro call']);
  expect(await titles(user, 'booking link')).toEqual(['Intro call', 'Deep dive']);
  expect(await titles((await newPerson()).user, 'intro')).toEqual([]);
});

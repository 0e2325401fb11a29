import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyChanges } from '#features/calendar/public.ts';
import type { Attendee, EventBody, Item } from '#kernel/event.ts';
import type { CalendarId, TeamId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { insertOwnTeam } from '../../../test/harness/own-team.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { findContactOwner } from '../booking/contact-owner.ts';
import { connectionsContract } from '../connections/contract.ts';
import { searchContract } from '../search/contract.ts';
import { teamsContract } from '../teams/contract.ts';
import { contactsContract } from './contract.ts';
import { readCalendar, repairContacts } from './meetings.ts';
import { findPairs } from './store/find-contacts.ts';
import { suggestionsContract } from './suggestions/contract.ts';

const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
const signal = new AbortController().signal;
let server: TestApp;
let smtp: TestSmtpServer;
beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ clock, config: { smtpUrl: smtp.url } });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

interface Person {
  user: TestUser;
  calendarIds: CalendarId[];
}

let people = 0;
async function newPerson(): Promise<Person> {
  clock.set('2027-03-01T08:00:00Z');
  people += 1;
  const user = await signUpUser(server, `host${people}@example.org`);
  await sql`update accounts.users set zone = 'America/New_York' where id = ${user.userId}`.execute(server.app.db);
  const { calendarId, otherCalendarId } = await insertOwnAccount(server, user);
  await sql`delete from sync.mirrors where user_id = ${user.userId}`.execute(server.app.db);
  await sql`delete from calendar.items where user_id = ${user.userId}`.execute(server.app.db);
  return { user, calendarIds: [calendarId, otherCalendarId] as CalendarId[] };
}

const core = (attendees: Attendee[], title = 'Talk') =>
  ({ busy: 'busy', private: false, self: 'none', kind: 'default', title, attendees }) as const;
const single = (start: string, attendees: Attendee[], title?: string): EventBody => ({
  kind: 'single',
  when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 3600 } },
  core: core(attendees, title),
});

async function store(
  { user, calendarIds }: Person,
  bodies: Record<string, EventBody>,
  {
    calendar = 0,
    gone = [],
    provenance = 'foreign',
  }: { calendar?: number; gone?: string[]; provenance?: Item['provenance'] } = {},
) {
  const calendarId = calendarIds[calendar] as CalendarId;
  const items = Object.entries(bodies).map(
    ([ref, body]): Item => ({ ref, uid: ref, version: JSON.stringify(body), provenance, body }),
  );
  const owner = { calendarId, userId: user.userId, calendarZone: 'UTC', ownerZone: 'UTC' };
  await inTransaction(server.app.db, (tx) => applyChanges(tx, owner, { items, gone }, server.app.clock.nowMs()));
  await readCalendar(server.app, calendarId, signal);
}

const api = ({ user }: Person) => user.as(contactsContract);
const list = (
  person: Person,
  query: Parameters<ReturnType<typeof api>['listContacts']>[0] extends { query?: infer Q } | undefined ? Q : never = {},
) => api(person).listContacts({ query: query ?? {} });
const addresses = async (person: Person, query: Parameters<typeof list>[1] = {}) =>
  (await list(person, query)).contacts.map(({ addresses: [first] }) => first?.address);
const idOf = async (person: Person, address: string) =>
  (await list(person)).contacts.find((one) => one.addresses.some((known) => known.address === address))?.id as never;
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  return await work.then(
    () => undefined,
    (error: { code?: string; message?: string }) => error.code ?? error.message,
  );
}

let guests = 0;
async function book(person: Person, email: string, name = 'Gus Guest', start = Date.UTC(2027, 2, 8, 14)) {
  guests += 1;
  const { path } = await insertBookable(server, person.user, `intro-${guests}`);
  const response = await server.inject({
    method: 'POST',
    url: `${path}/bookings`,
    payload: { start: start / minute, name, email, zone: 'Asia/Tokyo', language: 'en' },
  });
  expect(response.statusCode, response.body).toBe(201);
  await server.settle();
  return response.json<{ bookings: { token: string }[] }>().bookings[0]?.token ?? '';
}

const nina = { email: 'Nina@Example.net', name: 'Nina Novak' };
const omar = { email: 'omar@example.net', name: 'Omar' };

test('attendees become contacts in lower case, except oneself, team members, rooms, machines and large groups', async () => {
  const person = await newPerson();
  const { userId: mateId } = await insertOwnTeam(server, person.user);
  const crowd = Array.from({ length: 51 }, (_, n) => ({ email: `crowd${n}@example.net` }));
  await store(person, {
    a: single('2027-03-02T10:00:00', [
      nina,
      omar,
      { email: person.user.email.toUpperCase() },
      { email: `${mateId}@example.org`, name: 'Team Mate' },
      { email: 'c_1@resource.calendar.google.com' },
      { email: 'no-reply@example.net' },
    ]),
    b: single('2027-03-03T10:00:00', crowd),
  });
  const { contacts } = await list(person, { order: 'name' });
  expect(contacts).toMatchObject([
    { name: 'Nina Novak', addresses: [{ address: 'nina@example.net' }], source: 'calendar', total_meetings: 0 },
    { name: 'Omar', addresses: [{ address: 'omar@example.net' }] },
  ]);
  expect(contacts[0]?.next_meeting).toBe('2027-03-02T10:00:00Z');
});

test('each meeting counts once after its end, despite copies, mirrors and recurring instances', async () => {
  const person = await newPerson();
  await store(person, { a: single('2027-03-02T10:00:00', [nina]) });
  await store(person, { a: single('2027-03-02T10:00:00', [nina]) }, { calendar: 1 });
  await store(person, { block: single('2027-03-02T10:00:00', [nina]) }, { calendar: 1, provenance: 'own' as never });
  await store(person, {
    weekly: {
      kind: 'series',
      when: { kind: 'zoned', start: '2027-03-04T10:00:00', zone: 'UTC', duration: { seconds: 3600 } },
      core: core([nina, omar], 'Weekly'),
      rules: ['FREQ=WEEKLY;COUNT=4'],
      exRules: [],
      extraDates: [],
      exdates: [],
      overrides: {},
    },
  });
  const ninas = async () => (await list(person)).contacts.find(({ name }) => name === 'Nina Novak');
  expect(await ninas()).toMatchObject({ total_meetings: 0, next_meeting: '2027-03-02T10:00:00Z', last_meeting: null });
  clock.set('2027-03-02T11:00:00Z');
  expect(await ninas()).toMatchObject({ total_meetings: 1, last_meeting: '2027-03-02T10:00:00Z' });
  clock.set('2027-03-11T10:30:00Z');
  expect(await ninas()).toMatchObject({ total_meetings: 2, next_meeting: '2027-03-11T10:00:00Z' });
  clock.set('2027-05-01T10:00:00Z');
  expect(await ninas()).toMatchObject({ total_meetings: 5, next_meeting: null, last_meeting: '2027-03-25T10:00:00Z' });
  const { meetings, more } = await api(person).listContactMeetings({
    params: { id: await idOf(person, 'nina@example.net') },
  });
  expect(more).toBe(false);
  expect(meetings.map(({ title, start_time }) => `${title} ${start_time}`)).toEqual([
    'Weekly 2027-03-25T10:00:00Z',
    'Weekly 2027-03-18T10:00:00Z',
    'Weekly 2027-03-11T10:00:00Z',
    'Weekly 2027-03-04T10:00:00Z',
    'Talk 2027-03-02T10:00:00Z',
  ]);
  // the calendar drops instances after ninety days; contacts keep them through every check
  await repairContacts(server.app, person.user.userId, signal);
  clock.set('2027-06-15T10:00:00Z');
  await repairContacts(server.app, person.user.userId, signal);
  await sql`delete from calendar.items where user_id = ${person.user.userId}`.execute(server.app.db);
  await repairContacts(server.app, person.user.userId, signal);
  expect(await ninas()).toMatchObject({ total_meetings: 5 });
});

test('a deleted event no longer counts as a meeting and keeps its contacts', async () => {
  const person = await newPerson();
  await store(person, { a: single('2027-03-02T10:00:00', [nina]), b: single('2027-03-03T10:00:00', [nina]) });
  clock.set('2027-03-05T10:00:00Z');
  expect((await list(person)).contacts).toMatchObject([{ total_meetings: 2 }]);
  await store(person, {}, { gone: ['b'] });
  expect((await list(person)).contacts).toMatchObject([{ total_meetings: 1, last_meeting: '2027-03-02T10:00:00Z' }]);
});

test('a guest becomes a contact with the booking, and a cancelled booking no longer counts', async () => {
  const person = await newPerson();
  const token = await book(person, 'Gus@Example.net');
  expect((await list(person)).contacts).toMatchObject([
    {
      name: 'Gus Guest',
      addresses: [{ address: 'gus@example.net' }],
      source: 'booking',
      next_meeting: '2027-03-08T14:00:00Z',
    },
  ]);
  const response = await server.inject({ method: 'POST', url: `/api/booked/${token}/cancel`, payload: {} });
  expect(response.statusCode, response.body).toBe(200);
  await server.settle();
  expect((await list(person)).contacts).toMatchObject([{ next_meeting: null, total_meetings: 0 }]);
});

test('bookings of a contact count past and to come, beside the meetings of calendars', async () => {
  const person = await newPerson();
  const bookAt = async (start: number) => {
    // a second booking within an hour has to prove the address
    clock.advance({ hours: 2 });
    return await book(person, 'gus@example.net', 'Gus Guest', start);
  };
  await bookAt(Date.UTC(2027, 2, 1, 15));
  await bookAt(Date.UTC(2027, 2, 9, 15));
  const gone = await bookAt(Date.UTC(2027, 2, 10, 15));
  await server.inject({ method: 'POST', url: `/api/booked/${gone}/cancel`, payload: {} });
  await server.settle();
  const gus = { email: 'gus@example.net', name: 'Gus' };
  await store(
    person,
    Object.fromEntries(
      Array.from({ length: 5 }, (_, n) => [`e${n}`, single(`2027-03-0${n + 2}T10:00:00`, [gus, nina])]),
    ),
  );
  await store(person, { ahead: single('2027-03-08T10:00:00', [gus, nina], 'Standup') });
  clock.set('2027-03-07T10:00:00Z');
  const { contacts } = await list(person, { order: 'total' });
  expect(contacts).toMatchObject([
    { addresses: [{ address: 'gus@example.net' }], total_bookings: 2, total_meetings: 6 },
    { addresses: [{ address: 'nina@example.net' }], total_bookings: 0, total_meetings: 5 },
  ]);
  const profile = async (address: string) =>
    await api(person).readContact({ params: { id: await idOf(person, address) } });
  const guest = await profile('gus@example.net');
  expect(guest.next).toMatchObject({ title: 'Standup' });
  expect(guest.bookings_ahead).toMatchObject([{ start_time: '2027-03-09T15:00:00Z' }]);
  expect((await profile('nina@example.net')).bookings_ahead).toEqual([]);
  // a no-show had booked all the same
  await sql`update booking.bookings set guest_no_show = true where user_id = ${person.user.userId}`.execute(
    server.app.db,
  );
  await repairContacts(server.app, person.user.userId, signal);
  expect((await list(person, { order: 'total' })).contacts[0]).toMatchObject({ total_bookings: 2, total_meetings: 5 });
});

test.each(['round-robin', 'collective'] as const)(
  'the guests of a %s booking that was handed over are no contacts of a removed member, in lists and in search',
  async (kind) => {
    const handle = `former-${kind}`;
    const [anna, ben] = await Promise.all(
      ['anna', 'ben'].map(async (name) => {
        const user = await signUpUser(server, `${name}-${kind}@example.org`);
        await user.as(connectionsContract).connectOwn();
        return user;
      }),
    );
    if (!anna || !ben) throw new Error('nobody signed up');
    clock.set('2027-03-01T08:00:00Z');
    const teamId = await insertTeam(server, handle, [{ user: anna }, { user: ben }]);
    const hosts = [
      { user: anna, priority: 2 },
      { user: ben, priority: 1 },
    ];
    const { path } = await insertTeamType(server, { teamId, handle }, hosts, { kind });
    await server.settle();
    const bookAt = async (start: number, name: string) => {
      const email = `${name.split(' ')[0]?.toLowerCase()}@${kind}.example`;
      const payload = { start: start / minute, name, email, zone: 'Asia/Tokyo', language: 'en' };
      const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
      expect(response.statusCode, response.body).toBe(201);
      await server.settle();
    };
    await bookAt(Date.UTC(2027, 2, 8, 14), 'Gus Guest');
    // a round robin gives this one to the other host
    await bookAt(Date.UTC(2027, 2, 8, 15), 'Other Person');
    await bookAt(Date.UTC(2027, 2, 8, 16), 'Noted Guest');
    await repairContacts(server.app, ben.userId, signal);
    const contacts = ben.as(contactsContract);
    const names = async () =>
      new Set((await contacts.listContacts({ query: { q: 'guest' } })).contacts.map(({ name }) => name));
    const found = async () => {
      const { contacts: known, people: met } = await ben.as(searchContract).search({ query: { q: 'guest' } });
      return new Set([...known, ...met].map(({ name }) => name));
    };
    expect(await names()).toEqual(new Set(['Gus Guest', 'Noted Guest']));
    expect(await found()).toEqual(new Set(['Gus Guest', 'Noted Guest']));
    const noted = (await contacts.listContacts({ query: {} })).contacts.find(({ name }) => name === 'Noted Guest');
    await contacts.addNote({ params: { id: noted?.id as never }, body: { body: 'Prefers mornings' } });

    await anna.as(teamsContract).removeMember({ params: { teamId, userId: ben.userId as never } });
    await server.settle();
    await repairContacts(server.app, ben.userId, signal);
    // the note is of their own making, and its contact stays with it
    expect(await names()).toEqual(new Set(['Noted Guest']));
    expect(await found()).toEqual(new Set(['Noted Guest']));
    const taken = await anna.as(contactsContract).listContacts({ query: {} });
    expect(taken.contacts.map(({ name }) => name)).toContain('Gus Guest');
  },
);

test('a phone number given while booking fills the contact where none is known', async () => {
  const person = await newPerson();
  await api(person).addContact({ body: { address: 'known@example.net', name: 'Known', phone: '+49 30 1' } });
  await api(person).addContact({ body: { address: 'empty@example.net', name: 'Empty' } });
  for (const [n, email] of ['known@example.net', 'empty@example.net', 'new@example.net'].entries()) {
    const slug = `call-${people}-${n}`;
    const { path } = await insertBookable(server, person.user, slug, {
      location: { kind: 'phone', who_calls: 'host', number: '' },
    });
    const answer = await server.inject({
      method: 'POST',
      url: `${path}/bookings`,
      payload: {
        start: Date.UTC(2027, 2, 8 + n, 14) / minute,
        name: 'Gus Guest',
        email,
        zone: 'UTC',
        language: 'en',
        phone: '+4930123456',
      },
    });
    expect(answer.statusCode, answer.body).toBe(201);
  }
  await server.settle();
  const phones = (await list(person, { order: 'name' })).contacts.map((one) => [one.addresses[0]?.address, one.phone]);
  expect(Object.fromEntries(phones)).toEqual({
    'known@example.net': '+49 30 1',
    'empty@example.net': '+4930123456',
    'new@example.net': '+4930123456',
  });
  expect(await addresses(person, { q: '4930123456' })).toHaveLength(2);
});

test('a deleted contact stays deleted when events are read again and returns with a new meeting', async () => {
  const person = await newPerson();
  await store(person, { a: single('2027-03-02T10:00:00', [nina]) });
  const id = await idOf(person, 'nina@example.net');
  await api(person).addNote({ params: { id }, body: { body: 'Likes tea' } });
  await api(person).deleteContact({ params: { id } });
  expect(await addresses(person)).toEqual([]);
  await store(person, { a: single('2027-03-02T11:00:00', [nina], 'Moved') });
  await repairContacts(server.app, person.user.userId, signal);
  await store(person, { old: single('2027-02-02T11:00:00', [nina], 'Read late') });
  expect(await addresses(person)).toEqual([]);
  await store(person, { b: single('2027-03-09T10:00:00', [nina]) });
  expect(await addresses(person)).toEqual(['nina@example.net']);
  await api(person).deleteContact({ params: { id } });
  await api(person).restoreContact({ params: { id } });
  expect((await api(person).readContact({ params: { id } })).notes).toMatchObject([{ body: 'Likes tea' }]);
  // after thirty days the address alone is kept, and nothing is left to be taken back
  await api(person).deleteContact({ params: { id } });
  clock.set('2027-04-05T10:00:00Z');
  expect(await refusal(api(person).restoreContact({ params: { id } }))).toBe('NOT_FOUND');
});

test('duplicate contacts are suggested, merged and split again without losing data', async () => {
  const person = await newPerson();
  await store(person, {
    a: single('2027-03-02T10:00:00', [{ email: 'nina.novak+work@gmail.com', name: 'Nina Novak' }]),
    b: single('2027-03-03T10:00:00', [{ email: 'ninanovak@googlemail.com' }]),
    c: single('2027-03-04T10:00:00', [{ email: 'nn@example.net', name: 'NOVAK, Nina' }, omar]),
  });
  clock.set('2027-03-05T10:00:00Z');
  const suggested = async () =>
    (await api(person).listDuplicates()).pairs.map(({ why, keep, other }) =>
      [why, ...[keep.address, other.address].sort()].join(' '),
    );
  expect((await suggested()).sort()).toEqual([
    'address nina.novak+work@gmail.com ninanovak@googlemail.com',
    'name nina.novak+work@gmail.com nn@example.net',
  ]);
  const id = await idOf(person, 'ninanovak@googlemail.com');
  const other = await idOf(person, 'nina.novak+work@gmail.com');
  await api(person).changeContact({ params: { id: other }, body: { tags: ['Client'], phone: '+49 30 1' } });
  await api(person).addNote({ params: { id: other }, body: { body: 'Met in Łódź' } });
  const { moved } = await api(person).mergeContacts({ params: { id }, body: { other_id: other } });
  expect(moved).toEqual([other]);
  expect(await api(person).readContact({ params: { id } })).toMatchObject({
    contact: { name: 'Nina Novak', phone: '+49 30 1', tags: ['Client'], total_meetings: 2, addresses: [{}, {}] },
    notes: [{ body: 'Met in Łódź' }],
  });
  expect(await addresses(person, { q: 'novak gmail' })).toEqual(['ninanovak@googlemail.com']);
  expect(await refusal(api(person).readContact({ params: { id: other } }))).toBe('NOT_FOUND');
  await api(person).splitContact({ params: { id }, body: { ids: moved } });
  const parted = (await list(person)).contacts;
  expect(parted.find((one) => one.id === id)).toMatchObject({ name: null, phone: null, tags: [], total_meetings: 1 });
  expect(parted.find((one) => one.id === other)).toMatchObject({
    name: 'Nina Novak',
    phone: '+49 30 1',
    tags: ['Client'],
    total_meetings: 1,
  });
  await api(person).keepApart({ params: { id }, body: { other_id: other } });
  expect(await suggested()).toEqual(['name nina.novak+work@gmail.com nn@example.net']);
});

test('contacts are paged in every order, filtered, and searched by parts, accents and near matches', async () => {
  const person = await newPerson();
  const many = Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [
      `e${n}`,
      single(`2027-03-01T${String(9 + (n % 8)).padStart(2, '0')}:00:00`, [
        { email: `p${n}@example.net`, name: `Person Number${n}` },
      ]),
    ]),
  );
  await store(person, many);
  await store(person, { far: single('2026-01-05T10:00:00', [{ email: 'zoe@łódź.example', name: 'Zoë Łukasz' }]) });
  await api(person).addContact({ body: { address: 'hand@example.net', name: 'By Hand', tags: ['VIP', 'vip'] } });
  clock.set('2027-03-02T08:00:00Z');
  for (const order of ['last', 'name', 'total'] as const) {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await list(person, { order, ...(after === undefined ? {} : { after }) });
      expect(page.matching).toBe(122);
      seen.push(...page.contacts.map(({ id }) => id));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(new Set(seen).size).toBe(122);
    expect(seen.length).toBe(122);
  }
  expect(await addresses(person, { tag: 'VIP' })).toEqual(['hand@example.net']);
  expect(await addresses(person, { source: 'hand' })).toEqual(['hand@example.net']);
  expect(await addresses(person, { met: 'never' })).toEqual(['hand@example.net', 'zoe@łódź.example'].slice(0, 1));
  expect((await list(person, { met: '30-days' })).matching).toBe(120);
  expect(await addresses(person, { q: 'lukasz ZOE' })).toEqual(['zoe@łódź.example']);
  expect(await refusal(list(person, { after: '["last","x","y"]' }))).toBe('INVALID_INPUT');
  const found = await person.user.as(searchContract).search({ query: { q: 'zoe lukas' } });
  expect(found.contacts).toMatchObject([{ name: 'Zoë Łukasz' }]);
});

test('a contact import previews every row, names bad rows, overwrites nothing and can be repeated', async () => {
  const person = await newPerson();
  await api(person).addContact({ body: { address: 'nina@example.net', name: 'Nina', tags: ['Client'] } });
  const csv = [
    'Name;E-mail Address;Company;Labels;Notes',
    'Nina Wrong;NINA@example.net;Acme;Friend;"two\nlines; and ""quotes"""',
    'Nobody;;;;',
    'Bad;no address;;;',
    'Zoë;zoe@example.net;;;',
    'Zoë again;zoe@example.net;;;',
    "'=cmd;formula@example.net;;;",
  ].join('\r\n');
  const send = async (url: string, text: string | Uint8Array, type = 'text/csv') => {
    const response = await server.inject({
      method: 'POST',
      url: `/api/contacts/${url}`,
      headers: { authorization: `Bearer ${person.user.token}`, 'content-type': type },
      payload: Buffer.from(text as string),
    });
    return { status: response.statusCode, body: response.json() };
  };
  const { body: preview } = await send('imports/preview', csv);
  expect(preview).toMatchObject({ added: 2, changed: 1, same: 0, refused: 3 });
  expect(preview.rows.filter((row: { what: string }) => row.what === 'refused')).toMatchObject([
    { reason: 'no-address', address: 'Nobody, , , ,' },
    { reason: 'bad-address' },
    { reason: 'twice' },
  ]);
  expect((await list(person)).total).toBe(1);
  expect((await send('imports', csv)).body).toEqual(preview);
  expect((await send('imports', csv)).body).toMatchObject({ added: 0, changed: 0, same: 3, refused: 3 });
  const profile = await api(person).readContact({ params: { id: await idOf(person, 'nina@example.net') } });
  expect(profile).toMatchObject({
    contact: { name: 'Nina', company: 'Acme', tags: ['Client', 'Friend'] },
    notes: [{ body: 'two\nlines; and "quotes"' }],
  });
  expect((await send('imports', 'nothing\nhere')).status).toBe(422);
  expect((await send('imports', 'x'.repeat(2 * 1024 * 1024 + 1))).status).toBe(413);
});

test('exported contacts are imported unchanged from CSV, vCard 4.0 and 3.0, with spreadsheet formulas neutralized', async () => {
  const person = await newPerson();
  await api(person).addContact({
    body: {
      address: 'zoe@example.net',
      name: '=1+1; Zoë, "Z"',
      phone: '+49 30 1',
      company: 'Łódź; Ltd',
      tags: ['A', 'b c'],
    },
  });
  await api(person).addNote({
    params: { id: await idOf(person, 'zoe@example.net') },
    body: { body: 'one\ntwo, three' },
  });
  const get = async (path: string) =>
    (await server.inject({ url: `/api/contacts/${path}`, headers: { authorization: `Bearer ${person.user.token}` } }))
      .body;
  const files = [
    ['export.csv', 'text/csv'],
    ['export.vcf', 'text/vcard'],
    ['export.vcf?version=3.0', 'text/vcard'],
  ] as const;
  expect(await get('export.csv')).toContain(`"'=1+1; Zoë, ""Z"""`);
  for (const [path, type] of files) {
    const other = await newPerson();
    const response = await server.inject({
      method: 'POST',
      url: '/api/contacts/imports',
      headers: { authorization: `Bearer ${other.user.token}`, 'content-type': type },
      payload: Buffer.from(await get(path)),
    });
    expect(response.json(), path).toMatchObject({ added: 1, refused: 0 });
    const profile = await api(other).readContact({ params: { id: await idOf(other, 'zoe@example.net') } });
    expect(profile, path).toMatchObject({
      contact: { name: '=1+1; Zoë, "Z"', phone: '+49 30 1', company: 'Łódź; Ltd', tags: ['A', 'b c'] },
      notes: [{ body: 'one\ntwo, three' }],
    });
  }
});

test('a follow-up is mailed only to contacts who have booked and have confirmed their address, three times a day', async () => {
  const person = await newPerson();
  const guest = `guest-${people}@example.net`;
  await book(person, guest);
  const id = await idOf(person, guest);
  const mails = () => smtp.mailsTo(guest).filter(({ parsed }) => parsed.subject === 'Thank you');
  // a host can book any address on their own page
  const unproved = api(person).sendFollowUp({ params: { id }, body: { subject: 'Thank you', body: 'x' } });
  expect(await refusal(unproved)).toBe('NEVER_BOOKED');
  expect((await api(person).readContact({ params: { id } })).follow_up).toBe('never-booked');
  const prove = (hostId: string) =>
    sql`update booking.bookings set mail_confirmed_ms = 1 where guest_email = ${guest} and user_id = ${hostId}`.execute(
      server.app.db,
    );
  // shown to another host only
  const other = await newPerson();
  await book(other, guest, 'Gus Guest', Date.UTC(2027, 2, 8, 15));
  await prove(other.user.userId);
  expect((await api(person).readContact({ params: { id } })).follow_up).toBe('never-booked');
  await prove(person.user.userId);
  expect((await api(person).readContact({ params: { id } })).follow_up).toBe('here');
  for (let n = 0; n < 3; n += 1)
    await api(person).sendFollowUp({ params: { id }, body: { subject: 'Thank you', body: '<b>It was nice</b>' } });
  const again = api(person).sendFollowUp({ params: { id }, body: { subject: 'Thank you', body: 'x' } });
  expect(await refusal(again)).toBe('FOLLOW_UP_LIMIT');
  await server.settle();
  expect(mails()).toHaveLength(3);
  expect(mails()[0]?.parsed.text).toContain('<b>It was nice</b>');
  expect((await api(person).readContact({ params: { id } })).follow_ups).toHaveLength(3);
  await store(person, { a: single('2027-03-02T10:00:00', [nina]) });
  const stranger = await idOf(person, 'nina@example.net');
  const toStranger = api(person).sendFollowUp({ params: { id: stranger }, body: { subject: 'Buy', body: 'x' } });
  expect(await refusal(toStranger)).toBe('NEVER_BOOKED');
});

test('a team contact keeps its owner until that account is deleted, and outsiders cannot name one', async () => {
  const person = await newPerson();
  const { db } = server.app;
  await api(person).addContact({ body: { address: 'nina@example.net' } });
  const id = await idOf(person, 'nina@example.net');
  const { teamId, userId: mateId } = await insertOwnTeam(server, person.user);
  const params = { id, team_id: teamId as TeamId };
  const ownerOf = (email: string, among = [mateId]) =>
    findContactOwner(db, { teamId: teamId as TeamId, email, among: among as never });
  await api(person).nameOwner({ params, body: { user_id: mateId } });
  expect(await ownerOf('NINA@example.net')).toBe(mateId);
  expect(await ownerOf('nina@example.net', [person.user.userId])).toBe(null);
  expect((await api(person).readContact({ params: { id } })).teams).toMatchObject([
    { owner_id: mateId, may_choose: true },
  ]);
  expect(await refusal(api(person).nameOwner({ params, body: { user_id: (await newPerson()).user.userId } }))).toBe(
    'NO_MEMBER',
  );
  await sql`update teams.members set role = 'viewer' where user_id = ${mateId}`.execute(db);
  const stranger = await newPerson();
  await api(stranger).addContact({ body: { address: 'nina@example.net' } });
  const theirs = { id: await idOf(stranger, 'nina@example.net'), team_id: teamId as TeamId };
  expect(await refusal(api(stranger).nameOwner({ params: theirs, body: { user_id: null } }))).toBe('NOT_FOUND');
  await sql`delete from accounts.users where id = ${mateId}`.execute(db);
  expect(await ownerOf('nina@example.net')).toBe(null);
});

test('5,000 contacts of one name cost a look for duplicates no more than its answer', async () => {
  const person = await newPerson();
  await sql`
    insert into contacts.contacts (id, user_id, person_id, address, address_key, name, name_key, text, source, created_ms, changed_ms)
    select id, ${person.user.userId}, id, n || '@same.example', 'same@same.example', 'Ana Lima', 'ana lima', ' ana lima', 'import', n, n
    from (select gen_random_uuid() as id, n from generate_series(1, 5000) n) r`.execute(server.app.db);
  await server.app.db.transaction().execute(async (tx) => {
    // the comparison of all pairs takes 12.5 million rows, and forty seconds
    await sql`set local statement_timeout = 2000`.execute(tx);
    const pairs = await findPairs(tx, person.user.userId, 20);
    expect(pairs.map(({ why, keepAddress, otherAddress }) => [why, keepAddress, otherAddress])).toHaveLength(20);
    expect(pairs.every(({ keepAddress }) => keepAddress === '1@same.example')).toBe(true);
  });
  const { pairs } = await api(person).listDuplicates();
  expect(pairs).toHaveLength(20);
});

test('1,201 imported contacts are counted for their list, while another look is counting one of them', async () => {
  const person = await newPerson();
  const { userId } = person.user;
  await store(person, { m: single('2027-02-01T10:00:00', [{ email: 'p1200@y.example', response: 'accepted' }]) });
  await sql`insert into contacts.contacts (id, user_id, person_id, address, address_key, text, created_ms, changed_ms, source)
    select i, ${userId}, i, 'p' || n || '@y.example', 'p' || n || '@y.example', '', 0, 0, 'import'
    from (select gen_random_uuid() as i, n from generate_series(1, 1199) n) given`.execute(server.app.db);
  const [busy] = (
    await sql<{
      id: string;
    }>`select id from contacts.contacts where user_id = ${userId} and address = 'p7@y.example'`.execute(server.app.db)
  ).rows;
  await inTransaction(server.app.db, async (tx) => {
    await sql`select id from contacts.contacts where id = ${busy?.id} for update`.execute(tx);
    const { total, contacts } = await api(person).listContacts({ query: {} });
    expect(total).toBe(1_200);
    expect(contacts[0]).toMatchObject({ addresses: [{ address: 'p1200@y.example' }], total_meetings: 1 });
  });
  const due = () =>
    sql<{
      n: number;
    }>`select count(*)::int as n from contacts.contacts where user_id = ${userId} and due_ms <= 1`.execute(
      server.app.db,
    );
  expect((await due()).rows).toEqual([{ n: 1 }]);
  await api(person).listContacts({ query: {} });
  expect((await due()).rows).toEqual([{ n: 0 }]);
});

const suggested = async (person: Person, q: string) =>
  (await person.user.as(suggestionsContract).suggestGuests({ query: { q } })).guests.map(({ address }) => address);

test('guests are suggested by the beginning of a word of their name or address, those met lately first', async () => {
  const person = await newPerson();
  await store(person, {
    old: single('2026-11-01T10:00:00', [{ email: 'jonas@old.example', name: 'Jonas Alt' }]),
    one: single('2027-02-20T10:00:00', [
      { email: 'jo@often.example', name: 'Zoë Jonsson' },
      { email: 'x@once.example', name: 'Abel Jónás' },
    ]),
    two: single('2027-02-21T10:00:00', [{ email: 'jo@often.example', name: 'Zoë Jonsson' }]),
    ahead: single('2027-03-20T10:00:00', [{ email: 'jonna@ahead.example' }]),
  });
  await api(person).addContact({ body: { address: 'jon@never.example' } });
  expect(await suggested(person, 'jon')).toEqual([
    'jo@often.example',
    'x@once.example',
    'jonna@ahead.example',
    'jonas@old.example',
    'jon@never.example',
  ]);
  expect(await suggested(person, 'JONAS a')).toEqual(['x@once.example', 'jonas@old.example']);
  expect(await suggested(person, 'jo@often')).toEqual(['jo@often.example']);
  expect(await suggested(person, 'once')).toEqual(['x@once.example']);
  // a name that only sounds alike would be invited by Enter
  expect(await suggested(person, 'jonnas')).toEqual([]);
  expect(await suggested(person, ' ,')).toEqual([]);
  expect(await suggested(await newPerson(), 'jon')).toEqual([]);
});

test('a deleted contact is not suggested, and a merged one by its main address only', async () => {
  const person = await newPerson();
  for (const address of ['kim@one.example', 'kim@two.example', 'kim@gone.example'])
    await api(person).addContact({ body: { address } });
  const other_id = await idOf(person, 'kim@two.example');
  await api(person).mergeContacts({ params: { id: await idOf(person, 'kim@one.example') }, body: { other_id } });
  await api(person).deleteContact({ params: { id: await idOf(person, 'kim@gone.example') } });
  expect(await suggested(person, 'kim')).toEqual(['kim@one.example']);
  expect(await suggested(person, 'kim two')).toEqual(['kim@one.example']);
});

test('teammates are suggested before contacts, oneself and people of other teams never', async () => {
  const person = await newPerson();
  const { teamId } = await insertOwnTeam(server, person.user);
  const stranger = await newPerson();
  await insertOwnTeam(server, stranger.user);
  for (const n of [1, 2, 3, 4]) {
    const mate = await signUpUser(server, `team-mate${n}.${randomUUID()}@example.org`);
    await sql`insert into teams.members (team_id, user_id, role) values (${teamId}, ${mate.userId}, 'viewer')`.execute(
      server.app.db,
    );
    await api(person).addContact({ body: { address: `team${n}@contact.example` } });
  }
  const { guests } = await person.user.as(suggestionsContract).suggestGuests({ query: { q: 'team' } });
  expect(guests.map(({ in_team }) => in_team)).toEqual([true, true, true, false, false, false]);
  // the one of the stranger is called Team Mate too
  expect(await suggested(person, 'team mate')).toHaveLength(5);
  expect(await suggested(person, person.user.email)).toEqual([]);
});

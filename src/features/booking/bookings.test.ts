import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bookable, insertBookable } from '../../../test/harness/bookable.ts';
import { type FixedClock, fixedClock } from '../../../test/harness/fixed-clock.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { BookingId } from '../../kernel/ids.ts';
import { hashToken } from '../../platform/crypto.ts';
import { inTransaction, type Tx } from '../../platform/db.ts';
import { accountsContract } from '../accounts/contract.ts';
import { availabilityContract } from '../availability/contract.ts';
import { defaultHours } from '../availability/rules/hours.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { bookingContract } from './contract.ts';
import { expireBookings } from './expire-bookings.ts';
import { exportBookings } from './export-bookings.ts';
import { leaveBookings } from './leave-bookings.ts';
import { loadTold } from './load-told.ts';
import type { Made } from './rules/booking-endpoints.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import { listDates, showBooked } from './show-booked.ts';
import { insertAudit } from './store/booking-audit.ts';
import { type Booking, findByToken } from './store/bookings.ts';
import { showSeries } from './visit/show-series.ts';

const minute = 60_000;
const start = '2027-03-01T13:00:00Z';
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;
const question = { id: 'topic', label: 'What about?', kind: 'text' as const, required: true };

let clock: FixedClock;
let server: TestApp;
beforeAll(async () => {
  clock = fixedClock(start);
  server = await startTestApp({ clock });
});
afterAll(() => server.close());

let people = 0;
interface Host {
  user: TestUser;
  place: Bookable;
  calendarId: string;
}
async function newHost(settings: Partial<TypeSettings> & { kind?: 'group' } = {}): Promise<Host> {
  people += 1;
  const user = await signUpUser(server, `host${people}@example.org`);
  const connections = user.as(connectionsContract);
  await connections.connectOwn();
  const [calendar] = (await connections.listIntegrationCalendars()).calendars;
  if (calendar === undefined) throw new Error('there is no calendar');
  return { user, place: await insertBookable(server, user, 'intro', settings), calendarId: calendar.calendarId };
}

let networks = 0;
interface Answered {
  status: number;
  code: string | undefined;
  fields: Record<string, string>;
  body: Made & { booking: Made['bookings'][number]['booking']; hold_id: string };
}
async function post(url: string, payload: object, headers: Record<string, string> = {}): Promise<Answered> {
  networks += 1;
  const remoteAddress = `10.0.${networks >> 8}.${networks & 255}`;
  const response = await server.inject({ method: 'POST', url, payload, headers, remoteAddress });
  const body = response.json<Answered['body'] & { detail?: { code: string; fields?: Record<string, string> } }>();
  return { status: response.statusCode, code: body.detail?.code, fields: body.detail?.fields ?? {}, body };
}

let guests = 0;
const form = (more: object = {}) => {
  guests += 1;
  return { start: nine, name: 'Bo Li', email: `guest-${guests}@example.net`, zone: 'Europe/Berlin', ...more };
};
const book = ({ place }: Host, more: object = {}, headers = {}) => post(`${place.path}/bookings`, form(more), headers);

async function booked(host: Host, more: object = {}) {
  const { status, body, code } = await book(host, more);
  if (status !== 201) throw new Error(`not booked: ${status} ${code}`);
  const [made] = body.bookings;
  return { token: made?.token ?? '', booking: made?.booking as Made['bookings'][number]['booking'] };
}

/** Does what the button behind the link of the newest mail to an address does. */
async function proveByMail(email: string, more: { also?: string[] } = {}): Promise<Answered> {
  await server.settle();
  const link = (await readMails(server, email)).at(-1)?.links.find((one) => one.includes('/booked/')) ?? '';
  const { pathname, searchParams } = new URL(link);
  return post(`/api${pathname}/confirm`, { proof: searchParams.get('proof') ?? '', ...more });
}

/** The host's calendar around that day. */
async function calendarOf({ user }: Host) {
  await server.settle();
  const query = { from: '2027-03-01T00:00:00Z', to: '2027-04-30T00:00:00Z' };
  const { events } = await user.as(calendarContract).listEvents({ query });
  return events.map((event) => `${event.start_time.slice(5, 16)} ${event.title}`);
}
const listed = async ({ user }: Host, scope: 'upcoming' | 'past' | 'pending' | 'ended') =>
  (await user.as(bookingContract).listBookings({ query: { scope } })).bookings;
const news = async ({ user }: Host) => {
  const { rows } = await sql<{ kind: string }>`
    select a.kind from booking.audit a join booking.bookings b on b.id = a.booking_id where b.user_id = ${user.userId}
    order by a.id`.execute(server.app.db);
  return rows.map(({ kind }) => kind);
};

test('a booking outlives its event type, and goes with the account of its host', async () => {
  const host = await newHost();
  const { booking } = await booked(host);
  const rows = async () =>
    (
      await sql<{ typeId: string | null }>`
        select event_type_id as "typeId" from booking.bookings where uid = ${booking.uid}`.execute(server.app.db)
    ).rows;
  expect(await rows()).toEqual([{ typeId: host.place.typeId }]);
  await server.settle();
  await sql`delete from booking.event_types where id = ${host.place.typeId}`.execute(server.app.db);
  expect(await rows()).toEqual([{ typeId: null }]);
  await sql`delete from accounts.users where id = ${host.user.userId}`.execute(server.app.db);
  expect(await rows()).toEqual([]);
});

test('a booking keeps 200 entries of changes that repeat, and its first ones', async () => {
  const host = await newHost();
  await booked(host);
  const first = await news(host);
  const { rows } = await sql<{ id: BookingId }>`
    select id from booking.bookings where user_id = ${host.user.userId}`.execute(server.app.db);
  const bookingId = rows[0]?.id as BookingId;
  for (let n = 0; n < 250; n += 1)
    await inTransaction(server.app.db, (tx) =>
      insertAudit(tx, { bookingId, atMs: n, actor: 'calendar', kind: 'restored', details: {} }),
    );
  const kept = await news(host);
  expect(kept.slice(0, first.length)).toEqual(first);
  expect(kept.length).toBe(200 + first.length);
});

describe('bookings outside changed hours', () => {
  test('changed hours keep a booking, and list it as outside the hours', async () => {
    const host = await newHost();
    const { booking } = await booked(host);
    const outside = async () =>
      (await host.user.as(bookingContract).listOutsideHours({})).bookings.map(({ booking_id }) => booking_id);
    expect(await outside()).toEqual([]);
    const hours = defaultHours('America/New_York');
    hours.weekly.monday.intervals = [{ start: '12:00', end: '17:00' }];
    const body = { name: 'Afternoons', hours, note: '', apply: true };
    await host.user.as(availabilityContract).createPolicy({ body });
    expect(await outside()).toEqual([(await listed(host, 'upcoming'))[0]?.booking_id]);
    expect(booking.state).toBe('confirmed');
  });
});

describe('offered times', () => {
  test('an offered time is booked with a link for the guest and an event for the host', async () => {
    const host = await newHost({ questions: [question] });
    await server.settle(); // its calendar is read for the first time
    const { booking, token } = await booked(host, { answers: { topic: 'Plans <b>for</b> https://evil.example' } });
    expect(booking).toMatchObject({
      state: 'confirmed',
      start: nine,
      duration: 30,
      sequence: 0,
      location: { kind: 'link' },
      join_url: 'https://meet.example.org/anna',
      answers: [{ label: 'What about?', answer: 'Plans <b>for</b> https://evil.example' }],
      can_change: true,
    });
    const again = await server.inject({ method: 'GET', url: `/api/booked/${token}` });
    expect(again.json()).toEqual({ booking, dates: [] });
    expect(await calendarOf(host)).toEqual(['03-08T14:00 Intro: Bo Li']);
    const [row] = await listed(host, 'upcoming');
    expect(row).toMatchObject({ name: 'Bo Li', verified: true, calendar_id: host.calendarId, seat: 1 });
    const event = await host.user.as(calendarContract).listEvents({
      query: { from: '2027-03-08T00:00:00Z', to: '2027-03-09T00:00:00Z' },
    });
    expect(JSON.stringify(event)).not.toContain('<b>');
    expect(JSON.stringify(event)).not.toContain('https://evil');
    expect(await news(host)).toEqual(['confirmed']);
  });

  test('a time that was just booked is refused, and the three nearest times are named', async () => {
    const host = await newHost();
    await booked(host, { start: nine + 60 });
    const late = await book(host, { start: nine + 60 });
    expect(late).toMatchObject({ status: 409, code: 'SLOT_TAKEN' });
    expect(late.fields.nearest).toBe([nine, nine + 30, nine + 90].join(','));
  });

  test.each([
    ['in the past', { start: Date.UTC(2027, 1, 22, 14) / minute }],
    ['outside the hours', { start: nine - 60 }],
    ['between the steps', { start: nine + 7 }],
    ['of another length', { duration: 45 }],
    ['beyond the window', { start: nine + 5 * 365 * 24 * 60 }],
  ])('a time %s cannot be booked', async (_, more) => {
    const host = await newHost();
    expect(await book(host, more)).toMatchObject({ status: 409, code: 'NOT_BOOKABLE' });
    expect(await calendarOf(host)).toEqual([]);
  });

  test('a paused event type cannot be booked or reserved', async () => {
    const host = await newHost({ paused: true });
    expect(await book(host)).toMatchObject({ status: 409, code: 'NOT_BOOKABLE' });
    expect(await post(`${host.place.path}/holds`, { start: nine })).toMatchObject({ code: 'NOT_BOOKABLE' });
  });

  test('a held time is given back while its event type is paused', async () => {
    const host = await newHost();
    const hold_id = randomUUID();
    expect(await post(`${host.place.path}/holds`, { start: nine, hold_id })).toMatchObject({ status: 201 });
    const pause = (paused: boolean) =>
      sql`update booking.event_types set settings = settings || ${JSON.stringify({ paused })}::jsonb
        where id = ${host.place.typeId}`.execute(server.app.db);
    await pause(true);
    const given = await server.inject({ method: 'DELETE', url: `${host.place.path}/holds/${hold_id}` });
    expect(given.statusCode, given.body).toBe(204);
    await pause(false);
    expect(await book(host)).toMatchObject({ status: 201 });
  });
});

test('I-20: every offered time can be booked, one after the other, until none is left', async () => {
  const host = await newHost({ durations_minutes: [60], step_minutes: 30, buffer_after_minutes: 30 });
  const offered = async () => {
    const url = `${host.place.path}/slots?from=${nine}&to=${nine + 1_440}`;
    return (await server.inject({ url })).json<{ starts: number[] }>().starts;
  };
  let booked = 0;
  for (let starts = await offered(); starts.length > 0; starts = await offered()) {
    const chosen = starts[Math.floor(starts.length / 2)];
    expect(await book(host, { start: chosen })).toMatchObject({ status: 201 });
    booked += 1;
  }
  expect(booked).toBeGreaterThanOrEqual(3);
});

test('a single-use link is used up by one of several simultaneous bookings', async () => {
  const host = await newHost();
  const token = randomUUID();
  await sql`insert into booking.links (id, user_id, event_type_id, kind, token_hash, token, uses_left)
    values (gen_random_uuid(), ${host.user.userId}, ${host.place.typeId}, 'private', ${hashToken(token)}, 'sealed', 1)`.execute(
    server.app.db,
  );
  const asked = await Promise.all(
    [0, 30, 60].map((later) => post(`/api/book/l/${token}/bookings`, form({ start: nine + later }))),
  );
  expect(asked.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404]);
  expect(await calendarOf(host)).toHaveLength(1);
});

describe('input of a booking form', () => {
  test.each([
    ['an answer to no question', { answers: { topic: 'x', other: 'y' } }, 'answers.other'],
    ['no answer', {}, 'answers.topic'],
    ['another kind of answer', { answers: { topic: true } }, 'answers.topic'],
    ['two lines for one', { answers: { topic: 'a\nb' } }, 'answers.topic'],
    ['a megabyte', { answers: { topic: 'x'.repeat(100_000) } }, 'answers.topic'],
    ['an address that is none', { answers: { topic: 'x' }, email: 'a@b@c' }, 'email'],
    ['headers in a name', { answers: { topic: 'x' }, name: 'Bo\r\nBcc: all@example.org' }, 'name'],
    ['more guests than may come', { answers: { topic: 'x' }, guests: ['a@example.org', 'b@example.org'] }, 'guests'],
    [
      'a thousand guests',
      { answers: { topic: 'x' }, guests: Array.from({ length: 1000 }, (_, n) => `${n}@example.org`) },
      'guests',
    ],
    ['keys that nobody asked for', { answers: { topic: 'x' }, seat: 7 }, 'seat'],
    ['a repetition that is not offered', { answers: { topic: 'x' }, times: 2 }, 'times'],
  ])('a booking form with %s is refused', async (_, more, field) => {
    const host = await newHost({ questions: [question], guests_allowed: 1 });
    const { status, fields } = await book(host, more);
    expect(status).toBe(400);
    expect(Object.keys(fields)).toEqual([field]);
  });

  test('texts that were stored with signs that turn or hide the text beside them lose them with an upgrade', async () => {
    const host = await newHost({ questions: [question] });
    const { token } = await booked(host, { name: 'Bob', answers: { topic: 'A plan' } });
    const { db } = server.app;
    const hash = hashToken(token);
    const sign = '\u202e\u2066\u00ad\u3164';
    await sql`update booking.bookings set guest_name = ${`${sign}Bob`}, reason = ${sign},
      answers = jsonb_build_object('topic', ${`A ${sign}plan`}::text) where token_hash = ${hash}`.execute(db);
    await sql`update booking.event_types set title = ${sign}, description = ${`Two\n${sign}lines`}
      where user_id = ${host.user.userId}`.execute(db);
    await sql`update accounts.users set name = ${sign}, company = ${`نقش\u200cها${sign} \u{1f468}\u200d\u{1f469}`}
      where id = ${host.user.userId}`.execute(db);
    const migration = await readFile(new URL('../../../migrations/0265_unseen-signs.sql', import.meta.url), 'utf8');
    await inTransaction(db, (tx) => sql.raw(migration).execute(tx));
    const { rows } = await sql`select b.guest_name, b.reason, b.answers ->> 'topic' as topic, t.title, t.description,
        t.slug, u.name, u.company
      from booking.bookings b join booking.event_types t on t.id = b.event_type_id
        join accounts.users u on u.id = t.user_id where b.token_hash = ${hash}`.execute(db);
    expect(rows).toEqual([
      {
        guest_name: 'Bob',
        reason: null,
        topic: 'A plan',
        title: 'intro',
        description: 'Two\nlines',
        slug: 'intro',
        name: null,
        company: 'نقش\u200cها \u{1f468}\u200d\u{1f469}',
      },
    ]);
  });

  test('signs that turn or hide the text beside them reach neither the host, the guest, the calendar nor an export', async () => {
    const choice = {
      id: 'size',
      label: 'Size',
      kind: 'choice' as const,
      required: true,
      options: ['\u200fقصير', 'long'],
    };
    const host = await newHost({ questions: [question, choice] });
    const { token } = await booked(host, {
      name: '\u202eiL oB\u202c \u2066(host)\u2069',
      answers: { topic: 'exe\u202egpj\u200b', size: '\u200fقصير' },
    });
    await post(`/api/booked/${token}/reschedule`, {
      start: nine + 60,
      sequence: 0,
      reason: '\u202eLater\u200f please',
    });
    expect(await calendarOf(host)).toEqual(['03-08T15:00 Intro: iL oB (host)']);
    expect((await listed(host, 'upcoming'))[0]?.reason).toBe('Later please');
    const page = await server.inject({ method: 'GET', url: `/api/booked/${token}` });
    await post(`/api/booked/${token}/cancel`, { reason: 'No\u202e time' });
    const [ended] = await listed(host, 'ended');
    expect(ended).toMatchObject({ name: 'iL oB (host)', reason: 'No time' });
    expect(ended?.answers.map(({ answer }) => answer)).toEqual(['exegpj', 'قصير']);
    const [part] = exportBookings(server.app, host.user.userId);
    const exported = (await Array.fromAsync(part?.chunks() ?? [])).join('');
    for (const shown of [page.body, JSON.stringify(ended), exported]) {
      expect(shown).toContain('iL oB');
      expect(shown).not.toMatch(/[\u200b\u200e\u202a-\u202e\u2066-\u2069]/);
    }
    for (const name of ['\u202e\u2800', '\u00ad\u00ad', '\u180e', '\ufe0f', '\u{e0041}'])
      expect(await book(host, { name, start: nine + 120 })).toMatchObject({
        status: 400,
        fields: { name: 'A name is needed' },
      });
  });
});

describe('idempotency keys', () => {
  test('the same request under an Idempotency-Key gives the same booking and response, at once and later', async () => {
    const host = await newHost();
    const body = form();
    const ask = () => post(`${host.place.path}/bookings`, body, { 'idempotency-key': 'one' });
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    answers.push(await ask());
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await calendarOf(host)).toEqual(['03-08T14:00 Intro: Bo Li']);
  });

  test('another request under a used Idempotency-Key is refused, and another host may use the same key', async () => {
    const [host, other] = [await newHost(), await newHost()];
    const headers = { 'idempotency-key': randomUUID() };
    expect(await book(host, {}, headers)).toMatchObject({ status: 201 });
    expect(await book(host, { start: nine + 30 }, headers)).toMatchObject({ status: 422, code: 'KEY_REUSED' });
    expect(await book(other, {}, headers)).toMatchObject({ status: 201 });
  });

  test('an invalid Idempotency-Key is refused', async () => {
    const host = await newHost();
    for (const key of ['', 'k'.repeat(10_000), 'a b'])
      expect(await book(host, {}, { 'idempotency-key': key })).toMatchObject({ status: 400 });
  });
});

describe('reservations', () => {
  test('a reservation keeps a time for its visitor until it expires', async () => {
    const host = await newHost();
    const held = await post(`${host.place.path}/holds`, { start: nine });
    expect(held.status).toBe(201);
    expect(await book(host)).toMatchObject({ status: 409, code: 'SLOT_TAKEN' });
    expect(await post(`${host.place.path}/holds`, { start: nine })).toMatchObject({ code: 'SLOT_TAKEN' });
    expect(await book(host, { hold_id: held.body.hold_id })).toMatchObject({ status: 201 });
    expect(await book(host, { hold_id: held.body.hold_id })).toMatchObject({ code: 'SLOT_TAKEN' });

    const other = await post(`${host.place.path}/holds`, { start: nine + 30 });
    clock.advance({ minutes: 11 });
    await expireBookings(server.app);
    expect(await book(host, { start: nine + 30 })).toMatchObject({ status: 201 });
    expect(await book(host, { start: nine + 30, hold_id: other.body.hold_id })).toMatchObject({ code: 'SLOT_TAKEN' });
    clock.set(start);
  });

  test('a reservation can be given back, and gives way to another one of the same visitor', async () => {
    const host = await newHost();
    const first = await post(`${host.place.path}/holds`, { start: nine });
    const second = await post(`${host.place.path}/holds`, { start: nine + 30, instead_of: first.body.hold_id });
    expect(second.status).toBe(201);
    expect(await book(host)).toMatchObject({ status: 201 });
    await server.inject({ method: 'DELETE', url: `${host.place.path}/holds/${second.body.hold_id}` });
    expect(await book(host, { start: nine + 30 })).toMatchObject({ status: 201 });
  });

  test('a reservation is given back when its page is left before the answer', async () => {
    const host = await newHost();
    const url = `${await server.listen()}${host.place.path}/holds`;
    const lock = (tx: Tx) => sql`lock table booking.bookings in share mode`.execute(tx);
    const held = async () =>
      (await sql`select 1 from booking.bookings where event_type_id = ${host.place.typeId}`.execute(server.app.db))
        .rows;
    const waiting = async (statement: string) =>
      (
        await sql`select 1 from pg_locks l join pg_stat_activity a using (pid)
          where a.datname = current_database() and l.relation = 'booking.bookings'::regclass and not l.granted
            and a.query ilike ${`%${statement} %booking.bookings%`}`.execute(server.app.db)
      ).rows.length;
    let made: Promise<unknown[]> = Promise.resolve([]);
    await inTransaction(server.app.db, async (before) => {
      await lock(before);
      const page = new AbortController();
      const asked = fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ start: nine }),
        signal: page.signal,
      });
      await expect.poll(() => waiting('insert into'), { timeout: 10_000 }).toBe(1);
      // next in the queue: it sees the reservation committed, and not yet given back
      made = inTransaction(server.app.db, async (after) => {
        await lock(after);
        return held();
      });
      await expect.poll(() => waiting('lock table'), { timeout: 10_000 }).toBe(1);
      page.abort();
      await expect(asked).rejects.toThrow();
    });
    expect(await made).toHaveLength(1);
    await expect.poll(held, { timeout: 10_000 }).toEqual([]);
  });

  test('a retried reservation keeps its id, and no other reservation can use that id', async () => {
    for (const seats of [1, 3]) {
      const host = await newHost(seats > 1 ? { kind: 'group', seats } : {});
      const [mine, theirs] = [randomUUID(), randomUUID()];
      const [first, again] = [
        await post(`${host.place.path}/holds`, { start: nine, hold_id: mine }),
        await post(`${host.place.path}/holds`, { start: nine, hold_id: mine }),
      ];
      expect(first).toMatchObject({ status: 201, body: { hold_id: mine } });
      expect(again.body).toEqual(first.body);
      expect((await post(`${host.place.path}/holds`, { start: nine + 30, hold_id: mine })).status).toBe(400);
      expect((await post(`${host.place.path}/holds`, { start: nine, hold_id: theirs })).status).toBe(
        seats > 1 ? 201 : 409,
      );
      expect((await book(host, { hold_id: mine })).status).toBe(201);
      expect((await post(`${host.place.path}/holds`, { start: nine + 30, hold_id: mine })).status).toBe(400);
      expect((await book(host, { start: nine + 30 })).status).toBe(201);
    }
  });

  test('a network may have three reservations at a time', async () => {
    const host = await newHost();
    const hold = (n: number) =>
      server.inject({
        method: 'POST',
        url: `${host.place.path}/holds`,
        payload: { start: nine + 30 * n },
        remoteAddress: '2001:db8:1:2::7',
      });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await hold(n)).statusCode);
    expect(statuses).toEqual([201, 201, 201, 429]);
    expect(await book(host, { start: nine + 90 })).toMatchObject({ status: 201 });
  });

  test('the networks of one IPv6 site may have nine reservations at a time together', async () => {
    const host = await newHost();
    const statuses = [];
    for (let n = 0; n < 10; n += 1) {
      const response = await server.inject({
        method: 'POST',
        url: `${host.place.path}/holds`,
        payload: { start: nine + 30 * n },
        remoteAddress: `2001:db8:77:${n.toString(16)}::7`,
      });
      statuses.push(response.statusCode);
    }
    expect(statuses).toEqual([...Array(9).fill(201), 429]);
  });
});

describe('bookings that the host confirms', () => {
  test('a booking request keeps its time and is confirmed once', async () => {
    const host = await newHost({ confirmation: true });
    const { booking } = await booked(host);
    expect(booking).toMatchObject({ state: 'pending', location: null, join_url: null });
    expect(await book(host)).toMatchObject({ code: 'SLOT_TAKEN' });
    expect(await calendarOf(host)).toEqual([]);
    const [row] = await listed(host, 'pending');
    const calls = host.user.as(bookingContract);
    const params = { booking_id: row?.booking_id ?? ('' as never) };
    expect((await calls.confirmBooking({ params })).booking).toMatchObject({ state: 'confirmed' });
    await expect(calls.confirmBooking({ params })).rejects.toMatchObject({ status: 409, code: 'TOO_LATE' });
    await expect(calls.declineBooking({ params, body: {} })).rejects.toMatchObject({ code: 'TOO_LATE' });
    expect(await calendarOf(host)).toEqual(['03-08T14:00 Intro: Bo Li']);
    expect(await news(host)).toEqual(['requested', 'confirmed']);
  });

  test('a declined request frees its time, and an unanswered one expires at its start', async () => {
    const host = await newHost({ confirmation: true });
    await booked(host);
    const [row] = await listed(host, 'pending');
    const params = { booking_id: row?.booking_id ?? ('' as never) };
    await host.user.as(bookingContract).declineBooking({ params, body: { reason: 'Travelling' } });
    const { booking } = await booked(host);
    clock.set('2027-03-08T14:00:00Z');
    await expireBookings(server.app);
    expect((await listed(host, 'ended')).map(({ state }) => state).sort()).toEqual(['declined', 'expired']);
    clock.set(start);
    expect(booking.state).toBe('pending');
  });

  test('a request cannot be confirmed once its time has begun, though it has not expired yet', async () => {
    const host = await newHost({ confirmation: true });
    await booked(host);
    const [row] = await listed(host, 'pending');
    clock.set('2027-03-08T14:00:00Z');
    const params = { booking_id: row?.booking_id ?? ('' as never) };
    const confirming = host.user.as(bookingContract).confirmBooking({ params });
    await expect(confirming).rejects.toMatchObject({ status: 409, code: 'TOO_LATE' });
    clock.set(start);
  });
});

describe('confirmed bookings', () => {
  test('a booking is cancelled by its guest with a reason, and its event is removed', async () => {
    const host = await newHost();
    const { token } = await booked(host);
    expect(await calendarOf(host)).toHaveLength(1);
    const cancelled = await post(`/api/booked/${token}/cancel`, { reason: 'Ill' });
    expect(cancelled.body.booking).toMatchObject({ state: 'cancelled', reason: 'Ill', ended_by: 'guest', sequence: 1 });
    expect(await post(`/api/booked/${token}/cancel`, {})).toMatchObject({ status: 409, code: 'TOO_LATE' });
    expect(await calendarOf(host)).toEqual([]);
    expect(await book(host)).toMatchObject({ status: 201 });
  });

  test('a booking cannot be changed by its guest after the deadline of its host', async () => {
    const host = await newHost({ cancellation: { until_minutes: 1_440, text: 'A day before' } });
    const { token, booking } = await booked(host);
    expect(booking).toMatchObject({ cancellation: 'A day before', can_change_until: '2027-03-07T14:00:00Z' });
    clock.set('2027-03-07T14:00:00Z');
    expect(await post(`/api/booked/${token}/cancel`, {})).toMatchObject({ code: 'TOO_LATE' });
    const move = { start: nine + 60, sequence: 0 };
    expect(await post(`/api/booked/${token}/reschedule`, move)).toMatchObject({ code: 'TOO_LATE' });
    clock.set(start);
  });

  test('a moved booking stays one booking with one event, and may overlap its old time', async () => {
    const host = await newHost({ durations_minutes: [60], buffer_before_minutes: 15, buffer_after_minutes: 15 });
    const { token, booking } = await booked(host);
    await calendarOf(host);
    const moved = await post(`/api/booked/${token}/reschedule`, { start: nine + 30, sequence: 0 });
    expect(moved.body.booking).toMatchObject({ uid: booking.uid, start: nine + 30, sequence: 1, state: 'confirmed' });
    expect(await post(`/api/booked/${token}/reschedule`, { start: nine, sequence: 0 })).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      fields: { sequence: '1' },
    });
    expect(await calendarOf(host)).toEqual(['03-08T14:30 Intro: Bo Li']);
    const { rows } = await sql<{ details: object }>`
      select details from booking.audit where kind = 'rescheduled' order by id desc limit 1`.execute(server.app.db);
    expect(rows[0]?.details).toMatchObject({ from: { startMs: nine * minute } });
    expect(await book(host, { start: nine + 60 })).toMatchObject({ code: 'SLOT_TAKEN' });
  });

  test('a booking is moved by its host to any time, but never onto another booking', async () => {
    const host = await newHost();
    await booked(host);
    await booked(host, { start: nine + 60 });
    const [row] = await listed(host, 'upcoming');
    const calls = host.user.as(bookingContract);
    const params = { booking_id: row?.booking_id ?? ('' as never) };
    const move = (to: number, anyway: boolean) =>
      calls.rescheduleBooking({ params, body: { start: to, sequence: 0, anyway } });
    await expect(move(nine - 120, false)).rejects.toMatchObject({ code: 'NOT_BOOKABLE' });
    await expect(move(nine + 60, true)).rejects.toMatchObject({ code: 'SLOT_TAKEN' });
    expect((await move(nine - 120, true)).booking).toMatchObject({ sequence: 1, start_time: Date.UTC(2027, 2, 8, 12) });
  });

  test('a booking that its guest moves needs a new confirmation of its host', async () => {
    const host = await newHost({ confirmation: true });
    const { token } = await booked(host);
    const [row] = await listed(host, 'pending');
    const params = { booking_id: row?.booking_id ?? ('' as never) };
    await host.user.as(bookingContract).confirmBooking({ params });
    expect(await calendarOf(host)).toHaveLength(1);
    const moved = await post(`/api/booked/${token}/reschedule`, { start: nine + 30, sequence: 0 });
    expect(moved.body.booking.state).toBe('pending');
    expect(await calendarOf(host)).toEqual([]);
    await host.user.as(bookingContract).confirmBooking({ params });
    expect(await calendarOf(host)).toEqual(['03-08T14:30 Intro: Bo Li']);
  });

  test('a no-show is recorded only after the booking has begun', async () => {
    const host = await newHost();
    await booked(host);
    const [row] = await listed(host, 'upcoming');
    const calls = host.user.as(bookingContract);
    const params = { booking_id: row?.booking_id ?? ('' as never) };
    const mark = () => calls.markNoShow({ params, body: { who: 'guest', no_show: true } });
    await expect(mark()).rejects.toMatchObject({ code: 'TOO_EARLY' });
    clock.set('2027-03-08T15:00:00Z');
    expect((await mark()).booking.guest_no_show).toBe(true);
    expect((await listed(host, 'past')).map(({ guest_no_show }) => guest_no_show)).toEqual([true]);
    clock.set(start);
  });

  test('a booking cannot be read or cancelled by another host', async () => {
    const [host, other] = [await newHost(), await newHost()];
    await booked(host);
    const [row] = await listed(host, 'upcoming');
    const params = { booking_id: row?.booking_id ?? ('' as never) };
    const calls = other.user.as(bookingContract);
    await expect(calls.readBooking({ params })).rejects.toMatchObject({ status: 404 });
    await expect(calls.cancelBooking({ params, body: {} })).rejects.toMatchObject({ status: 404 });
    expect(await listed(other, 'upcoming')).toEqual([]);
  });
});

describe('group bookings', () => {
  test('a group fills up seat by seat in one event, and a cancelled seat is free again', async () => {
    const host = await newHost({ kind: 'group', seats: 2 });
    const first = await booked(host, { name: 'Ada' });
    await booked(host, { name: 'Bo' });
    expect(await book(host)).toMatchObject({ code: 'SLOT_TAKEN' });
    expect(await calendarOf(host)).toEqual(['03-08T14:00 Intro (2 of 2)']);
    await post(`/api/booked/${first.token}/cancel`, {});
    expect(await calendarOf(host)).toEqual(['03-08T14:00 Intro (1 of 2)']);
    expect(await book(host)).toMatchObject({ status: 201 });
  });

  test('a guest moves one seat of a group, and the host moves the whole group', async () => {
    const host = await newHost({ kind: 'group', seats: 3 });
    const { token } = await booked(host, { name: 'Ada' });
    await booked(host, { name: 'Bo' });
    await booked(host, { name: 'Cy', start: nine + 60 });
    const moved = await post(`/api/booked/${token}/reschedule`, { start: nine + 60, sequence: 0 });
    expect(moved.body.booking).toMatchObject({ start: nine + 60, sequence: 1 });
    expect(await calendarOf(host)).toEqual(['03-08T14:00 Intro (1 of 3)', '03-08T15:00 Intro (2 of 3)']);
    const row = (await listed(host, 'upcoming')).find(({ name }) => name === 'Cy');
    const params = { booking_id: row?.booking_id ?? ('' as never) };
    const calls = host.user.as(bookingContract);
    await calls.rescheduleBooking({ params, body: { start: nine + 90, sequence: 0 } });
    expect(await calendarOf(host)).toEqual(['03-08T14:00 Intro (1 of 3)', '03-08T15:30 Intro (2 of 3)']);
    await calls.cancelBooking({ params, body: { everyone: true } });
    expect(await calendarOf(host)).toEqual(['03-08T14:00 Intro (1 of 3)']);
  });
});

describe('recurring bookings', () => {
  const recurring = { max: 4, every: 'week' as const };
  test('a recurring booking keeps its local time across a clock change, or is refused as a whole', async () => {
    const host = await newHost({ recurring });
    const { body } = await book(host, { times: 3 });
    // the clocks of New York change on 14 March
    expect(body.bookings.map(({ booking }) => booking.start - nine)).toEqual([0, 10_080 - 60, 20_160 - 60]);
    expect(body.bookings.map(({ booking }) => booking.series?.number)).toEqual([1, 2, 3]);
    expect(await book(host, { start: nine - 10_080, times: 2 })).toMatchObject({ status: 409 });
    expect(await listed(host, 'upcoming')).toHaveLength(3);
    await post(`/api/booked/${body.bookings[1]?.token}/cancel`, { following: true });
    // an event that is still being written is taken out some seconds later
    await expect.poll(() => calendarOf(host)).toEqual(['03-08T14:00 Intro: Bo Li']);
  });

  test('a page or a mail about a series with long answers reads the answers of one date', async () => {
    const questions = Array.from({ length: 20 }, (_, n) => ({
      id: `q${n}`,
      label: `L${n}`,
      kind: 'long' as const,
      required: false,
    }));
    const host = await newHost({ recurring: { max: 4, every: 'week' }, questions });
    const answers = Object.fromEntries(questions.map(({ id }) => [id, 'a.'.repeat(2_500)]));
    const { body, status } = await book(host, { times: 4, answers });
    expect(status).toBe(201);
    await server.settle();
    let answersRead = 0;
    const count: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        answersRead +=
          JSON.stringify(result.rows, (_, value) => (typeof value === 'bigint' ? 0 : value)).split('a.a.a.').length >
          100
            ? result.rows.length
            : 0;
        return result;
      },
    };
    const app = { ...server.app, db: server.app.db.withPlugin(count) };
    const looks = {
      page: (one: Booking) => showBooked(app, app.db, one),
      dates: (one: Booking) => listDates(app, one),
      series: (one: Booking) => showSeries(app, one),
      mail: (one: Booking) => loadTold(app, one, { together: 'same-moment' }),
    };
    const last = await findByToken(server.app.db, hashToken(body.bookings[3]?.token ?? ''));
    if (last === null) throw new Error('no booking');
    for (const [name, look] of Object.entries(looks)) {
      answersRead = 0;
      expect(await look(last), name).not.toBeNull();
      // the mail is told by the first date of its series
      expect(answersRead, name).toBe(name === 'mail' ? 1 : 0);
    }
  });
});

describe('booking limits', () => {
  test('a booking limit is exact under simultaneous bookings', async () => {
    const host = await newHost({ limits: { day: { count: 2 } } });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => book(host, { start: nine + 30 * n })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ code }) => code === 'SLOT_TAKEN')).toHaveLength(6);
  });
});

describe('email verification of guests', () => {
  test('a booking with further guests waits until its guest has verified the email address', async () => {
    const host = await newHost();
    const email = 'with-others@example.net';
    const answer = await book(host, { email, guests: ['cy@example.net'] });
    expect(answer.body.bookings[0]).toMatchObject({ booking: { state: 'awaiting-mail', location: null } });
    expect(await news(host)).toEqual(['mail-wanted']);
    expect(await calendarOf(host)).toEqual([]);
    expect(await book(host)).toMatchObject({ code: 'SLOT_TAKEN' });
    expect((await proveByMail(email)).body.booking).toMatchObject({ state: 'confirmed' });
    expect(await calendarOf(host)).toHaveLength(1);
    expect(await news(host)).toEqual(['mail-wanted', 'confirmed']);
  });

  test('a mail that asks an address covers its later bookings, and its link confirms those that its reader chooses', async () => {
    const [host, other] = [await newHost(), await newHost()];
    const email = 'victim@example.net';
    await booked(host, { email });
    const later = await book(other, { email });
    expect(later.body.bookings[0]).toMatchObject({ booking: { state: 'awaiting-mail' } });
    for (let n = 1; n <= 3; n += 1) await book(other, { email, start: nine + 30 * n });
    expect(await news(other)).toEqual(['mail-wanted']);
    const { rows } = await sql<{ id: string }>`
      select b.id from booking.bookings b join booking.appointments a on a.id = b.appointment_id
      where b.guest_email = ${email} and a.start_ms in (${(nine + 30) * minute}, ${(nine + 60) * minute})`.execute(
      server.app.db,
    );
    expect((await proveByMail(email, { also: rows.map(({ id }) => id) })).status).toBe(200);
    expect((await listed(other, 'upcoming')).filter(({ state }) => state === 'confirmed')).toHaveLength(3);
    expect((await booked(other, { email, start: nine + 300 })).booking.state).toBe('confirmed');
  });

  test('a booking whose email is never verified loses its time', async () => {
    const host = await newHost();
    const email = 'silent@example.net';
    await book(host, { email, guests: ['cy@example.net'] });
    await server.settle();
    clock.advance({ minutes: 31 });
    expect(await proveByMail(email)).toMatchObject({ status: 409, code: 'TOO_LATE' });
    expect(await book(host)).toMatchObject({ status: 201 });
    await expireBookings(server.app);
    expect((await listed(host, 'ended')).map(({ state }) => state)).toEqual(['expired']);
    clock.set(start);
  });

  test('an event type with dozens of bookings requires email verification', async () => {
    const host = await newHost({ step_minutes: 5, durations_minutes: [5] });
    const spam = (count: number) =>
      sql`
      insert into booking.bookings (id, uid, appointment_id, seat, user_id, event_type_id, state, token_hash, guest_name,
        guest_email, created_ms)
      select gen_random_uuid(), gen_random_uuid()::text, appointment_id, n + 1000, user_id, event_type_id, 'cancelled',
        uuid_send(gen_random_uuid()), 'Spam', 'spam' || n || '@example.net', created_ms
      from booking.bookings, generate_series(1, ${count}) n where user_id = ${host.user.userId} and state = 'confirmed'`.execute(
        server.app.db,
      );
    expect((await booked(host)).booking.state).toBe('confirmed');
    await spam(20);
    expect((await booked(host, { start: nine + 5 })).booking.state).toBe('awaiting-mail');
    await spam(80);
    expect((await booked(host, { start: nine + 10 })).booking.state).toBe('awaiting-mail');
  });
});

describe('bookings of a deleted account', () => {
  test('a deleted account cancels its upcoming bookings and notifies its guests before anything is deleted', async () => {
    const host = await newHost();
    const { token } = await booked(host);
    await server.settle();
    await host.user.as(accountsContract).deleteAccount({ body: { email: host.user.email } });
    await server.settle();
    const told = await server.inject({ method: 'GET', url: `/api/booked/${token}` });
    expect(told.json()).toMatchObject({ booking: { state: 'cancelled', ended_by: 'system', sequence: 1 } });
    expect(await news(host)).toEqual(['confirmed', 'cancelled']);

    clock.advance({ seconds: 6 });
    expect(await leaveBookings(server.app, host.user.userId)).toBeNull();
    await server.settle();
    const gone = await server.inject({ method: 'GET', url: `/api/booked/${token}` });
    expect(gone.statusCode).toBe(404);
    clock.set(start);
  });

  test('an export has all bookings of a host, and no link of a guest', async () => {
    const host = await newHost({ questions: [question] });
    const { token } = await booked(host, { answers: { topic: 'Plans' } });
    const [part] = exportBookings(server.app, host.user.userId);
    const text = (await Array.fromAsync(part?.chunks() ?? [])).join('');
    expect(JSON.parse(text)).toMatchObject([
      {
        name: 'Bo Li',
        answers: { topic: 'Plans' },
        state: 'confirmed',
        history: [{ kind: 'confirmed', actor: 'guest' }],
      },
    ]);
    expect(text).not.toContain(token);
  });
});

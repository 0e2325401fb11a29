import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { hurryJobs } from '../../../test/harness/hurry-jobs.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { solve } from '../../kernel/solve-challenge.ts';
import { hashToken } from '../../platform/crypto.ts';
import { bookingContract } from './contract.ts';
import { expireBookings } from './expire-bookings.ts';
import type { Made } from './rules/booking-endpoints.ts';
import type { TypeSettings } from './rules/type-settings.ts';

/** Whom a guest can have the server write to, and how often. Mails stay in the outbox. */

const minute = 60_000;
const start = '2027-03-01T08:00:00Z';
const clock = fixedClock(start);
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;

let server: TestApp;
let anna: TestUser;
let carl: TestUser;
beforeAll(async () => {
  server = await startTestApp({ clock, http: { pageRoot: await builtPages() } });
  anna = await signUpUser(server, 'anna@example.org');
  carl = await signUpUser(server, 'carl@example.org');
  await sql`update accounts.users set zone = 'America/New_York'`.execute(server.app.db);
});
beforeEach(async () => {
  await server.settle();
  clock.set(start);
  await sql`truncate booking.appointments, booking.event_types cascade`.execute(server.app.db);
  await sql`truncate platform.mails, platform.limits, platform.recipients cascade`.execute(server.app.db);
});
afterAll(() => server.close());

let numbers = 0;
const next = () => (numbers += 1);
const offer = (settings: Partial<TypeSettings> = {}) =>
  insertBookable(server, anna, `intro-${next()}`, { guests_allowed: 3, ...settings });

interface Answer {
  status: number;
  code: string | undefined;
  location: string;
  body: Made & { booking: Made['bookings'][number]['booking'] };
}
async function post(url: string, payload: object, ip = `10.1.${next() >> 8}.${numbers & 255}`): Promise<Answer> {
  const isForm = !url.startsWith('/api/');
  const response = await server.inject({
    method: 'POST',
    url,
    payload: isForm ? new URLSearchParams(payload as string[][]).toString() : payload,
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    remoteAddress: ip,
  });
  const body = isForm ? {} : response.json<Answer['body'] & { detail?: { code: string } }>();
  const code = (body as { detail?: { code: string } }).detail?.code;
  return { status: response.statusCode, code, location: response.headers.location ?? '', body: body as Answer['body'] };
}

const form = (email: string, more: object = {}) => ({ start: nine, name: 'Gus', email, zone: 'UTC', ...more });
async function book(path: string, email: string, more: object = {}, ip?: string) {
  const answer = await post(`${path}/bookings`, form(email, more), ip);
  const [made] = answer.body.bookings ?? [];
  await server.settle();
  return { ...answer, token: made?.token ?? '', state: made?.booking.state, uid: made?.booking.uid };
}
const stateOf = async (token: string) =>
  (await server.inject({ url: `/api/booked/${token}` })).json<{ booking: { state: string } }>().booking.state;
/** All mails to an address, those included that a newer one has overtaken. */
async function kindsTo(address: string): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from platform.mails where recipient = ${address} order by created_at, id`.execute(server.app.db);
  return rows.map(({ kind }) => kind);
}

const idOf = async (token: string) => {
  const { rows } = await sql<{
    id: string;
  }>`select id from booking.bookings where token_hash = ${hashToken(token)}`.execute(server.app.db);
  return rows[0]?.id ?? '';
};

/** The page behind the button of the newest mail to an address, or of the one about this booking. */
async function openMail(email: string, token = '') {
  const mail = (await readMails(server, email)).findLast(({ links }) => links.some((one) => one.includes(token)));
  const link = mail?.links.find((one) => one.includes('/booked/')) ?? '';
  const { pathname, search } = new URL(link);
  const { body } = await server.inject({ url: pathname + search, headers: { accept: 'text/html' } });
  return { path: pathname, body, proof: /name="proof" value="([^"]+)"/.exec(body)?.[1] ?? null };
}
/** Presses its button, with these bookings ticked. */
async function proveByPage(email: string, token?: string, also: readonly string[] = []) {
  const { path, proof } = await openMail(email, token);
  if (proof === null) throw new Error('the page behind the mail asks nothing');
  const answer = await post(`${path}/confirm`, [['proof', proof], ...also.map((id) => ['also', id])]);
  await server.settle();
  return answer;
}

describe('proof of an address', () => {
  test('proof from the browser: the address of a booking confirms nothing, and only its mail carries the proof', async () => {
    const { path } = await offer();
    const email = 'victim@example.net';
    const first = await book(path, email);
    expect(first.state).toBe('confirmed');
    const others = { guests: ['one@example.net', 'two@example.net'] };
    const second = await book(path, email, { start: nine + 60, ...others });
    const third = await book(path, email, { start: nine + 120, ...others });
    expect([second.state, third.state]).toEqual(['awaiting-mail', 'awaiting-mail']);
    for (const { token } of [first, second, third]) {
      expect(await post(`/api/booked/${token}/confirm`, { proof: token })).toMatchObject({ code: 'NOT_PROVED' });
      expect(await post(`/api/booked/${token}/confirm`, {})).toMatchObject({ status: 400 });
      await post(`/booked/${token}/confirm`, [['proof', token]]);
      expect((await server.inject({ url: `/booked/${token}` })).body).not.toContain('name="proof"');
    }
    expect([await stateOf(second.token), await stateOf(third.token)]).toEqual(['awaiting-mail', 'awaiting-mail']);
    expect(await kindsTo('one@example.net')).toEqual([]);

    const { body: page, path: to, proof } = await openMail(email);
    expect((await proveByPage(email)).status).toBe(303);
    expect([await stateOf(second.token), await stateOf(third.token)]).toEqual(['confirmed', 'awaiting-mail']);
    // the mail confirms others by choice only, which its page shows with their people
    expect(page).toContain(`name="also" value="${await idOf(third.token)}"`);
    expect(page).toContain('Gus, one@example.net, two@example.net');
    expect(page).not.toContain('checked="');
    const chosen = [
      ['proof', proof ?? ''],
      ['also', await idOf(third.token)],
    ];
    expect((await post(`${to}/confirm`, chosen)).status).toBe(303);
    expect(await stateOf(third.token)).toBe('confirmed');
  });

  test('the page of a mail lists other waiting bookings of its address by their time', async () => {
    const { path } = await offer();
    const email = 'waits@example.net';
    await book(path, email);
    await book(path, email, { start: nine + 60 });
    const waiting = new Map<number, string>();
    for (const minutes of [240, 120, 180]) {
      const { token } = await book(path, email, { start: nine + minutes });
      waiting.set(minutes, await idOf(token));
    }
    const { body } = await openMail(email);
    const listed = [...body.matchAll(/name="also" value="([^"]*)"/g)].map(([, id]) => id);
    expect(listed).toEqual([120, 180, 240].map((minutes) => waiting.get(minutes)));
  });

  test('a booking of a stranger with the address of a guest stays unconfirmed when the guest confirms their own', async () => {
    const { path } = await offer();
    const email = 'rita@example.net';
    const taken = await book(path, email, { name: 'Evil', start: nine + 60 });
    const own = await book(path, email, { guests: ['one@example.net'] });
    const theirs = await book(path, email, { name: 'Evil', start: nine + 120, guests: ['two@example.net'] });
    expect([taken.state, own.state, theirs.state]).toEqual(['confirmed', 'awaiting-mail', 'awaiting-mail']);
    await proveByPage(email, own.token);
    expect(await stateOf(theirs.token)).toBe('awaiting-mail');
    expect(await kindsTo('two@example.net')).toEqual([]);
    // words in the booking that went through before stay out of mails to the guest too
    await post(`/api/booked/${taken.token}/cancel`, { reason: 'Call this number' });
    await server.settle();
    const [last] = (await readMails(server, email)).slice(-1);
    expect(last?.subject).toContain('Canceled');
    expect(JSON.stringify(last?.content)).not.toContain('Call this');
    // the API chooses others by their ids
    const { pathname, searchParams } = new URL(
      (await readMails(server, email)).flatMap(({ links }) => links).find((one) => one.includes(own.token)) ?? '',
    );
    const body = { proof: searchParams.get('proof'), also: [await idOf(theirs.token)] };
    expect((await post(`/api${pathname}/confirm`, body)).status).toBe(200);
    expect(await stateOf(theirs.token)).toBe('confirmed');
  });

  test('the proof of one booking is not the proof of another', async () => {
    const { path } = await offer();
    const mine = await book(path, 'mallory@example.net', { guests: ['cy@example.net'] });
    const theirs = await book(path, 'victim@example.net', { start: nine + 60, guests: ['cy@example.net'] });
    const { proof } = await openMail('mallory@example.net');
    expect(await post(`/api/booked/${theirs.token}/confirm`, { proof })).toMatchObject({ code: 'NOT_PROVED' });
    expect((await post(`/api/booked/${mine.token}/confirm`, { proof })).status).toBe(200);
    expect(await stateOf(theirs.token)).toBe('awaiting-mail');
  });

  test('a confirmation counts for the host that its mail names, and the booking with another host has a mail of its own', async () => {
    const { path } = await offer();
    const { path: pathOfCarl } = await insertBookable(server, carl, `carl-${next()}`, { guests_allowed: 3 });
    const email = 'victim@example.net';
    // one that waits for no mail, and one that does, with each host
    const taken = await book(pathOfCarl, email);
    const mine = await book(path, email, { start: nine + 60 });
    const theirs = await book(pathOfCarl, email, { start: nine + 120, guests: ['friend@example.net'] });
    expect([taken.state, mine.state, theirs.state]).toEqual(['confirmed', 'awaiting-mail', 'awaiting-mail']);
    expect(await kindsTo(email)).toEqual(['booking.confirmed', 'booking.mail-wanted', 'booking.mail-wanted']);
    expect((await openMail(email, mine.token)).body).not.toContain(`/${theirs.token}`);

    await proveByPage(email, mine.token);
    expect([await stateOf(mine.token), await stateOf(theirs.token)]).toEqual(['confirmed', 'awaiting-mail']);
    expect(await kindsTo('friend@example.net')).toEqual([]);
    const proved = async () => {
      const { rows } = await sql<{ id: string }>`select distinct user_id as id from booking.bookings
        where guest_email = ${email} and mail_confirmed_ms is not null`.execute(server.app.db);
      return rows.map(({ id }) => id);
    };
    expect(await proved()).toEqual([anna.userId]);

    await proveByPage(email, theirs.token);
    expect(await stateOf(theirs.token)).toBe('confirmed');
    expect(await kindsTo('friend@example.net')).toEqual(['booking.confirmed']);
    expect((await proved()).toSorted()).toEqual([anna.userId, carl.userId].toSorted());
  });

  test('a confirmation counts for all hosts of a team, and not for the own event types of its other members', async () => {
    const handle = `team-${next()}`;
    const mates = [{ user: anna }, { user: carl }];
    const team = { handle, teamId: await insertTeam(server, handle, mates) };
    const ofTeam = (user: TestUser) =>
      insertTeamType(server, team, [{ user }], { kind: 'round-robin', slug: `t-${next()}`, guests_allowed: 3 });
    const email = 'victim@example.net';
    const guests = ['friend@example.net'];
    const first = await book((await ofTeam(anna)).path, email, { guests });
    const second = await book((await ofTeam(carl)).path, email, { start: nine + 60, guests });
    const { path: own } = await insertBookable(server, carl, `carl-${next()}`, { guests_allowed: 3 });
    const third = await book(own, email, { start: nine + 120, guests });
    expect([first.state, second.state, third.state]).toEqual(Array(3).fill('awaiting-mail'));
    await proveByPage(email, first.token, [await idOf(second.token), await idOf(third.token)]);
    const states = await Promise.all([first, second, third].map(({ token }) => stateOf(token)));
    expect(states).toEqual(['confirmed', 'confirmed', 'awaiting-mail']);
  });

  test.each(['another time', 'again after canceling', 'again after a decline'] as const)(
    'a guest who books %s within an hour gets a mail, and its page confirms the booking',
    async (way) => {
      const { path } = await offer(way === 'again after a decline' ? { confirmation: true } : {});
      const email = `again-${next()}@example.net`;
      const first = await book(path, email);
      if (way === 'again after canceling') await post(`/api/booked/${first.token}/cancel`, {});
      if (way === 'again after a decline') {
        const calls = anna.as(bookingContract);
        const [row] = (await calls.listBookings({ query: { scope: 'pending' } })).bookings;
        await calls.declineBooking({ params: { booking_id: row!.booking_id }, body: {} });
      }
      await server.settle();
      const second = await book(path, email, way === 'another time' ? { start: nine + 60 } : {});
      expect(second.state).toBe('awaiting-mail');
      expect((await kindsTo(email)).at(-1)).toBe('booking.mail-wanted');
      await proveByPage(email);
      expect(await stateOf(second.token)).toBe(way === 'again after a decline' ? 'pending' : 'confirmed');
    },
  );

  test('every booking that is given up for want of a proof had a mail whose link would have confirmed it', async () => {
    const { path } = await offer();
    const email = 'late@example.net';
    await book(path, email);
    const asked = await book(path, email, { start: nine + 60 });
    clock.advance({ minutes: 29 });
    // covered by the mail before, whose own booking is given up two minutes later
    const covered = await book(path, email, { start: nine + 120 });
    expect((await kindsTo(email)).filter((kind) => kind === 'booking.mail-wanted')).toHaveLength(1);
    clock.advance({ minutes: 2 });
    await expireBookings(server.app);
    expect(await stateOf(asked.token)).toBe('expired');
    // the mail before has run out as one that asks
    const fresh = await book(path, email, { start: nine + 180 });
    expect((await kindsTo(email)).filter((kind) => kind === 'booking.mail-wanted')).toHaveLength(2);
    const [, mail] = await readMails(server, email);
    const { pathname, searchParams } = new URL(mail?.links.find((one) => one.includes('/booked/')) ?? '');
    const also = [await idOf(covered.token), await idOf(fresh.token)];
    await post(`/api${pathname}/confirm`, { proof: searchParams.get('proof'), also });
    expect([await stateOf(covered.token), await stateOf(fresh.token)]).toEqual(['confirmed', 'confirmed']);
  });

  test('the page of a booking that waits sends its mail again while its time is kept, and has a link that cancels', async () => {
    const { path } = await offer();
    const email = 'lost@example.net';
    const { token } = await book(path, email, { guests: ['cy@example.net'] });
    const page = await server.inject({ url: `/booked/${token}`, headers: { accept: 'text/html' } });
    expect(page.body).toContain(`href="/booked/${token}/cancel"`);
    expect((await post(`/booked/${token}/mail`, [])).location).toBe(`/booked/${token}?mail=sent`);
    expect((await post(`/booked/${token}/mail`, [])).location).toBe(`/booked/${token}?mail=later`);
    expect(await kindsTo(email)).toEqual(['booking.mail-wanted', 'booking.mail-wanted']);
    clock.advance({ minutes: 10 });
    await sql`update platform.limits set full_at = full_at - interval '10 minutes'`.execute(server.app.db);
    expect((await post(`/booked/${token}/mail`, [])).location).toBe(`/booked/${token}?mail=sent`);
    await proveByPage(email);
    expect(await stateOf(token)).toBe('confirmed');
    expect((await post(`/booked/${token}/mail`, [])).location).toBe(`/booked/${token}`);
    expect(await kindsTo(email)).toHaveLength(4);
  });
});

describe('bookings of one address', () => {
  const few = { step_minutes: 5, durations_minutes: [5] };
  const fill = async (path: string, email: string, ip?: string) => {
    const states: (string | undefined)[] = [];
    for (let n = 0; n < 7; n += 1)
      states.push((await book(path, email, { name: 'Evil', start: nine + 60 + 5 * n }, ip)).state);
    return states;
  };

  test.each(['203.0.113.20', '127.0.0.1'])(
    'bookings of a stranger at %s keep the owner of the address from no other host, and from no host elsewhere',
    async (ip) => {
      const [{ path }, { path: other }] = [await offer(few), await insertBookable(server, carl, `carl-${next()}`)];
      const email = `lock-${next()}@example.net`;
      const states = await fill(path, email, ip);
      expect(states).toEqual(['confirmed', ...Array(4).fill('awaiting-mail'), undefined, undefined]);
      expect((await book(other, email, {}, '127.0.0.1')).state).toBe('awaiting-mail');
      const own = await book(path, email, {}, '203.0.113.21');
      expect(own.state).toBe('awaiting-mail');
      expect((await kindsTo(email)).filter((kind) => kind === 'booking.mail-wanted')).toHaveLength(2);
    },
  );

  test('bookings of a stranger never keep out an address that is confirmed with the host, and few mails ask for it', async () => {
    const { path } = await offer(few);
    const email = 'rita@example.net';
    const { token } = await book(path, email, {}, '127.0.0.1');
    await proveByPage(email, token);
    clock.advance({ minutes: 61 });
    await fill(path, email, '127.0.0.1');
    expect((await book(path, email, { start: nine + 180 }, '127.0.0.1')).state).toBe('awaiting-mail');
    // canceling a booking that waits asks for no further mail: the link of the one before still works
    for (let n = 0; n < 5; n += 1) {
      const waiting = await book(path, email, { start: nine + 200 + 5 * n }, '127.0.0.1');
      await post(`/api/booked/${waiting.token}/cancel`, {});
    }
    expect((await kindsTo(email)).filter((kind) => kind === 'booking.mail-wanted')).toHaveLength(1);
  });
});

describe('bookings of one network', () => {
  test('bookings without a proof: from the third of a network on a mail asks for it, and few wait at a time', async () => {
    const { path } = await offer({ step_minutes: 5, durations_minutes: [5] });
    const states: (string | undefined)[] = [];
    for (let n = 0; n < 24; n += 1)
      states.push((await book(path, `n${n}@example.net`, { start: nine + 5 * n }, '203.0.113.7')).state);
    expect(states.filter((state) => state === 'confirmed')).toHaveLength(2);
    expect(states.slice(2, 22).every((state) => state === 'awaiting-mail')).toBe(true);
    expect(states.slice(22)).toEqual([undefined, undefined]);
    // another network is not held up
    const { path: quiet } = await offer();
    expect((await book(quiet, 'elsewhere@example.net', { start: nine + 300 }, '203.0.113.8')).state).toBe('confirmed');
  });

  test('bookings without a proof: the networks of one IPv6 site have three times as many as one network', async () => {
    const { path } = await offer({ step_minutes: 5, durations_minutes: [5] });
    const states: (string | undefined)[] = [];
    for (let n = 0; n < 8; n += 1) {
      const network = `2001:db8:88:${n.toString(16)}::1`;
      states.push((await book(path, `s${n}@example.net`, { start: nine + 5 * n }, network)).state);
    }
    expect(states).toEqual([...Array(6).fill('confirmed'), 'awaiting-mail', 'awaiting-mail']);
  });
});

describe('people who are brought along', () => {
  const crowd = (n: number) => Array.from({ length: n }, (_, one) => `crowd-${next()}-${one}@example.net`);
  /** Bookings right after each other that bring ten unknown people each. */
  async function bring(path: string, bookings: number, of: { email?: string; ip?: (n: number) => string }) {
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < bookings; n += 1) {
      const { state, code } = await book(
        path,
        of.email ?? `booker-${next()}@example.net`,
        { start: nine + 5 * n, guests: crowd(10) },
        of.ip?.(n),
      );
      codes.push(state ?? code);
    }
    return codes;
  }
  const many = { guests_allowed: 10, step_minutes: 5, durations_minutes: [5] };
  const three = Array(3).fill('awaiting-mail');

  const networks = [
    ['an IPv4 address', () => '203.0.113.9', 3],
    ['an IPv6 site', (n: number) => `2001:db8:99:${n.toString(16)}::1`, 9],
  ] as const;
  test.each(networks)('mails to strangers: from %s on many pages, a limited number a day', async (_, ip, most) => {
    const [{ path }, { path: other }] = [await offer(many), await insertBookable(server, carl, `carl-${next()}`, many)];
    expect(await bring(path, most + 1, { ip })).toEqual([...Array<string>(most).fill('awaiting-mail'), 'LIMITED']);
    expect(await bring(other, 1, { ip: () => ip(0) })).toEqual(['LIMITED']);
    // without them the booking is taken, and another network is not held up
    expect((await book(other, 'alone@example.net', { start: nine + 60 }, ip(0))).status).toBe(201);
    expect(await bring(other, 1, { ip: () => '203.0.113.10' })).toEqual(['awaiting-mail']);
  });

  test('mails to strangers: by one guest from many networks, 30 a day, and the spellings of an address are one guest', async () => {
    const { path } = await offer(many);
    expect(await bring(path, 3, { email: 'brings.many@gmail.com' })).toEqual(three);
    expect(await bring(path, 1, { email: 'bringsmany+2@gmail.com' })).toEqual(['LIMITED']);
  });

  test('mails to strangers: the pages of one host bring 200 a day, and another host is not held up', async () => {
    const [{ path }, { path: second }] = [await offer(many), await offer(many)];
    const { path: other } = await insertBookable(server, carl, `carl-${next()}`, many);
    expect(await bring(path, 20, {})).toEqual(Array(20).fill('awaiting-mail'));
    expect(await bring(second, 1, {})).toEqual(['LIMITED']);
    expect(await bring(other, 1, {})).toEqual(['awaiting-mail']);
  });

  test('mails to strangers: past the 200 of a host a guest who has confirmed their address brings five a day, and a stranger none', async () => {
    const { path } = await offer(many);
    const known = `known-${next()}@example.net`;
    await book(path, known, { start: nine + 120, guests: ['one@example.net'] });
    await proveByPage(known);
    expect(await bring(path, 19, {})).toEqual(Array(19).fill('awaiting-mail'));
    expect((await book(path, `last-${next()}@example.net`, { start: nine + 180, guests: crowd(9) })).status).toBe(201);
    const bringOne = (email: string, n: number, people: number) =>
      book(path, email, { start: nine + 240 + 5 * n, guests: crowd(people) });
    expect(await bringOne('stranger@example.net', 0, 1)).toMatchObject({ code: 'LIMITED' });
    expect((await bringOne(known, 1, 2)).status).toBe(201);
    expect((await bringOne(known, 2, 3)).status).toBe(201);
    expect(await bringOne(known, 3, 1)).toMatchObject({ code: 'LIMITED' });
  });

  test('mails to strangers: people with an account count, colleagues and people who have confirmed their address with the host do not', async () => {
    const { path } = await offer(many);
    const ip = () => '203.0.113.12';
    expect(await bring(path, 3, { ip })).toEqual(three);
    const known = 'known@example.net';
    await book(path, known, { start: nine + 120, guests: [] });
    await proveByPage(known);
    const reader = await signUpUser(server, `reader-${next()}@example.org`);
    const mate = await signUpUser(server, `mate-${next()}@example.org`);
    await insertTeam(server, `team-${next()}`, [{ user: anna }, { user: mate }]);
    const withKnown = { start: nine + 180, guests: [known, mate.email] };
    expect((await book(path, 'brings@example.net', withKnown, ip())).state).toBe('awaiting-mail');
    for (const stranger of ['stranger@example.net', reader.email]) {
      const withStranger = { start: nine + 240, guests: [known, stranger] };
      expect(await book(path, 'brings@example.net', withStranger, ip())).toMatchObject({
        status: 429,
        code: 'LIMITED',
      });
    }
  });
});

describe('moves of a guest', () => {
  const move = (token: string, n: number, sequence: number) =>
    post(`/api/booked/${token}/reschedule`, { start: nine + 30 * n, sequence });
  /** The mails that wait for another move are due. */
  async function passRest() {
    await server.settle();
    await hurryJobs(server, 'booking.tell');
    await server.settle();
  }

  test('moves without a limit: of 60 moves five are taken, and each side gets two mails about them', async () => {
    const { path } = await offer();
    const email = 'moved@example.net';
    const { token } = await book(path, email);
    const statuses: number[] = [];
    let sequence = 0;
    for (let n = 1; n <= 60; n += 1) {
      const { status } = await move(token, (n % 8) + 1, sequence);
      statuses.push(status);
      if (status === 200) sequence += 1;
      // the first move is told at once, before the next one
      if (n === 1) await server.settle();
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.slice(5).every((status) => status === 429)).toBe(true);
    await passRest();
    const moves = (kinds: string[]) => kinds.filter((kind) => kind === 'booking.rescheduled');
    expect(moves(await kindsTo(email))).toHaveLength(2);
    expect(moves(await kindsTo(anna.email))).toHaveLength(2);
    const { booking } = (await server.inject({ url: `/api/booked/${token}` })).json<Answer['body']>();
    expect(booking).toMatchObject({ sequence: 5, start: nine + 30 * 6 });
    // the last mail tells from the time that the mail before told of
    const facts = (await readMails(server, email))
      .at(-1)
      ?.content.blocks.flatMap((block) => ('facts' in block ? block.facts : []));
    expect(facts?.find(([label]) => label === 'Former time')?.[1]).toContain('3:00');
    clock.advance({ minutes: 61 });
    expect((await move(token, 9, 5)).status).toBe(200);
  });

  test('a guest whose address nobody has proved moves a booking ten times a day', async () => {
    const { path } = await offer();
    const { token } = await book(path, 'daily@example.net');
    let taken = 0;
    for (let n = 0; n < 12; n += 1) {
      clock.advance({ minutes: 13 });
      if ((await move(token, (n % 8) + 1, taken)).status === 200) taken += 1;
    }
    expect(taken).toBe(10);
  });

  test('a paused event type takes no moves of guests, and its bookings can be canceled', async () => {
    const { path, typeId } = await offer();
    const { token } = await book(path, 'paused@example.net');
    const pause = (paused: boolean) =>
      sql`update booking.event_types set settings = settings || ${JSON.stringify({ paused })}::jsonb where id = ${typeId}`.execute(
        server.app.db,
      );
    await pause(true);
    expect(await move(token, 1, 0)).toMatchObject({ status: 409, code: 'NOT_BOOKABLE' });
    const slots = `/api/booked/${token}/slots?from=${nine}&to=${nine + 1_440}`;
    expect((await server.inject({ url: slots })).statusCode).toBe(409);
    const page = await server.inject({ url: `/booked/${token}`, headers: { accept: 'text/html' } });
    expect(page.body).not.toContain(`/booked/${token}/reschedule`);
    expect(page.body).toContain(`/booked/${token}/cancel`);
    expect(page.body).toContain('<p>You can cancel until the meeting starts.</p>');
    expect(page.body).not.toContain('<p>You can reschedule or cancel');
    await pause(false);
    expect((await move(token, 1, 0)).status).toBe(200);
    await pause(true);
    expect((await post(`/api/booked/${token}/cancel`, {})).status).toBe(200);
    expect(await stateOf(token)).toBe('cancelled');
  });
});

describe('blocked guests', () => {
  const bodies = (email: string, more: object = {}) => form(email, { start: nine + 30 * (next() % 12), ...more });
  const codeOf = async (path: string, email: string, more: object = {}) =>
    (await post(`${path}/bookings`, bodies(email, more))).code ?? 'booked';

  test('a host blocks addresses and whole domains, for guests and for whom they bring', async () => {
    const { path } = await offer();
    const calls = anna.as(bookingContract);
    const saved = await calls.changeBlockedGuests({ body: { entries: ['Spam@Example.net', ' @bulk.example '] } });
    expect(saved).toEqual({ entries: ['spam@example.net', '@bulk.example'] });
    expect(await calls.readBlockedGuests({})).toEqual(saved);
    expect(await codeOf(path, 'SPAM@example.net')).toBe('BLOCKED');
    expect(await codeOf(path, 'any@bulk.example')).toBe('BLOCKED');
    expect(await codeOf(path, 'any@mail.bulk.example')).toBe('BLOCKED');
    expect(await codeOf(path, 'good@example.net', { guests: ['any@bulk.example'] })).toBe('BLOCKED');
    expect(await codeOf(path, 'good@notbulk.example')).toBe('booked');
    await expect(calls.changeBlockedGuests({ body: { entries: ['bulk'] } })).rejects.toMatchObject({ status: 400 });
    const other = await signUpUser(server, `other${next()}@example.org`);
    expect(await codeOf((await insertBookable(server, other, 'intro')).path, 'spam@example.net')).toBe('booked');
    await calls.changeBlockedGuests({ body: { entries: [] } });
    expect(await codeOf(path, 'spam@example.net')).not.toBe('BLOCKED');
  });

  test('an address that the operator blocks can book with nobody', async () => {
    const { path } = await offer();
    await sql`update accounts.settings set blocked_guests = array['@bulk.example']`.execute(server.app.db);
    expect(await codeOf(path, 'any@bulk.example')).toBe('BLOCKED');
    await sql`update accounts.settings set blocked_guests = '{}'`.execute(server.app.db);
    expect(await codeOf(path, 'any@bulk.example')).toBe('booked');
  });
});

describe('load', () => {
  /** So many bookings within the hour, of guests who have not proved their address unless it is said. */
  const load = (count: number, typeId: string, isProved = false) =>
    sql`insert into booking.bookings (id, uid, appointment_id, seat, user_id, event_type_id, state, token_hash, guest_name,
        guest_email, created_ms, mail_confirmed_ms)
      select gen_random_uuid(), gen_random_uuid()::text, appointment_id, n + 1000, user_id, event_type_id, 'cancelled',
        uuid_send(gen_random_uuid()), 'Spam', 'spam' || n || '@example.net', created_ms,
        case when ${isProved} then created_ms end
      from booking.bookings, generate_series(1, ${count}) n where event_type_id = ${typeId} and state = 'confirmed'`.execute(
      server.app.db,
    );

  test('under load a browser solves a challenge once, and whoever solves none proves the address by mail', async () => {
    const [one, other] = [await offer(), await offer()];
    await book(one.path, 'quiet@example.net');
    await load(20, one.typeId);
    const ask = async (solution: string | undefined, n: number, path = one.path) => {
      const more = { start: nine + 30 * n, ...(solution === undefined ? {} : { solution }) };
      const email = `load${next()}@example.net`;
      const response = await server.inject({
        method: 'POST',
        url: `${path}/bookings`,
        payload: form(email, more),
        remoteAddress: `10.9.${next() >> 8}.${numbers & 255}`,
      });
      const { bookings, detail } = response.json<Made & { detail?: { code: string; fields: { challenge: string } } }>();
      return {
        email,
        state: bookings?.[0]?.booking.state,
        code: detail?.code,
        challenge: detail?.fields.challenge ?? '',
      };
    };
    const { code, challenge } = await ask('', 1);
    expect(code).toBe('CHALLENGE');
    const solution = (await solve(challenge)) ?? '';
    const forged = JSON.stringify({ ...JSON.parse(solution), number: 1 });
    expect((await ask(forged, 1)).code).toBe('CHALLENGE');
    expect((await ask(solution, 1)).state).toBe('confirmed');
    // used up
    expect((await ask(solution, 2)).code).toBe('CHALLENGE');
    // without script, or from a program
    const { state, email } = await ask(undefined, 2);
    expect(state).toBe('awaiting-mail');
    await server.settle();
    expect(await kindsTo(email)).toEqual(['booking.mail-wanted']);
    // challenges of another event type, and expired ones
    await book(other.path, 'loud@example.net', { start: nine + 300 });
    await load(20, other.typeId);
    const fresh = (await solve((await ask('', 3)).challenge)) ?? '';
    expect((await ask(fresh, 11, other.path)).code).toBe('CHALLENGE');
    clock.advance({ minutes: 6 });
    expect((await ask(fresh, 3)).code).toBe('CHALLENGE');
  });

  test.each([
    { of: 'unproved guests', count: 105, isProved: false },
    { of: 'proved guests', count: 605, isProved: true },
  ])('$count bookings of $of close a page for nobody who proves the address by mail', async ({ count, isProved }) => {
    const { path, typeId } = await offer();
    await book(path, 'first@example.net');
    await load(count, typeId, isProved);
    const email = `stranger${next()}@example.net`;
    const asked = await book(path, email, { start: nine + 60, solution: '' });
    expect(asked).toMatchObject({ status: 201, state: 'awaiting-mail' });
    await proveByPage(email);
    expect(await stateOf(asked.token)).toBe('confirmed');
  });

  test.each([
    { networks: 'an IPv4 address', ip: () => '10.66.0.1', most: 5 },
    { networks: 'an IPv6 site', ip: (n: number) => `2001:db8:7:${n}::1`, most: 15 },
  ])('an overloaded page limits $networks, and other networks still book', async ({ ip, most }) => {
    const { path, typeId } = await offer({ seats: 100 });
    await book(path, 'first@example.net');
    await load(105, typeId);
    const states: (string | undefined)[] = [];
    for (let n = 0; n <= most; n += 1) {
      const { state, code } = await book(path, `many${next()}@example.net`, {}, ip(n));
      states.push(state ?? code);
    }
    expect(states).toEqual([...Array<string>(most).fill('awaiting-mail'), 'LIMITED']);
    expect((await book(path, `other${next()}@example.net`, {}, '10.66.0.2')).state).toBe('awaiting-mail');
    const quiet = await offer({ seats: 100 });
    expect((await book(quiet.path, `quiet${next()}@example.net`, { start: nine + 60 }, ip(most))).state).toBe(
      'awaiting-mail',
    );
  });

  test('an event type that is booked as usual asks for nothing', async () => {
    const { path } = await offer();
    expect((await book(path, 'usual@example.net', { solution: '' })).state).toBe('confirmed');
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam } from '../../../test/harness/bookable-team.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { hurryJobs } from '../../../test/harness/hurry-jobs.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { BookingId } from '../../kernel/ids.ts';
import { hashToken } from '../../platform/crypto.ts';
import { inTransaction } from '../../platform/db.ts';
import { listWaitingMails } from '../../platform/mail-outbox.ts';
import { admitMails, mostMails } from '../../platform/recipients.ts';
import { bookingContract } from './contract.ts';
import { expireBookings } from './expire-bookings.ts';
import { remindPeople, tellAllWaiting } from './remind-people.ts';
import type { Made } from './rules/booking-endpoints.ts';
import type { TypeSettings } from './rules/type-settings.ts';

/** The number of mails that one address gets before anybody has shown to read it, whatever causes them. Mails stay in the outbox. */

const minute = 60_000;
const day = 1_440;
const start = '2027-03-01T08:00:00Z';
const clock = fixedClock(start);
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;

/** Invitations of one host in a day to an address that a guest brought along, and follow-ups of each (decision 0102). */
const [mostOfBringing, mostFollowUps] = [3, 6];

let server: TestApp;
let anna: TestUser;
beforeAll(async () => {
  server = await startTestApp({ clock, http: { pageRoot: await builtPages() } });
  anna = await signUpUser(server, 'anna@example.org');
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
  insertBookable(server, anna, `intro-${next()}`, {
    guests_allowed: 5,
    step_minutes: 5,
    durations_minutes: [5],
    ...settings,
  });

type Body = Made & { booking: Made['bookings'][number]['booking']; detail?: { code: string } };
async function post(url: string, payload: object) {
  const remoteAddress = `10.1.${next() >> 8}.${numbers & 255}`;
  const response = await server.inject({ method: 'POST', url, payload, remoteAddress });
  const body = response.json<Body>();
  return { status: response.statusCode, code: body.detail?.code, body };
}
async function book(path: string, email: string, more: object = {}) {
  const answer = await post(`${path}/bookings`, { start: nine, name: 'Gus', email, zone: 'UTC', ...more });
  await server.settle();
  const [made] = answer.body.bookings ?? [];
  return { ...answer, token: made?.token ?? '', state: made?.booking.state };
}
/** Mails that wait for another move are sent. */
async function passRest() {
  await server.settle();
  await hurryJobs(server, 'booking.tell');
  await server.settle();
}
async function kindsTo(address: string): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from platform.mails where recipient = ${address} order by created_at, id`.execute(server.app.db);
  return rows.map(({ kind }) => kind);
}
const bodiesTo = async (address: string) =>
  (await listWaitingMails(server.app.db, server.app.keyring, { to: address })).map(({ body }) => body);
const markProved = (email: string) =>
  sql`update booking.bookings set mail_confirmed_ms = 1 where guest_email = ${email}`.execute(server.app.db);
const host = () => anna.as(bookingContract);
const idOf = async (email: string, token?: string) => {
  const { rows } = await sql<{ id: BookingId }>`
    select id from booking.bookings where guest_email = ${email}
      and (${token ?? null}::text is null or token_hash = ${token === undefined ? null : hashToken(token)})
    order by created_ms desc limit 1`.execute(server.app.db);
  return rows[0]!.id;
};
/** The limits of a day begin again. */
const passDay = () => sql`update platform.recipients set since = since - interval '24 hours'`.execute(server.app.db);
async function tryAgain(minutes = 16): Promise<void> {
  clock.advance({ minutes });
  await tellAllWaiting(server.app, new AbortController().signal);
  await server.settle();
}
async function moveAsHost(id: BookingId, times: number): Promise<void> {
  for (let sequence = 0; sequence < times; sequence += 1) {
    const wanted = { start: nine + 5 * ((sequence % 8) + 1), sequence, anyway: true };
    await host().rescheduleBooking({ params: { booking_id: id }, body: wanted });
    await passRest();
  }
}

test('moves by a host: of 30 moves right after each other, an unproved guest gets two mails', async () => {
  const { path } = await offer();
  const email = 'victim@example.net';
  await book(path, email);
  const id = await idOf(email);
  for (let sequence = 0; sequence < 30; sequence += 1) {
    const wanted = { start: nine + 5 * ((sequence % 8) + 1), sequence, anyway: true };
    await host().rescheduleBooking({ params: { booking_id: id }, body: wanted });
    await server.settle();
  }
  await passRest();
  expect(await kindsTo(email)).toEqual(['booking.confirmed', 'booking.rescheduled', 'booking.rescheduled']);
});

test('moves by a host: an unproved guest gets six follow-ups a day, and the newest time once the day is over', async () => {
  const { path } = await offer();
  const email = 'victim@example.net';
  await book(path, email);
  const id = await idOf(email);
  await moveAsHost(id, 13);
  expect(await kindsTo(email)).toEqual(['booking.confirmed', ...Array(mostFollowUps).fill('booking.rescheduled')]);
  expect((await bodiesTo(email))[0]?.calendar?.method).toBe('REQUEST');
  const { booking, history } = await host().readBooking({ params: { booking_id: id } });
  expect(booking.sequence).toBe(13);
  expect(history.filter(({ kind }) => kind === 'mail-withheld')).toHaveLength(13 - mostFollowUps);
  for (const { stopUrl, content } of await bodiesTo(email)) {
    expect(stopUrl).toMatch(/\/unsubscribe\/[0-9a-f-]{36}$/);
    expect(JSON.stringify(content.blocks.at(-1))).toContain(stopUrl);
  }
  await tryAgain();
  expect(await kindsTo(email)).toHaveLength(1 + mostFollowUps);
  await passDay();
  await tryAgain();
  expect(await kindsTo(email)).toHaveLength(2 + mostFollowUps);
  // the last of the moves is to 9:25 in New York
  expect((await bodiesTo(email))[0]?.calendar?.ics).toMatch(/DTSTART[^\r\n]*20270308T(142500Z|092500)/);
  await host().cancelBooking({ params: { booking_id: id }, body: {} });
  await server.settle();
  expect((await kindsTo(email)).at(-1)).toBe('booking.cancelled');
});

test('a guest who waits for the newest time gets it after confirming the address', async () => {
  const { path } = await offer();
  const email = 'late@example.net';
  await book(path, email);
  await moveAsHost(await idOf(email), 13);
  expect(await kindsTo(email)).toHaveLength(1 + mostFollowUps);
  await prove(await proofOf(email));
  await tryAgain();
  const [update] = await bodiesTo(email);
  expect(update?.calendar?.method).toBe('REQUEST');
  // the last of the moves is to 9:25 in New York
  expect(update?.calendar?.ics).toMatch(/DTSTART[^\r\n]*20270308T(142500Z|092500)/);
});

test('a guest who has proved the address gets every mail, and none has a link that stops it', async () => {
  const { path } = await offer();
  const email = 'regular@example.net';
  await book(path, email);
  await markProved(email);
  await moveAsHost(await idOf(email), 12);
  expect(await kindsTo(email)).toHaveLength(13);
  expect((await bodiesTo(email)).map(({ stopUrl }) => stopUrl)).toEqual([undefined]);
});

/** A confirmed booking that brings these people; its token. */
async function bring(path: string, guests: readonly string[], start: number): Promise<string> {
  const { token } = await book(path, 'mallory@example.net', { start, guests });
  const [mail] = await bodiesTo('mallory@example.net');
  const proof = JSON.stringify(mail?.content.blocks).match(/[?]proof=([\w-]+)/)?.[1];
  await post(`/api/booked/${token}/confirm`, { proof });
  await passRest();
  return token;
}
test('an address can be confirmed until the meeting begins, and nobody is invited to one that has begun', async () => {
  const { path } = await offer({ notice_minutes: 0 });
  const begins = Date.parse(start) / minute + 360;
  clock.set(new Date((begins - 5) * minute).toISOString());
  const { token } = await book(path, 'mallory@example.net', { start: begins, guests: ['friend@example.net'] });
  const [mail] = await bodiesTo('mallory@example.net');
  const proof = JSON.stringify(mail?.content.blocks).match(/[?]proof=([\w-]+)/)?.[1];
  expect(JSON.stringify(mail?.content)).toMatch(/Confirm by [^"]*2:00 PM/);
  clock.set(new Date(begins * minute).toISOString());
  expect(await post(`/api/booked/${token}/confirm`, { proof })).toMatchObject({ status: 409, code: 'TOO_LATE' });
  await expireBookings(server.app);
  await server.settle();
  expect((await server.inject({ url: `/booked/${token}` })).body).not.toContain('You’re booked!');
  expect(await kindsTo('friend@example.net')).toEqual([]);
  expect(await kindsTo('anna@example.org')).toEqual([]);
});
const spendLimit = (address: string) =>
  sql`update platform.recipients set mails = ${mostMails} where mailbox = ${address}`.execute(server.app.db);
const uidsTo = async (address: string) =>
  (await bodiesTo(address)).toReversed().map(({ calendar }) => /^UID:(.*)$/m.exec(calendar?.ics ?? '')?.[1]?.trim());

test('people who are brought along: of five bookings, each moved and canceled, each person is told of three', async () => {
  const { path } = await offer();
  const brought = [1, 2, 3, 4, 5].map((n) => `stranger${n}@example.net`);
  await book(path, 'mallory@example.net', { start: nine + 300 });
  await markProved('mallory@example.net');
  for (let n = 0; n < 5; n += 1) {
    const token = await bring(path, brought, nine + 10 * n);
    await post(`/api/booked/${token}/reschedule`, { start: nine + 10 * n + 5, sequence: 0 });
    await passRest();
    await post(`/api/booked/${token}/cancel`, {});
    await passRest();
  }
  const told = ['booking.confirmed', 'booking.rescheduled', 'booking.cancelled'];
  for (const address of brought) expect(await kindsTo(address)).toEqual(Array(mostOfBringing).fill(told).flat());
});

test('of one host 18 follow-ups a day reach a mailbox, whatever number of invitations it has', async () => {
  const { path } = await offer();
  const email = 'victim@example.net';
  const tokens: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    if (n === mostOfBringing) await passDay();
    tokens.push(await bring(path, [email], nine + 10 * n));
  }
  await passDay();
  for (const [n, token] of tokens.entries())
    for (let move = 0; move < 5; move += 1) {
      await post(`/api/booked/${token}/reschedule`, { start: nine + 10 * n + 5 * ((move + 1) % 2), sequence: move });
      await passRest();
    }
  const kinds = await kindsTo(email);
  expect(kinds.filter((kind) => kind === 'booking.confirmed')).toHaveLength(6);
  expect(kinds.filter((kind) => kind === 'booking.rescheduled')).toHaveLength(18);
  expect(kinds).toHaveLength(24);
});

/** The time in the calendar of a reader after all mails that they got; null: none. RFC 5546 3.2.2 and 3.2.5. */
async function heldBy(address: string): Promise<string | null> {
  const [newest] = (await bodiesTo(address)).filter(({ calendar }) => calendar !== undefined);
  if (newest?.calendar?.method !== 'REQUEST') return null;
  return /DTSTART;TZID=America\/New_York:20270308T(\d{4})/.exec(newest.calendar.ics)?.[1] ?? null;
}
const [first, second, third] = ['first@example.net', 'second@example.net', 'third@example.net'] as const;

test('the second and the third brought guest keep a meeting that is moved five times', async () => {
  const { path } = await offer();
  const token = await bring(path, [first, second, third], nine);
  for (let move = 0; move < 5; move += 1) {
    await post(`/api/booked/${token}/reschedule`, { start: nine + 30 * (move + 1), sequence: move });
    await passRest();
    const time = new Date(Date.UTC(2027, 2, 8, 9, 30 * (move + 1))).toISOString().slice(11, 16).replace(':', '');
    for (const guest of [second, third]) expect(await heldBy(guest), `move ${move + 1}`).toBe(time);
  }
  expect(await kindsTo(third)).toEqual(['booking.confirmed', ...Array(5).fill('booking.rescheduled')]);
});

test('brought guests are invited again to a new time that the host confirms, each of three times', async () => {
  const { path } = await offer({ confirmation: true });
  const token = await bring(path, [first, second, third], nine);
  const confirm = async () => {
    await host().confirmBooking({ params: { booking_id: await idOf('mallory@example.net') }, body: {} });
    await server.settle();
  };
  await confirm();
  for (let move = 0; move < 3; move += 1) {
    const { booking } = await host().readBooking({ params: { booking_id: await idOf('mallory@example.net') } });
    await post(`/api/booked/${token}/reschedule`, { start: nine + 60 * (move + 1), sequence: booking.sequence });
    await passRest();
    for (const guest of [second, third]) expect(await heldBy(guest)).toBe(null);
    await confirm();
    for (const guest of [second, third]) expect(await heldBy(guest), `move ${move + 1}`).toBe(`1${move}00`);
  }
});

test('three bookers bring the same guest, and each moves and cancels: no meeting of the others is lost', async () => {
  const { path } = await offer();
  const tokens: string[] = [];
  for (const [n, name] of ['ada', 'ben', 'cleo'].entries()) {
    const email = `${name}@example.net`;
    await book(path, email, { start: nine + 60 * n, guests: [first, second] });
    await prove(await proofOf(email));
    await passRest();
    tokens.push(JSON.stringify(await bodiesTo(email)).match(/booked\/([\w-]+)/)?.[1] ?? '');
  }
  for (const [n, token] of tokens.entries())
    for (let move = 0; move < 3; move += 1) {
      await post(`/api/booked/${token}/reschedule`, { start: nine + 60 * n + 5 * (move + 1), sequence: move });
      await passRest();
    }
  const kinds = await kindsTo(second);
  expect(kinds.filter((kind) => kind === 'booking.confirmed')).toHaveLength(3);
  expect(kinds.filter((kind) => kind === 'booking.rescheduled')).toHaveLength(9);
  await post(`/api/booked/${tokens[1]}/cancel`, {});
  await passRest();
  const ended = (await bodiesTo(second)).filter(({ calendar }) => calendar?.method === 'CANCEL');
  expect(ended).toHaveLength(1);
  expect(ended[0]?.calendar?.ics).toContain('DTSTART;TZID=America/New_York:20270308T101500');
});

/** Moves by the host use up the follow-ups of the day; the meeting then is at 9:30 in New York. */
const useUp = async () => moveAsHost(await idOf('mallory@example.net'), mostFollowUps);
async function move(start: number, sequence: number): Promise<void> {
  const booking_id = await idOf('mallory@example.net');
  await host().rescheduleBooking({ params: { booking_id }, body: { start, sequence, anyway: true } });
  await passRest();
}

test('a change past the follow-ups of the day waits, is named as untold, and comes with the newest time when the day is over', async () => {
  const { path } = await offer();
  const token = await bring(path, [first, second], nine);
  await useUp();
  await move(nine + 60, mostFollowUps);
  await move(nine + 120, mostFollowUps + 1);
  expect(await heldBy(second)).toBe('0930');
  expect(await toldInConsole('mallory@example.net')).toEqual([first, second]);
  expect(await shown(`/booked/${token}`)).toContain(`We couldn’t email these guests: ${first}, ${second}.`);
  await tryAgain();
  expect(await heldBy(second)).toBe('0930');
  await passDay();
  await tryAgain();
  expect(await heldBy(second)).toBe('1100');
  // the former time is the one that this reader knew
  const before = (await factsTo(second)).find(([label]) => label === 'Former time')?.[1];
  expect(before).toContain('2:30 – 2:35');
  expect(await toldInConsole('mallory@example.net')).toEqual([]);
  await tryAgain();
  expect(await kindsTo(second)).toHaveLength(2 + mostFollowUps);
});

test('a change that waits comes before the meeting begins, once a day', async () => {
  const { path } = await offer({ notice_minutes: 0 });
  const token = await bring(path, [first, second], nine);
  await useUp();
  await move(nine + 60, mostFollowUps);
  expect(await heldBy(second)).toBe('0930');
  // the reader would be there at 9:30
  clock.set(new Date((nine + 30 - 119) * minute).toISOString());
  await tryAgain(0);
  expect(await heldBy(second)).toBe('1000');
  await move(nine + 90, mostFollowUps + 1);
  expect(await heldBy(second)).toBe('1000');
  await post(`/api/booked/${token}/cancel`, {});
  await passRest();
  expect(await heldBy(second)).toBe(null);
  expect(await kindsTo(second)).toHaveLength(3 + mostFollowUps);
});

test('a meeting whose change waits and that is canceled ends in the calendar, and a guest who declines waits no more', async () => {
  const { path } = await offer();
  const token = await bring(path, [first, second], nine);
  await useUp();
  await move(nine + 60, mostFollowUps);
  const url = JSON.stringify(await bodiesTo(second)).match(/\/invite\/[\w-]+/)?.[0] ?? '';
  await sendTo(url);
  await server.settle();
  expect((await kindsTo(second)).at(-1)).toBe('booking.left');
  await post(`/api/booked/${token}/cancel`, {});
  await passRest();
  expect((await kindsTo(first)).at(-1)).toBe('booking.cancelled');
  await passDay();
  await tryAgain();
  expect(await kindsTo(first)).toHaveLength(2 + mostFollowUps);
  expect(await kindsTo(second)).toHaveLength(2 + mostFollowUps);
});

test('the second brought guest past the limit gets the cancellation of the meeting that they hold, and no other', async () => {
  const { path } = await offer();
  const [first, second] = ['first@example.net', 'second@example.net'] as const;
  const held = await bring(path, [first, second], nine);
  await spendLimit(second);
  const unknown = await bring(path, [first, second], nine + 10);
  for (const token of [unknown, held]) await post(`/api/booked/${token}/cancel`, {});
  await passRest();
  expect(await kindsTo(second)).toEqual(['booking.confirmed', 'booking.cancelled']);
  const { rows } = await sql<{ uid: string }>`
    select b.uid from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where a.start_ms = ${nine * minute}`.execute(server.app.db);
  // the invitation itself was withdrawn from the outbox
  expect(await uidsTo(second)).toEqual(rows.map(({ uid }) => uid));
  expect(await kindsTo(first)).toHaveLength(4);
});

test('the second brought guest past the limit is named to the booker and the host, and no mail or page says that they are invited', async () => {
  const { path } = await offer();
  const [first, second] = ['first@example.net', 'second@example.net'] as const;
  await bring(path, [first, second], nine + 120);
  await spendLimit(second);
  const token = await bring(path, [first, second], nine);
  const newest = async (address: string) => {
    const [mail] = await bodiesTo(address);
    return (mail?.content.blocks ?? [])
      .flatMap((block) => ('facts' in block ? block.facts : []))
      .map(([label, text]) => [label, text]);
  };
  const textTo = async (address: string) => JSON.stringify((await bodiesTo(address))[0]?.content);
  expect(await kindsTo(second)).toEqual(['booking.confirmed']);
  for (const reader of ['mallory@example.net', 'anna@example.org']) {
    expect(await newest(reader)).toEqual(
      expect.arrayContaining([
        ['Also invited', first],
        ['Not emailed', second],
      ]),
    );
  }
  expect(await textTo('mallory@example.net')).toContain('Please tell them about this meeting.');
  expect(await textTo('anna@example.org')).toMatch(/Gus.{0,4} should tell them about this meeting\./);
  const said = `We couldn’t email these guests: ${second}. Please tell them about this meeting.`;
  expect(await shown(`/booked/${token}`)).toContain(said);
  // the next day the move invites them, and they are named as invited again
  await passDay();
  await post(`/api/booked/${token}/reschedule`, { start: nine + 30, sequence: 0 });
  await passRest();
  expect(await kindsTo(second)).toEqual(['booking.confirmed', 'booking.confirmed']);
  for (const reader of ['mallory@example.net', 'anna@example.org']) {
    expect(await newest(reader)).toContainEqual(['Also invited', `${first}\n${second}`]);
    expect(await textTo(reader)).not.toMatch(/Not emailed|could not be emailed/);
  }
  expect(await shown(`/booked/${token}`)).not.toContain('We couldn’t email');
});

const factsTo = async (address: string) =>
  ((await bodiesTo(address))[0]?.content.blocks ?? [])
    .flatMap((block) => ('facts' in block ? block.facts : []))
    .map(([label, text]) => [label, text]);
const stop = (address: string) =>
  sql`update platform.recipients set stopped_at = now() where mailbox = ${address}`.execute(server.app.db);
const toldInConsole = async (email: string) =>
  (await host().readBooking({ params: { booking_id: await idOf(email) } })).booking.untold;

test('brought guests are said to be invited only while the booking is confirmed', async () => {
  const { path } = await offer({ confirmation: true });
  const guests = ['first@example.net', 'second@example.net'];
  const labels = async (address: string) =>
    (await factsTo(address)).filter(([, text]) => text === guests.join('\n')).map(([label]) => label);
  const token = await bring(path, guests, nine);
  const ask = { email: 'mallory@example.net', host: 'anna@example.org' };
  for (const reader of Object.values(ask)) expect(await labels(reader)).toEqual(['Additional guests']);
  for (const guest of guests) expect(await kindsTo(guest)).toEqual([]);
  const id = await idOf(ask.email);
  await host().confirmBooking({ params: { booking_id: id }, body: {} });
  await server.settle();
  expect(await labels(ask.email)).toEqual(['Also invited']);
  // the new time waits for the host, and the invitations were taken back
  await post(`/api/booked/${token}/reschedule`, { start: nine + 30, sequence: 0 });
  await passRest();
  for (const reader of Object.values(ask)) expect(await labels(reader)).toEqual(['Additional guests']);
  await host().declineBooking({ params: { booking_id: id }, body: {} });
  await server.settle();
  expect(await labels(ask.email)).toEqual(['Additional guests']);
});

test('a brought guest who stopped mails is named to the booker and the host after a move and after a cancellation', async () => {
  const { path } = await offer();
  const [first, second] = ['first@example.net', 'second@example.net'] as const;
  const token = await bring(path, [first, second], nine);
  expect(await toldInConsole('mallory@example.net')).toEqual([]);
  await stop(second);
  const before = await kindsTo(second);
  await post(`/api/booked/${token}/reschedule`, { start: nine + 30, sequence: 0 });
  await passRest();
  expect(await kindsTo(second)).toEqual(before);
  const said = `We couldn’t email these guests: ${second}. Please tell them about this change.`;
  const readers = ['mallory@example.net', 'anna@example.org'];
  for (const reader of readers) expect(await factsTo(reader)).toContainEqual(['Not emailed about this change', second]);
  expect(await shown(`/booked/${token}`)).toContain(said);
  expect(await toldInConsole('mallory@example.net')).toEqual([second]);
  await post(`/api/booked/${token}/cancel`, {});
  await passRest();
  expect(await kindsTo(second)).toEqual(before);
  for (const reader of readers) {
    expect(await factsTo(reader)).toEqual(
      expect.arrayContaining([
        ['Additional guests', first],
        ['Not emailed about this change', second],
      ]),
    );
    expect(JSON.stringify((await bodiesTo(reader))[0]?.content)).toContain('tell them about this change.');
  }
  expect(await shown(`/booked/${token}`)).toContain(said);
});

test('a brought guest who stopped mails after the invitation is named in the cancellation', async () => {
  const { path } = await offer();
  const [first, second] = ['first@example.net', 'second@example.net'] as const;
  const token = await bring(path, [first, second], nine);
  await stop(second);
  await post(`/api/booked/${token}/cancel`, {});
  await passRest();
  for (const reader of ['mallory@example.net', 'anna@example.org'])
    expect(await factsTo(reader)).toContainEqual(['Not emailed about this change', second]);
  expect(await toldInConsole('mallory@example.net')).toEqual([second]);
});

test('a brought guest past the limit who gets the cancellation all the same is not named as one without an email', async () => {
  const { path } = await offer();
  const [first, second] = ['first@example.net', 'second@example.net'] as const;
  const token = await bring(path, [first, second], nine);
  await spendLimit(second);
  await post(`/api/booked/${token}/cancel`, {});
  await passRest();
  expect((await kindsTo(second)).at(-1)).toBe('booking.cancelled');
  for (const reader of ['mallory@example.net', 'anna@example.org'])
    expect(await factsTo(reader)).toContainEqual(['Additional guests', `${first}\n${second}`]);
  expect(await shown(`/booked/${token}`)).not.toContain('We couldn’t email');
  expect(await toldInConsole('mallory@example.net')).toEqual([]);
});

test('the page of a booking shows the address of the host once the host has heard of it, and not after it ran out before', async () => {
  const { path } = await offer();
  const email = 'gus@example.net';
  const first = await book(path, email);
  const second = await book(path, email, { start: nine + 60 });
  const third = await book(path, email, { start: nine + 90 });
  expect([first.state, second.state, third.state]).toEqual(['confirmed', 'awaiting-mail', 'awaiting-mail']);
  const address = 'mailto:anna@example.org';
  expect(await shown(`/booked/${first.token}`)).toContain(address);
  expect(await shown(`/booked/${second.token}`)).not.toContain(address);
  await post(`/api/booked/${third.token}/cancel`, {});
  await post(`/api/booked/${first.token}/cancel`, {});
  clock.set('2027-03-01T09:01:00Z');
  await expireBookings(server.app);
  await passRest();
  expect(await shown(`/booked/${second.token}`)).toContain('Not booked');
  for (const { token } of [second, third]) expect(await shown(`/booked/${token}`)).not.toContain(address);
  expect(await shown(`/booked/${first.token}`)).toContain(address);
});

test('a guest whose day of mails is used up reads when to ask for a new mail again', async () => {
  const { path } = await offer();
  const email = 'gus@example.net';
  await book(path, email);
  const { token } = await book(path, email, { start: nine + 60 });
  await spendLimit(email);
  const asked = await sendTo(`/booked/${token}/mail`);
  expect(asked.headers.location).toBe(`/booked/${token}?mail=full`);
});

test('the mail that asks a guest to confirm the address says that the host must accept the request', async () => {
  const { path } = await offer({ confirmation: true });
  const email = 'gus@example.net';
  await book(path, email);
  await book(path, email, { start: nine + 60 });
  const [asked] = await bodiesTo(email);
  expect(await kindsTo(email)).toContain('booking.mail-wanted');
  expect(JSON.stringify(asked?.content)).toMatch(/must then accept it, so nothing is booked yet\./);
});

test('a reminder to a brought guest whose invitation was kept back is the invitation', async () => {
  const { path } = await offer();
  const [first, second] = ['first@example.net', 'second@example.net'] as const;
  await bring(path, [first, second], nine);
  await spendLimit(second);
  await bring(path, [first, second], nine + 30);
  expect(await kindsTo(second)).toEqual(['booking.confirmed']);
  await passDay();
  // a day before the second booking, and too late to remind of the first one
  clock.set('2027-03-07T14:31:00Z');
  await remindPeople(server.app, new AbortController().signal);
  await server.settle();
  expect(await kindsTo(second)).toEqual(['booking.confirmed', 'booking.confirmed']);
  const [invitation] = await bodiesTo(second);
  expect(invitation?.calendar?.method).toBe('REQUEST');
  expect(invitation?.calendar?.ics).toContain('DTSTART;TZID=America/New_York:20270308T093000');
  expect((await kindsTo(first)).at(-1)).toBe('booking.reminder');
});

test('an attacker brings one address to twelve bookings and cancels all at once: three invitations, and one end of each', async () => {
  const { path } = await offer();
  const email = 'victim@example.net';
  const tokens: string[] = [];
  for (let n = 0; n < 12; n += 1) tokens.push(await bring(path, [email], nine + 10 * n));
  await Promise.all(tokens.map((token) => post(`/api/booked/${token}/cancel`, {})));
  await passRest();
  const kinds = await kindsTo(email);
  expect(kinds.filter((kind) => kind === 'booking.confirmed')).toHaveLength(mostOfBringing);
  expect(kinds.filter((kind) => kind === 'booking.cancelled')).toHaveLength(mostOfBringing);
  expect(kinds).toHaveLength(2 * mostOfBringing);
  const uids = await uidsTo(email);
  expect(new Set(uids).size).toBe(mostOfBringing);
});

test('times of a series that are canceled one by one past the limit of invitations: each is told', async () => {
  const { path } = await offer({ recurring: { max: 6, every: 'week' }, window: { kind: 'rolling', days: 120 } });
  const email = 'victim@example.net';
  const { body } = await book(path, email, { times: 6 });
  await spendLimit(email);
  for (const { token } of body.bookings.slice(0, 4)) {
    clock.advance({ minutes: 1 });
    await post(`/api/booked/${token}/cancel`, {});
    await passRest();
  }
  expect(await kindsTo(email)).toEqual(['booking.confirmed', ...Array(4).fill('booking.cancelled')]);
});

test('an honest guest brings five colleagues: each gets the invitation, the move, and the cancellation', async () => {
  const { path } = await offer();
  const brought = [1, 2, 3, 4, 5].map((n) => `colleague${n}@example.net`);
  const { token } = await book(path, 'gus@example.net', { guests: brought });
  const [mail] = await bodiesTo('gus@example.net');
  const proof = JSON.stringify(mail?.content.blocks).match(/[?]proof=([\w-]+)/)?.[1];
  await post(`/api/booked/${token}/confirm`, { proof });
  await passRest();
  await post(`/api/booked/${token}/reschedule`, { start: nine + 30, sequence: 0 });
  await passRest();
  await post(`/api/booked/${token}/cancel`, {});
  await passRest();
  for (const address of brought)
    expect(await kindsTo(address)).toEqual(['booking.confirmed', 'booking.rescheduled', 'booking.cancelled']);
});

/** An account here whose owner has, or has not, confirmed its address. */
async function account(name: string, isConfirmed: boolean): Promise<string> {
  const { email } = await signUpUser(server, `${name}-${next()}@example.org`);
  if (!isConfirmed)
    await sql`update accounts.users set email_verified_at = null where email = ${email}`.execute(server.app.db);
  return email;
}

/** These mailboxes have had all mails of their day. */
const fill = (emails: readonly string[]) =>
  sql`insert into platform.recipients (mailbox, mails)
    select unnest(${emails}::text[]), ${mostMails}`.execute(server.app.db);

/** An account whose owner shares a team with the host. */
async function mate(): Promise<string> {
  const user = await signUpUser(server, `mate-${next()}@example.org`);
  await insertTeam(server, `team-${next()}`, [{ user: anna }, { user }]);
  return user.email;
}

test('past the limit a booker gets mails where they share a team with the host, and an account is no such relation', async () => {
  const { path } = await offer();
  const readers = [await mate(), await account('reader', true), await account('newcomer', false)];
  await fill(readers);
  for (const [n, email] of readers.entries()) {
    await book(path, email, { start: nine + 300 + 10 * n });
    await host().cancelBooking({ params: { booking_id: await idOf(email) }, body: {} });
    await server.settle();
  }
  expect(await Promise.all(readers.map(kindsTo))).toEqual([['booking.confirmed', 'booking.cancelled'], [], []]);
  const [colleague = ''] = readers;
  for (const { stopUrl } of await bodiesTo(colleague)) expect(stopUrl).toBeUndefined();
  const { rows } = await sql<{ mails: number }>`
    select mails from platform.recipients where mailbox = ${colleague}`.execute(server.app.db);
  expect(rows).toEqual([{ mails: mostMails }]);
});

test('past the limit only those who are brought along get mails who share a team with the host', async () => {
  const { path } = await offer();
  const email = 'gus@example.net';
  const brought = ['first@example.net', await mate(), await account('reader', true), await account('newcomer', false)];
  await fill(brought);
  const { token } = await book(path, email, { guests: brought });
  const [mail] = await bodiesTo(email);
  const proof = JSON.stringify(mail?.content.blocks).match(/[?]proof=([\w-]+)/)?.[1];
  await post(`/api/booked/${token}/confirm`, { proof });
  await passRest();
  await moveAsHost(await idOf(email), 1);
  const kinds = await Promise.all(brought.map(kindsTo));
  expect(kinds).toEqual([[], ['booking.confirmed', 'booking.rescheduled'], [], []]);
});

test('a series of 10 dates, each moved and canceled: a brought account gets the invitation, six follow-ups, and one end, each with a stop link', async () => {
  const { path } = await offer({ recurring: { max: 10, every: 'week' }, window: { kind: 'rolling', days: 120 } });
  const email = 'gus@example.net';
  const brought = [await account('first', true), await account('second', true)];
  const { body } = await book(path, email, { times: 10, guests: brought });
  expect(body.bookings).toHaveLength(10);
  await prove(await proofOf(email));
  await passRest();
  const { bookings } = await host().listBookings({ query: { scope: 'upcoming' } });
  for (const { booking_id, start_time, sequence } of bookings) {
    const start = start_time / minute + 15;
    await host().rescheduleBooking({ params: { booking_id }, body: { start, sequence, anyway: true } });
    await passRest();
  }
  for (const { booking_id } of bookings) {
    await host().cancelBooking({ params: { booking_id }, body: {} });
    await passRest();
  }
  const kinds = ['booking.confirmed', ...Array(mostFollowUps).fill('booking.rescheduled'), 'booking.cancelled'];
  expect(await Promise.all(brought.map(kindsTo))).toEqual([kinds, kinds]);
  const bodies = (await Promise.all(brought.map(bodiesTo))).flat();
  for (const { stopUrl } of bodies) expect(stopUrl).toMatch(/\/unsubscribe\/[0-9a-f-]{36}$/);
});

test('a brought account gets the invitation, one move, and the end of a meeting, and stops further mails with one click', async () => {
  const { path } = await offer();
  const [email, reader] = ['gus@example.net', await account('reader', true)];
  await book(path, email, { guests: [reader] });
  await prove(await proofOf(email));
  await passRest();
  await moveAsHost(await idOf(email), 1);
  await host().cancelBooking({ params: { booking_id: await idOf(email) }, body: {} });
  await passRest();
  const kinds = ['booking.confirmed', 'booking.rescheduled', 'booking.cancelled'];
  expect(await kindsTo(reader)).toEqual(kinds);
  const [mail] = await bodiesTo(reader);
  const payload = 'List-Unsubscribe=One-Click';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = new URL(mail?.stopUrl ?? '').pathname;
  expect((await server.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(200);
  await passDay();
  await book(path, email, { start: nine + 60 });
  const { rows } = await sql<{ id: BookingId }>`
    update booking.bookings set guests = ${JSON.stringify([reader])}::jsonb where state = 'confirmed' returning id`.execute(
    server.app.db,
  );
  await moveAsHost(rows[0]!.id, 1);
  expect(await kindsTo(reader)).toEqual(kinds);
});

test('a guest with an account gets no free text and no unknown link of a host before they confirm their address, and a colleague gets both', async () => {
  const { path } = await offer({
    location: { kind: 'link', url: 'https://call.example.com/room' },
    cancellation: { until_minutes: 0, text: 'Call this policy' },
  });
  const [mate, second, stranger] = await Promise.all(
    ['mate', 'second', 'stranger'].map((name) => signUpUser(server, `${name}-${next()}@example.org`)),
  );
  if (mate === undefined || second === undefined || stranger === undefined) throw new Error('nobody signed up');
  await insertTeam(server, `team-${next()}`, [{ user: anna }, { user: mate }, { user: second }]);
  const textsTo = async (email: string) => {
    const bodies = await bodiesTo(email);
    return JSON.stringify(
      bodies.map(({ content, calendar }) => [content, calendar?.ics.replaceAll(/\r?\n[ \t]/g, '')]),
    );
  };
  await book(path, mate.email);
  await book(path, stranger.email, { start: nine + 60 });
  expect(await textsTo(mate.email)).toMatch(/call\.example\.com\/room.*Call this policy/);
  expect(await textsTo(stranger.email)).toContain('booked with');
  expect(await textsTo(stranger.email)).not.toMatch(/call\.example|Call this/);
  // the second one whom somebody brings
  await markProved(mate.email);
  await book(path, mate.email, { start: nine + 120, guests: ['first@example.net', second.email, stranger.email] });
  await markProved(mate.email);
  await host().cancelBooking({ params: { booking_id: await idOf(mate.email) }, body: { reason: 'Call this reason' } });
  await server.settle();
  expect(await textsTo(stranger.email)).not.toMatch(/call\.example|Call this/);
  // once they have confirmed it with the host
  await markProved(stranger.email);
  await book(path, stranger.email, { start: nine + 180 });
  expect(await textsTo(stranger.email)).toMatch(/call\.example\.com\/room.*Call this policy/);
});

test('a stranger who books with an address that its reader has confirmed writes no word of their own to it', async () => {
  const { path } = await offer({
    location: { kind: 'phone', who_calls: 'host', number: '' },
    questions: [{ id: 'q', label: 'Topic', kind: 'text', required: false }],
  });
  const email = 'tom@example.net';
  await book(path, email, { phone: '+4915112345678' });
  await prove(await proofOf(email));
  clock.advance({ minutes: 61 });
  const typed = { name: 'Call this name', phone: '+19005550100', answers: { q: 'Call this answer' } };
  const forged = await book(path, email, { ...typed, start: nine + 60 });
  expect(forged.state).toBe('confirmed');
  const wanted = { start: nine + 90, sequence: 0, reason: 'Call this reason' };
  expect(await post(`/api/booked/${forged.token}/reschedule`, wanted)).toMatchObject({ status: 200 });
  await passRest();
  await post(`/api/booked/${forged.token}/cancel`, { reason: 'Call this other reason' });
  await passRest();
  const kinds = ['booking.confirmed', 'booking.confirmed', 'booking.rescheduled', 'booking.cancelled'];
  expect(await kindsTo(email)).toEqual(kinds);
  expect(JSON.stringify(await bodiesTo(email))).not.toMatch(/Call this|900 ?555/);
  // the guest's own mail has confirmed this one
  const second = await book(path, email, { ...typed, start: nine + 120 });
  await prove(await proofOf(email, second.token));
  await post(`/api/booked/${second.token}/cancel`, { reason: 'Call this own reason' });
  await passRest();
  expect(JSON.stringify(await bodiesTo(email))).toContain('Call this own reason');
});

test('a reader who stopped mails gets none with an account either', async () => {
  const { path } = await offer();
  const email = await account('reader', true);
  await book(path, email);
  await sql`update platform.recipients set stopped_at = now() where mailbox = ${email}`.execute(server.app.db);
  await moveAsHost(await idOf(email), 1);
  expect(await kindsTo(email)).toEqual(['booking.confirmed']);
});

test('20 bookings at once for one address, each of another network: one is confirmed, all others wait, and two mails go out', async () => {
  const { path } = await offer();
  const email = 'victim@example.net';
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      post(`${path}/bookings`, { start: nine + 10 * n, name: 'Gus', email, zone: 'UTC' }),
    ),
  );
  await server.settle();
  const states = answers.map(({ body }) => body.bookings?.[0]?.booking.state);
  expect(states.filter((state) => state === 'confirmed')).toHaveLength(1);
  expect(states.filter((state) => state === 'awaiting-mail')).toHaveLength(19);
  expect((await kindsTo(email)).toSorted()).toEqual(['booking.confirmed', 'booking.mail-wanted']);
});

test('a series of ten weeks is one mail, and an unproved guest who cancels each of its times gets six follow-ups and one end', async () => {
  const { path } = await offer({ recurring: { max: 10, every: 'week' }, window: { kind: 'rolling', days: 120 } });
  const email = 'victim@example.net';
  const { body, status } = await book(path, email, { times: 10 });
  expect(status).toBe(201);
  expect(body.bookings).toHaveLength(10);
  expect(await kindsTo(email)).toEqual(['booking.confirmed']);
  for (const { token } of body.bookings) {
    clock.advance({ minutes: 1 });
    expect(await post(`/api/booked/${token}/cancel`, {})).toMatchObject({ status: 200 });
    await server.settle();
  }
  expect(await kindsTo(email)).toHaveLength(1 + mostFollowUps + 1);
});

test('a booking that has to wait for a mail is refused where its address gets no more mails', async () => {
  const { path } = await offer();
  const email = 'victim@example.net';
  await book(path, email);
  await sql`update platform.recipients set mails = ${mostMails}`.execute(server.app.db);
  expect(await book(path, email, { start: nine + 30 })).toMatchObject({ status: 429 });
});

test('a second booking that waits says that the mail of the first can confirm it, and a new mail names both', async () => {
  const { path } = await offer();
  const mailing = { ...server.app.mail };
  onTestFinished(() => void Object.assign(server.app.mail, mailing));
  Object.assign(server.app.mail, { transport: {} });
  const email = 'nina@example.net';
  const guests = ['friend@example.net'];
  const first = await book(path, email, { guests });
  const second = await book(path, email, { guests, start: nine + 30 });
  expect([first.state, second.state]).toEqual(['awaiting-mail', 'awaiting-mail']);
  expect(await kindsTo(email)).toEqual(['booking.mail-wanted']);
  const follow = `We sent a link to ${email}`;
  const earlier = `Confirm it with the link we sent to ${email} for your earlier booking`;
  expect(await shown(`/booked/${first.token}`)).toContain(follow);
  expect(await shown(`/booked/${second.token}`)).toContain(earlier);
  expect(await shown(`/booked/${second.token}`)).not.toContain(follow);
  const asked = await sendTo(`/booked/${second.token}/mail`);
  await server.settle();
  expect(await shown(String(asked.headers.location))).toContain(`We sent a new email to ${email}.`);
  // from now on the mail of this booking is the one to look for
  expect(await shown(`/booked/${second.token}`)).toContain(follow);
  expect(await shown(`/booked/${second.token}`)).not.toContain(earlier);
  expect(await kindsTo(email)).toHaveLength(2);
  const [mail] = await bodiesTo(email);
  expect(mail?.content.subject).toContain('2:30');
  const facts = (mail?.content.blocks ?? []).flatMap((block) => ('facts' in block ? block.facts : []));
  expect(facts.find(([label]) => label === 'Also waiting for this confirmation')?.[1]).toMatch(/2:00\sPM/);
  await prove({ ...(await proofOf(email)), also: [await idOf(email, first.token)] });
  for (const { token } of [first, second]) expect(await shown(`/booked/${token}`)).toContain('You’re booked!');
});

test('a guest who cancels a waiting booking and books again gets a mail for it, at most once in ten minutes', async () => {
  const { path } = await offer();
  const email = 'nina@example.net';
  const guests = ['friend@example.net'];
  const bookAt = async (minutes: number) => {
    const booked = await book(path, email, { guests, start: nine + minutes });
    expect(booked.state).toBe('awaiting-mail');
    return booked;
  };
  const cancel = ({ token }: { token: string }) => post(`/api/booked/${token}/cancel`, {});
  await cancel(await bookAt(0));
  const second = await bookAt(30);
  expect(await kindsTo(email)).toEqual(['booking.mail-wanted', 'booking.mail-wanted']);
  await cancel(second);
  const third = await bookAt(60);
  expect(await kindsTo(email)).toHaveLength(2);
  // the mail of an earlier booking confirms the only one left, and its page asks for nothing else
  const proof = await proofOf(email);
  const page = await server.inject({
    url: `${proof.url.slice('/api'.length, -'/confirm'.length)}?proof=${proof.proof}`,
  });
  expect(/<input [^>]*name="also"[^>]*>/.exec(page.body)?.[0]).toContain(' required=');
  await prove({ ...proof, also: [await idOf(email, third.token)] });
  expect(await shown(`/booked/${third.token}`)).toContain('You’re booked!');
});

test('the link of a confirmed booking asks only for the others that wait', async () => {
  const { path } = await offer();
  const email = 'nina@example.net';
  const guests = ['friend@example.net'];
  await book(path, email, { guests });
  await book(path, email, { guests, start: nine + 30 });
  const proof = await proofOf(email);
  const page = async () =>
    (await server.inject({ url: `${proof.url.slice('/api'.length, -'/confirm'.length)}?proof=${proof.proof}` })).body;
  const [own, others] = ['and the time is yours', 'Select the ones you made'];
  expect(await page()).toContain(own);
  await prove(proof);
  const later = await page();
  expect(later).toContain(others);
  expect(later.slice(later.indexOf('<body'), later.indexOf('type="application/json"'))).not.toContain(own);
});

test('a booking of a colleague waits for a mail whatever their address got before', async () => {
  const { path } = await offer();
  const email = await mate();
  await fill([email]);
  await book(path, email);
  expect(await book(path, email, { start: nine + 30 })).toMatchObject({ status: 201, state: 'awaiting-mail' });
  expect(await kindsTo(email)).toEqual(['booking.confirmed', 'booking.mail-wanted']);
});

test('the link in a mail to an unproved address stops all of them, and bookings of that address are refused', async () => {
  const { path } = await offer();
  const email = 'victim@example.net';
  await book(path, email);
  const id = await idOf(email);
  const [mail] = await bodiesTo(email);
  const stop = new URL(mail?.stopUrl ?? '').pathname;
  const ask = (form: string) =>
    server.inject({
      method: 'POST',
      url: stop,
      payload: form,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    });
  // a program that looks at the link stops nothing
  expect((await server.inject({ url: stop, headers: { accept: 'text/html' } })).body).toContain(email);
  // nothing there is an invitation to more mails
  const page = (await server.inject({ url: stop, headers: { accept: 'text/html' } })).body;
  expect(page).not.toMatch(/Features|Pricing|Sign Up|action="\/subscribe"/);
  expect((await server.inject({ url: '/unsubscribe/wrong', headers: { accept: 'text/html' } })).body).toContain(
    'Use the link in the latest email to stop more of them.',
  );
  await moveAsHost(id, 1);
  expect(await kindsTo(email)).toHaveLength(2);
  const isStopped = async () => (await host().readBooking({ params: { booking_id: id } })).booking.email_stopped;
  expect(await isStopped()).toBe(false);
  expect((await ask('List-Unsubscribe=One-Click')).statusCode).toBe(200);
  // the host is told before they rely on a mail
  expect(await isStopped()).toBe(true);
  await host().cancelBooking({ params: { booking_id: id }, body: {} });
  await server.settle();
  expect(await kindsTo(email)).toHaveLength(2);
  expect((await host().readBooking({ params: { booking_id: id } })).history.at(-1)?.kind).toBe('mail-withheld');
  expect(await book(path, email, { start: nine + 60 })).toMatchObject({ code: 'BLOCKED' });
  expect(await book(path, 'other@example.net', { start: nine + 60, guests: [email] })).toMatchObject({
    code: 'BLOCKED',
  });
  expect((await ask('again=yes')).statusCode).toBe(200);
  expect((await book(path, email, { start: nine + 60 })).status).toBe(201);
});

/** The proof in the newest mail to an address, or in that of one booking. */
async function proofOf(email: string, of = '') {
  for (const { content } of await bodiesTo(email)) {
    const [, token = '', proof] = /booked\/([\w-]+)[?]proof=([\w-]+)/.exec(JSON.stringify(content.blocks)) ?? [];
    if (proof !== undefined && token.includes(of)) return { url: `/api/booked/${token}/confirm`, proof };
  }
  throw new Error(`no mail to ${email} has a proof`);
}
async function prove({ url, ...body }: { url: string; proof: string; also?: readonly string[] }) {
  expect((await post(url, body)).status).toBe(200);
  await server.settle();
}
/** The lines of an event of the newest mail. */
async function eventTo(email: string): Promise<{ lines: string[]; value: (name: string) => string }> {
  const [mail] = await bodiesTo(email);
  const lines = (mail?.calendar?.ics ?? '').replaceAll(/\r\n[ \t]/g, '').split('\r\n');
  return { lines, value: (name) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1) ?? '' };
}
const ownLink = 'https://meet.example.org/anna';

test('the invitation of a guest who confirms the address comes again at once with its link, and a second time it does not', async () => {
  const { path } = await offer();
  const { path: other } = await offer({ location: { kind: 'link', url: 'https://meet.example.org/second' } });
  const email = 'gus@example.net';
  const { token } = await book(path, email);
  const before = await eventTo(email);
  expect(before.lines.join('\n')).not.toContain('meet.example.org');
  expect(before.value('URL')).toContain(`/booked/${token}`);
  clock.advance({ minutes: 70 });
  await book(other, email, { start: nine + 60 });
  await book(path, 'stranger@example.net', { start: nine + 90 });
  clock.advance({ minutes: 1 });
  const proof = await proofOf(email);
  await prove(proof);
  expect(await kindsTo(email)).toEqual([...Array(2).fill('booking.confirmed'), ...Array(2).fill('booking.linked')]);
  const mails = (await bodiesTo(email)).filter(({ content }) => content.subject.startsWith('Meeting link'));
  const files = mails.map(({ calendar }) => calendar?.ics.replaceAll(/\r\n[ \t]/g, '') ?? '');
  const [own = '', second = ''] = files.toSorted((a, b) => Number(b.includes(ownLink)) - Number(a.includes(ownLink)));
  expect(own).toMatch(/METHOD:REQUEST/);
  for (const line of [`URL:${ownLink}`, `LOCATION:${ownLink}`, `UID:${before.value('UID')}`])
    expect(own).toContain(line);
  // the later of two messages with one sequence is the newer one (RFC 5546 2.1.5)
  expect(Number(/^SEQUENCE:(\d+)/m.exec(own)?.[1])).toBeGreaterThanOrEqual(Number(before.value('SEQUENCE')));
  expect((/^DTSTAMP:(\w+)/m.exec(own)?.[1] ?? '') > before.value('DTSTAMP')).toBe(true);
  expect(second).toContain('URL:https://meet.example.org/second');
  expect(await kindsTo('stranger@example.net')).toEqual(['booking.confirmed']);

  await prove(proof);
  expect(await kindsTo(email)).toHaveLength(4);
});

test.each([
  ['canceled by the guest', 10],
  ['declined by the host', 70],
] as const)('the mail of a booking that was %s proves the address %i minutes later', async (end, minutes) => {
  const { path } = await offer({ confirmation: end === 'declined by the host' });
  const { path: plain } = await offer();
  const email = 'gus@example.net';
  const { token } = await book(path, email);
  const proof = await proofOf(email);
  if (end === 'canceled by the guest') await post(`/api/booked/${token}/cancel`, {});
  else await host().declineBooking({ params: { booking_id: await idOf(email) }, body: {} });
  await passRest();
  clock.advance({ minutes });
  const page = async () => (await server.inject({ url: `/booked/${token}?proof=${proof.proof}` })).body;
  expect(await page()).toContain('name="proof"');
  expect(await page()).toContain('Confirm your email address</h2>');
  await prove(proof);
  expect(await page()).not.toContain('name="proof"');
  expect(await book(plain, email, { start: nine + 60 })).toMatchObject({ state: 'confirmed' });
  expect((await bodiesTo(email))[0]?.stopUrl).toBeUndefined();
});

test('a series whose guest confirms the address comes again as one invitation with the link of every date', async () => {
  const { path } = await offer({ recurring: { max: 6, every: 'week' }, window: { kind: 'rolling', days: 120 } });
  const email = 'gus@example.net';
  const { body } = await book(path, email, { times: 4 });
  const [first, second, third] = body.bookings;
  await post(`/api/booked/${second!.token}/reschedule`, { start: nine + 7 * day + 30, sequence: 0 });
  await passRest();
  await post(`/api/booked/${third!.token}/cancel`, {});
  await passRest();
  await prove(await proofOf(email, first!.token));
  expect((await kindsTo(email)).filter((kind) => kind === 'booking.linked')).toHaveLength(1);
  const { lines } = await eventTo(email);
  const events = lines.join('\n').split('BEGIN:VEVENT').slice(1);
  // the rule without the canceled date, and the moved one
  expect(events).toHaveLength(2);
  expect(events[0]).toMatch(/RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4/);
  expect(events[0]).toMatch(/EXDATE/);
  expect(events[1]).toMatch(/RECURRENCE-ID/);
  for (const event of events) expect(event).toContain(`URL:${ownLink}`);
});

test.each([
  ['a known meeting service', { kind: 'link', url: 'https://us02web.zoom.us/j/1' }],
  ['a place', { kind: 'in-person', address: 'Main Street 1' }],
] as const)('a guest who confirms the address gets no second invitation to %s', async (_name, location) => {
  const { path } = await offer({ location });
  const email = 'gus@example.net';
  await book(path, email);
  await prove(await proofOf(email));
  expect(await kindsTo(email)).toEqual(['booking.confirmed']);
});

test('a guest of two hosts who confirms the address for one gets the link of that one', async () => {
  const carl = await signUpUser(server, `carl-${next()}@example.org`);
  const email = 'gus@example.net';
  await book((await offer()).path, email);
  clock.advance({ minutes: 70 });
  await book((await insertBookable(server, carl, 'intro')).path, email, { start: nine + 300 });
  await prove(await proofOf(email));
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from platform.mails where recipient = ${email} and kind = 'booking.linked'`.execute(
    server.app.db,
  );
  expect(rows).toEqual([{ userId: carl.userId }]);
});

test('a booking with guests: whoever confirms the address gets the link, and the second brought guest no more mail', async () => {
  const { path } = await offer();
  const email = 'gus@example.net';
  const brought = ['first@example.net', 'second@example.net'];
  const { token } = await book(path, email);
  await sql`update booking.bookings set guests = ${JSON.stringify(brought)}::jsonb`.execute(server.app.db);
  await moveAsHost(await idOf(email), 1);
  expect(await kindsTo('second@example.net')).toEqual(['booking.rescheduled']);
  await prove(await proofOf(email));
  expect((await kindsTo(email)).at(-1)).toBe('booking.linked');
  expect((await eventTo(email)).value('URL')).toBe(ownLink);
  expect(await kindsTo('second@example.net')).toEqual(['booking.rescheduled']);
  expect(token).not.toBe('');
});

const read = async (url: string) => (await server.inject({ url, headers: { accept: 'text/html' } })).body;
/** A page without the words that its script may need later. */
const shown = async (url: string) =>
  (await read(url)).replace(/<script type="application\/json" id="data">.*?<\/script>/s, '');
const sendTo = (url: string, payload = '') =>
  server.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  });
const stopOf = async (email: string) => {
  const { pathname, search } = new URL(
    (await bodiesTo(email)).find(({ stopUrl }) => stopUrl !== undefined)?.stopUrl ?? '',
  );
  return pathname + search;
};

test('a reader who stops mails reads on no page of the booking that a mail comes, and a reader who has confirmed the address does', async () => {
  const mailing = { ...server.app.mail };
  const { path } = await offer();
  const email = 'gus@example.net';
  const { token } = await book(path, email);
  const page = `/booked/${token}`;
  const stop = await stopOf(email);
  Object.assign(server.app.mail, { transport: {} });
  onTestFinished(() => void Object.assign(server.app.mail, mailing));
  expect(await shown(page)).toContain(`Check ${email} for the invitation`);
  await sendTo(stop);
  const said = `${email} can’t get emails from here. If you stopped them, use the link in one of them to turn them on again.`;
  const pages = [await shown(page)];
  await post(`/api/booked/${token}/reschedule`, { start: nine + 30, sequence: 0 });
  pages.push(await shown(page));
  await post(`/api/booked/${token}/cancel`, {});
  pages.push(await shown(page));
  for (const body of pages) {
    expect(body).toContain(said);
    expect(body).not.toMatch(/Check .{0,40} for the|within two minutes|told by email/);
  }
  await sendTo(stop, 'again=yes');
  expect(await shown(page)).not.toContain(said);
  const second = await book(path, 'proved@example.net', { start: nine + 60 });
  await prove(await proofOf('proved@example.net'));
  await sendTo(await stopOf('proved@example.net'));
  expect(await shown(`/booked/${second.token}`)).not.toContain('get emails from here');
});

test('a refused address says that it gets no mail and how to change that, and a brought one is named', async () => {
  const { path } = await offer();
  const [own, brought] = ['own@example.net', 'second@example.net'];
  await book(path, own);
  await sendTo(await stopOf(own));
  await bring(path, ['first@example.net', brought], nine + 30);
  await sendTo(await stopOf(brought));
  const refusal = async (email: string, guests: readonly string[]) => {
    const { body } = await book(path, email, { start: nine + 90, guests });
    return (body as { detail?: { fields?: Record<string, string>; message: string } }).detail;
  };
  const cannot = "We can't email this address. If you unsubscribed, use the link in one of our emails to resubscribe.";
  expect(await refusal(own, [])).toMatchObject({ message: cannot, fields: { email: cannot } });
  const others = `These guests can't be invited: ${brought}. Book without them.`;
  expect(await refusal('third@example.net', ['first@example.net', brought])).toMatchObject({
    fields: { guests: others },
  });
  // a guest whom the host has blocked reads the same
  await host().changeBlockedGuests({ body: { entries: [brought] } });
  expect(await refusal('third@example.net', ['first@example.net', brought])).toMatchObject({
    fields: { guests: others },
  });
  await host().changeBlockedGuests({ body: { entries: [own] } });
  expect(await refusal(own, [brought])).toMatchObject({
    fields: { guests: others, email: "This email address can't be used to book. Contact the host." },
  });
  await host().changeBlockedGuests({ body: { entries: [] } });
});

test('the page that stops mails names the address that the mail went to, and what else stops with it', async () => {
  const { path } = await offer();
  const [tagged, plain] = ['essay.person+tag@guest.example', 'essay.person@guest.example'];
  await book(path, tagged);
  const stop = await stopOf(tagged);
  expect(await shown(stop)).toMatch(new RegExp(`to ${tagged.replace('+', '\\+')}\\..*such as ${plain}\\.`));
  const done = (await sendTo(stop)).body;
  expect(done).toContain(`no longer send emails about meetings and invitations to ${tagged}.`);
  // the form of that page keeps the address
  const again = /action="([^"]+)"/.exec(done)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await sendTo(again, 'again=yes')).body).toContain(`to ${tagged} again`);
  const [id = ''] = stop.split('?');
  // another mailbox is no name for this one
  expect(await shown(`${id}?to=someone@guest.example`)).not.toMatch(/to someone@/);
  expect(await shown(id)).not.toContain('such as');
});

test('a confirmed account confirms its address with the host too, and then gets the link', async () => {
  const { path } = await offer();
  const email = await account('colleague', true);
  await book(path, email);
  expect((await eventTo(email)).lines.join('\n')).not.toContain('meet.example.org');
  await prove(await proofOf(email));
  expect(await kindsTo(email)).toEqual(['booking.confirmed', 'booking.linked']);
  expect((await eventTo(email)).value('URL')).toBe(ownLink);
});

test('40 mails at once of 40 senders to the addresses of one mailbox: 20 may go out', async () => {
  const account = (n: number) => ({ share: 'account', sender: `sender ${n}` }) as const;
  const { db } = server.app;
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      inTransaction(db, (tx) => admitMails(tx, [{ ...account(n), address: `Vic+${n}@example.net`, isCounted: true }])),
    ),
  );
  expect(ids.flat().filter((id) => id !== null)).toHaveLength(mostMails);
  const twice = await inTransaction(db, (tx) =>
    admitMails(
      tx,
      Array.from({ length: 24 }, (_, n) => ({ ...account(n), address: 'two@example.net', isCounted: true })),
    ),
  );
  expect(twice.filter((id) => id !== null)).toHaveLength(mostMails);
});

test('40 holds of one event type at once: 30 are kept, and a time that is free can be booked without one', async () => {
  const { path, typeId } = await offer();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => post(`${path}/holds`, { start: nine + 5 * n })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from booking.bookings where event_type_id = ${typeId} and state = 'held'`.execute(
    server.app.db,
  );
  expect(rows).toEqual([{ n: 30 }]);
  const held = answers.findIndex(({ status }) => status === 201);
  expect(await book(path, 'gus@example.net', { start: nine + 5 * held })).toMatchObject({ code: 'SLOT_TAKEN' });
  expect((await book(path, 'gus@example.net', { start: nine + day })).status).toBe(201);
});

test('40 holds of one network at once: three are kept', async () => {
  const places = await Promise.all([offer(), offer()]);
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const payload = { start: nine + 5 * n };
      const url = `${places[n % 2]?.path}/holds`;
      return (await server.inject({ method: 'POST', url, payload, remoteAddress: '203.0.113.9' })).statusCode;
    }),
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(3);
});

test('in the calendar part of a series each date that stands alone leads to its own page', async () => {
  const { path } = await offer({ recurring: { max: 6, every: 'week' }, window: { kind: 'rolling', days: 120 } });
  const email = 'gus@example.net';
  const { body } = await book(path, email, { times: 3 });
  await sql`update booking.appointments a set join_url = 'https://meet.google.com/abc-defg-' || substr(md5(a.id::text), 1, 3)
    from booking.bookings b where b.appointment_id = a.id and b.guest_email = ${email}`.execute(server.app.db);
  await prove(await proofOf(email));
  const [, second, third] = body.bookings;
  await post(`/api/booked/${third!.token}/reschedule`, { start: nine + 14 * day + 30, sequence: 0 });
  await passRest();
  const { lines } = await eventTo(email);
  expect(lines.join('\n')).toContain(`/booked/${third!.token}`);
  expect(lines.join('\n')).not.toContain(`/booked/${second!.token}`);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BookingId } from '#kernel/ids.ts';
import { insertBookable } from '../../../../test/harness/bookable.ts';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import { bookingContract } from '../contract.ts';
import { findBooking } from '../store/bookings.ts';
import { keepKnown } from '../store/told-bookings.ts';
import { writeInviteToken } from './links.ts';

/** Guests who were brought along, and their way out. */

const began = '2027-03-01T08:00:00Z';
const clock = fixedClock(began);
/** A Monday, 9:00 in New York. */
const nine = Date.UTC(2027, 2, 8, 14) / 60_000;

let server: TestApp;
let smtp: TestSmtpServer;
let host: TestUser;
beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ clock, config: { smtpUrl: smtp.url }, http: { pageRoot: await builtPages() } });
  host = await signUpUser(server, 'host@example.org');
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});
beforeEach(async () => {
  // jobs of the test before would wait for the tables
  await server.settle();
  clock.set(began);
  await sql`truncate booking.appointments, platform.limits, platform.recipients cascade`.execute(server.app.db);
});

let made = 0;
/** A booking with two brought guests, proved and confirmed. */
async function book(more: Record<string, unknown> = {}, settings: Parameters<typeof insertBookable>[3] = {}) {
  made += 1;
  const { path } = await insertBookable(server, host, `intro-${made}`, { guests_allowed: 3, ...settings });
  const email = `booker-${made}@example.net`;
  const guests = [`bea-${made}@example.net`, `cem-${made}@example.net`];
  const payload = { start: nine, name: 'Bo Booker', email, zone: 'Asia/Kolkata', language: 'en', guests, ...more };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  expect(response.statusCode, response.body).toBe(201);
  await server.settle();
  const proof = smtp.mailsTo(email).flatMap(({ links }) => links)[0] ?? '';
  const { pathname, searchParams } = new URL(proof);
  const body = { proof: searchParams.get('proof') };
  await server.inject({ method: 'POST', url: `/api${pathname}/confirm`, payload: body });
  await server.settle();
  const { rows } = await sql<{ id: BookingId }>`
    select b.id from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.guest_email = ${email} order by a.start_ms`.execute(server.app.db);
  const [id = '' as BookingId] = rows.map((row) => row.id);
  return { id, ids: rows.map((row) => row.id), email, guests, path, manage: pathname };
}

const visit = (url: string) => server.inject({ url, headers: { accept: 'text/html' } });
/** The dates of a series that the page offers, and whether they are selected. */
const datesOn = (body: string) =>
  [...body.matchAll(/<input[^>]* name="date"[^>]*>/g)].map(([input]) => ({
    id: / value="([^"]+)"/.exec(input)?.[1] ?? '',
    isChosen: input.includes('checked') || input.includes('hidden'),
  }));
/** Sends the form of the page as it opens. */
const decline = async (url: string) => {
  const chosen = datesOn((await visit(url)).body).filter(({ isChosen }) => isChosen);
  return server.inject({
    method: 'POST',
    url: url.replace(/\?.*/, ''),
    payload: new URLSearchParams(chosen.map(({ id }) => ['date', id])).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
};
const fullLinkTo = (address = '') => {
  const links = smtp.mailsTo(address).flatMap((mail) => mail.links.filter((link) => link.includes('/invite/')));
  const { pathname, search } = new URL(links.at(-1) ?? '');
  return `${pathname}${search}`;
};
const linkTo = (address = '') => fullLinkTo(address).replace(/\?.*/, '');
/** The calendar part of the last mail to an address, unfolded. */
const calendarTo = (address = '') =>
  (smtp.mailsTo(address).at(-1)?.parsed.attachments ?? [])
    .map(({ content }) => (typeof content === 'string' ? content : new TextDecoder().decode(content)))
    .join('')
    .replaceAll(/\r?\n[ \t]/g, '');
const plainTextTo = (address = '') =>
  smtp.mailsTo(address).at(-1)?.parsed.text?.replaceAll('\u2060', '').replaceAll(/\s+/g, ' ') ?? '';
const guestsOf = async (id: BookingId) => (await findBooking(server.app.db, id))?.guests;
const kindsTo = async (address = '') =>
  (
    await sql<{
      kind: string;
    }>`select kind from platform.mails where recipient = ${address} order by created_at`.execute(server.app.db)
  ).rows.map(({ kind }) => kind.replace('booking.', ''));

test('a brought guest declines by the page, and opening it changes nothing', async () => {
  const { id, guests, email } = await book();
  const [bea, cem] = guests;
  const url = linkTo(bea);
  const asked = await visit(url);
  expect(asked.statusCode).toBe(200);
  expect(asked.body).toContain('Decline this meeting?');
  expect(asked.body).toContain('<meta name="robots" content="noindex">');
  expect(asked.body).not.toContain('/booked/');
  expect(asked.body).not.toContain(email);
  // it has a calendar to lose the meeting from
  expect(asked.body).toContain('An email removes it from your calendar');
  expect(await guestsOf(id)).toEqual(guests);
  expect((await decline(url)).statusCode).toBe(303);
  await server.settle();
  expect(await guestsOf(id)).toEqual([cem]);
  const done = await visit(url);
  expect(done.body).toMatch(/<title>You declined · [^<]+<\/title>/);
  expect(done.body).not.toContain('<button');
  // the meeting of the guest who booked takes place
  expect((await findBooking(server.app.db, id))?.state).toBe('confirmed');
  expect(smtp.mailsTo(email).at(-1)?.parsed.subject?.replaceAll('\u2060', '')).toContain(`Declined by ${bea}`);
});

test('a brought guest finds the link of the host on the page of the invitation, and their mail and calendar lead there', async () => {
  const location = { kind: 'link' as const, url: 'https://meet.example.org/own' };
  const { guests, manage } = await book({}, { location });
  for (const guest of guests) {
    const mail = smtp.mailsTo(guest).at(-1);
    const url = linkTo(guest);
    expect(mail?.parsed.text?.replaceAll(/\s+/g, ' ')).toContain('the link is on the page of your invitation');
    expect(mail?.parsed.html).not.toContain('meet.example.org');
    const file = (mail?.parsed.attachments ?? []).map(({ content }) =>
      new TextDecoder().decode(content as Uint8Array),
    )[0];
    expect(file?.replaceAll(/\r?\n[ \t]/g, '')).toContain(`Join or decline: ${server.app.config.publicUrl}${url}`);
    expect((await visit(url)).body).toContain(`<a href="${location.url}">${location.url}</a>`);
  }
  const [bea, cem] = guests;
  await decline(linkTo(bea));
  expect((await visit(linkTo(bea))).body).not.toContain('meet.example.org');
  await server.inject({ method: 'POST', url: `/api${manage}/cancel`, payload: {} });
  expect((await visit(linkTo(cem))).body).not.toContain('meet.example.org');
});

test('a brought guest of a series whose first date was canceled finds the link of the next one', async () => {
  const location = { kind: 'link' as const, url: 'https://meet.example.org/own' };
  const { guests, manage } = await book({ times: 3 }, { location, recurring: { max: 3, every: 'week' } });
  const url = linkTo(guests[1]);
  await server.inject({ method: 'POST', url: `/api${manage}/cancel`, payload: {} });
  expect((await visit(url)).body).toContain(`<a href="${location.url}">`);
});

test('the link of a guest declines for that guest only, and is no address of the booking', async () => {
  const { id, guests } = await book();
  const url = linkTo(guests[1]);
  await decline(url);
  expect(await guestsOf(id)).toEqual([guests[0]]);
  const token = url.split('/').at(-1) ?? '';
  for (const path of [`/booked/${token}`, `/booked/${token}/cancel`]) expect((await visit(path)).statusCode).toBe(404);
  const cancel = await server.inject({ method: 'POST', url: `/api/booked/${token}/cancel`, payload: {} });
  expect(cancel.statusCode).toBe(404);
});

test('a token that was made up, of another booking, or of an address that was not brought, leads nowhere', async () => {
  const first = await book();
  await sql`truncate booking.blocks`.execute(server.app.db);
  const second = await book();
  const right = writeInviteToken(server.app, first.id, first.guests[0] ?? '');
  const other = writeInviteToken(server.app, second.id, first.guests[0] ?? '');
  const booker = writeInviteToken(server.app, first.id, first.email);
  for (const token of ['x', `${right}A`, `${right.slice(0, -1)}${right.endsWith('A') ? 'B' : 'A'}`, other, booker]) {
    expect((await visit(`/invite/${token}`)).statusCode, token).toBe(404);
    expect((await decline(`/invite/${token}`)).statusCode, token).toBe(404);
  }
  expect(await guestsOf(first.id)).toEqual(first.guests);
});

test('the reason of a move is on the page of the invitation, where its mail leads', async () => {
  const { guests, manage } = await book();
  const payload = { start: nine + 60, sequence: 0, reason: 'The train is late' };
  await server.inject({ method: 'POST', url: `/api${manage}/reschedule`, payload });
  await server.settle();
  expect(plainTextTo(guests[0])).toContain('Reason: See the page of your invitation');
  expect(plainTextTo(guests[0])).not.toContain(payload.reason);
  expect((await visit(linkTo(guests[0]))).body).toContain(payload.reason);
  // the guest who types it reads who gets it
  const form = (await visit(`${manage}/cancel`)).body;
  expect(form).toMatch(/Shared with [^<]+, and shown to the guests you added on the page of their invitation\./);
});

test('a brought guest who declines a group frees a seat', async () => {
  const { path, guests } = await book({}, { seats: 3 });
  const late = { start: nine, name: 'Late', email: 'late@example.net', zone: 'UTC' };
  const full = await server.inject({ method: 'POST', url: `${path}/bookings`, payload: late });
  expect(full.statusCode).toBe(409);
  await decline(linkTo(guests[0]));
  const free = await server.inject({ method: 'POST', url: `${path}/bookings`, payload: late });
  expect(free.statusCode, free.body).toBe(201);
});

test('the host reads who declined in the history of the booking', async () => {
  const { id, guests } = await book();
  await decline(linkTo(guests[0]));
  const read = await host.as(bookingContract).readBooking({ params: { booking_id: id } });
  expect(read.booking.guests).toEqual([guests[1]]);
  expect(read.history.at(-1)).toMatchObject({ kind: 'guest-declined', details: { guest: guests[0] } });
});

test('a link in the mail about a past date declines the dates that are left', async () => {
  const { ids, guests } = await book({ times: 3 }, { recurring: { max: 3, every: 'week' } });
  const url = linkTo(guests[0]);
  clock.set('2027-03-09T08:00:00Z');
  expect(datesOn((await visit(url)).body)).toEqual(ids.slice(1).map((id) => ({ id, isChosen: true })));
  await decline(url);
  await server.settle();
  expect(await Promise.all(ids.map(guestsOf))).toEqual([guests, [guests[1]], [guests[1]]]);
  expect(plainTextTo(guests[0])).toContain("You won't get any more emails about this meeting.");
  // the date that took place stays in the calendar
  expect(calendarTo(guests[0])).toMatch(/METHOD:REQUEST.*EXDATE[^\n]*:20270315T090000\s+EXDATE[^\n]*:20270322T090000/s);
});

test('a mail about one date of a series declines that date, and its reader keeps the others and hears of them', async () => {
  const { ids, guests, manage } = await book({ times: 3 }, { recurring: { max: 3, every: 'week' } });
  const [bea = '', cem] = guests;
  // the invitation is about all dates
  expect(datesOn((await visit(fullLinkTo(bea))).body)).toEqual(ids.map((id) => ({ id, isChosen: true })));
  await server.inject({ method: 'POST', url: `/api${manage}/reschedule`, payload: { start: nine + 60, sequence: 0 } });
  await server.settle();
  expect(plainTextTo(bea)).toContain('Decline this date');
  const { body } = await visit(fullLinkTo(bea));
  expect(datesOn(body)).toEqual(ids.map((id, n) => ({ id, isChosen: n === 0 })));
  await decline(fullLinkTo(bea));
  await server.settle();
  expect(await Promise.all(ids.map(guestsOf))).toEqual([[cem], guests, guests]);
  expect(plainTextTo(bea)).toContain('(date 1 of 3)');
  expect(plainTextTo(bea)).toContain("You're still invited to the other dates of this series.");
  expect(calendarTo(bea)).toMatch(/METHOD:CANCEL.*RECURRENCE-ID[^\n]*:20270308T090000/s);
  expect((await visit(linkTo(bea))).body).toMatch(/You declined: [^<]*8/);
  // the end of all dates is told to each guest of the dates that the guest had
  await server.inject({ method: 'POST', url: `/api${manage}/cancel`, payload: { following: true } });
  await server.settle();
  expect(plainTextTo(cem)).toContain('(all 3 dates)');
  expect(plainTextTo(bea)).toContain('(2 of the 3 dates in this series)');
  expect(plainTextTo(bea)).not.toContain('Mar 8');
  expect(calendarTo(bea)).toContain('METHOD:CANCEL');
});

test('a meeting that is over or canceled has nothing to decline', async () => {
  const { id, guests, manage } = await book();
  const url = linkTo(guests[0]);
  const payload = { reason: 'The fair was moved to May' };
  await server.inject({ method: 'POST', url: `/api${manage}/cancel`, payload });
  await server.settle();
  const { body } = await visit(url);
  expect(body).toMatch(/<h1>This meeting doesn’t take place<.h1>/);
  expect(body).not.toContain('This meeting is over');
  // nobody has confirmed the address of the guest: the reason is on the page, and the mail leads there
  expect(body).toContain(payload.reason);
  expect(plainTextTo(guests[0])).toContain('Reason: See the page of your invitation');
  const mail = smtp.mailsTo(guests[0] ?? '').at(-1);
  expect(mail?.parsed.text).not.toContain(payload.reason);
  expect(mail?.links.some((link) => link.endsWith(url))).toBe(true);
  await decline(url);
  expect(await guestsOf(id)).toEqual(guests);
  expect(await kindsTo(guests[0])).toEqual(['confirmed', 'cancelled']);
});

test('a guest who declines while mails about a move are written gets none of them afterwards', async () => {
  const { id, guests, manage } = await book();
  const before = await findBooking(server.app.db, id);
  await server.inject({ method: 'POST', url: `/api${manage}/reschedule`, payload: { start: nine + 60, sequence: 0 } });
  await decline(linkTo(guests[0]));
  await server.settle();
  // on a slow machine the mail about the move may have been sent before
  const kinds = await kindsTo(guests[0]);
  expect(kinds.filter((kind) => kind !== 'rescheduled')).toEqual(['confirmed', 'left']);
  expect(kinds.at(-1)).toBe('left');
  const last = smtp
    .mailsTo(guests[0] ?? '')
    .at(-1)
    ?.parsed.text?.replaceAll(/\s+/g, ' ');
  expect(last).toContain("You won't get any more emails about this meeting.");
  expect(last).not.toContain('changes and reminders');
  expect(await kindsTo(guests[1])).toEqual(['confirmed', 'rescheduled']);
  // mails that were written with the guest are not sent
  const { told } = (
    await sql<{ told: never }>`select told from booking.bookings where id = ${id}`.execute(server.app.db)
  ).rows[0] ?? { told: null as never };
  const written = { id, sequence: 1, state: 'confirmed' as const, known: told, told };
  const note = (with_: string[]) =>
    server.app.db.transaction().execute((tx) => keepKnown(tx, [{ ...written, guests: with_ }]));
  expect([await note(before?.guests ?? []), await note(guests.slice(1))]).toEqual([false, true]);
});

import ICAL from 'ical.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { accountsContract } from '../accounts/contract.ts';
import { bookingContract } from './contract.ts';
import { leaveBookings } from './leave-bookings.ts';
import type { TypeSettings } from './rules/type-settings.ts';

/** Guests who write to a host, and a host who hides their address from them. */

const minute = 60_000;
const start = '2027-03-01T08:00:00Z';
const clock = fixedClock(start);
const nine = Date.UTC(2027, 2, 8, 14) / minute;

let smtp: TestSmtpServer;
let server: TestApp;
let anna: TestUser;
beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ clock, config: { smtpUrl: smtp.url }, http: { pageRoot: await builtPages() } });
  anna = await signUpUser(server, 'anna@example.org');
  await anna.as(accountsContract).changeProfile({ body: { name: 'Anna Lee' } });
  await sql`update accounts.users set zone = 'America/New_York'`.execute(server.app.db);
});
beforeEach(async () => {
  await server.settle();
  clock.set(start);
  await hide(false);
  await sql`truncate booking.appointments, booking.event_types cascade`.execute(server.app.db);
  await sql`truncate platform.limits cascade`.execute(server.app.db);
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

const hide = (hideEmail: boolean) => anna.as(accountsContract).changePreferences({ body: { hideEmail } });

let numbers = 0;
async function book(settings: Partial<TypeSettings> = {}, more: object = {}) {
  numbers += 1;
  const { path } = await insertBookable(server, anna, `intro-${numbers}`, { guests_allowed: 3, ...settings });
  const email = `guest-${numbers}@example.net`;
  const response = await server.inject({
    method: 'POST',
    url: `${path}/bookings`,
    payload: { start: nine, name: 'Gus Guest', email, zone: 'UTC', language: 'en', ...more },
    remoteAddress: `10.2.0.${numbers}`,
  });
  expect(response.statusCode, response.body).toBe(201);
  const [made] = response.json<{ bookings: { token: string; booking: { state: string } }[] }>().bookings;
  await server.settle();
  return { email, token: made?.token ?? '', state: made?.booking.state };
}
async function asGuest(token: string, act: string, payload: object = {}) {
  const response = await server.inject({ method: 'POST', url: `/api/booked/${token}/${act}`, payload });
  expect(response.statusCode, response.body).toBe(200);
  await server.settle();
}
const page = async (path: string) => (await server.inject({ url: path, headers: { accept: 'text/html' } })).body;
async function write(token: string, text: string, remoteAddress = '10.3.0.1') {
  const { statusCode, headers, body } = await server.inject({
    method: 'POST',
    url: `/booked/${token}/message`,
    payload: new URLSearchParams({ text }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    remoteAddress,
  });
  await server.settle();
  return { statusCode, location: headers.location, body };
}

const textsOf = ({ parsed }: ReceivedMail) =>
  parsed.attachments.map(({ content }) => (typeof content === 'string' ? content : new TextDecoder().decode(content)));
function readAll(mail: ReceivedMail): string {
  const { subject, text, html, headers } = mail.parsed;
  const files = textsOf(mail).map((file) => file.replaceAll(/\r?\n[ \t]/g, ''));
  return [subject, text, html, ...headers.map(({ key, value }) => `${key}: ${value}`), ...files].join('\n');
}
function organizerIn(ics: string) {
  const property = new ICAL.Component(ICAL.parse(ics)).getFirstSubcomponent('vevent')?.getFirstProperty('organizer');
  return [property?.getFirstValue(), property?.getParameter('sent-by')];
}
const organizersTo = (email: string) =>
  smtp.mailsTo(email).flatMap((mail) =>
    textsOf(mail)
      .slice(0, 1)
      .map((ics) => organizerIn(ics)),
  );
const messages = () =>
  smtp.mailsTo('anna@example.org').filter(({ parsed }) => parsed.subject?.includes('sent you a message'));

const install = () => server.app.mail.from.address;
const byHost = () => ['mailto:anna@example.org', `mailto:${install()}`];
const byInstall = () => [`mailto:${install()}`, undefined];

test('a guest answers the host, the host the guest, and a Decline reaches the host', async () => {
  const { email, token } = await book();
  expect(smtp.mailsTo(email).at(-1)?.parsed).toMatchObject({
    from: { name: 'Anna Lee via Holdfast', address: install() },
    replyTo: [{ name: 'Anna Lee', address: 'anna@example.org' }],
  });
  expect(smtp.mailsTo('anna@example.org').at(-1)?.parsed).toMatchObject({
    from: { name: 'Gus Guest via Holdfast', address: install() },
    replyTo: [{ name: 'Gus Guest', address: email }],
  });
  expect(organizersTo(email)).toEqual([byHost()]);
  expect(await page(`/booked/${token}`)).toContain('mailto:anna@example.org');
});

test('a guest writes nothing to a suspended host, and keeps the text', async () => {
  await hide(true);
  const { token } = await book();
  const suspend = (at: unknown) =>
    sql`update accounts.users set suspended_at = ${at} where id = ${anna.userId}`.execute(server.app.db);
  const before = messages().length;
  await suspend(sql`now()`);
  const refused = await write(token, 'Are you there?');
  await suspend(null);
  expect(refused.statusCode).toBe(409);
  expect(refused.body).toContain('Messages can&#x27;t be delivered right now. Nothing was sent.');
  expect(refused.body).toContain('Are you there?');
  expect(messages()).toHaveLength(before);
  expect((await write(token, 'Are you there?')).location).toBe(`/booked/${token}?message=sent`);
  expect(messages()).toHaveLength(before + 1);
});

test('past the limit for changes the page leads to the host, by address or by form', async () => {
  const { token } = await book({ cancellation: { until_minutes: 100_000, text: '' } });
  expect(await page(`/booked/${token}`)).toContain('mailto:anna@example.org');
  await hide(true);
  expect(await page(`/booked/${token}`)).toContain(`/booked/${token}/message`);
});

test('a hidden address is in no mail, page, file or answer for guests, and a form takes its place', async () => {
  await hide(true);
  const { email, token } = await book();
  await asGuest(token, 'reschedule', { start: nine + 60, sequence: 0 });
  const seen = [
    await page(`/booked/${token}`),
    await page(`/booked/${token}/message`),
    (await server.inject({ url: `/api/booked/${token}` })).body,
    await page(`/booked/${token}/calendar.ics`),
  ];
  await asGuest(token, 'cancel');
  const mails = smtp.mailsTo(email);
  expect(mails).toHaveLength(3);
  for (const text of [...seen, ...mails.map(readAll)]) expect(text).not.toContain('anna@example.org');
  for (const { parsed, links } of mails) {
    expect(parsed.replyTo ?? []).toEqual([]);
    expect(parsed.from?.name).toBe('Anna Lee via Holdfast');
    expect(links.some((link) => link.endsWith(`/booked/${token}/message`))).toBe(true);
  }
  expect(organizersTo(email)).toEqual(Array(3).fill(byInstall()));
});

test('a brought guest of a host who hides their address answers the person who brought them', async () => {
  await hide(true);
  const { email, token, state } = await book({}, { guests: ['one@example.net', 'two@example.net'] });
  expect(state).toBe('awaiting-mail');
  const link = smtp.mailsTo(email)[0]?.links.find((one) => one.includes('?proof=')) ?? '';
  const proof = new URL(link).searchParams.get('proof');
  await asGuest(token, 'confirm', { proof });
  for (const friend of ['one@example.net', 'two@example.net']) {
    const [mail] = smtp.mailsTo(friend);
    expect(mail?.parsed.replyTo).toEqual([{ name: 'Gus Guest', address: email }]);
    expect(mail && readAll(mail)).not.toContain('anna@example.org');
    expect(mail && readAll(mail)).not.toContain(token);
  }
});

test('an update and a cancellation have the organizer of their invitation, whatever was switched since', async () => {
  const shown = await book();
  await hide(true);
  await asGuest(shown.token, 'reschedule', { start: nine + 60, sequence: 0 });
  expect(organizerIn(await page(`/booked/${shown.token}/calendar.ics`))).toEqual(byInstall());
  await asGuest(shown.token, 'cancel');
  expect(organizersTo(shown.email)).toEqual(Array(3).fill(byHost()));
  expect(smtp.mailsTo(shown.email).at(-1)?.parsed.replyTo ?? []).toEqual([]);

  const hidden = await book();
  await hide(false);
  await asGuest(hidden.token, 'cancel');
  expect(organizersTo(hidden.email)).toEqual(Array(2).fill(byInstall()));
  expect(smtp.mailsTo(hidden.email).at(-1)?.parsed.replyTo).toEqual([
    { name: 'Anna Lee', address: 'anna@example.org' },
  ]);
});

test('a booking that another host takes keeps its organizer, and answers reach the new host', async () => {
  numbers += 1;
  const [cora, ben] = [
    await signUpUser(server, `cora${numbers}@example.org`),
    await signUpUser(server, `ben${numbers}@example.org`),
  ];
  await sql`update accounts.users set zone = 'America/New_York'`.execute(server.app.db);
  const handle = `team${numbers}`;
  const mates = [
    { user: cora, role: 'owner' as const },
    { user: ben, role: 'editor' as const },
  ];
  const teamId = await insertTeam(server, handle, mates);
  const type = await insertTeamType(server, { teamId, handle }, mates, { kind: 'round-robin' });
  const email = `guest-${numbers}@example.net`;
  const payload = { start: nine, name: 'Gus Guest', email, zone: 'UTC', language: 'en' };
  const made = await server.inject({ method: 'POST', url: `${type.path}/bookings`, payload });
  const token = made.json<{ bookings: { token: string }[] }>().bookings[0]?.token ?? '';
  await server.settle();
  const { bookings } = await cora.as(bookingContract).listBookings({ query: { scope: 'upcoming', team_id: teamId } });
  const [booking] = bookings;
  const [first, second] = booking?.hosts[0]?.user_id === cora.userId ? [cora, ben] : [ben, cora];
  await cora.as(bookingContract).reassignBooking({
    params: { booking_id: booking?.booking_id as never },
    body: { to: second.userId as never, sequence: 0 },
  });
  await server.settle();
  expect(organizersTo(email).map(([organizer]) => organizer)).toEqual(Array(2).fill(`mailto:${first.email}`));
  expect(smtp.mailsTo(email).map(({ parsed }) => parsed.replyTo?.[0]?.address)).toEqual([first.email, second.email]);

  // nothing of an account that is deleted stays in bookings of others
  await sql`update accounts.users set leaving_at = now() where id = ${first.userId}`.execute(server.app.db);
  await leaveBookings(server.app, first.userId as never);
  await asGuest(token, 'cancel');
  expect(organizersTo(email).at(-1)).toEqual(byInstall());
});

test('a message from the page of a booking reaches the host, who answers the guest', async () => {
  await hide(true);
  const { email, token } = await book();
  expect(await page(`/booked/${token}/message`)).toMatch(
    new RegExp(`<form class="details"[^>]* action="/booked/${token}/message"`),
  );
  const text = 'I am late.\r\n\r\nSee https://evil.example/now <b>';
  expect(await write(token, text)).toMatchObject({ statusCode: 303, location: `/booked/${token}?message=sent` });
  expect(await page(`/booked/${token}?message=sent`)).toContain('Your message was sent to Anna Lee.');
  const before = messages().length;
  const mail = messages().at(-1);
  expect(mail?.to).toEqual(['anna@example.org']);
  expect(mail?.parsed.replyTo).toEqual([{ name: 'Gus Guest', address: email }]);
  expect(mail?.parsed.text).toContain('I am late.');
  // the host's program makes no link of what a stranger typed
  expect(mail?.parsed.text).not.toContain('https://evil.example');
  expect(mail?.parsed.html).not.toContain('<b>');
  expect(mail && readAll(mail)).not.toContain(token);
  // pressed twice
  expect((await write(token, text)).statusCode).toBe(303);
  expect(messages()).toHaveLength(before);
});

test('a message is limited in length and in number, by booking and by guest', async () => {
  const { token } = await book();
  const before = messages().length;
  expect(await write(token, '   ')).toMatchObject({ statusCode: 400, body: expect.stringContaining('1,500') });
  const tooLong = await write(token, `begin ${'x'.repeat(1_500)}`);
  expect([tooLong.statusCode, tooLong.body.includes('begin xxx')]).toEqual([400, true]);
  expect((await write(token, '.\n'.repeat(749))).statusCode).toBe(303);
  for (const text of ['2', '3', '4', '5']) expect((await write(token, text)).statusCode, text).toBe(303);
  const sixth = await write(token, '6');
  expect([sixth.statusCode, sixth.body.includes('Too many attempts')]).toEqual([429, true]);
  expect(messages().length - before).toBe(5);
});

test('a guest whose address is not confirmed writes to the host by a form, and the mail says so', async () => {
  const waiting = await book({}, { guests: ['third@example.net'] });
  expect(waiting.state).toBe('awaiting-mail');
  const before = messages().length;
  const body = await page(`/booked/${waiting.token}`);
  expect(body).toContain(`href="/booked/${waiting.token}/message"`);
  expect(body).not.toMatch(/mailto:|anna@example.org/);
  expect(await write(waiting.token, 'The mail has not come')).toMatchObject({
    statusCode: 303,
    location: `/booked/${waiting.token}?message=sent`,
  });
  expect(messages()).toHaveLength(before + 1);
  const mail = messages().at(-1);
  expect(mail?.parsed.replyTo).toEqual([{ name: 'Gus Guest', address: waiting.email }]);
  const said = mail?.parsed.text?.replaceAll(/\s+/g, ' ');
  expect(said).toContain('The mail has not come');
  expect(said).toMatch(/has not confirmed this email address yet, so nothing is booked/);
  // the host has no such booking
  expect(mail?.parsed.text).not.toContain('/meetings');
  expect(mail && readAll(mail)).not.toContain(waiting.token);
  expect(smtp.mailsTo(waiting.email)[0]?.parsed.replyTo ?? []).toEqual([]);
  expect(smtp.mailsTo('third@example.net')).toEqual([]);
});

test('messages before the address is confirmed are limited by guest, by network, and by host', async () => {
  let places = 0;
  /** Another time of the host each. */
  const free = () => {
    places += 1;
    return nine + 30 * (places % 14) + 1_440 * Math.floor(places / 14);
  };
  const wait = () => book({}, { guests: ['one@example.net'], start: free() });
  const first = await wait();
  const before = messages().length;
  for (const text of ['1', '2']) expect((await write(first.token, text, '10.4.0.1')).statusCode).toBe(303);
  const third = await write(first.token, '3', '10.4.0.2');
  expect([third.statusCode, third.body.includes('Too many attempts')]).toEqual([429, true]);
  // messages of one network: the third is sent, the fourth is not
  const second = await wait();
  expect((await write(second.token, '1', '10.4.0.1')).statusCode).toBe(303);
  expect((await write((await wait()).token, '1', '10.4.0.1')).statusCode).toBe(429);
  let sent = 3;
  for (; sent < 30; sent += 1) {
    const { token } = await wait();
    if ((await write(token, 'Hello', `10.5.${sent}.1`)).statusCode === 429) break;
  }
  expect([sent, messages().length - before]).toEqual([20, 20]);
  // a guest whom the host knows has room of their own
  const known = await book({}, { start: free() });
  expect((await write(known.token, 'Hello', '10.6.0.1')).statusCode).toBe(303);
});

test("a blocked guest, and an address that is nobody's booking, cannot write to the host", async () => {
  const before = messages().length;
  expect((await write('x'.repeat(43), 'Hello')).statusCode).toBe(404);
  const waiting = await book({}, { guests: ['one@example.net'] });
  await anna.as(bookingContract).changeBlockedGuests({ body: { entries: [waiting.email] } } as never);
  expect((await write(waiting.token, 'Hello')).statusCode).toBe(403);
  const { email, token } = await book({}, { start: nine + 120 });
  await anna.as(bookingContract).changeBlockedGuests({ body: { entries: [email] } } as never);
  expect((await write(token, 'Hello')).statusCode).toBe(403);
  expect(messages()).toHaveLength(before);
});

import ICAL from 'ical.js';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { readMail } from '../../../test/simulation/read-mail.ts';
import type { BookingId } from '../../kernel/ids.ts';
import { availabilityContract } from '../availability/contract.ts';
import { defaultHours } from '../availability/rules/hours.ts';
import { bookingContract } from './contract.ts';
import { remindPeople } from './remind-people.ts';
import type { Made } from './rules/booking-endpoints.ts';

/** One booking, from its request to its end, as a real SMTP server receives it: each mail is read by its grammar. */

const nine = Date.UTC(2027, 2, 8, 14) / 60_000;
const hostName = 'Ånna Größe-Lee 🙂';
const guestName = 'Kei “東京” Tanaka, Sr.';
const [host, guest, ...brought] = ['anna@example.org', 'kei@example.jp', 'lee@example.net', 'mia@example.net'];

const clock = fixedClock('2027-03-01T08:00:00Z');
let smtp: TestSmtpServer;
let server: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ clock, config: { smtpUrl: smtp.url }, http: { pageRoot: await builtPages() } });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

async function post(url: string, payload: object): Promise<unknown> {
  const response = await server.inject({ method: 'POST', url, payload });
  expect(response.statusCode, response.body).toBeLessThan(300);
  await server.settle();
  return response.json();
}

/** RFC 5322 3.3, as it is generated. */
const date =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/;

function expectWellFormed({ raw, parsed, to }: ReceivedMail): void {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const headers = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const named = (name: string) => headers.filter((line) => line.toLowerCase().startsWith(`${name}:`));
  // RFC 5322 3.6: each of them once
  for (const name of ['date', 'from', 'to', 'subject', 'message-id']) expect(named(name), name).toHaveLength(1);
  expect(named('date')[0]?.slice('date: '.length)).toMatch(date);
  expect(named('message-id')[0]).toMatch(/^Message-ID: <[^<>@\s]+@[^<>@\s]+>$/i);
  expect(parsed.to?.map(({ address }) => address)).toEqual(to);
  // RFC 5322 2.1.1 and 2.2: lines end with CRLF, are not too long, and headers are ASCII
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(Math.max(...raw.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
  expect(head).not.toMatch(/[^\t\r\n\u0020-\u007e]/);
  // both parts say the same to those who read only one
  expect(parsed.text?.trim()).not.toBe('');
  expect(parsed.html).toContain('<html');
}

/** The calendar part: lines of at most 75 octets (RFC 5545 3.1), about one UID, and METHOD said twice alike (RFC 6047 2.4). */
function calendarOf({ raw, parsed }: ReceivedMail) {
  const part = parsed.attachments.find(({ mimeType }) => mimeType === 'text/calendar');
  if (part === undefined) return null;
  const text = typeof part.content === 'string' ? part.content : new TextDecoder().decode(part.content);
  expect(Math.max(...text.split(/\r?\n/).map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const method = String(calendar.getFirstPropertyValue('method'));
  expect(/text\/calendar;[^\n]*(?:\n\s[^\n]*)*method=(\w+)/i.exec(raw)?.[1]).toBe(method);
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined);
  return { method, uid: event.uid, sequence: event.sequence, summary: event.summary };
}

const calendarsOf = (address: string) => smtp.mailsTo(address).flatMap((mail) => calendarOf(mail) ?? []);

test('each mail of a booking’s life arrives well formed, and says in every mailbox what became of it', async () => {
  const anna = await signUpUser(server, host);
  await sql`update accounts.users set name = ${hostName} where id = ${anna.userId}`.execute(server.app.db);
  const { path } = await insertBookable(server, anna, 'intro', {
    location: { kind: 'link', url: 'https://meet.example.org/anna' },
  });
  const wish = { start: nine, name: guestName, email: guest, guests: brought, zone: 'Asia/Tokyo', language: 'en' };
  const made = (await post(`${path}/bookings`, wish)) as Made;
  const token = made.bookings[0]?.token ?? '';
  expect(smtp.received.map(({ to }) => to)).toEqual([[guest]]);
  const link = new URL(smtp.received[0]?.links.find((one) => one.includes('proof=')) ?? '');
  await post(`/api/booked/${token}/confirm`, { proof: link.searchParams.get('proof') });
  await post(`/api/booked/${token}/reschedule`, { start: nine + 60, sequence: 0 });
  await post(`/api/booked/${token}/cancel`, { reason: 'Ill' });

  for (const mail of smtp.received) expectWellFormed(mail);
  expect(new Set(smtp.received.map(({ parsed }) => parsed.messageId)).size).toBe(smtp.received.length);
  const { uid = '' } = calendarsOf(guest)[0] ?? {};
  for (const address of [guest, ...brought]) {
    expect(calendarsOf(address)).toMatchObject([
      { method: 'REQUEST', uid, sequence: 0, summary: expect.stringContaining(hostName) },
      { method: 'REQUEST', uid, sequence: 1 },
      { method: 'CANCEL', uid, sequence: 2 },
    ]);
  }
  expect(smtp.mailsTo(host)).toHaveLength(3);
  // names arrive as they were typed, whatever carries them
  const plain = (text: string) => text.replaceAll(/[\u2060\u2068\u2069]/g, '');
  for (const mail of smtp.mailsTo(host)) expect(plain(readMail(mail).text)).toContain(guestName);
  for (const mail of smtp.mailsTo(guest)) expect(readMail(mail).everything).toContain(hostName);
  // the address of the booking manages it: nobody else's mail has it, decoded
  for (const mail of smtp.received.filter(({ to }) => to[0] !== guest)) {
    expect(readMail(mail).everything).not.toContain(token);
    expect(readMail(mail).everything).not.toContain(link.searchParams.get('proof'));
  }
});

test('a brought guest whose mailbox is gone is named to the booker and the host after each change, until a mail arrives again', async () => {
  const bea = await signUpUser(server, 'bea@example.org');
  const { path } = await insertBookable(server, bea, 'intro');
  const [booker, one, gone] = ['kai@example.jp', 'ina@example.net', 'gone@example.net'];
  const wish = { start: nine, name: 'Kai', email: booker, guests: [one, gone], zone: 'UTC', language: 'en' };
  const made = (await post(`${path}/bookings`, wish)) as Made;
  const token = made.bookings[0]?.token ?? '';
  const link = new URL(smtp.mailsTo(booker)[0]?.links.find((url) => url.includes('proof=')) ?? '');
  await post(`/api/booked/${token}/confirm`, { proof: link.searchParams.get('proof') });
  expect(smtp.mailsTo(gone)).toHaveLength(1);
  const shown = async () => (await server.inject({ url: `/booked/${token}` })).body;
  const { rows } = await sql<{ id: BookingId }>`
    select id from booking.bookings where guest_email = ${booker}`.execute(server.app.db);
  const inConsole = async () =>
    (await bea.as(bookingContract).readBooking({ params: { booking_id: rows[0]!.id } })).booking.untold;
  expect(await inConsole()).toEqual([]);
  const said = `We couldn’t email these guests: ${gone}. Please tell them about this change.`;
  const move = async (sequence: number) => {
    clock.advance({ minutes: 10 });
    await post(`/api/booked/${token}/reschedule`, { start: nine + 30 * (sequence + 1), sequence });
  };
  smtp.nobodies.add(gone);
  await move(0);
  expect(await shown()).toContain(said);
  expect(await inConsole()).toEqual([gone]);
  smtp.nobodies.delete(gone);
  await move(1);
  expect(smtp.mailsTo(gone)).toHaveLength(2);
  expect(await shown()).not.toContain('We couldn’t email');
  expect(await inConsole()).toEqual([]);
  smtp.nobodies.add(gone);
  // a guest whom a reminder does not reach has the invitation
  const movedAt = clock.now();
  clock.set(Temporal.Instant.fromEpochMilliseconds((nine + 60 - 1_440) * 60_000 + 1_000));
  await remindPeople(server.app, new AbortController().signal);
  await server.settle();
  const { rows: reminders } = await sql<{ state: string }>`
    select state from platform.mails where recipient = ${gone} and kind = 'booking.reminder'`.execute(server.app.db);
  expect(reminders).toEqual([{ state: 'bounced' }]);
  expect(await shown()).not.toContain('We couldn’t email');
  expect(await inConsole()).toEqual([]);
  clock.set(movedAt);
  await post(`/api/booked/${token}/cancel`, {});
  expect(await shown()).toContain(said);
  expect(await inConsole()).toEqual([gone]);
});

test('a host who chose no time zone reads times in that of their hours, else of their primary calendar, else in GMT', async () => {
  const cai = await signUpUser(server, 'cai@example.org');
  const { path } = await insertBookable(server, cai, 'intro');
  const firstTo = async (start: number): Promise<string> => {
    const before = smtp.mailsTo('cai@example.org').length;
    const email = `guest-of-cai-${start}@example.net`;
    await post(`${path}/bookings`, { start, name: 'Gus', email, zone: 'UTC', language: 'en' });
    return smtp.mailsTo('cai@example.org')[before]?.parsed.text ?? '';
  };
  // nine o'clock in New York
  expect(await firstTo(nine)).toContain('2:00 – 2:30 PM, GMT');
  const { calendarId } = await insertOwnAccount(server, cai);
  await sql`update connections.calendars set writable = false, include_in_unified = false, zone = 'Asia/Tokyo',
    zone_named = true, is_primary = id = ${calendarId} where user_id = ${cai.userId}`.execute(server.app.db);
  expect(await firstTo(nine + 30)).toContain('11:30 PM');
  await cai
    .as(availabilityContract)
    .createPolicy({ body: { name: 'Work', hours: defaultHours('Europe/Berlin'), note: '', apply: false } });
  expect(await firstTo(nine + 60)).toContain('4:00 – 4:30 PM, Berlin (GMT+1)');
});

test('mails to guests of a team bring its logo along, load nothing, and name the team where pictures are off', async () => {
  const owner = await signUpUser(server, 'olga@example.org');
  const teamId = await insertTeam(server, 'studio', [{ user: owner }]);
  await sql`update teams.teams set name = 'Studio "Nord" & Co' where id = ${teamId}`.execute(server.app.db);
  const team = { teamId, handle: 'studio' };
  const type = { kind: 'round-robin' as const, slug: 'tour', guests_allowed: 1 };
  const { path } = await insertTeamType(server, team, [{ user: owner }], type);
  const picture = sharp({ create: { width: 300, height: 200, channels: 4, background: '#c2410c' } }).webp();
  const uploaded = await server.inject({
    method: 'PUT',
    url: `/api/teams/${teamId}/logo`,
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'image/webp' },
    payload: await picture.toBuffer(),
  });
  expect(uploaded.statusCode, uploaded.body).toBe(200);
  const { logo_url } = uploaded.json<{ team: { logo_url: string } }>().team;
  const shown = await server.inject({ url: logo_url });
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png']);

  const email = 'nora@example.net';
  await post(`${path}/bookings`, { start: nine + 60, name: 'Nora', email, zone: 'UTC', language: 'en' });
  const toGuest = smtp.mailsTo(email).at(-1) as ReceivedMail;
  expectWellFormed(toGuest);
  const { html = '', attachments } = toGuest.parsed;
  expect(html).toContain('<img src="cid:logo" alt="Studio &quot;Nord&quot; &amp; Co" width="40" height="40"');
  expect([...html.matchAll(/<img[^>]* src="([^"]*)"|url\(/g)].map(([, src]) => src)).toEqual(['cid:logo']);
  const logo = attachments.find(({ contentId }) => contentId === '<logo>');
  expect([logo?.mimeType, logo?.disposition]).toEqual(['image/png', 'inline']);
  expect(await sharp(Buffer.from(logo?.content as ArrayBuffer)).metadata()).toMatchObject({
    format: 'png',
    width: 256,
    height: 256,
  });
  const toHost = smtp.mailsTo('olga@example.org').at(-1);
  expect(toHost?.parsed.subject).toContain('Nora');
  expect(toHost?.parsed.html).not.toContain('cid:logo');
  // without a logo again
  const removed = await server.inject({
    method: 'DELETE',
    url: `/api/teams/${teamId}/logo`,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(removed.statusCode).toBe(200);
  await post(`${path}/bookings`, { start: nine + 120, name: 'Nora', email, zone: 'UTC', language: 'en' });
  expect(smtp.mailsTo(email).at(-1)?.parsed.html).not.toContain('<img');
});

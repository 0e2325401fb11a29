import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { BookingId } from '#kernel/ids.ts';
import { solve } from '#kernel/solve-challenge.ts';
import { addressWithKey } from '#platform/this-machine.ts';
import { insertBookable, moveToGoogle } from '../../../../test/harness/bookable.ts';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { readMails } from '../../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import { bookingContract } from '../contract.ts';
import type { TypeSettings } from '../rules/type-settings.ts';
import { findBooking } from '../store/bookings.ts';
import { tellBooking } from '../tell-booking.ts';

/** Pages around a booking, on an install with a mail server and on one without. */

const clock = fixedClock('2027-03-01T07:00:00Z');
/** A Monday, nine o'clock in New York. */
const start = Date.parse('2027-03-08T14:00:00Z') / 60_000;

let mailing: TestApp;
let silent: TestApp;
let hosts: Map<TestApp, TestUser>;
let count = 0;

beforeAll(async () => {
  const http = { pageRoot: await builtPages() };
  mailing = await startTestApp({ role: 'web', clock, http, config: { smtpUrl: 'smtp://127.0.0.1:9' } });
  silent = await startTestApp({ role: 'web', clock, http });
  hosts = new Map();
  for (const server of [mailing, silent]) hosts.set(server, await signUpUser(server, 'anna@example.org'));
});
afterAll(async () => {
  await mailing.close();
  await silent.close();
});

async function offer(server: TestApp, settings: Partial<TypeSettings> = {}) {
  count += 1;
  const { path } = await insertBookable(server, hosts.get(server) as TestUser, `intro-${count}`, settings);
  return path.replace('/api/book', '');
}

async function book(server: TestApp, settings: Partial<TypeSettings> = {}, more: object = {}) {
  // each books the same time
  await sql`update booking.blocks set expires_ms = 0`.execute(server.app.db);
  await sql`truncate booking.appointments cascade`.execute(server.app.db);
  const path = await offer(server, settings);
  const payload = { start, name: 'Gus Guest', email: `gus-${count}@example.net`, zone: 'UTC', language: 'en', ...more };
  const response = await server.inject({ method: 'POST', url: `/api/book${path}/bookings`, payload });
  expect(response.statusCode, response.body).toBe(201);
  const made = response.json<{
    bookings: { token: string; booking: { uid: string } }[];
    redirect_url: string | null;
  }>();
  return { ...made, path, page: `/booked/${made.bookings[0]?.token}` };
}

/** A page as it is shown: without the words that its script may need later. */
async function read(server: TestApp, url: string): Promise<string> {
  const { body } = await server.inject({ url, headers: { accept: 'text/html', 'accept-language': 'en' } });
  return body.replace(/<script type="application\/json" id="data">.*?<\/script>/s, '');
}

const sendForm = (server: TestApp, url: string, fields: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  });

test('a page speaks of a mail only where a mail server is set up', async () => {
  const booked = await read(mailing, (await book(mailing)).page);
  expect(booked).toMatch(/Check .+ for the invitation/);
  // a limit may keep it back
  expect(booked).not.toMatch(/on its way|was sent/);
  expect(await read(silent, (await book(silent)).page)).not.toContain('for the invitation');
  const asked = { confirmation: true };
  expect(await read(mailing, (await book(mailing, asked)).page)).toMatch(
    /The answer goes to .+, and this page shows it too/,
  );
  const { page, path } = await book(silent, asked);
  expect(await read(silent, page)).not.toContain('e-mail');
  expect(await read(silent, `${path}?slot=${start + 60}`)).not.toContain('by email.');
  expect(await read(mailing, `${await offer(mailing, asked)}?slot=${start + 60}`)).toContain('by email.');
});

test('a page that waits for the mail says the kind of meeting, offers a new mail only where one can come, and then another time', async () => {
  const settings = { location: { kind: 'in-person' as const, address: 'Main Street 1' }, guests_allowed: 1 };
  const more = { guests: ['bo@example.net'] };
  onTestFinished(() => clock.set('2027-03-01T07:00:00Z'));
  const unsent = await read(silent, (await book(silent, settings, more)).page);
  expect(unsent).toMatch(/<h1>Not confirmed<\/h1>.*This server can’t send email yet/s);
  expect(unsent).not.toMatch(/Check your email|Resend email/);
  const { page, path } = await book(mailing, settings, more);
  const waiting = await read(mailing, page);
  expect(waiting).toMatch(/<h1>Check your email<\/h1>.*Resend email.*<dt>Where<\/dt><dd>In person<\/dd>/s);
  expect(waiting).toContain(`action="${page}/mail"`);
  expect(waiting).not.toMatch(/Main Street|Book another time/);
  expect(await read(mailing, `${page}?mail=later`)).toContain('Try again in ten minutes.');
  expect(await read(mailing, `${page}?mail=full`)).toContain('try again in 24 hours.');
  clock.advance({ minutes: 31 });
  const late = await read(mailing, page);
  expect(late).toMatch(/<h1>Not booked<\/h1>/);
  expect(late).toMatch(new RegExp(`<a class="button" href="${path}"[^>]*>Book another time</a>`));
});

test('a page says the kind of meeting while its host has not confirmed it, and after it was declined or canceled', async () => {
  const settings = { location: { kind: 'in-person' as const, address: 'Main Street 1' } };
  const { page } = await book(silent, { ...settings, confirmation: true });
  const kind = /<dt>Where<\/dt><dd>In person<\/dd>/;
  expect(await read(silent, page)).toMatch(kind);
  await sql`update booking.bookings set state = 'declined' where state = 'pending'`.execute(silent.app.db);
  const declined = await read(silent, page);
  expect(declined).toMatch(kind);
  expect(declined).not.toContain('Main Street');
  const sure = await book(silent, settings);
  expect(await read(silent, sure.page)).toMatch(/<dt>Where<\/dt><dd>Main Street 1<\/dd>/);
  await silent.inject({ method: 'POST', url: `/api${sure.page}/cancel`, payload: {} });
  expect(await read(silent, sure.page)).toMatch(kind);
});

test('a booking in the page of another site has a link to its own page, which can be saved', async () => {
  const settings = { frames: ['https://shop.example.org'], confirmation: true };
  const { page } = await book(mailing, settings);
  const link = new RegExp(`<a href="${page}" target="_blank" rel="noopener">Open this page in a new tab</a>`);
  const framed = await read(mailing, `${page}?embed=https%3A%2F%2Fshop.example.org`);
  expect(framed).toMatch(link);
  // by when the host may answer
  expect(framed).toContain('Without an answer by the start of the meeting, it doesn’t take place.');
  expect(await read(mailing, page)).not.toMatch(link);
});

test('titles of the pages after a booking say the result and the meeting', async () => {
  const titleOf = async (url: string) => /<title>([^<]*)/.exec(await read(silent, url))?.[1]?.split(' · ');
  const { page } = await book(silent);
  const [result, meeting = ''] = (await titleOf(page)) ?? [];
  expect([result, meeting.length > 3]).toEqual(['You’re booked!', true]);
  expect(await titleOf(`${page}/cancel`)).toEqual(['Cancel this booking?', meeting]);
  const move = { start: start + 30, sequence: 0 };
  await silent.inject({ method: 'POST', url: `/api${page}/reschedule`, payload: move });
  expect(await titleOf(page)).toEqual(['Rescheduled', meeting]);
  expect(await read(silent, page)).toMatch(/<h1>Rescheduled<\/h1>/);
  await silent.inject({ method: 'POST', url: `/api${page}/cancel`, payload: {} });
  expect(await titleOf(page)).toEqual(['You canceled this booking', meeting]);
  const asked = await book(silent, { confirmation: true });
  expect((await titleOf(asked.page))?.[0]).toMatch(/^Waiting for /);
  await sql`update booking.bookings set state = 'declined' where state = 'pending'`.execute(silent.app.db);
  expect((await titleOf(asked.page))?.[0]).toBe('Declined');
});

test('the page of a booking that its host moved says so, until the guest moves it', async () => {
  const { page } = await book(silent);
  const { rows } = await sql<{ id: BookingId }>`select id from booking.bookings`.execute(silent.app.db);
  const anna = (hosts.get(silent) as TestUser).as(bookingContract);
  const wanted = { start: start + 30, sequence: 0, anyway: true };
  await anna.rescheduleBooking({ params: { booking_id: rows[0]!.id }, body: wanted });
  expect(await read(silent, page)).toMatch(/<title>anna moved this booking · .*<h1>anna moved this booking<\/h1>/s);
  const move = { start: start + 60, sequence: 1 };
  await silent.inject({ method: 'POST', url: `/api${page}/reschedule`, payload: move });
  expect(await read(silent, page)).toMatch(/<h1>Rescheduled<\/h1>/);
});

test('a booking whose link is still being made says where it takes place and how the link comes', async () => {
  const meet = { location: { kind: 'google-meet' as const } };
  const { page } = await book(mailing, meet);
  await moveToGoogle(mailing, hosts.get(mailing) as TestUser);
  expect(await read(mailing, page)).toContain('Google Meet. The link follows by email.');
  await sql`update booking.appointments set join_url = 'https://meet.google.com/abc-defg-hij'`.execute(mailing.app.db);
  const linked = await read(mailing, page);
  expect(linked).toContain('href="https://meet.google.com/abc-defg-hij"');
  expect(linked).not.toContain('follows by email');
  const quiet = await book(silent, meet);
  expect(await read(silent, quiet.page)).toContain('anna will send you the meeting link.');
  await moveToGoogle(silent, hosts.get(silent) as TestUser);
  expect(await read(silent, quiet.page)).toContain('Google Meet. The link appears here shortly.');
  // a request has its kind, and no link before it is certain
  const asked = await read(mailing, (await book(mailing, { ...meet, confirmation: true })).page);
  expect(asked).toContain('<dd>Google Meet</dd>');
});

async function waitForMail({ app }: TestApp): Promise<void> {
  await sql`update booking.bookings set state = 'awaiting-mail', mail_confirmed_ms = null,
    expires_ms = ${clock.nowMs() + 1_800_000}`.execute(app.db);
  await sql`insert into booking.audit (booking_id, at_ms, actor, kind)
    select id, ${clock.nowMs()}, 'guest', 'mail-wanted' from booking.bookings`.execute(app.db);
}

test('the page of a meeting in person without an address says who tells the place', async () => {
  const { page } = await book(mailing, { location: { kind: 'in-person', address: '' } });
  expect(await textOf(mailing, page)).toMatch(/Where In person\. .+ will tell you where\./);
  const { page: known } = await book(mailing, { location: { kind: 'in-person', address: 'Main Street 1' } });
  expect(await textOf(mailing, known)).toContain('Where Main Street 1');
});

test('a page that waits for the mail leads to it on an install of its own machine, which sends none', async () => {
  const local = await startTestApp({
    role: 'web',
    clock,
    http: { pageRoot: await builtPages() },
    config: { showsMail: true },
  });
  onTestFinished(() => local.close());
  hosts.set(local, await signUpUser(local, 'anna@example.org'));
  const { page } = await book(local);
  expect(await read(local, page)).not.toContain('/dev/mail');
  await waitForMail(local);
  // a guest without the key of the install would meet a page for its operator
  const toGuest = await read(local, page);
  expect(toGuest).not.toContain('/dev/mail');
  expect(toGuest).not.toContain('We sent a link');
  const key = new URL(addressWithKey(local.app, '/dev/mail')).searchParams.get('access') ?? '';
  const headers = { accept: 'text/html', 'accept-language': 'en', cookie: `holdfast-operator=${key}` };
  const shown = (await local.inject({ url: page, headers })).body;
  expect(shown).toMatch(/<a [^>]*href="\/dev\/mail"[^>]*>Open the email<\/a>/);
  expect(shown).toContain('We sent a link to');
  expect(shown).not.toContain('sends no email');
});

test('where nobody can read mail, the work of a browser stands for the link, and no page offers to write to the host', async () => {
  const mute = await startTestApp({
    role: 'web',
    clock,
    http: { pageRoot: await builtPages() },
    config: { canMail: false },
  });
  onTestFinished(() => mute.close());
  hosts.set(mute, await signUpUser(mute, 'anna@example.org'));
  const path = await offer(mute, { guests_allowed: 1 });
  const post = async (minutes: number, more: object) => {
    const payload = { start: start + minutes, name: 'Gus', email: 'gus@example.net', zone: 'UTC', ...more };
    const response = await mute.inject({ method: 'POST', url: `/api/book${path}/bookings`, payload });
    return { status: response.statusCode, body: response.json() };
  };
  const { body } = await post(0, {});
  const page = await read(mute, `/booked/${body.bookings[0].token}`);
  expect(page).toContain('You’re booked!');
  expect(page).not.toContain('/message');
  for (const [minutes, more] of [
    [30, {}],
    [60, { email: 'new@example.net', guests: ['bo@example.net'] }],
  ] as const) {
    expect((await post(minutes, more)).status).toBe(429);
    const { detail } = (await post(minutes, { ...more, solution: '' })).body;
    expect(detail.code).toBe('CHALLENGE');
    const solution = await solve(detail.fields.challenge);
    const booked = await post(minutes, { ...more, solution });
    expect([booked.status, booked.body.bookings?.[0].booking.state]).toEqual([201, 'confirmed']);
  }
});

test('a page that waits for the mail says what waits, and nothing about changes', async () => {
  const { page } = await book(mailing, { cancellation: { until_minutes: 43_200, text: '' } });
  await waitForMail(mailing);
  const shown = await read(mailing, page);
  expect(shown).toContain('Check your email');
  expect(shown).toContain('We sent a link to');
  expect(shown).toMatch(/Open it by \d+:\d\d [AP]M \(GMT\) to/);
  expect(shown).not.toContain('/dev/mail');
  expect(shown).toContain('Intro');
  expect(shown).toMatch(/Mon[^<]*Mar[^<]*8/);
  for (const absent of ['It is too late', 'Need to change it?', 'Book another time'])
    expect(shown).not.toContain(absent);
});

test('the page of the host gets all dates of a series, and from the booked page those that are left', async () => {
  const weekly = { redirect_url: 'https://shop.example/thanks', recurring: { max: 3, every: 'week' as const } };
  const { redirect_url, page, bookings } = await book(mailing, weekly, { times: 3, zone: 'America/New_York' });
  const uids = bookings.map(({ booking }) => booking.uid);
  // the clocks change on March 14
  expect(Object.fromEntries(new URL(redirect_url ?? '').searchParams)).toEqual({
    booking_uid: uids[0],
    start_time: '2027-03-08T14:00:00Z',
    end_time: '2027-03-08T14:30:00Z',
    booking_uids: uids.join(','),
    start_times: '2027-03-08T14:00:00Z,2027-03-15T13:00:00Z,2027-03-22T13:00:00Z',
  });
  await mailing.inject({ method: 'POST', url: `/api/booked/${bookings[1]?.token}/cancel`, payload: {} });
  const link = /href="(https:\/\/shop\.example[^"]*)"/.exec(await read(mailing, page))?.[1] ?? '';
  const left = new URL(link.replaceAll('&amp;', '&')).searchParams;
  expect(left.get('booking_uids')).toBe([uids[0], uids[2]].join(','));
  expect(left.get('start_times')).toBe('2027-03-08T14:00:00Z,2027-03-22T13:00:00Z');
});

test('the page of the host gets the booking and the campaign of its link, and keeps its own values', async () => {
  const redirect = { redirect_url: 'https://shop.example/thanks?booking_uid=mine&color=red#top' };
  const { redirect_url } = await book(mailing, { redirect_url: 'https://shop.example/thanks' });
  const url = new URL(redirect_url ?? '');
  const { rows } = await sql<{ uid: string }>`select uid from booking.bookings`.execute(mailing.app.db);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    booking_uid: rows[0]?.uid,
    start_time: '2027-03-08T14:00:00Z',
    end_time: '2027-03-08T14:30:00Z',
  });
  const kept = new URL((await book(mailing, { ...redirect, seats: 1 })).redirect_url ?? '');
  expect([kept.searchParams.get('booking_uid'), kept.searchParams.get('color'), kept.hash]).toEqual([
    'mine',
    'red',
    '#top',
  ]);
  // without script the form carries the campaign
  const path = await offer(mailing, { redirect_url: 'https://shop.example/thanks' });
  const form = await read(mailing, `${path}?tz=UTC&utm_source=news&utm_medium=mail&q=x&slot=${start + 120}`);
  expect(form).toContain('name="utm_source" value="news"');
  const sent = await sendForm(mailing, path, {
    slot: String(start + 120),
    duration: '30',
    name: 'Gus',
    email: 'gus@example.net',
    utm_source: 'news',
    utm_medium: 'x'.repeat(201),
    'utm_"><script>': 'x',
  });
  const led = new URL(String(sent.headers.location)).searchParams;
  expect(led.get('utm_source')).toBe('news');
  expect([...led.keys()].filter((name) => name.startsWith('utm_'))).toEqual(['utm_source']);
});

test('a page without any free time leads to what else the host offers', async () => {
  const path = await offer(mailing, { window: { kind: 'fixed', from: '2026-01-01', to: '2026-01-02' } });
  const shown = await read(mailing, path);
  expect(shown).toContain('No times available right now.');
  expect(shown).toMatch(/href="\/anna"[^>]*>See other options from .*</);
  // on a phone too, where days with times replace the month
  expect(shown).toContain('class="dates wide"');
  expect(shown).not.toContain('All dates</a>');
});

test('the page of a paused event type leads to what else the host offers', async () => {
  const shown = await read(mailing, await offer(mailing, { paused: true }));
  expect(shown).toContain('taking bookings right now');
  expect(shown).toMatch(/href="\/anna"[^>]*>See other options from .*</);
});

test('a guest who moves a booking sees the old time beside the new one, and may say why', async () => {
  const { page } = await book(mailing);
  const later = start + 60;
  const form = await read(mailing, `${page}/reschedule?tz=UTC&slot=${later}`);
  expect(form).toMatch(/Current time<\/dt>.*?Mon[^<]*Mar[^<]*8.*?New time<\/dt>/s);
  expect(form).toContain('name="reason"');
  const sent = await sendForm(mailing, `${page}/reschedule`, {
    slot: String(later),
    sequence: '0',
    reason: ' The train is late. ',
  });
  expect(sent.statusCode).toBe(303);
  expect(await read(mailing, page)).toContain('The train is late.');
  // a later move has a reason of its own, or none
  await sendForm(mailing, `${page}/reschedule`, { slot: String(later + 60), sequence: '1' });
  expect(await read(mailing, page)).not.toContain('The train is late.');
});

const asHost = (server: TestApp, url: string, method: 'GET' | 'POST' = 'POST') =>
  server.inject({
    method,
    url,
    ...(method === 'POST' ? { payload: {} } : {}),
    headers: { authorization: `Bearer ${hosts.get(server)?.token}` },
  });

async function answer(server: TestApp, act: 'confirm' | 'decline' | 'cancel') {
  const { rows } = await sql<{ id: string }>`select id from booking.bookings`.execute(server.app.db);
  const { statusCode, body } = await asHost(server, `/api/bookings/${rows[0]?.id}/${act}`);
  expect(statusCode, body).toBe(200);
}

/** A page, and its text in one line. */
const textOf = async (server: TestApp, url: string) =>
  (await read(server, url))
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('a move that the host has to confirm says so before the guest acts, and the page after it is true', async () => {
  const { page } = await book(mailing, { confirmation: true });
  await answer(mailing, 'confirm');
  const later = start + 60;
  for (const url of [`${page}/reschedule`, `${page}/reschedule?slot=${later}`]) {
    const form = await textOf(mailing, url);
    expect(form).toContain(
      'anna must confirm a new time. Your current time is released as soon as you send the request.',
    );
    expect(form).toContain('If anna declines, the meeting doesn’t take place.');
  }
  const form = await read(mailing, `${page}/reschedule?slot=${later}`);
  expect(form).toContain('Request new time</button>');
  expect(form).not.toContain('Move to this time');
  await sendForm(mailing, `${page}/reschedule`, { slot: String(later), sequence: '0' });
  const waiting = await read(mailing, `${page}?tz=UTC`);
  expect(waiting).toContain('Waiting for anna to confirm');
  expect(waiting).toContain('Your former time is no longer booked.');
  expect(waiting).toMatch(/<s>Mon[^<]*8[^<]*2:00 PM<\/s>/);
  // a second wish: what is given up now is a request
  const again = await textOf(mailing, `${page}/reschedule?slot=${later + 60}`);
  expect(again).toContain('It replaces the time you requested before.');
  expect(again).not.toContain('is released');
  await sendForm(mailing, `${page}/reschedule`, { slot: String(later + 60), sequence: '1' });
  expect(await read(mailing, `${page}?tz=UTC`)).toMatch(/<s>Mon[^<]*8[^<]*2:00 PM<\/s>/);
  await answer(mailing, 'decline');
  const over = await read(mailing, page);
  expect(over).toContain('anna can’t make the new time.');
  expect(over).toContain('This meeting no longer takes place.');
  expect(over.match(/Book another time/g)).toHaveLength(1);
});

test('a move that nobody has to confirm asks nobody, and its page shows the former time beside the new one', async () => {
  const { page } = await book(silent);
  const form = await read(silent, `${page}/reschedule?slot=${start + 60}`);
  expect(form).toContain('Move to this time</button>');
  expect(form).not.toContain('must confirm');
  await sendForm(silent, `${page}/reschedule`, { slot: String(start + 60), sequence: '0' });
  const moved = await read(silent, `${page}?tz=UTC`);
  expect(moved).toContain('The new time is booked. Change it in your calendar too.');
  expect(moved).toMatch(/<s>Mon[^<]*8[^<]*2:00 PM<\/s>/);
});

test('the page of a booking that moved twice says that the mail is still to come, and names the former time of that mail', async () => {
  const { page } = await book(mailing);
  onTestFinished(() => clock.set('2027-03-01T07:00:00Z'));
  const { app } = mailing;
  const { rows } = await sql<{ id: BookingId; email: string }>`
    select id, guest_email as email from booking.bookings`.execute(app.db);
  const { id, email } = rows[0] as (typeof rows)[number];
  const tell = (what: 'confirmed' | 'rescheduled', sequence: number) =>
    tellBooking(app, { bookingId: id, what, sequence }, { mayWait: false });
  const move = async (hours: number, sequence: number) => {
    await sendForm(mailing, `${page}/reschedule`, { slot: String(start + hours * 60), sequence: String(sequence) });
    clock.advance({ minutes: 1 });
  };
  const shown = async () => {
    const text = await read(mailing, `${page}?tz=UTC&clock=24`);
    return {
      former: /<s>[^<]*(\d\d:\d\d)<\/s>/.exec(text)?.[1],
      isSoon: text.includes(`The updated invitation goes to ${email} within two minutes.`),
      isThere: text.includes(`Check ${email} for the updated invitation.`),
    };
  };
  await tell('confirmed', 0);
  await move(1, 0);
  await tell('rescheduled', 1);
  expect(await shown()).toEqual({ former: '14:00', isSoon: false, isThere: true });
  // the mails about these wait for the next move
  await move(2, 1);
  expect(await shown()).toEqual({ former: '15:00', isSoon: true, isThere: false });
  await move(0, 2);
  expect(await shown()).toEqual({ former: '15:00', isSoon: true, isThere: false });
  await tell('rescheduled', 3);
  expect(await shown()).toEqual({ former: '15:00', isSoon: false, isThere: true });
  const last = (await readMails(mailing, email)).findLast(({ kind }) => kind === 'booking.rescheduled');
  const facts = last?.content.blocks.flatMap((block) => ('facts' in block ? block.facts : [])) ?? [];
  expect(facts.find(([label]) => label === 'Former time')?.[1]).toMatch(/3:00 – 3:30 PM, GMT$/);
});

test('a time that was only requested is no former time, neither before nor after the host confirms the last one', async () => {
  const { page } = await book(mailing, { confirmation: true });
  onTestFinished(() => clock.set('2027-03-01T07:00:00Z'));
  const { app } = mailing;
  const { rows } = await sql<{ id: BookingId; email: string }>`
    select id, guest_email as email from booking.bookings`.execute(app.db);
  const { id, email } = rows[0] as (typeof rows)[number];
  const tell = (what: 'requested' | 'confirmed' | 'rescheduled', sequence: number) =>
    tellBooking(app, { bookingId: id, what, sequence }, { mayWait: false });
  const sequence = async () => (await findBooking(app.db, id))?.sequence ?? 0;
  const shown = async () =>
    /<s>[^<]*(\d\d:\d\d)<\/s>/.exec(await read(mailing, `${page}?tz=UTC&clock=24`))?.[1] ?? null;
  const mailed = async (address: string) => {
    const { content } = (await readMails(mailing, address)).at(-1) ?? { content: null };
    const facts = content?.blocks.flatMap((block) => ('facts' in block ? block.facts : [])) ?? [];
    return facts
      .filter(([label]) => /Former time|Requested before/.test(label))
      .map(([label, text]) => [label, text.split('\n').at(-1)]);
  };
  const move = async (hours: number) => {
    clock.advance({ minutes: 10 });
    await sendForm(mailing, `${page}/reschedule`, {
      slot: String(start + hours * 60),
      sequence: String(await sequence()),
    });
    await tell('rescheduled', await sequence());
  };
  await tell('requested', await sequence());
  await move(1);
  // nothing was booked yet
  expect([await shown(), await mailed(email)]).toEqual([null, [['Requested before', '2:00 – 2:30 PM, GMT']]]);
  await answer(mailing, 'confirm');
  await tell('confirmed', await sequence());
  expect([await shown(), await mailed(email)]).toEqual([null, []]);
  const booked = [['Former time', '3:00 – 3:30 PM, GMT']];
  for (const hours of [2, 3]) {
    await move(hours);
    expect([await shown(), await mailed(email), await mailed('anna@example.org')]).toEqual(['15:00', booked, booked]);
  }
  await answer(mailing, 'confirm');
  await tell('confirmed', await sequence());
  expect([await shown(), await mailed(email)]).toEqual(['15:00', booked]);
});

test('a request that was never confirmed has no former time to lose', async () => {
  const { page } = await book(mailing, { confirmation: true });
  expect(await textOf(mailing, `${page}/reschedule`)).toContain('Requested for');
  await sendForm(mailing, `${page}/reschedule`, { slot: String(start + 60), sequence: '0' });
  expect(await read(mailing, page)).not.toContain('no longer booked');
  await answer(mailing, 'decline');
  expect(await read(mailing, page)).not.toContain('no longer takes place');
});

test('a page says who canceled', async () => {
  const one = await book(mailing);
  await sendForm(mailing, `${one.page}/cancel`, {});
  expect(await read(mailing, one.page)).toContain('You canceled this booking');
  const other = await book(mailing);
  await answer(mailing, 'cancel');
  expect(await read(mailing, other.page)).toContain('anna canceled this booking');
});

test('the page of a call has the number of its guest, and the links to calendars hold what the file holds', async () => {
  const phone = '+49 30 5550123';
  const { page } = await book(mailing, { location: { kind: 'phone', who_calls: 'host', number: '' } }, { phone });
  const shown = await read(mailing, page);
  expect(shown).toMatch(/Phone<\/dt><dd>\+49 30 5550123<\/dd>/);
  const file = (await mailing.inject({ url: `${page}/calendar.ics` })).body.replaceAll('\r\n ', '');
  const links = [...shown.matchAll(/href="(https:\/\/(?:calendar\.google|outlook)[^"]+)"/g)].map(
    ([, link = '']) => new URL(link.replaceAll('&amp;', '&')).searchParams,
  );
  expect(links).toHaveLength(2);
  for (const link of links) {
    expect(link.get('location')).toBe(phone);
    // the secret address of the booking goes to no provider
    expect(link.toString()).not.toContain('booked');
    expect(file).toContain(`SUMMARY:${link.get('text') ?? link.get('subject')}`);
  }
  expect(file).toContain(`LOCATION:${phone}`);
});

test('the page that moves a booking opens at its day, and follows the links to other days and months', async () => {
  const far = start + 42 * 24 * 60 - 60; // daylight saving time has begun
  const { page } = await book(mailing, {}, { start: far });
  const list = await read(mailing, `${page}/reschedule?tz=America/New_York`);
  expect(list).toContain('April 2027');
  expect(list).toMatch(/data-day="2027-04-19"[^>]*aria-current="date"/);
  expect(list).toContain('Your current time');
  const next = await read(mailing, `${page}/reschedule?tz=America/New_York&month=2027-03`);
  expect(next).toContain('March 2027');
  expect(next).not.toContain('Your current time');
});

test('the page that moves a booking opens at its day in the zone of its guest, also in another month than the host reads', async () => {
  // March 31, four in the afternoon in New York
  const { page } = await book(mailing, {}, { start: Date.parse('2027-03-31T20:00:00Z') / 60_000, zone: 'Asia/Tokyo' });
  const list = await read(mailing, `${page}/reschedule`);
  expect(list).toContain('April 2027');
  expect(list).toMatch(/data-day="2027-04-01"[^>]*aria-current="date"/);
  expect(list).toMatch(/Booked for Thu, April 1, 5:00 AM/);
  // a guessed zone would give way to that of the browser, and leave the day and month as they are
  expect(list).not.toContain('data-guessed-zone="');
});

test('the time that a booking has is marked where its guest moves it, and cannot be chosen', async () => {
  const { page } = await book(mailing);
  const list = await read(mailing, `${page}/reschedule?day=2027-03-08`);
  expect(list.match(/Your current time/g)).toHaveLength(1);
  expect(list).not.toContain(`slot=${start}"`);
  expect(list).toContain(`slot=${start + 30}`);
  const form = await read(mailing, `${page}/reschedule?slot=${start}`);
  expect(form).toContain('You already have this time.');
  expect(form).not.toContain('Move to this time');
  expect(form).not.toContain('This time isn’t available');
});

test('a page that waits for its link or its answer looks for it by itself, and no other page does', async () => {
  const meet = { location: { kind: 'google-meet' as const } };
  const { page } = await book(silent, meet);
  const waiting = await silent.inject({ url: page, headers: { accept: 'text/html' } });
  expect(waiting.body).toMatch(/<main [^>]*data-awaits/);
  expect(waiting.headers['content-security-policy']).toContain("connect-src 'self'");
  await sql`update booking.appointments set join_url = 'https://meet.google.com/abc-defg-hij'`.execute(silent.app.db);
  const linked = await silent.inject({ url: page, headers: { accept: 'text/html' } });
  expect(linked.body).not.toContain('data-awaits');
  expect(linked.headers['content-security-policy']).not.toContain('connect-src');
  expect(await read(silent, (await book(silent, { confirmation: true })).page)).toMatch(/<main [^>]*data-awaits/);
  expect(await read(silent, (await book(silent)).page)).not.toContain('data-awaits');
});

test('pages that ask one question name the time, its end, the length, the zone, and the people', async () => {
  const { page } = await book(mailing, { guests_allowed: 2 }, { guests: ['lee@example.net'] });
  const cancel = await read(mailing, `${page}/cancel`);
  for (const said of ['Mon, March 8, 2:00 PM – 2:30 PM', '30 min, UTC (GMT)', 'Gus Guest, lee@example.net'])
    expect(cancel).toContain(said);
  const { page: other } = await book(mailing);
  expect(await read(mailing, `${other}/message`)).toContain('30 min, UTC (GMT)');
});

test('a date of another year names it', async () => {
  const { page } = await book(mailing);
  clock.set('2026-12-30T07:00:00Z');
  onTestFinished(() => clock.set('2027-03-01T07:00:00Z'));
  expect(await read(mailing, page)).toContain('Mon, March 8, 2027, 2:00 PM – 2:30 PM');
});

test('a long answer is folded, and a short one is not', async () => {
  const questions = [{ id: 'note', label: 'Note', kind: 'long' as const, required: false }];
  const essay = 'A long story. '.repeat(60).trim();
  const { page } = await book(mailing, { questions }, { answers: { note: essay } });
  const long = await read(mailing, page);
  expect(long).toMatch(/<details[^>]*><summary>.*Show all.*<\/summary>/s);
  expect(long).toContain(essay);
  const short = await book(mailing, { questions }, { answers: { note: 'Hello' } });
  expect(await read(mailing, short.page)).not.toContain('<details');
});

test('a second booking with an address that is not confirmed says before that a link comes first', async () => {
  const { path } = await book(mailing, {}, { email: 'first@example.net' });
  const form = {
    attempt: 'attempt-9',
    slot: String(start + 60),
    duration: '30',
    name: 'Gus',
    email: 'gus@example.net',
  };
  const made = await sendForm(mailing, path, form);
  expect(made.statusCode, made.body).toBe(303);
  const cookie = [made.headers['set-cookie'] ?? []]
    .flat()
    .map((one) => one.split(';')[0])
    .join('; ');
  const look = async (email: string) => {
    const url = `${path}?tz=UTC&slot=${start + 120}&email=${email}`;
    const { body } = await mailing.inject({ url, headers: { accept: 'text/html', cookie } });
    return body.replace(/<script type="application\/json" id="data">.*?<\/script>/s, '');
  };
  const again = await look('Gus@example.net');
  expect(again).toContain('Open it to confirm your booking.');
  expect(again).toMatch(/<button[^>]*>Email me a link<\/button>/);
  const other = await look('someone@example.net');
  expect(other).not.toContain('Open it to confirm your booking.');
  expect(other).toMatch(/<button[^>]*>Confirm booking<\/button>/);
});

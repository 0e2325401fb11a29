import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable } from '../../../../test/harness/bookable.ts';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import { findBooked } from '../find-booked.ts';
import type { TypeKind, TypeSettings } from '../rules/type-settings.ts';
import { writeProof } from '../write-proof.ts';

/** Booking pages as a guest reads them without script, on an install with a mail server. */

const clock = fixedClock('2027-03-01T07:00:00Z');
/** A Monday, nine o'clock in New York. */
const nine = Date.parse('2027-03-08T14:00:00Z') / 60_000;

let server: TestApp;
let anna: TestUser;
beforeAll(async () => {
  const http = { pageRoot: await builtPages() };
  server = await startTestApp({ role: 'web', clock, http, config: { smtpUrl: 'smtp://127.0.0.1:9' } });
  anna = await signUpUser(server, 'anna@example.org');
});
afterAll(() => server.close());

let count = 0;
async function offer(settings: Partial<TypeSettings> & { kind?: TypeKind } = {}) {
  // each books the same time
  await sql`truncate booking.appointments, booking.event_types cascade`.execute(server.app.db);
  count += 1;
  const { path, typeId } = await insertBookable(server, anna, `intro-${count}`, settings);
  return { path: path.replace('/api/book', ''), typeId };
}

/** A page as it is shown: without the words that its script may need later. */
async function read(url: string, language = 'en-US'): Promise<string> {
  const { body } = await server.inject({ url, headers: { accept: 'text/html', 'accept-language': language } });
  return body.replace(/<script type="application\/json" id="data">.*?<\/script>/s, '');
}

async function book(path: string, more: object = {}) {
  const email = `guest-${count}@example.net`;
  const payload = { start: nine, name: 'Gus', email, zone: 'Asia/Tokyo', language: 'en', ...more };
  const remoteAddress = `10.4.0.${count % 250}`;
  const response = await server.inject({ method: 'POST', url: `/api/book${path}/bookings`, payload, remoteAddress });
  expect(response.statusCode, response.body).toBe(201);
  return response.json<{ bookings: { token: string }[] }>().bookings[0]?.token ?? '';
}

test.each([
  [0, 'until the meeting starts'],
  [45, 'until 45 min before the meeting starts'],
  [1_440, 'until 24 hours before the meeting starts'],
  [2_880, 'until 2 days before the meeting starts'],
])(
  'a page whose bookings can be changed until %i minutes before says so before a time is chosen',
  async (minutes, text) => {
    const { path } = await offer({ cancellation: { until_minutes: minutes, text: '' } });
    expect(await read(path)).toContain(`You can reschedule or cancel ${text}.`);
  },
);

test('the deadline for changes has its time in the zone of the guest, before and after the booking', async () => {
  const { path } = await offer({ cancellation: { until_minutes: 1_440, text: 'Later costs half.' } });
  const deadline = 'You can reschedule or cancel until Sun, March 7, 11:00 PM (GMT+9).';
  const form = await read(`${path}?tz=Asia/Tokyo&slot=${nine}`);
  expect(form).toContain(deadline);
  expect(form).toContain('Later costs half.');
  const booked = await read(`/booked/${await book(path)}`);
  expect(booked).toContain(deadline);
  expect(booked).toContain('Later costs half.');
});

test('a time within the deadline for changes says that it cannot be changed', async () => {
  const { path } = await offer({ cancellation: { until_minutes: 20_160, text: '' } });
  expect(await read(`${path}?tz=UTC&slot=${nine}`)).toContain('Once booked, this meeting can’t be changed online.');
});

test('a phone without script reaches each bookable day by links', async () => {
  const { path } = await offer({ window: { kind: 'rolling', days: 100 } });
  const query = new URLSearchParams({ from: String(Date.parse('2027-03-01') / 60_000), duration: '30' });
  const days = new Set<string>();
  for (let from = Date.parse('2027-03-01') / 60_000, n = 0; n < 5; n += 1, from += 43_200) {
    query.set('from', String(from));
    query.set('to', String(from + 43_200));
    const answer = await server.inject({ url: `/api/book${path}/slots?${query.toString()}` });
    for (const minute of answer.json<{ starts: number[] }>().starts)
      days.add(new Date(minute * 60_000).toISOString().slice(0, 10));
  }
  expect(days.size).toBeGreaterThan(60);
  /** The links that a narrow screen shows; the styles hide the month unless it is asked for. */
  const shownLinks = (page: string) => {
    const month = /<section class="month".*?<\/section>/s.exec(page)?.[0] ?? '';
    const shown = page.includes('class="dates wide"') ? page : page.replace(month, '');
    return [...shown.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  };
  const reached = new Set<string>();
  const next = [`${path}?tz=UTC`];
  const seen = new Set<string>();
  for (const url of next) {
    for (const link of shownLinks(await read(url))) {
      const { pathname, searchParams } = new URL(link, 'http://localhost');
      if (pathname !== path || ['slot', 'zones', 'clock'].some((name) => searchParams.has(name))) continue;
      reached.add(searchParams.get('day') ?? '');
      // one page stands for all days that are chosen on it
      searchParams.delete('day');
      if (!seen.has(String(searchParams))) next.push(link);
      seen.add(String(searchParams));
    }
  }
  expect([...days].filter((day) => !reached.has(day))).toEqual([]);
});

test('a day of the next month in the strip of days shows its times without script', async () => {
  const { path } = await offer();
  const late = await read(`${path}?tz=UTC&month=2027-03&day=2027-03-31`);
  clock.set('2027-03-25T07:00:00Z');
  const strip = /<nav class="strip".*?<\/nav>/s.exec(await read(`${path}?tz=UTC`))?.[0] ?? '';
  const link = /href="([^"]*day=2027-04-05[^"]*)"/.exec(strip)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(await read(link)).toContain('Monday, Apr 5');
  expect(late).toContain('Wednesday, Mar 31');
  clock.set('2027-03-01T07:00:00Z');
});

test('a link to a time of the past says so, and offers the next times', async () => {
  const { path } = await offer();
  const page = await read(`${path}?tz=America/New_York&slot=${Date.parse('2027-01-11T14:00:00Z') / 60_000}`);
  expect(page).toContain('This time has passed');
  expect(page).toContain('Mon, January 11, 9:00 AM isn’t available.');
  expect(page).toContain('Pick another time, or one of the next ones.');
  expect(page).toContain('Mon, March 1, 9:00 AM</a>');
  expect(page).not.toContain('Confirm booking');
});

test('a form without script that meets a paused event type says that it takes no bookings', async () => {
  const { path, typeId } = await offer();
  await sql`update booking.event_types set settings = settings || '{"paused": true}' where id = ${typeId}`.execute(
    server.app.db,
  );
  const fields = { slot: String(nine), duration: '30', name: 'Gus', email: 'gus@example.net' };
  const { body } = await server.inject({
    method: 'POST',
    url: path,
    payload: new URLSearchParams(fields).toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(body).toContain('No bookings right now');
  // script asks for a hold: no start is named, since the refusal is about all of them
  const hold = await server.inject({ method: 'POST', url: `/api/book${path}/holds`, payload: { start: nine } });
  expect(hold.statusCode).toBe(409);
  const { detail } = hold.json<{ detail: { message: string; fields?: object } }>();
  expect(detail.fields).toBeUndefined();
  expect(detail.message).toMatch(/^\S.* isn't taking bookings right now\.$/);
});

test('a time that is not offered is refused without naming somebody who was faster', async () => {
  const { path } = await offer();
  const fields = { slot: String(nine - 300), duration: '30', name: 'Gus', email: 'gus@example.net' };
  const { body } = await server.inject({
    method: 'POST',
    url: `${path}?tz=UTC`,
    payload: new URLSearchParams(fields).toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
  });
  expect(body).toContain('This time isn’t available');
});

test('a form says how many seats are left, where its host tells', async () => {
  const { path } = await offer({ kind: 'group', seats: 10, shows_seats: true });
  await book(path);
  expect(await read(`${path}?tz=UTC&slot=${nine}`)).toContain('9 of 10 seats left');
  const { path: silent } = await offer({ kind: 'group', seats: 10 });
  expect(await read(`${silent}?tz=UTC&slot=${nine}`)).not.toContain('seats left');
});

test('a form with guests says who sees the details, and that an address is confirmed first', async () => {
  const { path } = await offer({ guests_allowed: 2 });
  const form = await read(`${path}?tz=UTC&slot=${nine}`);
  expect(form).toContain('Guests you add see your name and email address.');
  expect(form).toContain('If you add guests');
  expect(form).toContain('We may ask you to confirm your email address first.');
  const { path: alone } = await offer({ guests_allowed: 0 });
  const other = await read(`${alone}?tz=UTC&slot=${nine}`);
  expect(other).toContain('sees your details');
  // a second booking of one address asks too
  expect(other).toContain('We may ask you to confirm your email address first.');
  expect(other).not.toContain('Guests whom you bring');
});

test('a proof of an address promises no time that the host has not confirmed', async () => {
  for (const [confirmation, text] of [
    [true, 'Your request then goes to'],
    [false, 'and the time is yours'],
  ] as const) {
    const { path } = await offer({ confirmation, guests_allowed: 2 });
    const token = await book(path, { guests: ['cy@example.net'] });
    const booking = await findBooked(server.app.db, token);
    expect(booking.state).toBe('awaiting-mail');
    expect(await read(`/booked/${token}?proof=${writeProof(server.app, booking)}`)).toContain(text);
  }
});

test('dates of a series over a clock change name their offset, before and after the booking', async () => {
  const { path } = await offer({ recurring: { max: 4, every: 'week' } });
  // New York changes its clock on March 14
  const form = await read(`${path}?tz=America/New_York&slot=${nine}&times=2`);
  const booked = await read(`/booked/${await book(path, { zone: 'America/New_York', times: 2 })}`);
  for (const page of [form, booked]) {
    expect(page).toMatch(/March 8, 9:00 AM.{0,90}GMT-5</);
    expect(page).toMatch(/March 15, 9:00 AM.{0,90}GMT-4</);
  }
});

test('times are written as the reader of a language writes them where they live', async () => {
  const { path } = await offer();
  const british = await read(`${path}?tz=UTC&day=2027-03-08&month=2027-03`, 'en-GB,en;q=0.9');
  expect(british).toContain('>14:00<');
  expect(british).toContain('Monday 8 Mar');
  expect(british).toContain('>Mo</th>');
  const american = await read(`${path}?tz=UTC&day=2027-03-08&month=2027-03`, 'en-US,en;q=0.9');
  expect(american).toContain('>2:00 PM<');
});

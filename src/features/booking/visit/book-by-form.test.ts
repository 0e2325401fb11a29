import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser } from '../../../../test/harness/test-client.ts';
import { bookingContract } from '../contract.ts';
import type { Made } from '../rules/booking-endpoints.ts';
import { defaultSettings } from '../rules/type-settings.ts';
import type { BookingData } from '../rules/visit-data.ts';

/** Booking without script: every step is a page, a link or a form. */

const clock = fixedClock('2027-03-01T07:00:00Z'); // a Monday
let server: TestApp;
let networks = 0;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock, http: { pageRoot: await builtPages() } });
  const api = (await signUpUser(server, 'anna@example.org')).as(bookingContract);
  await api.changeHandle({ body: { handle: 'anna-lee' } });
  const { event_type: type } = await api.createEventType({ body: { title: 'Intro call', kind: 'one-on-one' } });
  const settings = {
    ...defaultSettings('one-on-one'),
    location: { kind: 'in-person' as const, address: 'Main Street 1' },
    questions: [{ id: 'about', label: 'What about?', kind: 'text' as const, required: true }],
  };
  const body = {
    version: 1,
    title: type.title,
    slug: 'intro',
    description: '',
    hidden: false,
    secret: false,
    settings,
  };
  await api.changeEventType({ params: { id: type.id }, body });
  const { event_type: open } = await api.createEventType({ body: { title: 'With guests', kind: 'one-on-one' } });
  await api.changeEventType({
    params: { id: open.id },
    body: { ...body, title: open.title, slug: 'guests', settings: { ...settings, questions: [], guests_allowed: 3 } },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  networks += 1;
});

const visit = (url: string) => server.inject({ url, headers: { accept: 'text/html' } });
const send = (url: string, fields: Record<string, string | number>) =>
  server.inject({
    method: 'POST',
    url,
    remoteAddress: `10.3.0.${networks}`,
    payload: new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString(),
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  });
const dataOf = (body: string) =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null') as BookingData;
const starts = async () => dataOf((await visit('/anna-lee/intro?tz=Asia/Tokyo')).body).starts;
const filled = {
  tz: 'Asia/Tokyo',
  name: 'Kei <b>',
  email: 'kei@example.jp',
  'q-about': 'A thing',
  attempt: 'attempt-1',
};

/** A booking at this start, made by form: where its page is. */
async function bookAt(slot: number, attempt: string): Promise<string> {
  const answer = await send('/anna-lee/intro', { ...filled, slot, attempt, email: `${attempt}@example.jp` });
  expect([answer.statusCode, answer.body.slice(0, 200)]).toEqual([303, '']);
  return String(answer.headers.location);
}

test('a form that is sent repeatedly books once and leads to the page of the booking', async () => {
  const [slot = 0] = await starts();
  const page = await bookAt(slot, 'attempt-1');
  expect(page).toMatch(/^\/booked\/[\w-]{16,}$/);
  expect(await bookAt(slot, 'attempt-1')).toBe(page);
  const { body, statusCode } = await visit(page);
  expect(statusCode).toBe(200);
  expect(body).toContain('You’re booked!');
  expect(body).toContain('Kei &lt;b&gt;');
  expect(body).toContain('Main Street 1');
  // in the zone that the guest booked in
  expect(body).toContain('Tokyo (GMT+9)');
  expect(body).toMatch(/href="https:\/\/calendar\.google\.com\/[^"]*dates=20270301T\d{6}Z%2F20270301T\d{6}Z/);
  expect(await starts()).not.toContain(slot);
  const file = await visit(`${page}/calendar.ics`);
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(file.headers['content-disposition']).toBe('attachment; filename="booking.ics"');
  expect(file.body).toContain('METHOD:PUBLISH');
  expect(file.body).toContain('LOCATION:Main Street 1');
});

test('a form with invalid fields shows an error beside each field and keeps the input', async () => {
  const [slot = 0] = await starts();
  const answer = await send('/anna-lee/intro', { ...filled, slot, email: 'kei@', 'q-about': '' });
  expect(answer.statusCode).toBe(422);
  expect(dataOf(answer.body).complaints).toEqual({
    email: 'Enter a valid email address.',
    'q-about': 'This field is required.',
  });
  expect(answer.body).toContain('value="Kei &lt;b&gt;"');
  expect(answer.body).toContain('aria-invalid="true"');
});

test('a host is no guest: neither the one who books, nor one who is brought along', async () => {
  const [slot = 0] = await starts();
  const guests = 'Bo@example.net, ANNA@example.org';
  const answer = await send('/anna-lee/guests', {
    ...filled,
    slot,
    email: 'Anna@Example.org',
    guests: 'bo@example.net',
  });
  expect([answer.statusCode, dataOf(answer.body).complaints]).toEqual([
    400,
    { email: "This is a host's address. Enter the address of the guest." },
  ]);
  const brought = await send('/anna-lee/guests', { ...filled, slot, guests });
  expect([brought.statusCode, dataOf(brought.body).complaints]).toEqual([
    400,
    { guests: 'These people are hosts of this meeting already: anna@example.org. Book without them.' },
  ]);
});

test('a form for a taken time keeps the input and offers three other times as buttons', async () => {
  const [, slot = 0] = await starts();
  await bookAt(slot, 'attempt-2');
  const late = await send('/anna-lee/intro', { ...filled, slot, attempt: 'attempt-3' });
  expect(late.statusCode).toBe(409);
  const { taken, typed } = dataOf(late.body);
  expect(taken).toHaveLength(3);
  expect(typed).toMatchObject({ name: 'Kei <b>', 'q-about': 'A thing' });
  // nobody knows whether it was free on the page of this guest
  expect(late.body).toContain('This time isn’t available');
  // Enter in a field books no other time
  expect(/<button [^>]*type="submit"[^>]*>/.exec(late.body)?.[0]).not.toContain('name=');
  // the way to all times is a link, which keeps nothing without script
  expect(late.body.replace(/<script.*?<\/script>/gs, '')).not.toContain('Your details are kept');
  const buttons = [...late.body.matchAll(/<button [^>]*name="near"[^>]*>/g)].map(([button]) => button);
  expect(buttons.map((button) => Number(/value="(\d+)"/.exec(button)?.[1]))).toEqual(taken);
  const near = await send('/anna-lee/intro', { ...filled, slot, near: taken?.[0] ?? 0, attempt: 'attempt-3' });
  expect(near.statusCode).toBe(303);
});

test('a guest moves a booking, and its own time is among the offered times', async () => {
  const [first = 0, second = 0] = await starts();
  const page = await bookAt(first, 'attempt-4');
  const choice = await visit(`${page}/reschedule`);
  const { moving, starts: offered } = dataOf(choice.body);
  expect(moving).toMatchObject({ startMinute: first, sequence: 0, backTo: page });
  expect(offered).toEqual(expect.arrayContaining([first, second]));
  expect(choice.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  const moved = await send(`${page}/reschedule`, { slot: second, sequence: 0 });
  expect([moved.statusCode, moved.headers.location]).toEqual([303, page]);
  expect(await starts()).toContain(first);
  // a page from before the move is refused with that reason
  const stale = await send(`${page}/reschedule`, { slot: first, sequence: 0 });
  expect([stale.statusCode, dataOf(stale.body).complaints['']]).toEqual([409, expect.stringContaining('changed')]);
});

test('a guest cancels after a confirmation page that allows no frame, and the time is free again', async () => {
  const slot = (await starts()).at(-1) ?? 0;
  const page = await bookAt(slot, 'attempt-5');
  const asked = await visit(`${page}/cancel`);
  expect(asked.body).toContain('Cancel this booking?');
  expect(asked.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(await starts()).not.toContain(slot);
  const cancelled = await send(`${page}/cancel`, { reason: 'Ill <i>' });
  expect([cancelled.statusCode, cancelled.headers.location]).toEqual([303, page]);
  const { body } = await visit(page);
  expect(body).toContain('<h1>You canceled this booking</h1>');
  expect(body).toContain('Ill &lt;i&gt;');
  expect(await starts()).toContain(slot);
  // nothing is left to change
  expect((await visit(`${page}/cancel`)).headers.location).toBe(page);
});

test.each([
  ['en', 'At most 1,000 characters.'],
  ['de', 'Höchstens 1.000 Zeichen.'],
  ['es', 'Como máximo 1000 caracteres.'],
  ['fr', '1\u202f000 caractères au maximum.'],
  ['ja', '最大1,000文字です。'],
])('the page that cancels states the limit of the reason: %s', async (language, limit) => {
  const slot = (await starts()).at(-1) ?? 0;
  const page = await bookAt(slot, `attempt-limit-${language}`);
  const { body, headers } = await visit(`${page}/cancel?lang=${language}`);
  expect(body).toContain(limit);
  expect(headers['content-security-policy']).toContain('script-src');
  await send(`${page}/cancel`, {});
});

test('a reason as long as its field takes is kept as a whole, also with line breaks', async () => {
  const slot = (await starts()).at(-1) ?? 0;
  const page = await bookAt(slot, 'attempt-long');
  const reason = `${'Ill. \n'.repeat(166)}End.`;
  expect(reason).toHaveLength(1_000);
  // as browsers send it
  await send(`${page}/cancel`, { reason: reason.replaceAll('\n', '\r\n') });
  const answer = await server.inject({ url: `/api${page}` });
  expect(answer.json<{ booking: { reason: string } }>().booking.reason).toBe(reason);
});

test('a booked page speaks the language of its visitor, not the one that was detected when it was booked', async () => {
  const [slot = 0] = await starts();
  const made = await server.inject({
    method: 'POST',
    url: '/api/book/anna-lee/intro/bookings',
    remoteAddress: '10.4.0.1',
    payload: {
      start: slot,
      name: 'Kei',
      email: 'kei@example.fr',
      zone: 'UTC',
      language: 'fr',
      answers: { about: 'x' },
    },
  });
  const page = `/booked/${made.json<Made>().bookings[0]?.token}`;
  const languageOf = async (headers: Record<string, string>) =>
    /<html lang="([^"]*)"/.exec(
      (await server.inject({ url: page, headers: { accept: 'text/html', ...headers } })).body,
    )?.[1];
  expect(await languageOf({ 'accept-language': 'de-AT' })).toBe('de');
  expect(await languageOf({ 'accept-language': 'de-AT', cookie: 'hf-lang=ja' })).toBe('ja');
  // a program that says nothing gets the one of the booking
  expect(await languageOf({})).toBe('fr');
});

test('an unknown booking link returns a 404 page', async () => {
  const answer = await visit('/booked/AAAAAAAAAAAAAAAAAAAAAAAA');
  expect(answer.statusCode).toBe(404);
  expect(answer.body).toContain('Check the link, or ask the person who sent it');
});

test('the host can be written to from the page of a booking, also past the limit for changes', async () => {
  const [slot = 0] = await starts();
  const page = await bookAt(slot, 'attempt-9');
  const write = /<a class="button" href="mailto:anna@example\.org\?subject=Intro%20call">Write to [^<]+<\/a>/;
  expect((await visit(page)).body).toMatch(write);
  clock.set(Temporal.Instant.fromEpochMilliseconds((slot + 10) * 60_000).toString());
  const late = (await visit(page)).body;
  expect(late).toContain('This can no longer be changed online.');
  expect(late).toMatch(write);
  // strangers are told no address
  expect((await visit('/anna-lee/intro')).body).not.toContain('anna@example.org');
});

/** The cookies that an answer sets, as its browser sends them. */
const cookiesOf = (answer: { cookies: unknown[] }) =>
  Object.fromEntries((answer.cookies as { name: string; value: string }[]).map(({ name, value }) => [name, value]));

test.each(['by form', 'by call'])(
  'a browser that goes back after booking %s is led to its booking, and no other browser is',
  async (how) => {
    networks += 1;
    const [slot = 0] = await starts();
    const { tz: zone, 'q-about': about, ...who } = filled;
    const email = `back-${networks}@example.jp`;
    const made =
      how === 'by form'
        ? await send('/anna-lee/intro', { ...filled, slot, attempt: `back-${networks}-of`, email })
        : await server.inject({
            method: 'POST',
            url: '/api/book/anna-lee/intro/bookings',
            remoteAddress: `10.3.0.${networks}`,
            payload: { start: slot, name: who.name, email, zone, answers: { about } },
          });
    const cookies = cookiesOf(made);
    const header = String(made.headers['set-cookie']);
    expect(header).toMatch(/HttpOnly/);
    const token =
      how === 'by form'
        ? String(made.headers.location).split('/').at(-1)
        : made.json<{ bookings: { token: string }[] }>().bookings[0]?.token;
    // a browser keeps it sealed: it is the secret of the booking
    expect(header).not.toContain(token);
    const page = `/booked/${token}`;
    const asOwn = (url: string) => server.inject({ url, cookies, headers: { accept: 'text/html' } });
    const form = `/anna-lee/intro?tz=Asia/Tokyo&slot=${slot}`;
    const back = await asOwn(form);
    expect([back.statusCode, back.headers.location]).toEqual([303, page]);
    const list = await asOwn('/anna-lee/intro?tz=Asia/Tokyo');
    expect(list.body).toContain(`<a href="${page}">View booking</a>`);
    // going back shows a kept page only while the cookies are the same (RFC 9111 4.1)
    expect(list.headers.vary).toContain('Cookie');
    expect(dataOf(list.body).starts).not.toContain(slot);
    const other = await visit(form);
    expect([other.statusCode, dataOf(other.body).own, dataOf(other.body).taken?.length]).toEqual([200, null, 3]);
    expect((await asOwn(`/anna-lee/intro?tz=Asia/Tokyo&slot=${dataOf(list.body).starts[0]}`)).statusCode).toBe(200);

    await server.inject({ method: 'POST', url: `/api${page}/cancel`, payload: {} });
    expect(dataOf((await asOwn(form)).body).own).toBeNull();
  },
);

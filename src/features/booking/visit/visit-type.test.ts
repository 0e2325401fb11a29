import { randomUUID } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser } from '../../../../test/harness/test-client.ts';
import { waitFor } from '../../../../test/harness/wait-for.ts';
import { availabilityContract } from '../../availability/contract.ts';
import { defaultHours } from '../../availability/rules/hours.ts';
import { bookingContract } from '../contract.ts';
import { defaultSettings } from '../rules/type-settings.ts';
import type { BookingData } from '../rules/visit-data.ts';

const clock = fixedClock('2027-03-01T07:00:00Z'); // a Monday
const minuteOf = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds / 60_000;

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock, http: { pageRoot: await builtPages() } });
  const api = (await signUpUser(server, 'anna@example.org')).as(bookingContract);
  await api.changeHandle({ body: { handle: 'anna-lee' } });
  const { event_type: type } = await api.createEventType({ body: { title: 'Intro <call>', kind: 'one-on-one' } });
  const settings = {
    ...defaultSettings('one-on-one'),
    color: '#00aa55',
    frames: ['https://shop.example'],
    location: { kind: 'phone' as const, who_calls: 'guest' as const, number: '+49 30 5550123' },
    questions: [
      { id: 'about', label: 'What </script> is it?', kind: 'text' as const, required: true },
      { id: 'call', label: 'Number', kind: 'phone' as const, required: false },
    ],
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
  const { link } = await api.createBookingLink({
    body: { kind: 'private', event_type_id: type.id, uses: null, expires_at: null },
  });
  token = new URL(link.url).pathname.split('/').at(-1) ?? '';
});
afterAll(() => server.close());

const visit = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { accept: 'text/html', ...headers } });
const dataOf = (body: string) =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null') as BookingData;

test('a booking page works without JavaScript: days and times are links, the form is a form', async () => {
  const { statusCode, body } = await visit('/anna-lee/intro?tz=UTC');
  expect(statusCode).toBe(200);
  const { starts, place } = dataOf(body);
  expect(place).toMatchObject({ month: '2027-03', slot: null });
  expect(starts.length).toBeGreaterThan(100);
  const first = starts[0] ?? 0;
  expect(body).toContain(`href="/anna-lee/intro?tz=UTC&amp;slot=${first}"`);
  expect(body).toContain('href="/anna-lee/intro?tz=UTC&amp;month=2027-04"');
  const form = (await visit(`/anna-lee/intro?tz=UTC&slot=${first}`)).body;
  expect(form).toMatch(/<form [^>]*action="\/anna-lee\/intro" method="post"/);
  expect(form).toContain(`name="slot" value="${first}"`);
});

test('a visitor whose zone is unknown reads times in that of the hours of a host who chose no zone', async () => {
  const host = await signUpUser(server, 'cai@example.org');
  await host.as(bookingContract).changeHandle({ body: { handle: 'cai' } });
  await host.as(bookingContract).createEventType({ body: { title: 'Intro', kind: 'one-on-one' } });
  const zoneFor = async (cookie = '') => dataOf((await visit('/cai/intro', { cookie })).body).reading.zone;
  expect(await zoneFor()).toBe('UTC');
  await host
    .as(availabilityContract)
    .createPolicy({ body: { name: 'Work', hours: defaultHours('Europe/Berlin'), note: '', apply: false } });
  expect(await zoneFor()).toBe('Europe/Berlin');
  expect(await zoneFor('hf-zone=Asia/Tokyo')).toBe('Asia/Tokyo');
});

test('a form that is loaded again is open while its own reservation stands, and not for a guest with another browser', async () => {
  const slot = minuteOf('2027-03-03T15:00:00Z');
  const held = await server.inject({
    method: 'POST',
    url: '/api/book/anna-lee/intro/holds',
    payload: { start: slot },
    remoteAddress: '203.0.113.7',
  });
  expect(held.statusCode, held.body).toBe(201);
  const cookie = held.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const takenFor = async (remoteAddress: string, more: { cookie?: string; embed?: string } = {}) => {
    const url = `/anna-lee/intro?tz=UTC&slot=${slot}${more.embed ?? ''}`;
    const headers = { accept: 'text/html', cookie: more.cookie ?? '' };
    return dataOf((await server.inject({ url, headers, remoteAddress })).body).taken;
  };
  expect(await takenFor('203.0.113.7', { cookie })).toBeNull();
  expect(await takenFor('198.51.100.9', { cookie })).toBeNull();
  expect(await takenFor('198.51.100.9')).not.toBeNull();
  // a colleague in the same office has followed a link to the time
  expect(await takenFor('203.0.113.7')).not.toBeNull();
  // frames of other sites have no cookie
  const embed = '&embed=https://shop.example';
  expect(await takenFor('203.0.113.7', { embed })).toBeNull();
  expect(await takenFor('198.51.100.9', { embed })).not.toBeNull();
  // the page asks for its reservation before the release of the last one arrives
  const again = (remoteAddress: string) =>
    server.inject({
      method: 'POST',
      url: '/api/book/anna-lee/intro/holds',
      payload: { start: slot, hold_id: randomUUID() },
      remoteAddress,
    });
  expect((await again('198.51.100.9')).statusCode).toBe(409);
  const allowances = async () => {
    const { rows } = await sql<{ all: string }>`
      select sum(extract(epoch from full_at))::text as all from platform.limits`.execute(server.app.db);
    return rows[0]?.all;
  };
  const before = await allowances();
  const asked = again('203.0.113.7');
  await waitFor('a request that is under way', async () => (await allowances()) !== before);
  const id = held.json<{ hold_id: string }>().hold_id;
  await server.inject({ method: 'DELETE', url: `/api/book/anna-lee/intro/holds/${id}` });
  const kept = await asked;
  expect(kept.statusCode, kept.body).toBe(201);
  // another guest there, who gives nothing back, is refused
  expect((await again('203.0.113.7')).statusCode).toBe(409);
  const last = kept.json<{ hold_id: string }>().hold_id;
  await server.inject({ method: 'DELETE', url: `/api/book/anna-lee/intro/holds/${last}` });
});

test('another tab of the browser offers its reservation, takes it over, and either tab can book it', async () => {
  const slot = minuteOf('2027-03-04T15:00:00Z');
  const api = '/api/book/anna-lee/intro';
  const remoteAddress = '203.0.113.30';
  const ask = async (url: string, payload: object, cookie = '') =>
    server.inject({ method: 'POST', url, payload, headers: { cookie }, remoteAddress });
  const hold = (cookie = '') => ask(`${api}/holds`, { start: slot, hold_id: randomUUID() }, cookie);
  const cookieOf = (answer: Awaited<ReturnType<typeof hold>>) =>
    answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const offered = async (cookie: string) => {
    const { starts } = dataOf((await visit('/anna-lee/intro?tz=UTC&month=2027-03', { cookie })).body);
    const { starts: listed } = (
      await server.inject({ url: `${api}/slots?from=${slot}&to=${slot + 1}`, headers: { cookie } })
    ).json<{ starts: number[] }>();
    return [starts.includes(slot), listed.includes(slot)];
  };
  const first = await hold();
  expect(first.statusCode, first.body).toBe(201);
  const cookie = cookieOf(first);
  expect(await offered('')).toEqual([false, false]);
  expect(await offered(cookie)).toEqual([true, true]);
  // a guest of the same network has another browser
  expect((await hold()).statusCode).toBe(409);
  const second = await hold(cookie);
  expect(second.statusCode, second.body).toBe(201);
  const { rows } = await sql<{ held: number }>`
    select count(*)::int as held from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.state = 'held' and a.start_ms = ${slot * 60_000}`.execute(server.app.db);
  expect(rows).toEqual([{ held: 1 }]);
  const booked = await ask(
    `${api}/bookings`,
    {
      start: slot,
      hold_id: first.json<{ hold_id: string }>().hold_id,
      name: 'Gus',
      email: 'gus-of-two-tabs@example.net',
      answers: { about: 'Tabs' },
      zone: 'UTC',
    },
    cookieOf(second),
  );
  expect(booked.statusCode, booked.body).toBe(201);
});

test('text written by others is escaped in a booking page and in its data', async () => {
  const { body } = await visit(
    `/anna-lee/intro?tz=UTC&slot=${minuteOf('2027-03-02T09:00:00Z')}&name=%3Cimg+src%3Dx%3E`,
  );
  expect(body).toContain('Intro &lt;call&gt;');
  expect(body).not.toContain('<img src');
  expect(body.match(/<\/script>/g)).toHaveLength(3); // the first line, the file, the data
  expect(dataOf(body).typed).toEqual({ name: '<img src=x>' });
  expect(dataOf(body).type.questions[0]?.label).toBe('What </script> is it?');
  // nobody is told a number to call before they have booked
  expect(body).not.toContain('5550123');
});

test('a booking page is at most 15 KB compressed', async () => {
  const { body } = await visit('/anna-lee/intro');
  const bytes = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
  expect(bytes).toBeLessThanOrEqual(15 * 1024);
});

test('times are in the chosen or remembered zone, or in the zone of the host, marked as a guess', async () => {
  const guessed = await visit('/anna-lee/intro');
  const { reading } = dataOf(guessed.body);
  expect(guessed.body).toContain(`data-guessed-zone="${reading.zone}"`);
  expect(guessed.body).toMatch(/<noscript>Times are in [^<]+ time zone/);
  const list = (await visit('/anna-lee/intro?zones=1')).body;
  expect(list).toContain('Europe: Kyiv');
  expect(list).not.toContain('Europe: Kiev');
  const chosen = await visit('/anna-lee/intro?tz=Asia/Tokyo');
  expect(dataOf(chosen.body).reading.zone).toBe('Asia/Tokyo');
  expect(chosen.body).not.toContain('data-guessed-zone=');
  expect(String(chosen.headers['set-cookie'])).toContain('hf-zone=Asia/Tokyo');
  const later = await visit('/anna-lee/intro', { cookie: 'hf-zone=Asia/Tokyo; hf-clock=24' });
  expect(dataOf(later.body).reading).toMatchObject({ zone: 'Asia/Tokyo', hour12: false });
  expect(dataOf((await visit('/anna-lee/intro?tz=Mars/Base')).body).reading.zone).toBe(reading.zone);
});

test('a booking page is in the first supported language, with the dates and clock of the region', async () => {
  const austrian = await visit('/anna-lee/intro', { 'accept-language': 'it-IT,de-AT;q=0.9,en;q=0.5' });
  expect(austrian.body).toContain('<html lang="de" dir="ltr"');
  expect(austrian.headers.vary).toContain('Accept-Language');
  expect(dataOf(austrian.body).reading).toMatchObject({ locale: 'de-AT', hour12: false, firstWeekday: 0 });
  const italian = await visit('/anna-lee/intro', { 'accept-language': 'it-IT' });
  expect(italian.body).toContain('<html lang="en"');
  expect(dataOf(italian.body).reading).toMatchObject({ locale: 'en-IT', hour12: false, firstWeekday: 0 });
  const british = await visit('/anna-lee/intro', { 'accept-language': 'en-GB' });
  expect(dataOf(british.body).reading).toMatchObject({ locale: 'en-GB', hour12: false, firstWeekday: 0 });
});

test('the language in a URL takes precedence over the browser language and is remembered', async () => {
  const french = await visit('/anna-lee/intro?lang=fr', { 'accept-language': 'de-AT' });
  expect(french.body).toContain('<html lang="fr"');
  expect(dataOf(french.body).carried).toMatchObject({ lang: 'fr' });
  expect(String(french.headers['set-cookie'])).toContain('hf-lang=fr');
  const later = await visit('/anna-lee/intro', { 'accept-language': 'de-AT', cookie: 'hf-lang=fr' });
  expect(later.body).toContain('<html lang="fr"');
  expect((await visit('/anna-lee/intro?lang=../../x')).body).toContain('<html lang="en"');
});

test('the pseudo-locale is longer English in brackets', async () => {
  const { body } = await visit('/anna-lee/intro?lang=en-XA');
  expect(body).toContain('<html lang="en-XA"');
  expect(dataOf(body).words['month.next']).toMatch(/^\[Ñéxţ möñţĥ~+\]$/);
});

test('a time that is no longer offered is reported as gone, with three near times', async () => {
  const { body } = await visit(`/anna-lee/intro?tz=UTC&slot=${minuteOf('2027-03-02T03:10:00Z')}`);
  const { taken, starts } = dataOf(body);
  expect(taken).toHaveLength(3);
  expect(starts).toEqual(expect.arrayContaining([...(taken ?? [])]));
  expect(body).toContain('This time isn’t available');
  // nothing was written, so nothing is said to be kept, and there is nothing to send
  expect(body.replace(/<script.*?<\/script>/gs, '')).not.toContain('are kept');
  expect(body).not.toMatch(/<input[^>]*id="name"|<button[^>]*type="submit"/);
  for (const near of taken ?? []) expect(body).toContain(`href="/anna-lee/intro?tz=UTC&amp;slot=${near}"`);
});

test('each time of the list is described by its day', async () => {
  const { body } = await visit('/anna-lee/intro?tz=UTC&day=2027-03-02');
  const described = [...body.matchAll(/<a [^>]*class="slot"[^>]*>/g)].map(
    ([link]) => /aria-describedby="([^"]*)"/.exec(link)?.[1],
  );
  expect(described.length).toBeGreaterThan(5);
  expect(new Set(described)).toEqual(new Set(['times-of-day']));
  expect(body).toMatch(/<h2 id="times-of-day" aria-label="Times on [^"]*Tuesday, Mar 2/);
  expect(body).toMatch(/<ul [^>]*aria-labelledby="times-of-day"/);
});

test('a day on either side of a clock change names the offset of that day', async () => {
  const offsetOf = async (day: string) =>
    /New York \((GMT[^)]*)\)/.exec((await visit(`/anna-lee/intro?tz=America/New_York&day=${day}`)).body)?.[1];
  // the clocks of New York go forward on March 14, 2027
  expect([await offsetOf('2027-03-12'), await offsetOf('2027-03-15')]).toEqual(['GMT-5', 'GMT-4']);
});

test('a booking page is framed only by sites of its host, and has the color of its event type', async () => {
  const { headers, body } = await visit('/anna-lee/intro?embed=https://shop.example');
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'self' https:\/\/shop\.example/);
  expect(headers['x-frame-options']).toBeUndefined();
  expect(dataOf(body).embedded).toEqual({ origin: 'https://shop.example' });
  expect(dataOf((await visit('/anna-lee/intro?embed=https://evil.example')).body).embedded).toBeNull();
  expect(body).toMatch(/<style>:root\{--hf-brand-0:#/);
});

test('a private link opens the booking page unlisted, and an invalid link returns 404', async () => {
  const { statusCode, body } = await visit(`/l/${token}`);
  expect(statusCode).toBe(200);
  expect(dataOf(body)).toMatchObject({ path: `/l/${token}`, api: `/api/book/l/${token}` });
  expect(body).toContain('<meta name="robots" content="noindex">');
  const gone = await visit('/l/not-a-link');
  expect(gone.statusCode).toBe(404);
  expect(gone.body).toContain('This link has expired or was already used');
});

test('a booking page has one URL, and an unknown one is a page for browsers and JSON for programs', async () => {
  const old = await visit('/ANNA-lee/Intro?month=2027-04');
  expect([old.statusCode, old.headers.location]).toEqual([303, '/anna-lee/intro?month=2027-04']);
  expect((await visit('/anna-lee/nothing')).statusCode).toBe(404);
  const call = await server.inject({ url: '/anna-lee/nothing', headers: { accept: 'application/json' } });
  expect(call.json()).toMatchObject({ detail: { code: 'NOT_FOUND' } });
  // the product's own addresses are never a host's
  expect((await visit('/api/nothing')).headers['content-type']).toContain('application/json');
});

test('a plus sign that an address lost is put back, in a number, a mail address and a zone', async () => {
  // as people write such links by hand: each + of a query arrives as a space
  const { body } = await visit(
    '/anna-lee/intro?tz=Etc/GMT+5&email=kei+news@example.jp&name=Kei+Tanaka&q-call=+81+3+5550+1234',
  );
  const { typed, reading } = dataOf(body);
  expect(typed).toEqual({ email: 'kei+news@example.jp', name: 'Kei Tanaka', 'q-call': '+81 3 5550 1234' });
  expect(reading.zone).toBe('Etc/GMT+5');
  const exact = await visit('/anna-lee/intro?q-call=%2B81%203&email=kei%2Bnews%40example.jp');
  expect(dataOf(exact.body).typed).toEqual({ email: 'kei+news@example.jp', 'q-call': '+81 3' });
  const national = await visit('/anna-lee/intro?q-call=03-5550-1234');
  expect(dataOf(national.body).typed).toEqual({ 'q-call': '03-5550-1234' });
});

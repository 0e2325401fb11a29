import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertBookable } from '../../../../test/harness/bookable.ts';
import { builtPages } from '../../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import type { TypeSettings } from '../rules/type-settings.ts';

/** The pages of a weekly series, as its guest reads them without script. */

const begin = '2027-03-01T08:00:00Z';
const clock = fixedClock(begin);
const minute = 60_000;
/** Noon of Mondays in New York; the clock is changed between the first and the second. */
const mondays = [0, 1, 2, 3].map(
  (weeks) =>
    Temporal.PlainDateTime.from('2027-03-08T12:00').add({ weeks }).toZonedDateTime('America/New_York')
      .epochMilliseconds / minute,
);

let server: TestApp;
let anna: TestUser;
let count = 0;
beforeAll(async () => {
  server = await startTestApp({
    role: 'web',
    clock,
    http: { pageRoot: await builtPages(), requestsPerMinute: 1_000_000 },
    config: { smtpUrl: 'smtp://127.0.0.1:9' },
  });
});
afterAll(() => server.close());
beforeEach(() => clock.set(begin));

async function bookSeries(settings: Partial<TypeSettings> = {}, more: object = {}) {
  count += 1;
  anna = await signUpUser(server, `pages${count}@example.org`);
  const { path } = await insertBookable(server, anna, 'weekly', {
    recurring: { max: 4, every: 'week' },
    step_minutes: 30,
    ...settings,
  });
  const payload = {
    start: mondays[0],
    times: 4,
    name: 'Gus Guest',
    email: `gus${count}@example.net`,
    zone: 'UTC',
    language: 'en',
    ...more,
  };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  expect(response.statusCode, response.body).toBe(201);
  const tokens = response.json<{ bookings: { token: string }[] }>().bookings.map(({ token }) => token);
  return { path: path.replace('/api/book', ''), pages: tokens.map((token) => `/booked/${token}`) as Four };
}
type Four = [string, string, string, string];

/** A page without the data of its script, on the wall clock of UTC. */
async function read(url: string): Promise<string> {
  const headers = { accept: 'text/html', 'accept-language': 'en-GB', cookie: 'hf-zone=UTC' };
  const { body } = await server.inject({ url, headers });
  return body.replace(/<script type="application\/json" id="data">.*?<\/script>/s, '').replaceAll('<!-- -->', '');
}

/** The dates that a page lists: each with its link, null for the date of the page, and the words beside it. */
async function datesOf(page: string): Promise<{ link: string | null; text: string }[]> {
  const [, list = ''] = /<ol class="every-date">(.*?)<\/ol>/s.exec(await read(page)) ?? [];
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, line = '']) => ({
    link: /href="([^"]+)"/.exec(line)?.[1] ?? null,
    text: line
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  }));
}

const send = (url: string, fields: Record<string, string>) =>
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

const asHost = (url: string, payload: object = {}) =>
  server.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${anna.token}` } });

test('the page of each date lists all dates of the series, and leads to the page of each other date', async () => {
  const { pages } = await bookSeries();
  for (const [at, page] of pages.entries()) {
    const dates = await datesOf(page);
    expect(dates.map(({ link }) => link)).toEqual(pages.map((other) => (other === page ? null : other)));
    expect(dates.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Mon,? 8 March, 17:00 upcoming/),
      expect.stringMatching(/^Mon,? 15 March, 16:00 upcoming/),
      expect.stringMatching(/^Mon,? 22 March, 16:00 upcoming/),
      expect.stringMatching(/^Mon,? 29 March, 16:00 upcoming/),
    ]);
    expect(dates[at]?.text).toMatch(/this date$/);
  }
  const third = await read(pages[2]);
  expect(third).toContain(`${pages[2]}/reschedule`);
  expect(third).toContain('Reschedule this date');
  expect(third).toContain('The calendar file has all dates');
});

test('a date that was left out of a series is listed as such, and counts for nothing', async () => {
  const changes = [
    { start: mondays[1], instead: null },
    { start: mondays[2], instead: (mondays[2] ?? 0) + 30 },
  ];
  const { pages } = await bookSeries({}, { changes });
  expect(pages).toHaveLength(3);
  for (const [at, page] of pages.entries()) {
    const dates = await datesOf(page);
    const others = [pages[0], null, pages[1], pages[2]];
    expect(dates.map(({ link }) => link)).toEqual(others.map((other) => (other === page ? null : other)));
    expect(dates.map(({ text }) => text.replace(/, this date/, ''))).toEqual([
      expect.stringMatching(/^Mon,? 8 March, 17:00 upcoming$/),
      expect.stringMatching(/^Mon,? 15 March, 16:00 left out$/),
      expect.stringMatching(/^Mon,? 22 March, 16:30 upcoming$/),
      expect.stringMatching(/^Mon,? 29 March, 16:00 upcoming$/),
    ]);
    expect(await read(page)).toContain(`date ${at + 1} of 3`);
  }
});

test('a date of a series is moved and canceled alone, and every page says how each date is', async () => {
  const { pages } = await bookSeries();
  const form = await read(`${pages[1]}/reschedule?slot=${(mondays[1] ?? 0) + 30}`);
  expect(form).toContain('Only this date moves.');
  expect(
    (await send(`${pages[1]}/reschedule`, { slot: String((mondays[1] ?? 0) + 30), sequence: '0' })).statusCode,
  ).toBe(303);
  expect((await send(`${pages[2]}/cancel`, { following: 'no' })).statusCode).toBe(303);
  clock.set('2027-03-08T20:00:00Z');
  for (const page of pages)
    expect((await datesOf(page)).map(({ text }) => text.replace(/, this date/, ''))).toEqual([
      expect.stringMatching(/17:00 over$/),
      expect.stringMatching(/16:30 moved Mon,? 15 March, 16:00$/),
      expect.stringMatching(/16:00 canceled$/),
      expect.stringMatching(/16:00 upcoming$/),
    ]);
});

test('the page that cancels offers this date, or this and all later dates that are still booked', async () => {
  const { pages } = await bookSeries();
  await send(`${pages[3]}/cancel`, {});
  const asked = await read(`${pages[1]}/cancel`);
  expect(asked).toMatch(/Only this date, Mon,? 15 March, 16:00/);
  // the last date is canceled already
  expect(asked).toMatch(/This date and the later one, Mon,? 22 March, 16:00/);
  expect(asked).toMatch(/<input[^>]*type="radio"[^>]*name="following"[^>]*checked=""[^>]*value="no"/);
  const last = await read(`${pages[2]}/cancel`);
  expect(last).toContain('Only this date is canceled. The other dates don’t change.');
  expect(last).not.toContain('type="radio"');
  await send(`${pages[1]}/cancel`, { following: 'yes' });
  expect((await datesOf(pages[0])).map(({ text }) => / (\w+)(?:, this date)?$/.exec(text)?.[1])).toEqual([
    'upcoming',
    'canceled',
    'canceled',
    'canceled',
  ]);
  // the first date is left: its page offers no later ones
  expect(await read(pages[0])).toContain('Cancel this date<');
});

test('a date that waits, or was declined, says so on the pages of the other dates', async () => {
  const { pages } = await bookSeries({ confirmation: true });
  const { bookings } = (
    await server.inject({
      url: '/api/bookings?scope=pending',
      headers: { authorization: `Bearer ${anna.token}` },
    })
  ).json<{ bookings: { booking_id: string }[] }>();
  await asHost(`/api/bookings/${bookings[0]?.booking_id}/confirm`);
  await asHost(`/api/bookings/${bookings[1]?.booking_id}/decline`);
  expect((await datesOf(pages[3])).map(({ text }) => text.replace(/^.*?:00 /, ''))).toEqual([
    'upcoming',
    'declined',
    expect.stringMatching(/^waiting for /),
    expect.stringMatching(/^waiting for .*this date$/),
  ]);
});

test('a booking that was made alone lists no dates, and is canceled without a choice', async () => {
  const { path } = await bookSeries();
  const payload = { start: (mondays[0] ?? 0) + 60, name: 'Gus', email: 'alone@example.net', zone: 'UTC' };
  const made = await server.inject({ method: 'POST', url: `/api/book${path}/bookings`, payload });
  const page = `/booked/${made.json<{ bookings: { token: string }[] }>().bookings[0]?.token}`;
  expect(await datesOf(page)).toEqual([]);
  expect(await read(`${page}/cancel`)).not.toContain('type="radio"');
});

test('a page says that its event type repeats before a time is chosen', async () => {
  const { path, pages } = await bookSeries();
  expect(await read(path)).toContain('Once or every week, up to 4 dates');
  // a move is of one date
  expect(await read(`${pages[0]}/reschedule`)).not.toContain('up to 4 dates');
});

test('a message to the host names the date that it is about', async () => {
  const { pages } = await bookSeries();
  expect(await read(`${pages[2]}/message`)).toContain('3 of 4');
});

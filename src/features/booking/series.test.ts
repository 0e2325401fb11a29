import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import type { TypeSettings } from './rules/type-settings.ts';

/** A weekly series of which some dates are taken: before, while and after it is booked. */

const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
const zone = 'America/New_York';
/** Noon of a Monday and the Mondays after it; the clock is changed between the first and the second. Epoch minutes. */
const mondays = [0, 1, 2, 3].map(
  (weeks) =>
    Temporal.PlainDateTime.from('2027-03-08T12:00').add({ weeks }).toZonedDateTime(zone).epochMilliseconds / minute,
) as [number, number, number, number];

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock, http: { requestsPerMinute: 1_000_000 } });
});
afterAll(() => server.close());

let hosts = 0;
async function newHost(settings: Partial<TypeSettings> = {}) {
  hosts += 1;
  const user = await signUpUser(server, `series${hosts}@example.org`);
  const { path } = await insertBookable(server, user, 'weekly', {
    recurring: { max: 4, every: 'week' },
    step_minutes: 30,
    ...settings,
  });
  return { path, userId: user.userId };
}

interface Body {
  dates?: { start: number; state: string; instead: number[]; token?: string }[];
  bookings?: { booking: { uid: string; start: number; series: unknown }; token: string }[];
  detail?: { code: string; fields: { start: string; nearest: string } };
}

let networks = 0;
async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  networks += 1;
  const remoteAddress = `10.1.${(networks >> 8) & 255}.${networks & 255}`;
  const response = await server.inject({ method, url, remoteAddress, ...(payload ? { payload } : {}) });
  const body: Body = response.body === '' ? {} : response.json();
  return { status: response.statusCode, body };
}

const book = (path: string, more: object) =>
  call('POST', `${path}/bookings`, {
    start: mondays[0],
    name: 'Gus',
    email: `${randomUUID()}@example.net`,
    zone: 'UTC',
    ...more,
  });
const hold = (path: string, more: object) => call('POST', `${path}/holds`, { start: mondays[0], ...more });
const datesOf = async (path: string, more = '') =>
  (await call('GET', `${path}/series?start=${mondays[0]}&times=4${more}`)).body.dates ?? [];

test('a series whose third date is taken is refused by that date, and no alternative is the refused start', async () => {
  const { path } = await newHost();
  expect((await book(path, { start: mondays[2] })).status).toBe(201);
  const holdId = randomUUID();
  await hold(path, { hold_id: holdId });
  const { status, body } = await book(path, { times: 4, hold_id: holdId });
  expect([status, body.detail?.code, body.detail?.fields.start]).toEqual([409, 'SLOT_TAKEN', String(mondays[2])]);
  const nearest = body.detail?.fields.nearest.split(',').map(Number);
  expect(nearest).toEqual([mondays[2] - 60, mondays[2] - 30, mondays[2] + 30]);
});

test('a series is shown before it is booked, each date with its state', async () => {
  const { path } = await newHost();
  await book(path, { start: mondays[2] });
  expect(await datesOf(path)).toEqual([
    { start: mondays[0], state: 'free', instead: [] },
    { start: mondays[1], state: 'free', instead: [] },
    { start: mondays[2], state: 'taken', instead: [mondays[2] - 60, mondays[2] - 30, mondays[2] + 30] },
    { start: mondays[3], state: 'free', instead: [] },
  ]);
  const beyond = await newHost({ window: { kind: 'rolling', days: 15 } });
  expect((await datesOf(beyond.path)).map(({ state }) => state)).toEqual(['free', 'free', 'closed', 'closed']);
});

test('dates of a series use up limits that they share', async () => {
  const { path } = await newHost({ limits: { month: { count: 2 } } });
  expect((await datesOf(path)).map(({ state }) => state)).toEqual(['free', 'free', 'taken', 'taken']);
  const { body } = await book(path, { times: 4 });
  expect(body.detail?.fields.start).toBe(String(mondays[2]));
});

test('taken dates of a series are left out or moved one by one, and the others are booked', async () => {
  const { path } = await newHost();
  await book(path, { start: mondays[1] });
  await book(path, { start: mondays[2] });
  const changes = [
    { start: mondays[1], instead: null },
    { start: mondays[2], instead: mondays[2] + 30 },
  ];
  const { status, body } = await book(path, { times: 4, changes });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.bookings?.map(({ booking }) => [booking.start, booking.series])).toEqual([
    [mondays[0], { count: 3, number: 1 }],
    [mondays[2] + 30, { count: 3, number: 2 }],
    [mondays[3], { count: 3, number: 3 }],
  ]);
});

test('a series without dates, with a date twice, or longer than it is offered is refused', async () => {
  const { path } = await newHost();
  const out = mondays.map((start) => ({ start, instead: null }));
  expect((await book(path, { times: 4, changes: out })).status).toBe(400);
  const twice = [{ start: mondays[1], instead: mondays[2] }];
  expect((await book(path, { times: 4, changes: twice })).status).toBe(400);
  expect((await hold(path, { times: 5 })).status).toBe(400);
  expect((await call('GET', `${path}/series?start=${mondays[0]}&times=5`)).status).toBe(400);
});

test('a hold covers every date of a series, stands in its own way nowhere, and is given back as a whole', async () => {
  const { path, userId } = await newHost();
  const holdId = randomUUID();
  expect((await hold(path, { times: 3, hold_id: holdId })).status).toBe(201);
  // a lost answer: the same hold again is the same
  expect((await hold(path, { times: 3, hold_id: holdId })).status).toBe(201);
  expect((await datesOf(path)).map(({ state }) => state)).toEqual(['taken', 'taken', 'taken', 'free']);
  expect((await datesOf(path, `&hold_id=${holdId}`)).map(({ state }) => state)).toEqual(mondays.map(() => 'free'));
  for (const start of mondays.slice(0, 3)) expect((await book(path, { start })).status).toBe(409);
  expect((await call('DELETE', `${path}/holds/${holdId}`)).status).toBe(204);
  expect((await datesOf(path)).map(({ state }) => state)).toEqual(mondays.map(() => 'free'));

  const other = randomUUID();
  await hold(path, { times: 4, hold_id: other });
  const changes = [{ start: mondays[2], instead: null }];
  expect((await book(path, { times: 4, hold_id: other, changes })).status).toBe(201);
  const { rows } = await sql<{ held: number; live: number }>`
    select (select count(*)::int from booking.bookings where user_id = ${userId} and state = 'held') as held,
      (select count(*)::int from booking.blocks where host_id = ${userId}) as live`.execute(server.app.db);
  expect(rows).toEqual([{ held: 0, live: 3 }]);
});

test('each call of a guest about a date of a series answers with all its dates', async () => {
  const { path } = await newHost();
  const { body } = await book(path, { times: 3, zone });
  const made = (body.bookings ?? []).map(({ booking, token }) => ({ uid: booking.uid, duration: 30, token }));
  const datesNow = (states: string[], starts: readonly number[] = mondays) =>
    made.map((date, n) => ({ ...date, start: starts[n], state: states[n] }));
  const all = ['confirmed', 'confirmed', 'confirmed'];
  for (const { token } of made) expect((await call('GET', `/api/booked/${token}`)).body.dates).toEqual(datesNow(all));
  const [first, second, third] = made;
  const move = { start: mondays[1] + 60, sequence: 0 };
  const moved = await call('POST', `/api/booked/${second?.token}/reschedule`, move);
  const starts = [mondays[0], mondays[1] + 60, mondays[2]];
  expect(moved.body.dates).toEqual(datesNow(all, starts));
  const ended = await call('POST', `/api/booked/${second?.token}/cancel`, { following: true });
  expect(ended.body.dates).toEqual(datesNow(['confirmed', 'cancelled', 'cancelled'], starts));
  expect(third?.token).not.toBe(first?.token);
  const alone = await book((await newHost()).path, {});
  expect((await call('GET', `/api/booked/${alone.body.bookings?.[0]?.token}`)).body.dates).toEqual([]);
});

test('a series of 52 dates refuses answers that would be kept as more than 500,000 characters, and a single date takes them', async () => {
  const questions = ['aim', 'goal'].map((id) => ({ id, label: id, kind: 'long' as const, required: false }));
  const { path } = await newHost({
    recurring: { max: 52, every: 'week' },
    window: { kind: 'rolling', days: 400 },
    questions,
  });
  const answers = { aim: 'a'.repeat(5_000), goal: 'g'.repeat(4_900) };
  const refused = await book(path, { times: 52, answers });
  expect([refused.status, refused.body.detail?.fields]).toEqual([
    400,
    {
      'answers.aim':
        'All answers together can have up to 9615 characters for 52 dates. Shorten them or choose fewer dates.',
    },
  ]);
  expect((await book(path, { times: 52, answers: { aim: answers.aim } })).status).toBe(201);
  expect((await book(path, { start: mondays[0] + 60, answers })).status).toBe(201);
});

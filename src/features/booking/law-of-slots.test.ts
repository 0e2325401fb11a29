import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { accountsContract } from '../accounts/contract.ts';
import { availabilityContract } from '../availability/contract.ts';
import { defaultHours, type Hours, weekdays } from '../availability/rules/hours.ts';
import { demandSlot } from './demand-slot.ts';
import { findOffer } from './find-offer.ts';
import type { TypeKind, TypeSettings } from './rules/type-settings.ts';

const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock, http: { requestsPerMinute: 1_000_000 } });
});
afterAll(() => server.close());

const ms = (local: string, zone: string) => Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;

interface Bookable {
  user: TestUser;
  path: string;
  address: { handle: string; slug: string };
}

let networks = 0;
/** From a network that has booked and held nothing yet. */
function post(url: string, payload: object) {
  networks += 1;
  return server.inject({ method: 'POST', url, payload, remoteAddress: `10.2.${networks >> 8}.${networks & 255}` });
}

let people = 0;
async function bookable(zone: string, settings: Partial<TypeSettings> & { kind?: TypeKind } = {}): Promise<Bookable> {
  people += 1;
  const user = await signUpUser(server, `law${people}@example.org`);
  await user.as(accountsContract).changePreferences({ body: { timezone: zone } });
  const { path } = await insertBookable(server, user, 'intro', { step_minutes: 30, ...settings });
  const [handle = '', slug = ''] = path.split('/').slice(-2);
  return { user, path, address: { handle, slug } };
}

/** Epoch minutes. */
async function startsOf({ path }: Bookable, fromMs: number, toMs: number): Promise<number[]> {
  const url = `${path}/slots?from=${Math.ceil(fromMs / minute)}&to=${Math.ceil(toMs / minute)}`;
  const response = await server.inject({ method: 'GET', url });
  expect(response.statusCode, response.body).toBe(200);
  return response.json<{ starts: number[] }>().starts;
}

async function isAccepted({ address }: Bookable, startMs: number, minutes = 30): Promise<boolean> {
  const offer = await findOffer(server.app, address);
  try {
    await demandSlot(server.app, server.app.db, offer, { startMs, endMs: startMs + minutes * minute });
    return true;
  } catch {
    return false;
  }
}

const everyDay = (zone: string, start: string, end: string): Hours => ({
  ...defaultHours(zone),
  weekly: Object.fromEntries(
    weekdays.map((day) => [day, { enabled: true, intervals: [{ start, end }] }]),
  ) as Hours['weekly'],
});
const applyNow = ({ user }: Bookable, hours: Hours, name: string = randomUUID()) =>
  user.as(availabilityContract).createPolicy({ body: { name, hours, note: '', apply: true } });

describe('hours that were just saved', () => {
  const zone = 'America/New_York';

  test('hours saved between two minutes are offered from their own beginning, and can be booked', async () => {
    clock.set('2027-03-01T12:00:00Z');
    const host = await bookable(zone);
    clock.set('2027-03-01T23:49:13.742Z'); // 18:49, closed by the hours of the default
    await applyNow(host, everyDay(zone, '09:00', '23:00'));
    const starts = await startsOf(host, clock.nowMs(), ms('2027-03-02T00:00', zone));
    const labels = ['19:00', '19:30', '20:00', '20:30', '21:00', '21:30', '22:00', '22:30'];
    expect(starts).toEqual(labels.map((label) => ms(`2027-03-01T${label}`, zone) / minute));
    const held = await post(`${host.path}/holds`, { start: starts[0] });
    expect(held.statusCode, held.body).toBe(201);
    const payload = { start: starts[1], name: 'Gus', email: 'gus@example.net', zone: 'UTC' };
    const booked = await post(`${host.path}/bookings`, payload);
    expect(booked.statusCode, booked.body).toBe(201);
    const { spans } = await host.user.as(availabilityContract).openHours({
      query: { from: '2027-03-01T00:00:00Z', to: '2027-03-03T00:00:00Z' },
    });
    const times = spans.flatMap(({ start, end }) => [start, end]);
    expect(times.filter((text) => !/:00(?:\.000)?Z$/.test(text))).toEqual([]);
  });

  test('hours are the same whenever they were saved, but for the starts that are past', async () => {
    const time = fc.integer({ min: 0, max: 23 }).map((hour) => `${String(hour).padStart(2, '0')}:10`);
    const hours = fc
      .tuple(time, time)
      .filter(([start, end]) => start !== end)
      .map(([start, end]) => everyDay(zone, start, end));
    const savedMs = ms('2027-03-02T00:00', zone);
    await fc.assert(
      fc.asyncProperty(hours, hours, fc.integer({ min: 1, max: 86_400_000 }), async (before, after, waitMs) => {
        const at = (atMs: number) => clock.set(Temporal.Instant.fromEpochMilliseconds(atMs));
        at(savedMs);
        const host = await bookable(zone, { step_minutes: 45 });
        const always = await bookable(zone, { step_minutes: 45 });
        await applyNow(host, before);
        await applyNow(always, after);
        at(savedMs + 2 * 86_400_000 + waitMs);
        await applyNow(host, after);
        const until = clock.nowMs() + 3 * 86_400_000;
        const offered = await startsOf(host, clock.nowMs(), until);
        expect(offered).toEqual(await startsOf(always, clock.nowMs(), until));
        for (const start of offered.slice(0, 6)) expect(await isAccepted(host, start * minute)).toBe(true);
      }),
      { numRuns: runs(40) },
    );
  });

  test('hours of a later day count from their own beginning, in whose zone they are said', async () => {
    clock.set('2027-03-01T08:00:00Z');
    const host = await bookable(zone, { step_minutes: 45 });
    const api = host.user.as(availabilityContract);
    await applyNow(host, everyDay(zone, '09:00', '17:00'));
    // from 20:00 to 04:00 in Tokyo: the day there begins within them, at ten in the morning of New York
    const body = { name: 'Tokyo', hours: everyDay('Asia/Tokyo', '22:40', '04:00'), note: '', apply: false };
    const { policies } = await api.createPolicy({ body });
    const tokyo = policies.find(({ name }) => name === 'Tokyo');
    await api.applyPolicy({ params: { policyId: tokyo?.policy_id as never }, body: { from: '2027-03-05' } });
    const starts = await startsOf(host, ms('2027-03-05T00:00', 'Asia/Tokyo'), ms('2027-03-06T00:00', 'Asia/Tokyo'));
    const labels = ['05T00:00', '05T00:45', '05T01:30', '05T02:15', '05T03:00', '05T22:40', '05T23:25'];
    expect(starts).toEqual(labels.map((label) => ms(`2027-03-${label}`, 'Asia/Tokyo') / minute));
  });
});

describe('the law of slots', () => {
  /** Two days around each change of the clock. */
  const worlds = [
    { zone: 'Europe/Paris', day: '2027-03-28' },
    { zone: 'Europe/Paris', day: '2027-10-31' },
    { zone: 'Australia/Lord_Howe', day: '2027-04-04' },
    { zone: 'Australia/Lord_Howe', day: '2027-10-03' },
  ];

  /** Hours over midnight, buffers, limits, busy time, a booking and a hold, all near to each other. */
  async function crowded(zone: string, day: string): Promise<Bookable & { firstMs: number; endMs: number }> {
    const date = Temporal.PlainDate.from(day);
    clock.set(date.subtract({ days: 5 }).toZonedDateTime('UTC').toInstant());
    const host = await bookable(zone, {
      durations_minutes: [30],
      step_minutes: 20,
      buffer_before_minutes: 10,
      buffer_after_minutes: 15,
      limits: { day: { count: 3 }, week: { minutes: 240 } },
    });
    await applyNow(host, everyDay(zone, '20:15', '06:00'));
    const firstMs = date.subtract({ days: 2 }).toZonedDateTime(zone).epochMilliseconds;
    const endMs = date.add({ days: 2 }).toZonedDateTime(zone).epochMilliseconds;
    const { calendarId } = await insertOwnAccount(server, host.user);
    for (const at of [1, 2.1, 26.4, 49.3].map((hours) => firstMs + Math.round(hours * 60) * minute)) {
      const itemId = randomUUID();
      await sql`insert into calendar.items (id, calendar_id, user_id, ref, uid, version, provenance, body, hash, title)
        values (${itemId}, ${calendarId}, ${host.user.userId}, ${itemId}, ${itemId}, '1', 'foreign', '{}', 'h', '')`.execute(
        server.app.db,
      );
      await sql`insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class)
        values (${host.user.userId}, ${calendarId}, ${itemId}, '', ${at + 17_000}, ${at + 25 * minute}, false, 'busy')`.execute(
        server.app.db,
      );
    }
    const some = await startsOf(host, firstMs, endMs);
    const [one, other] = [some[3], some[Math.floor(some.length / 2)]];
    const payload = { start: one, name: 'Gus', email: `${randomUUID()}@example.net`, zone: 'UTC' };
    const booked = await post(`${host.path}/bookings`, payload);
    expect(booked.statusCode, booked.body).toBe(201);
    const held = await post(`${host.path}/holds`, { start: other });
    expect(held.statusCode, held.body).toBe(201);
    return { ...host, firstMs, endMs };
  }

  test.each(worlds)('part of a range equals the cut of the whole around $day in $zone', async ({ zone, day }) => {
    const { firstMs, endMs, ...host } = await crowded(zone, day);
    const whole = await startsOf(host, firstMs, endMs);
    expect(whole.length).toBeGreaterThan(20);
    const length = (endMs - firstMs) / minute;
    const edge = fc.oneof(
      fc.integer({ min: 0, max: length }),
      fc.constantFrom(...whole).map((start) => start - firstMs / minute),
      fc.constantFrom(...whole).map((start) => start - firstMs / minute + 1),
    );
    await fc.assert(
      fc.asyncProperty(edge, edge, async (a, b) => {
        fc.pre(a !== b);
        const [from, to] = [Math.min(a, b), Math.max(a, b)].map((n) => firstMs / minute + n) as [number, number];
        const part = await startsOf(host, from * minute, to * minute);
        expect(part).toEqual(whole.filter((start) => from <= start && start < to));
      }),
      { numRuns: runs(60) },
    );
  });

  test.each(worlds)('a start is accepted exactly when it is listed around $day in $zone', async ({ zone, day }) => {
    const { firstMs, endMs, ...host } = await crowded(zone, day);
    const listed = new Set(await startsOf(host, firstMs, endMs));
    const wrong: string[] = [];
    for (let atMs = firstMs; atMs < endMs; atMs += 5 * minute) {
      if ((await isAccepted(host, atMs)) !== listed.has(atMs / minute)) {
        wrong.push(Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toString());
      }
    }
    expect(wrong).toEqual([]);
  });

  test('the event of a group that was moved in its calendar is in the way of no time, listed or booked', async () => {
    const zone = 'Europe/Paris';
    clock.set('2027-03-01T08:00:00Z');
    const host = await bookable(zone, { kind: 'group', seats: 4, step_minutes: 60, durations_minutes: [60] });
    const { calendarId } = await insertOwnAccount(server, host.user);
    const ten = ms('2027-03-08T10:00', zone);
    const payload = { start: ten / minute, name: 'Gus', email: `${randomUUID()}@example.net`, zone: 'UTC' };
    const booked = await post(`${host.path}/bookings`, payload);
    expect(booked.statusCode, booked.body).toBe(201);
    const itemId = randomUUID();
    const fourteen = ms('2027-03-08T14:00', zone);
    await sql`insert into calendar.items (id, calendar_id, user_id, ref, uid, version, provenance, body, hash, title)
      values (${itemId}, ${calendarId}, ${host.user.userId}, ${itemId}, ${itemId}, '1', 'foreign', '{}', 'h', '')`.execute(
      server.app.db,
    );
    await sql`insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class)
      values (${host.user.userId}, ${calendarId}, ${itemId}, '', ${fourteen}, ${fourteen + 60 * minute}, false, 'busy')`.execute(
      server.app.db,
    );
    await sql`update booking.appointments set item_id = ${itemId} where user_id = ${host.user.userId}`.execute(
      server.app.db,
    );
    const listed = await startsOf(host, ms('2027-03-08T00:00', zone), ms('2027-03-09T00:00', zone));
    for (let hour = 8; hour < 18; hour += 1) {
      const atMs = ms(`2027-03-08T${String(hour).padStart(2, '0')}:00`, zone);
      expect(await isAccepted(host, atMs, 60), `${hour}`).toBe(listed.includes(atMs / minute));
    }
    expect(listed).toContain(fourteen / minute);
  });
});

test('a booking between two minutes violates a database constraint', async () => {
  const host = await bookable('Europe/Paris');
  const insert = sql`insert into booking.appointments (id, user_id, host_ids, title, start_ms, end_ms, buffer_before_ms,
      buffer_after_ms, seats, location, event_key)
    values (${randomUUID()}, ${host.user.userId}, array[${host.user.userId}]::uuid[], 'Intro', 1804500000500, 1804501800000,
      0, 0, 1, '{"kind": "teams"}', 'k')`;
  await expect(insert.execute(server.app.db)).rejects.toThrow('appointments_whole_minutes');
});

describe('seats of people', () => {
  const zone = 'Europe/Paris';
  const group: Parameters<typeof bookable>[1] = {
    kind: 'group',
    seats: 4,
    shows_seats: true,
    guests_allowed: 5,
    durations_minutes: [60],
  };
  const from = () => ms('2027-03-08T00:00', zone) / minute;
  const seatsLeft = async ({ path }: Bookable) => {
    const response = await server.inject({ method: 'GET', url: `${path}/slots?from=${from()}&to=${from() + 1_440}` });
    const { starts, seats_left: left } = response.json<{ starts: number[]; seats_left: number[] }>();
    return new Map(starts.map((start, n) => [start, left[n]]));
  };
  const book = (host: Bookable, start: number, guests: number, more: object = {}) =>
    post(`${host.path}/bookings`, {
      start,
      name: 'Gus',
      email: `${randomUUID()}@example.net`,
      zone: 'UTC',
      guests: Array.from({ length: guests }, () => `${randomUUID()}@example.net`),
      ...more,
    });

  test('guests who are brought have seats of their own', async () => {
    clock.set('2027-03-01T08:00:00Z');
    const host = await bookable(zone, group);
    const ten = ms('2027-03-08T10:00', zone) / minute;
    expect((await book(host, ten, 1)).statusCode).toBe(201);
    expect((await seatsLeft(host)).get(ten)).toBe(2);
    const tooMany = await book(host, ten, 2);
    expect([tooMany.statusCode, tooMany.json<{ detail: { fields: object } }>().detail.fields]).toEqual([
      400,
      { guests: "There aren't enough seats left. Add fewer guests." },
    ]);
    expect((await book(host, ten, 1)).statusCode).toBe(201);
    expect((await seatsLeft(host)).has(ten)).toBe(false);
    expect((await book(host, ten, 0)).statusCode).toBe(409);
    // nobody is booked who could never have a seat
    expect((await book(host, ten + 60, 4)).statusCode).toBe(400);
  });

  test('of several who reach for the last seats at once, as many people are booked as there are seats', async () => {
    const host = await bookable(zone, group);
    const ten = ms('2027-03-08T10:00', zone) / minute;
    await book(host, ten, 0);
    const answers = await Promise.all([1, 1, 1, 0, 0].map((guests) => book(host, ten, guests)));
    const { rows } = await sql<{ people: number }>`
      select sum(1 + jsonb_array_length(guests))::int as people from booking.bookings
      where user_id = ${host.user.userId} and taken`.execute(server.app.db);
    expect(rows[0]?.people).toBeLessThanOrEqual(4);
    expect(answers.filter(({ statusCode }) => statusCode === 201).length).toBeGreaterThan(0);
  });

  test('a seat that was held is booked where the group meets off the grid, with no more people than seats', async () => {
    const host = await bookable(zone, group);
    const ten = ms('2027-03-08T10:00', zone) / minute;
    await book(host, ten, 1);
    await applyNow(host, everyDay(zone, '09:20', '17:00'));
    const hold = async () => {
      const id = randomUUID();
      expect((await post(`${host.path}/holds`, { start: ten, hold_id: id })).statusCode).toBe(201);
      return id;
    };
    const held = await hold();
    expect((await book(host, ten, 2, { hold_id: held })).statusCode).toBe(400);
    const booked = await book(host, ten, 1, { hold_id: held });
    expect(booked.statusCode, booked.body).toBe(201);
  });
});

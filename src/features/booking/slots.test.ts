import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { availabilityContract } from '#features/availability/contract.ts';
import { defaultHours } from '#features/availability/rules/hours.ts';
import { calendarContract } from '#features/calendar/contract.ts';
import { applyChanges } from '#features/calendar/public.ts';
import type { Item } from '#kernel/event.ts';
import { type FixedClock, fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { AppointmentId, CalendarId, EventTypeId } from '../../kernel/ids.ts';
import { hashToken } from '../../platform/crypto.ts';
import { inTransaction } from '../../platform/db.ts';
import { bookingContract } from './contract.ts';
import { listSlots } from './list-slots.ts';
import { loadSlotQuestion } from './load-slot-question.ts';
import { defaultSettings, type TypeKind, type TypeSettings } from './rules/type-settings.ts';
import { insertAppointment } from './store/appointments.ts';
import { findType, insertType } from './store/event-type-rows.ts';

const zone = 'Europe/Paris';
let server: TestApp;
let clock: FixedClock;
let anna: TestUser;
let accountId: string;
let calendars: string[];

beforeAll(async () => {
  clock = fixedClock('2027-03-01T08:00:00Z');
  server = await startTestApp({ clock, role: 'web' });
  anna = await signUpUser(server, 'anna@example.org');
  await sql`update accounts.users set zone = ${zone} where id = ${anna.userId}`.execute(server.app.db);
  await sql`insert into booking.handles (look, handle, user_id)
    values (${hashToken('anna')}, 'anna', ${anna.userId})`.execute(server.app.db);
  accountId = randomUUID();
  await sql`insert into connections.connections (id, user_id, provider, label, base_url, username, secret)
    values (${accountId}, ${anna.userId}, 'caldav', 'home', 'https://dav.example.org/', 'anna', '')`.execute(
    server.app.db,
  );
  calendars = [await addCalendar('Work'), await addCalendar('Home')];
});
afterAll(() => server.close());
beforeEach(async () => {
  clock.set('2027-03-01T08:00:00Z');
  await sql`truncate booking.appointments, booking.event_types, calendar.spans, calendar.items cascade`.execute(
    server.app.db,
  );
});

async function addCalendar(name: string): Promise<string> {
  const id = randomUUID();
  await sql`insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable, last_synced_at)
    values (${id}, ${accountId}, ${anna.userId}, ${`/${id}/`}, ${name}, '#336699', true, '2027-03-01T07:50:00Z')`.execute(
    server.app.db,
  );
  return id;
}

function ms(local: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
}

async function addType(settings: Partial<TypeSettings> = {}, kind: TypeKind = 'one-on-one'): Promise<EventTypeId> {
  const id = randomUUID() as string as EventTypeId;
  const type = {
    id,
    userId: anna.userId,
    slug: 'intro',
    title: 'Intro',
    description: '',
    hidden: false,
    secret: false,
  };
  await inTransaction(server.app.db, (tx) =>
    insertType(tx, { ...type, kind, settings: { ...defaultSettings(kind), step_minutes: 60, ...settings } }),
  );
  return id;
}

/** Busy time from one wall-clock time of Monday 8 March to another. */
async function addBusy(from: string, to: string, { title = 'Dentist', calendar = calendars[0] } = {}): Promise<string> {
  const itemId = randomUUID();
  const body = {
    kind: 'single',
    when: { kind: 'zoned', start: `2027-03-08T${from}:00`, zone, duration: { seconds: 3600 } },
    core: { busy: 'busy', private: false, self: 'none', kind: 'default', title },
  };
  const [startMs, endMs] = [ms(`2027-03-08T${from}`), ms(`2027-03-08T${to}`)];
  await sql`insert into calendar.items (id, calendar_id, user_id, ref, uid, version, provenance, body, hash, title, starts_ms, ends_ms)
    values (${itemId}, ${calendar}, ${anna.userId}, ${itemId}, ${itemId}, '1', 'foreign', ${JSON.stringify(body)}, 'h', ${title},
      ${startMs}, ${endMs})`.execute(server.app.db);
  await sql`insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class)
    values (${anna.userId}, ${calendar}, ${itemId}, '', ${startMs}, ${endMs}, false, 'busy')`.execute(server.app.db);
  return itemId;
}

async function book(
  type: EventTypeId,
  from: string,
  minutes: number,
  more: { itemId?: string; seats?: number; expiresMs?: number } = {},
) {
  const id = randomUUID() as string as AppointmentId;
  const startMs = ms(`2027-03-08T${from}`);
  await inTransaction(server.app.db, (tx) =>
    insertAppointment(
      tx,
      {
        id,
        userId: anna.userId,
        eventTypeId: type,
        hostIds: [anna.userId],
        title: 'Intro with Ben',
        startMs,
        endMs: startMs + minutes * 60_000,
        bufferBeforeMs: 0,
        bufferAfterMs: 0,
        seats: more.seats ?? 1,
        location: { kind: 'link', url: 'https://example.org/' },
        policyId: null,
        policyN: null,
        calendarId: null,
        eventKey: id.replaceAll('-', ''),
      },
      { nowMs: clock.nowMs(), expiresMs: more.expiresMs ?? null },
    ),
  );
  if (more.itemId) {
    await sql`update booking.appointments set item_id = ${more.itemId} where id = ${id}`.execute(server.app.db);
  }
  return id;
}

async function ask(query: { from?: string; to?: string; duration?: number } = {}, path = '/api/book/anna/intro/slots') {
  const minute = (local: string) => String(ms(local) / 60_000);
  const answer = await server.inject({
    method: 'GET',
    url: path,
    query: {
      from: minute(query.from ?? '2027-03-08T00:00'),
      to: minute(query.to ?? '2027-03-09T00:00'),
      ...(query.duration === undefined ? {} : { duration: String(query.duration) }),
    },
  });
  return answer;
}

/** `8T09:00` of each start. */
async function listed(query: Parameters<typeof ask>[0] = {}): Promise<string[]> {
  const { starts } = (await ask(query)).json() as { starts: number[] };
  return starts.map((minute) =>
    Temporal.Instant.fromEpochMilliseconds(minute * 60_000)
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .toString()
      .slice(9, 16),
  );
}

function explain(type: EventTypeId, local: string, user = anna) {
  return user.as(bookingContract).explainSlot({ query: { event_type_id: type, at: ms(local) } });
}

describe('offered slots', () => {
  test('slots are the hours of the host without busy, booked and reserved times', async () => {
    const type = await addType();
    expect(await listed()).toEqual([
      '8T09:00',
      '8T10:00',
      '8T11:00',
      '8T12:00',
      '8T13:00',
      '8T14:00',
      '8T15:00',
      '8T16:00',
    ]);
    await addBusy('09:15', '10:00', { calendar: calendars[1] });
    await book(type, '13:00', 30);
    await book(type, '15:00', 30, { expiresMs: clock.nowMs() + 60_000 });
    expect(await listed()).toEqual(['8T10:00', '8T11:00', '8T12:00', '8T14:00', '8T16:00']);
    clock.advance({ minutes: 2 });
    expect(await listed()).toContain('8T15:00');
  });

  test('slots consider the blocking calendars and no others', async () => {
    await addType({ blocking_calendar_ids: [calendars[1] as never] });
    await addBusy('09:00', '12:00', { calendar: calendars[0] });
    await addBusy('12:00', '17:00', { calendar: calendars[1] });
    expect(await listed()).toEqual(['8T09:00', '8T10:00', '8T11:00']);
  });

  describe('calendars that do not count', () => {
    const set = (change: RawBuilder<unknown>) =>
      sql`update connections.calendars set ${change} where id = ${calendars[0]}`.execute(server.app.db);
    const busyAnswers = async () => {
      const [start_time, end_time] = ['2027-03-08T09:00:00Z', '2027-03-08T10:00:00Z'];
      const calendar = anna.as(calendarContract);
      const check = await calendar.checkAvailability({ query: { start_time, end_time } });
      const why = await calendar.explainBusy({ query: { at: '2027-03-08T09:30:00Z' } });
      const free = await calendar.freeTimes({ body: { start: start_time, end: end_time } });
      return {
        offered: (await listed()).includes('8T10:00'),
        available: check.available,
        busy: why.busy,
        reason: why.events[0]?.reason,
        conflicts: free.conflicts.length,
      };
    };
    const counted = { offered: false, available: false, busy: true, reason: 'busy', conflicts: 1 };
    const uncounted = { offered: true, available: true, busy: false, conflicts: 0 };

    test.each([
      ['that its person left out', sql`include_in_unified = false`, { ...uncounted, reason: 'calendar-left-out' }],
      [
        'that its provider stopped listing yesterday',
        sql`removed_at = now() - interval '1 day', leaves_at = now() - interval '18 hours'`,
        uncounted,
      ],
      [
        'that its provider stopped listing just now',
        sql`removed_at = now(), leaves_at = now() + interval '6 hours'`,
        counted,
      ],
    ])('a calendar %s is the same everywhere: in slots, checks, and explanations', async (_, change, expected) => {
      await addType();
      await addBusy('10:00', '11:00');
      expect(await busyAnswers()).toMatchObject(counted);
      await set(change);
      expect(await busyAnswers()).toMatchObject(expected);
      await set(sql`include_in_unified = true, removed_at = null, leaves_at = null`);
      expect(await busyAnswers()).toMatchObject(counted);
    });
  });

  test('slots keep buffers, notice and limits', async () => {
    clock.set('2027-03-08T07:30:00Z'); // 08:30 there
    const type = await addType({ buffer_before_minutes: 30, notice_minutes: 60, limits: { week: { count: 2 } } });
    await addBusy('11:00', '11:30');
    expect(await listed()).toEqual(['8T10:00', '8T12:00', '8T13:00', '8T14:00', '8T15:00', '8T16:00']);
    await book(type, '15:00', 30);
    await book(type, '16:00', 30);
    expect(await listed({ to: '2027-03-16T00:00' })).toEqual(
      ['5T09', '5T10', '5T11', '5T12', '5T13', '5T14', '5T15', '5T16'].map((hour) => `${hour}:00`),
    );
  });

  test('slots are empty while the event type is paused, beyond its window, and in the past', async () => {
    await addType({ window: { kind: 'rolling', days: 7 } });
    expect(await listed({ from: '2027-03-09T00:00', to: '2027-03-20T00:00' })).toEqual([]);
    expect(await listed({ from: '2027-02-01T00:00', to: '2027-02-20T00:00' })).toEqual([]);
    await sql`update booking.event_types set settings = settings || '{"paused": true}'`.execute(server.app.db);
    expect(await listed()).toEqual([]);
  });

  test('slots are looked up again once their event type or handle has changed', async () => {
    await addType();
    const gone: [RawBuilder<unknown>, RawBuilder<unknown>][] = [
      [sql`update booking.event_types set secret = true`, sql`update booking.event_types set secret = false`],
      [sql`update booking.event_types set deleted_at = now()`, sql`update booking.event_types set deleted_at = null`],
      [sql`update booking.event_types set slug = 'other'`, sql`update booking.event_types set slug = 'intro'`],
      [sql`update booking.handles set free_at = now()`, sql`update booking.handles set free_at = null`],
      [sql`update accounts.users set leaving_at = now()`, sql`update accounts.users set leaving_at = null`],
    ];
    for (const [take, giveBack] of gone) {
      expect((await listed()).length).toBe(8);
      expect((await listed()).length).toBe(8);
      await take.execute(server.app.db);
      expect((await ask({ from: '2027-03-08T00:00', to: '2027-03-09T00:00' })).statusCode).toBe(404);
      await giveBack.execute(server.app.db);
    }
    await listed();
    await sql`update booking.event_types set settings = settings || '{"durations_minutes": [60, 120]}'`.execute(
      server.app.db,
    );
    expect((await listed({ duration: 120 })).length).toBe(7);
  });

  test('slots of an empty range come with the next available time', async () => {
    await addType();
    const answer = await ask({ from: '2027-03-06T00:00', to: '2027-03-08T00:00' });
    expect(answer.json()).toEqual({
      starts: [],
      seats_left: null,
      next: ms('2027-03-08T09:00') / 60_000,
      withheld: false,
    });
    const filled = await ask({ from: '2027-03-05T16:00', to: '2027-03-06T00:00' });
    expect(filled.json()).toMatchObject({ starts: [ms('2027-03-05T16:00') / 60_000], next: null });
  });

  test('slots of a group show the seats left, and are not blocked by the event of the group', async () => {
    const type = await addType({ seats: 3, shows_seats: true, durations_minutes: [60] }, 'group');
    const itemId = await addBusy('10:00', '11:00', { title: 'Group' });
    const id = await book(type, '10:00', 60, { itemId, seats: 3 });
    await sql`insert into booking.bookings (id, uid, appointment_id, seat, user_id, event_type_id, state, guest_name, guest_email,
        token_hash, created_ms)
      values (${randomUUID()}, 'u', ${id}, 1, ${anna.userId}, ${type}, 'confirmed', 'Ben', 'ben@example.org', ${hashToken('x')}, 0)`.execute(
      server.app.db,
    );
    const { starts, seats_left } = (await ask()).json() as { starts: number[]; seats_left: number[] };
    const left = new Map(starts.map((start, n) => [start, seats_left[n]]));
    expect(left.get(ms('2027-03-08T10:00') / 60_000)).toBe(2);
    expect(left.get(ms('2027-03-08T09:00') / 60_000)).toBe(3);
  });

  test('slots of a group have no seats when the host does not show them', async () => {
    await addType({ seats: 3 }, 'group');
    expect((await ask()).json()).toMatchObject({ seats_left: null, withheld: false });
  });

  test('slots for a move leave out the booking that is moved', async () => {
    const type = await addType();
    const itemId = await addBusy('10:00', '10:30');
    const without = await book(type, '10:00', 30, { itemId });
    expect(await listed()).not.toContain('8T10:00');
    const found = await findType(server.app.db, type);
    if (found === null) throw new Error('no type');
    const range = { startMs: ms('2027-03-08T10:00'), endMs: ms('2027-03-08T10:01') };
    const asked = { type: found, link: null, range, durationMinutes: 30, nowMs: clock.nowMs() };
    const taken = await loadSlotQuestion(server.app.db, asked);
    const free = await loadSlotQuestion(server.app.db, { ...asked, without });
    expect(
      [taken.question, free.question].map(({ hosts: [host] }) => [host?.busy.length, host?.blocks.length]),
    ).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  test('slots are withheld when a calendar is stale and the event type says so', async () => {
    const type = await addType({ freshness: { on_stale: 'block', stale_after_minutes: 30 } });
    expect(await listed()).toHaveLength(8);
    clock.advance({ minutes: 25 });
    expect(await listed()).toEqual([]);
    expect((await explain(type, '2027-03-08T10:00')).reasons.map(({ kind }) => kind)).toEqual(['stale-calendar']);
    // and a guest that times are missing because of it
    expect((await ask()).json()).toMatchObject({ starts: [], withheld: true });
  });

  test('slots take two queries at most, however many hosts there are', async () => {
    const id = await addType({
      seats: 5,
      limits: { day: { count: 9 } },
      freshness: { on_stale: 'block', stale_after_minutes: 600 },
    });
    const type = await findType(server.app.db, id);
    if (type === null) throw new Error('no type');
    const range = { startMs: ms('2027-03-08T00:00'), endMs: ms('2027-05-08T00:00') };
    const countFor = async (users: TestUser[]) => {
      let count = 0;
      const db = server.app.db.withPlugin({
        transformQuery({ node }) {
          count += 1;
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      });
      const hosts = users.map(({ userId }) => ({ userId, policy: { kind: 'default' } as const }));
      const asked = { type, link: null, range, durationMinutes: 30, nowMs: clock.nowMs(), hosts };
      const { question } = await loadSlotQuestion(db, asked);
      expect(question.hosts.map((host) => host.open.length > 40)).toEqual(users.map(() => true));
      return count;
    };
    const others = await Promise.all([1, 2, 3].map((n) => signUpUser(server, `host-${n}@example.org`)));
    expect(await countFor([anna])).toBeLessThanOrEqual(2);
    expect(await countFor([anna, ...others])).toBe(await countFor([anna]));
  });
});

describe('public slot requests', () => {
  test('a slot request with a long range, an unknown duration or an unknown event type is refused', async () => {
    await addType({ durations_minutes: [30, 60] });
    expect((await ask({ to: '2027-05-10T00:00' })).json()).toMatchObject({ detail: { code: 'RANGE' } });
    expect((await ask({ to: '2027-03-07T00:00' })).json()).toMatchObject({ detail: { code: 'RANGE' } });
    expect((await ask({ to: '2127-03-07T00:00' })).json()).toMatchObject({ detail: { code: 'INVALID_INPUT' } });
    expect((await ask({ duration: 45 })).json()).toMatchObject({ detail: { code: 'DURATION' } });
    expect((await ask({}, '/api/book/anna/other/slots')).statusCode).toBe(404);
    expect((await ask({ duration: 60 })).statusCode).toBe(200);
  });

  test('a slot response has starts and nothing of the busy events', async () => {
    await addType();
    await addBusy('10:10', '10:40', { title: 'Top secret' });
    const answer = await ask();
    expect(Object.keys(answer.json() as object)).toEqual(['starts', 'seats_left', 'next', 'withheld']);
    expect(answer.body).not.toContain('secret');
  });
});

describe('slot explanations', () => {
  test('a slot explanation names the conflicting events, to their owner only', async () => {
    const type = await addType({ buffer_after_minutes: 15 });
    await addBusy('10:00', '10:15', { title: 'Stand-up', calendar: calendars[1] });
    await addBusy('10:40', '11:00', { title: 'Dentist' });
    const { bookable, reasons, nearest } = await explain(type, '2027-03-08T10:00');
    expect(bookable).toBe(false);
    expect(reasons).toMatchObject([
      { kind: 'busy', with_buffers: false, in_the_way: { title: 'Stand-up', calendar_name: 'Home' } },
      { kind: 'busy', with_buffers: true, in_the_way: { title: 'Dentist', calendar_name: 'Work' } },
    ]);
    expect(nearest).toEqual(['2027-03-08T09:00', '2027-03-08T11:00', '2027-03-08T12:00'].map(ms));
    const ben = await signUpUser(server, `${randomUUID()}@example.org`);
    await expect(explain(type, '2027-03-08T10:00', ben)).rejects.toMatchObject({ status: 404 });
  });

  test('a slot explanation names an event once, however many mirrors it has', async () => {
    const type = await addType();
    await addBusy('10:00', '10:30', { title: 'Stand-up' });
    const block: Item = {
      ref: randomUUID(),
      version: '1',
      provenance: 'own',
      body: {
        kind: 'single',
        when: { kind: 'zoned', start: '2027-03-08T10:00:00', zone, duration: { seconds: 1_800 } },
        core: { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Busy' },
      },
    };
    const target = { calendarId: calendars[1] as CalendarId, userId: anna.userId, calendarZone: zone, ownerZone: zone };
    await inTransaction(server.app.db, (tx) => applyChanges(tx, target, { items: [block], gone: [] }, clock.nowMs()));
    const { reasons } = await explain(type, '2027-03-08T10:00');
    expect(reasons).toMatchObject([{ kind: 'busy', in_the_way: { title: 'Stand-up', calendar_name: 'Work' } }]);
  });

  test('a slot explanation names a day off, a holiday, and travel; special hours replace a day off', async () => {
    const type = await addType();
    const own = anna.as(availabilityContract);
    const absenceAt = async (local: string) => {
      const { reasons } = await explain(type, local);
      return reasons.find(({ kind }) => kind === 'outside-hours')?.absence;
    };
    const { days_off } = await own.addDaysOff({
      body: { first_day: '2027-03-08', last_day: '2027-03-09', reason: 'Berlin trip' },
    });
    await own.setHolidays({ body: { country: 'DE', region: null, worked: [] } });
    const { travels } = await own.addTravel({
      body: { first_day: '2027-03-11', last_day: '2027-03-11', zone: 'America/New_York' },
    });
    expect(await absenceAt('2027-03-08T10:00')).toEqual({ kind: 'day-off', name: 'Berlin trip' });
    expect(await absenceAt('2027-03-26T10:00')).toEqual({ kind: 'holiday', name: 'Good Friday' });
    expect(await absenceAt('2027-03-11T10:00')).toEqual({ kind: 'travel', name: 'America/New_York' });
    expect(await absenceAt('2027-03-10T20:00')).toBe(null);
    const hours = {
      ...defaultHours(zone),
      overrides: [{ date: '2027-03-08', intervals: [{ start: '07:00', end: '08:00' }] }],
    };
    const { policies } = await own.createPolicy({ body: { name: 'Special', hours, note: '', apply: true } });
    expect(await absenceAt('2027-03-08T10:00')).toBe(null);
    expect(await absenceAt('2027-03-09T10:00')).toEqual({ kind: 'day-off', name: 'Berlin trip' });
    await own.removeDaysOff({ params: { id: days_off[0]?.id ?? '' } });
    await own.removeTravel({ params: { id: travels[0]?.id ?? '' } });
    await own.setHolidays({ body: { country: null, region: null, worked: [] } });
    await sql`delete from availability.defaults where user_id = ${anna.userId}`.execute(server.app.db);
    await own.deletePolicy({ params: { policyId: policies[0]?.policy_id ?? '' } });
  });

  test('offered starts are read from the newest hours only, also right after others were replaced', async () => {
    const type = await addType();
    const own = anna.as(availabilityContract);
    const intervals = Array.from({ length: 12 }, (_, n) => ({
      start: `${n + 6}:00`.padStart(5, '0'),
      end: `${n + 6}:30`.padStart(5, '0'),
    }));
    const overrides = Array.from({ length: 366 }, (_, n) => ({
      date: Temporal.PlainDate.from('2027-03-08').add({ days: n }).toString(),
      intervals,
    }));
    const long = { ...defaultHours(zone), overrides };
    const { policies } = await own.createPolicy({ body: { name: 'Long', hours: long, note: '', apply: true } });
    const policyId = policies[0]?.policy_id ?? '';
    const params = { policyId };
    for (const [n, hours] of [{ ...long, timezone: 'Europe/Rome' }, long, defaultHours(zone)].entries()) {
      clock.advance({ minutes: 1 });
      await own.savePolicy({ params, body: { version: n + 1, name: 'Long', hours, note: '' } });
    }
    let chars = 0;
    const db = server.app.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        chars += JSON.stringify(result.rows).length;
        return result;
      },
    });
    const found = await findType(db, type);
    if (found === null) throw new Error('the event type is missing');
    const asked = {
      found: { type: found, link: null },
      range: { startMs: ms('2027-02-01T00:00'), endMs: ms('2027-03-09T00:00') },
      durationMinutes: 30,
    };
    const { starts } = await listSlots({ db, clock }, asked);
    expect(starts.filter((start) => start >= ms('2027-03-08T00:00'))).toEqual(
      [9, 10, 11, 12, 13, 14, 15, 16].map((hour) => ms(`2027-03-08T${`${hour}`.padStart(2, '0')}:00`)),
    );
    // each long version has 150,000
    expect(chars).toBeLessThan(50_000);
    await sql`delete from availability.defaults where user_id = ${anna.userId}`.execute(server.app.db);
    await own.deletePolicy({ params });
  });

  test('a slot explanation names booked times, times outside the hours, and bookable times', async () => {
    const type = await addType();
    await book(type, '13:00', 30);
    expect((await explain(type, '2027-03-08T13:00')).reasons).toMatchObject([
      { kind: 'booked', in_the_way: { title: 'Intro with Ben', calendar_name: null } },
    ]);
    expect((await explain(type, '2027-03-08T18:00')).reasons).toMatchObject([
      { kind: 'outside-hours', in_the_way: null },
    ]);
    expect((await explain(type, '2027-03-08T09:07')).reasons).toMatchObject([{ kind: 'not-a-start' }]);
    expect(await explain(type, '2027-03-08T14:00')).toMatchObject({ bookable: true, reasons: [] });
    expect((await explain(type, '2027-02-08T10:00')).reasons).toMatchObject([{ kind: 'past' }, { kind: 'window' }]);
  });
});

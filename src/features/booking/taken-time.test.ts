import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/harness/test-app.ts';
import type { AppointmentId, EventTypeId, ItemId, UserId } from '../../kernel/ids.ts';
import { type Database, inTransaction, openDatabase } from '../../platform/db.ts';
import { createLog } from '../../platform/log.ts';
import { readAlone } from '../../platform/reading.ts';
import { insertAppointment, lockHosts, type NewAppointment, settleBlocks } from './store/appointments.ts';
import { countedReading, groupsReading, listItemsOf, listOwnItems, takenTimeReading } from './store/taken-time.ts';

const minute = 60_000;
const day = { startMs: Date.UTC(2027, 2, 8), endMs: Date.UTC(2027, 2, 9) };
const nineMs = day.startMs + 9 * 60 * minute;
const nowMs = day.startMs - 86_400_000;

let db: Database;
let close: () => Promise<void>;
const hosts = Array.from({ length: 10 }, () => randomUUID() as string as UserId);
const [anna = '' as UserId] = hosts;
const typeId = randomUUID() as string as EventTypeId;

beforeAll(async () => {
  const database = await createTestDatabase();
  const handle = openDatabase({
    url: database.url,
    log: await createLog({ level: 'silent', format: 'json' }),
    poolSize: 32,
  });
  db = handle.db;
  close = async () => {
    await handle.close();
    await database.close();
  };
  await sql`insert into accounts.users (id, email)
    select host, host || '@example.org' from unnest(${hosts}::uuid[]) as given(host)`.execute(db);
  await sql`insert into booking.event_types (id, user_id, slug, title, kind, position, settings)
    values (${typeId}, ${anna}, 'intro', 'Intro', 'group', 1, '{}')`.execute(db);
});
beforeEach(() => sql`truncate booking.appointments cascade`.execute(db));
afterAll(() => close());

function appointment(more: Partial<NewAppointment> = {}): NewAppointment {
  return {
    id: randomUUID() as string as AppointmentId,
    userId: anna,
    eventTypeId: typeId,
    hostIds: [anna],
    title: 'Intro',
    startMs: nineMs,
    endMs: nineMs + 30 * minute,
    bufferBeforeMs: 0,
    bufferAfterMs: 15 * minute,
    seats: 1,
    location: { kind: 'link', url: 'https://example.org/' },
    policyId: null,
    policyN: null,
    calendarId: null,
    eventKey: randomUUID().replaceAll('-', ''),
    ...more,
  };
}

class Taken extends Error {}

/** In a transaction of its own; false where the time was taken, and then nothing is left of it. */
async function take(made: NewAppointment, { expiresMs = null as number | null, atMs = nowMs } = {}): Promise<boolean> {
  try {
    await inTransaction(db, async (tx) => {
      if (made.hostIds.length > 1) await lockHosts(tx, made.hostIds);
      if (!(await insertAppointment(tx, made, { nowMs: atMs, expiresMs }))) throw new Taken();
    });
    return true;
  } catch (error) {
    if (error instanceof Taken) return false;
    throw error;
  }
}

async function seat(of: NewAppointment, number: number, expiresMs: number | null = null): Promise<string> {
  const id = randomUUID();
  await sql`insert into booking.bookings (id, uid, appointment_id, seat, user_id, state, expires_ms, token_hash, guest_name,
      guest_email, created_ms)
    values (${id}, ${id}, ${of.id}, ${number}, ${anna}, ${expiresMs === null ? 'confirmed' : 'held'}, ${expiresMs},
      uuid_send(${id}), 'Bo', 'bo@example.org', 0)`.execute(db);
  return id;
}

test('the time of a host is taken once, including buffers', async () => {
  const first = appointment();
  expect(await take(first)).toBe(true);
  expect(await take(appointment())).toBe(false);
  expect(await take(appointment({ startMs: nineMs + 40 * minute, endMs: nineMs + 60 * minute }))).toBe(false);
  expect(await take(appointment({ startMs: nineMs + 45 * minute, endMs: nineMs + 60 * minute }))).toBe(true);
  expect(await take(appointment({ startMs: nineMs - 20 * minute, endMs: nineMs - 10 * minute }))).toBe(false);
  expect(await take(appointment({ startMs: nineMs - 30 * minute, endMs: nineMs - 15 * minute }))).toBe(true);
  expect((await readAlone(db, takenTimeReading([anna], day, { nowMs }))).map(({ startMs }) => startMs)).toEqual([
    nineMs - 30 * minute,
    nineMs,
    nineMs + 45 * minute,
  ]);
  expect(
    await readAlone(db, takenTimeReading([anna], { startMs: nineMs, endMs: nineMs + 1 }, { nowMs, without: first.id })),
  ).toEqual([]);
});

test('an appointment takes all of its hosts or none, and a losing one leaves nothing', async () => {
  expect(await take(appointment({ hostIds: hosts.slice(0, 3) }))).toBe(true);
  expect(await take(appointment({ hostIds: hosts.slice(2, 6) }))).toBe(false);
  expect(await readAlone(db, takenTimeReading(hosts, day, { nowMs }))).toHaveLength(3);
  expect(await take(appointment({ hostIds: hosts.slice(3, 6) }))).toBe(true);
});

test('an expired reservation frees its time', async () => {
  const held = appointment();
  expect(await take(held, { expiresMs: nowMs + minute })).toBe(true);
  expect(await readAlone(db, takenTimeReading([anna], day, { nowMs }))).toMatchObject([{ kind: 'hold' }]);
  expect(await take(appointment())).toBe(false);
  expect(await readAlone(db, takenTimeReading([anna], day, { nowMs: nowMs + minute }))).toEqual([]);
  expect(await take(appointment(), { atMs: nowMs + minute })).toBe(true);
  expect(await readAlone(db, takenTimeReading([anna], day, { nowMs }))).toMatchObject([{ kind: 'booking' }]);
});

test('a group is read with its seats left, apart from other taken time', async () => {
  const group = appointment({ seats: 3 });
  await take(group);
  await seat(group, 1);
  await seat(group, 2, nowMs + minute);
  const found = { nowMs };
  expect(await readAlone(db, groupsReading(typeId, day, found))).toEqual([
    {
      appointmentId: group.id,
      hostIds: [anna],
      startMs: group.startMs,
      endMs: group.endMs,
      block: { startMs: group.startMs, endMs: group.endMs + 15 * minute },
      seatsLeft: 1,
    },
  ]);
  expect(await readAlone(db, groupsReading(typeId, day, { nowMs: nowMs + minute }))).toMatchObject([{ seatsLeft: 2 }]);
  expect(await readAlone(db, takenTimeReading([anna], day, { nowMs, groupsOf: typeId }))).toEqual([]);
  expect(await readAlone(db, takenTimeReading([anna], day, found))).toHaveLength(1);
  expect(await readAlone(db, countedReading(typeId, day, found))).toEqual([
    { startMs: group.startMs, endMs: group.endMs, hostIds: [anna] },
  ]);
});

test('a seat is taken once', async () => {
  const group = appointment({ seats: 3 });
  await take(group);
  await seat(group, 1);
  await expect(seat(group, 1)).rejects.toThrow(/seats_taken_once/);
});

test('a group frees its time with its last seat, and is a reservation while all seats are reserved', async () => {
  const group = appointment({ seats: 3 });
  await take(group);
  const seats = [await seat(group, 1), await seat(group, 2, nowMs + minute)];
  const leave = (id: string | undefined) => sql`delete from booking.bookings where id = ${id}`.execute(db);
  const settle = () => inTransaction(db, (tx) => settleBlocks(tx, group.id));
  expect(await settle()).toEqual({ live: true });
  expect(await readAlone(db, takenTimeReading([anna], day, { nowMs }))).toMatchObject([{ kind: 'booking' }]);
  await leave(seats[0]);
  expect(await settle()).toEqual({ live: true });
  expect(await readAlone(db, takenTimeReading([anna], day, { nowMs }))).toMatchObject([{ kind: 'hold' }]);
  await leave(seats[1]);
  expect(await settle()).toEqual({ live: false });
  expect(await readAlone(db, takenTimeReading([anna], day, { nowMs }))).toEqual([]);
});

test('events of appointments are recognized by their appointment', async () => {
  const made = appointment();
  await take(made);
  const itemId = randomUUID() as string as ItemId;
  await sql`update booking.appointments set item_id = ${itemId}`.execute(db);
  expect(await listOwnItems(db, [anna], day)).toEqual([{ itemId, appointmentId: made.id, eventTypeId: typeId }]);
});

test('events of appointments are found wherever they stand', async () => {
  const made = appointment();
  await take(made);
  const itemId = randomUUID() as string as ItemId;
  await sql`update booking.appointments set item_id = ${itemId}`.execute(db);
  expect(await listItemsOf(db, { appointmentId: made.id, groupsOf: null, nowMs })).toEqual([itemId]);
  expect(await listItemsOf(db, { appointmentId: null, groupsOf: made.eventTypeId, nowMs })).toEqual([]);
});

test('hosts who are booked together in any order cause no deadlock and no overlap', async () => {
  const before = await countDeadlocks();
  const some = (count: number) => hosts.toSorted(() => Math.random() - 0.5).slice(0, count);
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, n) => {
      const startMs = nineMs + (n % 20) * 15 * minute;
      return take(appointment({ hostIds: some(5), startMs, endMs: startMs + 30 * minute, bufferAfterMs: 0 }));
    }),
  );
  expect(results.filter(Boolean).length).toBeGreaterThan(0);
  const { rows } = await sql<{ pairs: number }>`
    select count(*)::int as pairs from booking.blocks a join booking.blocks b
      on a.host_id = b.host_id and a.during && b.during and a.appointment_id < b.appointment_id`.execute(db);
  expect(rows).toEqual([{ pairs: 0 }]);
  expect(await countDeadlocks()).toBe(before);
});

async function countDeadlocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select deadlocks as count from pg_stat_database where datname = current_database()`.execute(db);
  return rows[0]?.count ?? 0;
}

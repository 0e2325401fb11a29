import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { insertAppointment, lockHosts, type NewAppointment } from '#features/booking/store/appointments.ts';
import type { NewSeat } from '#features/booking/store/new-seat.ts';
import { isTaken } from '#features/booking/store/taken-time.ts';
import type { AppointmentId, BookingId, EventTypeId, UserId } from '#kernel/ids.ts';
import { askedLately } from '#platform/asked-lately.ts';
import { byKey, type Database, inTransaction, openDatabase, type Tx } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { type Bench, type BenchOptions, type BenchRow, interleave, median, percentile } from './harness.ts';
import { openThrowAwayDatabase } from './throw-away-database.ts';

/**
 * The cost of a booking: D3 where everybody wants the same time, D4 where nobody does, D5 where each wants five of ten
 * hosts. The measured part is the booking's transaction from its first statement to its commit: time, seat, attendees,
 * audit and the notification job. The decision before it is left out. The floor is one row under the same constraint.
 */
export const bookingsBench: Bench = {
  rows: ['D3', 'D4', 'D5'],
  async run(wanted, options, print) {
    const database = await openThrowAwayDatabase();
    const world = await openWorld(database.url);
    try {
      if (wanted.has('D3')) print(await measureRace(world, options));
      if (wanted.has('D4')) print(await measureOwnHosts(world, options));
      if (wanted.has('D5')) print(await measureCollective(world, options));
    } finally {
      await world.close();
      await database.close();
    }
  },
};

const clients = 32;
const minuteMs = 60_000;
const nowMs = Date.UTC(2027, 2, 1);
const firstMs = Date.UTC(2027, 2, 8, 9);

interface World {
  db: Database;
  pool: pg.Pool;
  hosts: UserId[];
  /** Each has one of their own. */
  typeOf: ReadonlyMap<UserId, EventTypeId>;
  /** Deadlocks of our transactions so far. */
  deadlocks: number;
  /** Locks on these tables, with their owners. */
  asked: object;
  clear(): Promise<void>;
  close(): Promise<void>;
}

async function openWorld(url: string): Promise<World> {
  const log = await createLog({ level: 'silent', format: 'json' });
  const { db, close } = openDatabase({ url, log, poolSize: clients, slowQueryMs: 60_000 });
  const pool = new pg.Pool({ connectionString: url, max: clients });
  // the database stops while the pool is idle
  pool.on('error', () => undefined);
  const hosts = Array.from({ length: clients }, () => randomUUID() as string as UserId);
  const typeOf = new Map(hosts.map((host) => [host, randomUUID() as string as EventTypeId]));
  await sql`insert into accounts.users (id, email)
    select host, host || '@example.com' from unnest(${hosts}::uuid[]) as given(host)`.execute(db);
  await sql`insert into booking.event_types (id, user_id, slug, title, kind, position, settings)
    select type, host, 'intro', 'Intro', 'one-on-one', 1, '{}'
    from unnest(${[...typeOf.values()]}::uuid[], ${hosts}::uuid[]) as given(type, host)`.execute(db);
  await pool.query(`create table floor_blocks (id uuid primary key, host_id uuid not null, during int8range not null,
    exclude using gist (host_id with =, during with &&))`);
  await pool.query(
    'create table bench_outbox (id bigint generated always as identity primary key, payload jsonb not null)',
  );
  return {
    db,
    pool,
    hosts,
    typeOf,
    deadlocks: 0,
    asked: {},
    async clear(this: World) {
      this.asked = {};
      await pool.query('truncate booking.appointments, booking.audit, floor_blocks, bench_outbox cascade');
    },
    close: async () => {
      await pool.end();
      await close();
    },
  };
}

/** One attempt: whether it got the time. */
type Attempt = (hostIds: UserId[], startMs: number) => Promise<boolean>;

class Taken extends Error {}
const deadlock = '40P01';

const ours =
  (world: World): Attempt =>
  async (hostIds, startMs) => {
    const { db, typeOf } = world;
    const [hostId = '' as UserId] = hostIds;
    const slot = { startMs, endMs: startMs + 30 * minuteMs };
    const isWanted = askedLately(world.asked, `${hostId} ${startMs}`);
    if (isWanted && hostIds.length === 1 && (await isTaken(byKey(db), hostId, slot, nowMs))) return false;
    try {
      await inTransaction(byKey(db), (tx) => giveAway(tx, typeOf, hostIds, startMs), { attempts: 1 });
      return true;
    } catch (error) {
      if (error instanceof Taken) return false;
      if ((error as pg.DatabaseError).code === deadlock) world.deadlocks += 1;
      else throw error;
      return false;
    }
  };

async function giveAway(tx: Tx, typeOf: World['typeOf'], hostIds: UserId[], startMs: number): Promise<void> {
  const [userId = '' as UserId] = hostIds;
  const eventTypeId = typeOf.get(userId)!;
  const id = randomUUID() as string as BookingId;
  const appointmentId = randomUUID() as string as AppointmentId;
  const appointment: NewAppointment = {
    id: appointmentId,
    userId,
    eventTypeId,
    hostIds,
    title: 'Intro',
    startMs,
    endMs: startMs + 30 * minuteMs,
    bufferBeforeMs: 0,
    bufferAfterMs: 0,
    seats: 1,
    location: { kind: 'link', url: 'https://meet.example.org/anna' },
    policyId: null,
    policyN: null,
    calendarId: null,
    eventKey: id,
  };
  if (hostIds.length > 1) await lockHosts(tx, hostIds);
  const seat: NewSeat = {
    id,
    uid: id,
    userId,
    eventTypeId,
    linkId: null,
    network: null,
    expiresMs: null,
    nowMs,
    filling: {
      guestName: 'Bo Li',
      guestEmail: `${id}@example.net`,
      guestPhone: null,
      guestZone: 'Europe/Berlin',
      language: null,
      answers: {},
      asked: [],
      cancellation: { until_minutes: 0, text: '' },
      guests: [],
      verified: true,
      seriesId: null,
      seriesStartMs: null,
      seriesZone: null,
      seriesLeftOut: [],
      linkId: null,
      state: 'confirmed',
      expiresMs: null,
      token: 'sealed',
      tokenHash: Buffer.from(id),
      createdMs: nowMs,
    },
    entry: { bookingId: id, atMs: nowMs, actor: 'guest', kind: 'confirmed', details: { sequence: 0 } },
  };
  if (!(await insertAppointment(tx, appointment, { nowMs, expiresMs: null }, seat))) throw new Taken();
  await sql`insert into bench_outbox (payload) values (${JSON.stringify({ bookingId: id })}::jsonb)`.execute(tx);
}

const floor =
  ({ pool }: World): Attempt =>
  async (hostIds, startMs) => {
    const { rowCount } = await pool.query({
      name: 'floor',
      text: `insert into floor_blocks select gen_random_uuid(), host, int8range($2, $3) from unnest($1::uuid[]) as given(host)
             on conflict do nothing`,
      values: [hostIds, startMs, startMs + 30 * minuteMs],
    });
    return (rowCount ?? 0) > 0;
  };

interface Run {
  perSecond: number;
  /** CPU time of this process per attempt; the database has a processor of its own. */
  cpuMs: number;
  waitsMs: number[];
  won: number;
}

/** All clients at once, each one attempt after the other. */
async function runAll(
  attempt: Attempt,
  attempts: number,
  choose: (n: number, client: number) => [UserId[], number],
): Promise<Run> {
  const waitsMs: number[] = [];
  let won = 0;
  let next = 0;
  const before = process.cpuUsage();
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let n = next++; n < attempts; n = next++) {
        const [hostIds, startMs] = choose(n, client);
        const askedMs = performance.now();
        if (await attempt(hostIds, startMs)) won += 1;
        waitsMs.push(performance.now() - askedMs);
      }
    }),
  );
  const perSecond = (attempts * 1000) / (performance.now() - startedMs);
  const { user, system } = process.cpuUsage(before);
  return { perSecond, cpuMs: (user + system) / 1000 / attempts, waitsMs, won };
}

async function countOverlaps({ pool }: World): Promise<number> {
  const { rows } = await pool.query<{ overlaps: number }>(`
    select count(*)::int as overlaps from booking.blocks a join booking.blocks b
      on a.host_id = b.host_id and a.during && b.during and a.appointment_id < b.appointment_id`);
  return rows[0]?.overlaps ?? -1;
}

/** Contenders by turns, each on empty tables; attempts a second of each, and what was seen of ours. */
async function contend(
  world: World,
  contenders: Record<string, Attempt>,
  { rounds, attempts }: { rounds: number; attempts: number },
  choose: (n: number, client: number) => [UserId[], number],
) {
  const waitsMs: number[] = [];
  const cpuMs: number[] = [];
  const won = new Set<number>();
  let overlaps = 0;
  world.deadlocks = 0;
  const samples = await interleave(
    Object.entries(contenders).map(([name, attempt]) => ({
      name,
      async run() {
        await world.clear();
        // warm-up: the tables are new to every connection, which plans its statements for them
        await runAll(attempt, 4 * clients, (n, client) => choose(n + attempts, client));
        const run = await runAll(attempt, attempts, choose);
        if (name === 'ours') {
          waitsMs.push(...run.waitsMs);
          cpuMs.push(run.cpuMs);
          won.add(run.won);
          overlaps += await countOverlaps(world);
        }
        return run.perSecond;
      },
    })),
    rounds,
    1,
  );
  const speeds = Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]));
  return { speeds, p99Ms: percentile(waitsMs, 99), cpuMs: median(cpuMs), won, overlaps, deadlocks: world.deadlocks };
}

async function measureRace(world: World, { quick }: BenchOptions): Promise<BenchRow> {
  const slots = quick ? 20 : 100;
  const size = { rounds: quick ? 2 : 5, attempts: slots * clients };
  // every client comes to every slot, all to the same one at the same time
  const choose = (n: number): [UserId[], number] => [
    [world.hosts[0]!],
    firstMs + Math.floor(n / clients) * 30 * minuteMs,
  ];
  const contenders = { ours: ours(world), floor: floor(world) };
  const { speeds, p99Ms, won, overlaps, deadlocks } = await contend(world, contenders, size, choose);
  const isExact = won.size === 1 && won.has(slots) && overlaps === 0 && deadlocks === 0;
  return {
    id: 'D3',
    what: `${clients} clients race for the same ${slots} slots, one after the other: attempts`,
    unit: '/s',
    ours: speeds.ours ?? null,
    floor: speeds.floor ?? null,
    peers: {},
    gate: 'exactly one winner for each, no overlap, no deadlock',
    passed: isExact,
    note: `winners ${[...won].join()} of ${slots}, overlapping pairs ${overlaps}, deadlocks ${deadlocks}; ours p99 ${p99Ms.toFixed(1)} ms, ${share(speeds)} of the floor, which is one statement without a transaction around it`,
  };
}

const share = ({ ours: own = 0, floor: least = 1 }: Record<string, number>) => `${((100 * own) / least).toFixed(0)} %`;

async function measureOwnHosts(world: World, { quick }: BenchOptions): Promise<BenchRow> {
  const size = { rounds: quick ? 2 : 5, attempts: quick ? 640 : 3_200 };
  const choose = (n: number): [UserId[], number] => [
    [world.hosts[n % clients]!],
    firstMs + Math.floor(n / clients) * 30 * minuteMs,
  ];
  const contenders = { ours: ours(world), floor: floor(world) };
  const { speeds, p99Ms, cpuMs, won, overlaps } = await contend(world, contenders, size, choose);
  const kept = (speeds.ours ?? 0) >= 2_000 && overlaps === 0 && won.has(size.attempts) && won.size === 1;
  return {
    id: 'D4',
    what: `${clients} clients, each with hosts of its own: bookings, with audit and outbox row in the same transaction`,
    unit: '/s',
    ours: speeds.ours ?? null,
    floor: speeds.floor ?? null,
    peers: {},
    gate: '>= 2,000/s',
    passed: kept,
    note: `all ${size.attempts} were booked: ${won.has(size.attempts)}; ours p99 ${p99Ms.toFixed(1)} ms, ${cpuMs.toFixed(2)} ms of this process a booking; the decision before it (S4) and the intent to write the event are not part of it`,
  };
}

async function measureCollective(world: World, { quick }: BenchOptions): Promise<BenchRow> {
  const size = { rounds: quick ? 2 : 5, attempts: quick ? 320 : 1_600 };
  const ten = world.hosts.slice(0, 10);
  const choose = (n: number): [UserId[], number] => {
    const first = (n * 7) % 10;
    const five = Array.from({ length: 5 }, (_, k) => ten[(first + k * 3) % 10]!);
    return [five, firstMs + Math.floor(n / 16) * 30 * minuteMs];
  };
  const { speeds, p99Ms, won, overlaps, deadlocks } = await contend(world, { ours: ours(world) }, size, choose);
  return {
    id: 'D5',
    what: `collective, 5 of 10 hosts in any order, ${clients} clients: attempts`,
    unit: '/s',
    ours: speeds.ours ?? null,
    floor: null,
    peers: {},
    gate: 'no deadlock, no overlap',
    passed: deadlocks === 0 && overlaps === 0,
    note: `deadlocks ${deadlocks}, overlapping pairs ${overlaps}, booked ${[...won].join(' or ')} of ${size.attempts}; p99 ${p99Ms.toFixed(1)} ms`,
  };
}

import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { loadConfig } from '#platform/config.ts';
import { createHttpServer } from '#platform/http.ts';
import { createLog } from '#platform/log.ts';
import { openApp } from '#platform/open-app.ts';
import { features } from '../src/features.ts';
import { insertBookable } from '../test/harness/bookable.ts';
import { openAccount } from '../test/harness/open-account.ts';
import { percentile } from './harness.ts';
import { openThrowAwayDatabase } from './throw-away-database.ts';

/**
 * `npm run race`, `-- --rounds 20 --clients 500 --of booking,seats`: that many clients on one thing, over HTTP, as often as
 * that; one has to get it (of seats as many as there are) and the others to be told that it is gone. They come to two
 * processes' worth of the product, each with connections of its own. The small one is booking/race.test.ts.
 */

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, clients: { type: 'string' }, of: { type: 'string' } },
});
const rounds = Number(values.rounds ?? 1_000);
const clients = Number(values.clients ?? 500);
const patienceMs = 1_000;
const minuteMs = 60_000;
/** Class 55 of PostgreSQL's error codes. */
const lockNotAvailable = '55P03';
const seats = 7;
const nowMs = Date.UTC(2027, 2, 1, 8);
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minuteMs;

const database = await openThrowAwayDatabase();
const log = await createLog({ level: 'silent', format: 'json' });
const config = loadConfig({
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  PUBLIC_URL: 'http://localhost',
  DATA_DIR: '/nonexistent',
});
const clock = {
  now: () => Temporal.Instant.fromEpochMilliseconds(nowMs),
  nowMs: () => nowMs,
  monotonicMs: () => performance.now(),
};
const openProcess = async () => {
  const opened = await openApp({
    config: { ...config, role: 'web' },
    databaseUrl: database.url,
    encryptionKeys: `race:${Buffer.alloc(32, 7).toString('base64')}`,
    log,
    features,
    clock,
  });
  const { fastify } = await createHttpServer(opened.app, features, { requestsPerMinute: 1e9 });
  return { ...opened, fastify };
};
const processes = [await openProcess(), await openProcess()] as const;
const [{ app }] = processes;
const anna = await openAccount(app, 'anna@example.org');
const window = { kind: 'rolling', days: 60 } as const;
const [one, group, asked] = [
  await insertBookable({ app }, anna, 'intro', { window }),
  await insertBookable({ app }, anna, 'class', { window, kind: 'group', seats }),
  await insertBookable({ app }, anna, 'asked', { window, confirmation: true }),
];

interface Call {
  url: string;
  payload?: object;
  headers?: Record<string, string>;
}

let network = 0;
/** Each comes from somewhere else, and to the next process. */
async function post(call: Call): Promise<{ status: number; ms: number; body: unknown }> {
  network = (network + 1) % 0xffffff;
  const atMs = performance.now();
  const answer = await processes[network % 2 === 0 ? 0 : 1].fastify.inject({
    method: 'POST',
    remoteAddress: `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`,
    ...call,
  });
  return { status: answer.statusCode, ms: performance.now() - atMs, body: answer.json() };
}

const guest = (n: number, round: number) => ({
  start: nine,
  name: `Guest ${n}`,
  email: `guest-${round}-${n}@example.net`,
  zone: 'UTC',
});

async function bookOne(path: string, round: number): Promise<{ token: string }> {
  const { body } = await post({ url: `${path}/bookings`, payload: guest(clients, round) });
  const [made] = (body as { bookings: { token: string }[] }).bookings;
  if (made === undefined) throw new Error('nothing was booked');
  return made;
}

interface Race {
  winners: number;
  status: number;
  /** Prepares the data of a round, and then returns each client's call. */
  prepare(round: number): Promise<(n: number) => Call>;
}

const races: Record<string, Race> = {
  booking: {
    winners: 1,
    status: 201,
    prepare: async (round) => (n) => ({ url: `${one.path}/bookings`, payload: guest(n, round) }),
  },
  seats: {
    winners: seats,
    status: 201,
    prepare: async (round) => (n) => ({ url: `${group.path}/bookings`, payload: guest(n, round) }),
  },
  holds: {
    winners: 1,
    status: 201,
    prepare: async () => () => ({ url: `${one.path}/holds`, payload: { start: nine } }),
  },
  confirm: {
    winners: 1,
    status: 200,
    async prepare(round) {
      await bookOne(asked.path, round);
      const { rows } = await sql<{ id: string }>`select id from booking.bookings`.execute(app.db);
      const headers = { authorization: `Bearer ${anna.token}` };
      return () => ({ url: `/api/bookings/${rows[0]?.id}/confirm`, payload: {}, headers });
    },
  },
  reschedule: {
    winners: 1,
    status: 200,
    async prepare(round) {
      const { token } = await bookOne(one.path, round);
      return (n) => ({
        url: `/api/booked/${token}/reschedule`,
        payload: { start: nine + 30 * (1 + (n % 10)), sequence: 0 },
      });
    },
  },
};

/**
 * Restores the state before the round. Follow-up work may still be running, and a truncate that meets it would count as
 * a deadlock. The truncate therefore gives up long before PostgreSQL looks for one (after a second).
 */
async function empty(): Promise<void> {
  try {
    await app.db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '100ms'`.execute(tx);
      await sql`truncate booking.appointments, platform.limits, edits.edits, jobs.job, platform.feed cascade`.execute(
        tx,
      );
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error;
    await empty();
  }
}

let faults = 0;
for (const name of values.of?.split(',') ?? Object.keys(races)) {
  const race = races[name];
  if (race === undefined) throw new Error(`no race is called ${name}: ${Object.keys(races).join(', ')}`);
  const waitsMs: number[] = [];
  const worstMs: number[] = [];
  let wrong = 0;
  const startedMs = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const call = await race.prepare(round);
    const answers = await Promise.all(Array.from({ length: clients }, (_, n) => post(call(n))));
    const won = answers.filter(({ status }) => status === race.status).length;
    const lost = answers.filter(({ status }) => status === 409).length;
    if (won !== race.winners || lost !== clients - race.winners) {
      wrong += 1;
      console.error(`${name}, round ${round}: ${won} got it, ${lost} were told that it is gone, of ${clients}`);
    }
    const ms = answers.map((answer) => answer.ms);
    waitsMs.push(...ms);
    worstMs.push(Math.max(...ms));
    await empty();
  }
  faults += wrong;
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::int from pg_stat_database where datname = current_database()`.execute(app.db);
  console.log(
    `${name}, ${rounds} rounds of ${clients} in ${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${wrong} with ` +
      `another outcome than ${race.winners} of ${clients}, ${rows[0]?.deadlocks} deadlocks; answered in ` +
      `${percentile(waitsMs, 50).toFixed(0)} ms (p50), ${percentile(waitsMs, 99).toFixed(0)} ms (p99); the last of a ` +
      `round in ${percentile(worstMs, 50).toFixed(0)} ms (p50), ${percentile(worstMs, 100).toFixed(0)} ms at most; ` +
      `${waitsMs.filter((ms) => ms > patienceMs).length} later than ${patienceMs} ms`,
  );
}
for (const { fastify, close } of processes) {
  await fastify.close();
  await close();
}
await database.close();
process.exitCode = faults > 0 ? 1 : 0;

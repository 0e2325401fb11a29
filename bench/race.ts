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
 * `npm run race`, `-- --rounds 20 --clients 500`: that many clients on one time, over HTTP in this process, as often as
 * that; one has to get it and the others to be told that it is taken. The small one is booking/race.test.ts.
 */

const { values } = parseArgs({ options: { rounds: { type: 'string' }, clients: { type: 'string' } } });
const rounds = Number(values.rounds ?? 1_000);
const clients = Number(values.clients ?? 500);
const patienceMs = 1_000;
const minuteMs = 60_000;
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
const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(nowMs), nowMs: () => nowMs };
const opened = await openApp({
  config: { ...config, role: 'web' },
  databaseUrl: database.url,
  encryptionKeys: `race:${Buffer.alloc(32, 7).toString('base64')}`,
  log,
  features,
  clock,
});
const { fastify } = await createHttpServer(opened.app, features, { requestsPerMinute: 1e9 });
const anna = await openAccount(opened.app, 'anna@example.org');
const { path } = await insertBookable(opened, anna, 'intro', { window: { kind: 'rolling', days: 60 } });

let network = 0;
const waitsMs: number[] = [];
let faults = 0;
let slow = 0;
for (let round = 0; round < rounds; round += 1) {
  const answers = await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      network = (network + 1) % 0xffffff;
      const atMs = performance.now();
      const { statusCode } = await fastify.inject({
        method: 'POST',
        url: `${path}/bookings`,
        payload: { start: nine, name: `Guest ${n}`, email: `guest-${round}-${n}@example.net`, zone: 'UTC' },
        remoteAddress: `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`,
      });
      waitsMs.push(performance.now() - atMs);
      return statusCode;
    }),
  );
  const won = answers.filter((status) => status === 201).length;
  const lost = answers.filter((status) => status === 409).length;
  if (won !== 1 || lost !== clients - 1) {
    faults += 1;
    console.error(`round ${round}: ${won} got it, ${lost} were told that it is taken, of ${clients}`);
  }
  slow += waitsMs.slice(-clients).filter((ms) => ms > patienceMs).length;
  await sql`truncate booking.appointments, platform.limits cascade`.execute(opened.app.db);
}
const { rows } = await sql<{ deadlocks: number }>`
  select deadlocks::int from pg_stat_database where datname = current_database()`.execute(opened.app.db);
console.log(
  `${rounds} rounds of ${clients}: ${faults} with another outcome than one winner, ${rows[0]?.deadlocks} deadlocks; ` +
    `answered in ${percentile(waitsMs, 50).toFixed(0)} ms (p50), ${percentile(waitsMs, 99).toFixed(0)} ms (p99), ` +
    `${Math.max(...waitsMs.slice(-100_000)).toFixed(0)} ms at most; ${slow} later than ${patienceMs} ms`,
);
await fastify.close();
await opened.close();
await database.close();
process.exitCode = faults > 0 ? 1 : 0;

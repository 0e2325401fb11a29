import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { defaultHours } from '#features/availability/rules/hours.ts';
import { loadSlotQuestion } from '#features/booking/load-slot-question.ts';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { findType } from '#features/booking/store/event-type-rows.ts';
import { queryInt } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import type { EventTypeId, UserId } from '#kernel/ids.ts';
import { listSlots } from '#kernel/slots/list-slots.ts';
import type { Feature } from '#platform/feature.ts';
import { bindRoutes } from '#platform/routes.ts';
import { type BenchOptions, type BenchRow, median, percentile } from './harness.ts';
import { openPostgresCpu } from './postgres-cpu.ts';
import { serveProduct } from './serve-product.ts';
import type { Visit, Visited } from './slot-visitors.ts';
import { floorSlots } from './slots-floor.ts';
import { openThrowAwayDatabase, type ThrowAwayDatabase } from './throw-away-database.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const spansEach = 100;
const zones = ['America/New_York', 'Europe/London', 'Europe/Paris', 'Asia/Dubai', 'America/Los_Angeles'];

/** A measurement with the CPU time of the answering thread and of PostgreSQL, independent of other load. */
type Measured = Visited & { cpuUs?: number; postgresUs?: number };

interface Person {
  userId: UserId;
  typeId: EventTypeId;
  handle: string;
  zone: string;
}

/** S4: a guest's browser asks for slots, out of a million spans, 32 at once. */
export async function measureSlotCalls(options: BenchOptions): Promise<BenchRow[]> {
  const database = await openThrowAwayDatabase();
  const firstMs = Math.floor(Date.now() / dayMs + 1) * dayMs;
  const people = await fillPeople(database, options.quick ? 200 : 10_000, firstMs);
  const product = await serveProduct(database, { features: [teamFeature(people)], trustProxy: true });
  const floor = await serveFloor(database, people, firstMs);
  const visitors = new Worker(new URL('./slot-visitors.ts', import.meta.url));
  const visit = async (asked: Visit) => {
    visitors.postMessage(asked);
    const [visited] = (await once(visitors, 'message')) as [Visited];
    return visited;
  };
  const postgresCpu = await openPostgresCpu(database.db);
  try {
    const rows: BenchRow[] = [];
    for (const { what, days, gateMs, path } of questions) {
      const query = `from=${firstMs / minuteMs}&to=${(firstMs + days * dayMs) / minuteMs}`;
      const urls = (address: string) =>
        Array.from({ length: 2_000 }, (_, n) => `${address}${path(people, (n * 7_919) % people.length)}?${query}`);
      const samples = { ours: [] as Measured[], floor: [] as Measured[] };
      for (let round = -1; round < (options.quick ? 1 : 3); round += 1) {
        for (const [name, address] of [
          ['ours', product.address],
          ['floor', floor.address],
        ] as const) {
          const [before, postgresBefore] = [process.threadCpuUsage(), postgresCpu()];
          const visited: Measured = await visit({
            urls: urls(address),
            connections: 32,
            forMs: options.quick ? 2_000 : 5_000,
          });
          const { user, system } = process.threadCpuUsage(before);
          visited.cpuUs = (user + system) / visited.latenciesMs.length;
          visited.postgresUs = (postgresCpu() - postgresBefore) / visited.latenciesMs.length;
          if (visited.failures.length > 0) throw new Error(visited.failures[0]);
          if (visited.starts === 0) throw new Error(`${what}: no starts`);
          if (round >= 0) samples[name].push(visited);
        }
      }
      const latencies = (of: Visited[]) => of.flatMap(({ latenciesMs }) => latenciesMs);
      const perSecond = (of: Visited[]) =>
        median(of.map(({ latenciesMs, tookMs }) => (latenciesMs.length * 1_000) / tookMs));
      const spent = (of: Measured[]) =>
        `${median(of.map(({ cpuUs = 0 }) => cpuUs)).toFixed(0)} + ${median(of.map(({ postgresUs = 0 }) => postgresUs)).toFixed(0)}`;
      const p99 = percentile(latencies(samples.ours), 99);
      const share = perSecond(samples.ours) / perSecond(samples.floor);
      rows.push({
        id: 'S4',
        what: `GET slots of ${what}, ${days} days, among ${people.length * spansEach} spans, 32 connections: p99`,
        unit: 'ms',
        ours: p99,
        floor: percentile(latencies(samples.floor), 99),
        peers: {},
        gate: `p99 <= ${gateMs} ms`,
        passed: p99 <= gateMs,
        note: `p50 ${median(latencies(samples.ours)).toFixed(1)} ms; ${perSecond(samples.ours).toFixed(0)} req/s, floor ${perSecond(samples.floor).toFixed(0)} (${(share * 100).toFixed(0)}%); ${spent(samples.ours)} us of the serving thread and PostgreSQL each, floor ${spent(samples.floor)}`,
      });
    }
    return rows;
  } finally {
    await visitors.terminate();
    await floor.close();
    await product.close();
    await database.close();
  }
}

const questions = [
  {
    what: '1 host',
    days: 30,
    gateMs: 20,
    path: (people: Person[], n: number) => `/api/book/${people[n]!.handle}/intro/slots`,
  },
  {
    what: 'a round robin of 20 hosts',
    days: 60,
    gateMs: 100,
    path: (_: Person[], n: number) => `/api/bench/team/${n}`,
  },
] as const;

const teamSize = 20;
const teamOf = (people: Person[], first: number) =>
  Array.from({ length: teamSize }, (_, k) => people[(first + k * 131) % people.length]!);

/** The slots of a team's page, computed from existing parts: no team can own such a type yet. */
function teamFeature(people: Person[]): Feature {
  const contract = {
    team: endpoint({
      method: 'GET',
      path: '/api/bench/team/{first}',
      auth: 'public',
      summary: 'Slots of twenty hosts',
      params: z.strictObject({ first: queryInt(0, 1_000_000) }),
      query: z.strictObject({ from: queryInt(0, 1e9), to: queryInt(0, 1e9) }),
      output: z.strictObject({ starts: z.array(z.int()) }),
    }),
  };
  const routes = bindRoutes(contract, {
    async team({ app, input: { params, query } }) {
      const team = teamOf(people, params.first);
      const type = await findType(app.db, team[0]!.typeId);
      if (type === null) throw new Error('no type');
      const { question } = await loadSlotQuestion(app.db, {
        type: { ...type, kind: 'round-robin' },
        link: null,
        range: { startMs: query.from * minuteMs, endMs: query.to * minuteMs },
        durationMinutes: 30,
        nowMs: app.clock.nowMs(),
        hosts: team.map(({ userId }) => ({ userId, policy: { kind: 'default' } })),
      });
      return { starts: listSlots(question).map((startMs) => startMs / minuteMs) };
    },
  });
  return { name: 'bench', routes: [routes] };
}

/** Nothing but HTTP, one query, the least engine and JSON; hours are known beforehand. */
async function serveFloor({ pool }: ThrowAwayDatabase, people: Person[], firstMs: number) {
  const byHandle = new Map(people.map((person) => [person.handle, person]));
  const open = new Map(zones.map((zone) => [zone, openDays(zone, firstMs, 62)]));
  const answer = async (url: string) => {
    const [path = '', query = ''] = url.split('?');
    const parts = path.split('/');
    const asked = new URLSearchParams(query);
    const range = { startMs: Number(asked.get('from')) * minuteMs, endMs: Number(asked.get('to')) * minuteMs };
    const team = path.includes('/team/') ? teamOf(people, Number(parts[4])) : [byHandle.get(parts[3]!)!];
    const { rows } = await pool.query<{ user_id: string; start_ms: number; end_ms: number }>({
      name: 'floor-slots',
      text: `select user_id, start_ms, end_ms from calendar.spans where user_id = any($1::uuid[])
        and end_ms - start_ms <= 93600000 and start_ms > $2 and start_ms < $3 and end_ms > $4 and class = 'busy'
        order by user_id, start_ms`,
      values: [team.map(({ userId }) => userId), range.startMs - dayMs, range.endMs, range.startMs],
    });
    const busy = new Map(team.map(({ userId }) => [userId as string, [] as { startMs: number; endMs: number }[]]));
    for (const row of rows) busy.get(row.user_id)!.push({ startMs: row.start_ms, endMs: row.end_ms });
    const hosts = team.map(({ userId, zone }) => ({
      id: userId,
      open: open.get(zone)!,
      busy: busy.get(userId)!,
      blocks: [],
    }));
    const starts = floorSlots({
      range,
      hosts,
      shape: 'round-robin',
      stepMs: 15 * minuteMs,
      durationMs: 30 * minuteMs,
    });
    return JSON.stringify({ starts: starts.map((startMs) => startMs / minuteMs) });
  };
  const server = createServer((message, response) => {
    answer(message.url ?? '').then(
      (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function openDays(zone: string, firstMs: number, days: number) {
  const first = Temporal.Instant.fromEpochMilliseconds(firstMs).toZonedDateTimeISO('UTC').toPlainDate();
  return Array.from({ length: days + 2 }, (_, n) => first.add({ days: n - 1 }))
    .filter((day) => day.dayOfWeek <= 5)
    .map((day) => {
      const at = (hour: number) => day.toZonedDateTime({ timeZone: zone, plainTime: { hour } }).epochMilliseconds;
      return { startMs: at(9), endMs: at(17) };
    });
}

/** People with hours of their own, an event type at an address, and a hundred busy times over a year from the first day. */
async function fillPeople({ pool }: ThrowAwayDatabase, count: number, firstMs: number): Promise<Person[]> {
  const settings = { ...defaultSettings('one-on-one'), step_minutes: 15, window: { kind: 'rolling', days: 300 } };
  const client = await pool.connect();
  try {
    // Foreign keys are not the subject here: spans stand without their calendars and items.
    await client.query('set session_replication_role = replica');
    await client.query(
      `create temporary table people as select gen_random_uuid() as id, gen_random_uuid() as type_id,
         gen_random_uuid() as policy_id, 'person-' || n as handle, ($2::text[])[1 + n % 5] as zone
       from generate_series(1, $1) n`,
      [count, zones],
    );
    await client.query(`insert into accounts.users (id, email, email_verified_at, zone)
      select id, handle || '@example.org', now(), zone from people`);
    await client.query(
      `insert into booking.handles (look, handle, user_id) select sha256(handle::bytea), handle, id from people`,
    );
    await client.query(
      `insert into booking.event_types (id, user_id, slug, title, kind, position, settings)
       select type_id, id, 'intro', 'Intro', 'one-on-one', 1, $1 from people`,
      [JSON.stringify(settings)],
    );
    await client.query(`insert into availability.policies (id, user_id, name, version, created_ms)
      select policy_id, id, 'Hours', 1, 0 from people`);
    await client.query(
      `insert into availability.versions (policy_id, n, hours, created_ms)
       select policy_id, 1, jsonb_set($1, '{timezone}', to_jsonb(zone)), 0 from people`,
      [JSON.stringify(defaultHours('America/New_York'))],
    );
    await client.query(
      `insert into availability.defaults (user_id, from_ms, policy_id) select id, 0, policy_id from people`,
    );
    await client.query('select setseed(0.5)');
    await client.query(
      `insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class)
       select id, id, id, k::text, at, at + 1800000 * (1 + floor(random() * 4))::bigint, false, 'busy'
       from people, generate_series(1, $1) k,
         lateral (select $2::bigint + 900000 * floor(random() * 35040 + k * 0)::bigint as at) moment`,
      [spansEach, firstMs],
    );
    const { rows } = await client.query<Person>(
      `select id as "userId", type_id as "typeId", handle, zone from people order by handle`,
    );
    await client.query('drop table people');
    await client.query('set session_replication_role = default');
    await client.query('vacuum analyze');
    return rows;
  } finally {
    client.release();
  }
}

import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { Agent, request } from 'undici';
import { getDashboard } from '#features/analytics/panels/panels.ts';
import { recountPerson } from '#features/analytics/sums.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { openAccount } from '../test/harness/open-account.ts';
import { type Bench, type BenchRow, interleave, median, percentile, timed } from './harness.ts';
import { type ServedProduct, serveProduct } from './serve-product.ts';
import { openThrowAwayDatabase } from './throw-away-database.ts';

/**
 * B1: the whole dashboard of one of 2,000 people with a million bookings among them, over HTTP, beside the one index scan
 * without which nothing can be said. B2: the same of people with as much in the period and two, twenty and two hundred
 * months behind them: what it costs follows the period.
 */
export const analyticsBench: Bench = {
  rows: ['B1', 'B2'],
  async run(wanted, { quick }, print) {
    const database = await openThrowAwayDatabase();
    const product = await serveProduct(database);
    const agent = new Agent({ connections: 1 });
    try {
      const world = await fill(product, quick ? { people: 40, bookings: 50 } : { people: 2_000, bookings: 500 });
      await database.pool.query('vacuum analyze');
      const ask = async (token: string) => {
        const answer = await request(`${product.address}/analytics/dashboard`, {
          headers: { authorization: `Bearer ${token}` },
          dispatcher: agent,
        });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}: ${text.slice(0, 200)}`);
      };
      if (wanted.has('B1')) print(await measureAll(product, world, ask, quick ? 3 : 10));
      if (wanted.has('B2')) print(await measureHistory(world, ask, quick ? 3 : 31));
    } finally {
      await agent.close();
      await product.close();
      await database.close();
    }
  },
};

const gateMs = 150;
const dayMs = 86_400_000;
const sampled = 20;

interface Person {
  userId: UserId;
  token: string;
}

interface World {
  people: number;
  bookings: number;
  some: Person[];
  /** By months of history, as many bookings a month. */
  histories: { months: number; person: Person }[];
}

type Ask = (token: string) => Promise<void>;

async function measureAll({ app }: ServedProduct, world: World, ask: Ask, rounds: number): Promise<BenchRow> {
  const samples = { ours: [] as number[], floor: [] as number[] };
  for (let round = -1; round < rounds; round += 1) {
    for (const { userId, token } of world.some) {
      const [ours, floor] = [await timed(() => ask(token)), await timed(() => scan(app.db, userId))];
      if (round < 0) continue;
      samples.ours.push(ours);
      samples.floor.push(floor);
    }
  }
  const counts = new Set<number>();
  for (const { userId } of world.some) counts.add(await countStatements(app, userId));
  const ours = percentile(samples.ours, 95);
  return {
    id: 'B1',
    what: `the whole dashboard, 30 days, p95 over ${world.some.length} of ${world.people} people with ${world.bookings} bookings each`,
    unit: 'ms',
    ours,
    floor: percentile(samples.floor, 95),
    peers: {},
    gate: `<= ${gateMs} ms, always as many statements`,
    passed: ours <= gateMs && counts.size === 1,
    note: `median ${median(samples.ours).toFixed(1)} ms; ${[...counts].join(' or ')} statements`,
  };
}

const scan = (db: Database, userId: UserId) =>
  sql`select count(*) from analytics.facts where host_id = ${userId} and start_ms > ${Date.now() - 60 * dayMs}`.execute(
    db,
  );

async function countStatements({ db, clock, config }: ServedProduct['app'], userId: UserId): Promise<number> {
  let statements = 0;
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await getDashboard({ db: counted, clock, config }, { userId }, {});
  return statements;
}

async function measureHistory({ histories }: World, ask: Ask, rounds: number): Promise<BenchRow> {
  const samples = await interleave(
    histories.map(({ months, person }) => ({ name: String(months), run: () => timed(() => ask(person.token)) })),
    rounds,
    2,
  );
  const costs = histories.map(({ months }) => median(samples[String(months)] ?? []));
  const [first = 0, last = 0] = [costs[0], costs.at(-1)];
  return {
    id: 'B2',
    what: `the same with ${histories.map(({ months }) => months).join(', ')} months behind, 20 bookings each: last over first`,
    unit: 'x',
    ours: last / first,
    floor: 1,
    peers: {},
    gate: '<= 1.5',
    passed: last / first <= 1.5,
    note: `medians ${costs.map((cost) => cost.toFixed(1)).join(', ')} ms`,
  };
}

/** People with two years behind and a month ahead of them, a few that can be asked as, and the histories. */
async function fill({ app }: ServedProduct, size: { people: number; bookings: number }): Promise<World> {
  const { db } = app;
  const some: Person[] = [];
  for (let n = 0; n < sampled; n += 1) some.push(await openAccount(app, `asked${n}@example.org`));
  const histories: World['histories'] = [];
  for (const months of [2, 20, 200])
    histories.push({ months, person: await openAccount(app, `history${months}@example.org`) });
  const others = Array.from({ length: size.people - sampled }, () => randomUUIDv7() as UserId);
  await sql`insert into accounts.users (id, email) select u, u || '@example.com' from unnest(${others}::uuid[]) as g(u)`.execute(
    db,
  );
  const people = [...some.map(({ userId }) => userId), ...others];
  // a few hundred people in a statement, so that none of them holds the cluster's memory
  for (let from = 0; from < people.length; from += 200)
    await fillBookings(db, people.slice(from, from + 200), size.bookings, 730);
  for (const { months, person } of histories) await fillBookings(db, [person.userId], 20 * months, 30 * months);
  for (const userId of [...some, ...histories.map(({ person }) => person)].map((one) => one.userId)) {
    await fillEvents(db, userId);
    await recountPerson(db, userId);
  }
  return { ...size, some, histories };
}

async function fillBookings(db: Database, people: readonly UserId[], each: number, days: number): Promise<void> {
  const nowMs = Date.now();
  const span = (days + 30) * dayMs;
  await sql`
    with types as (
      insert into booking.event_types (id, user_id, slug, title, kind, position, settings)
      select gen_random_uuid(), u, 'intro', 'Intro', 'one-on-one', 0, '{}' from unnest(${people}::uuid[]) as g(u)
      returning id, user_id),
    made as materialized (
      select gen_random_uuid() as id, gen_random_uuid() as appointment_id, t.user_id, t.id as type_id, n,
        (${nowMs - days * dayMs} + (n + random()) * ${span / each})::bigint / 900000 * 900000 as start_ms,
        (random() * 14 * ${dayMs})::bigint as lead_ms, random() as luck
      from types t cross join generate_series(0, ${each - 1}) as n),
    appointments as (
      insert into booking.appointments (id, user_id, event_type_id, host_ids, title, start_ms, end_ms, buffer_before_ms,
        buffer_after_ms, seats, location, event_key, live)
      select appointment_id, user_id, type_id, array[user_id], 'Intro', start_ms, start_ms + 1800000, 0, 0, 1,
        '{"kind":"link","url":"https://meet.example.org/x"}', id::text, luck > 0.1 from made
      returning id),
    bookings as (
      insert into booking.bookings (id, uid, appointment_id, seat, user_id, event_type_id, state, token_hash, guest_name,
        guest_email, guest_zone, created_ms, confirmed_ms, ended_ms, guest_no_show)
      select id, id, appointment_id, 1, user_id, type_id, case when luck > 0.1 then 'confirmed' else 'cancelled' end,
        decode(replace(id::text, '-', ''), 'hex'), 'Guest', 'guest' || (n * 7919) % 300 || '@firm' || n % 40 || '.example',
        'Europe/Berlin', start_ms - lead_ms, start_ms - lead_ms, case when luck <= 0.1 then start_ms - lead_ms / 2 end,
        luck > 0.97 and start_ms < ${nowMs} from made
      returning id),
    audit as (
      insert into booking.audit (booking_id, at_ms, actor, kind) select id, start_ms - lead_ms, 'guest', 'confirmed' from made
      returning id),
    facts as (
      insert into analytics.facts (booking_id, host_id, event_type_id, state, created_ms, start_ms, end_ms, ended_ms,
        confirmed_ms, guest_no_show, host_no_show, guest_zone)
      select id, user_id, type_id, case when luck > 0.1 then 'confirmed' else 'cancelled' end, start_ms - lead_ms, start_ms,
        start_ms + 1800000, case when luck <= 0.1 then start_ms - lead_ms / 2 end, start_ms - lead_ms,
        luck > 0.97 and start_ms < ${nowMs}, false, 'Europe/Berlin' from made
      returning booking_id),
    met as (
      insert into contacts.guests (booking_id, user_id, address)
      select id, user_id, 'guest' || (n * 7919) % 300 || '@firm' || n % 40 || '.example' from made
      returning booking_id)
    insert into analytics.visits (event_type_id, visitor, first_ms, last_ms, chosen_ms, submitted_ms, booking_id)
    select type_id, decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), at_ms, at_ms, at_ms,
      case when visit = 0 then at_ms end, case when visit = 0 then id end
    from made cross join generate_series(0, 1) as visit cross join lateral (select start_ms - lead_ms as at_ms) a`.execute(
    db,
  );
}

/** Ninety days of a calendar, four events a day, one of them with somebody; mirrored to another. */
async function fillEvents(db: Database, userId: UserId): Promise<void> {
  const [accountId, calendarId, targetId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  await sql`insert into connections.connections (id, user_id, provider, label, base_url, username, secret)
    values (${accountId}, ${userId}, 'caldav', 'home', 'https://dav.example.com/', ${accountId}, '')`.execute(db);
  for (const id of [calendarId, targetId])
    await sql`insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable, last_synced_at)
      values (${id}, ${accountId}, ${userId}, ${id}, 'Work', '#336699', true, now())`.execute(db);
  const fromMs = Date.now() - 85 * dayMs;
  await sql`
    with made as materialized (
      select gen_random_uuid() as id, n, ${fromMs} + n * ${dayMs / 4}::bigint as start_ms from generate_series(0, 459) as n),
    items as (
      insert into calendar.items (id, calendar_id, user_id, ref, uid, version, provenance, body, hash, title)
      select id, ${calendarId}, ${userId}, id::text, id::text, '1', 'foreign', '{}', '', 'Event' from made returning id),
    spans as (
      insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class, meeting)
      select ${userId}, ${calendarId}, id, '', start_ms, start_ms + 3600000, false, 'busy', n % 4 = 0 from made returning item_id),
    mirrors as (
      insert into sync.mirrors (id, user_id, origin_calendar_id, origin_item_id, origin_uid, target_calendar_id,
        target_connection_id, identity_key, state, verified_at)
      select gen_random_uuid(), ${userId}, ${calendarId}, id, id::text, ${targetId}, ${accountId}, 'k' || id, 'created', now()
      from made returning id),
    readings as (
      insert into contacts.readings (item_id, calendar_id, version) select id, ${calendarId}, '1' from made returning item_id)
    select count(*) from items, spans, mirrors, readings where false`.execute(db);
  await sql`
    insert into contacts.attendances (item_id, user_id, address)
    select s.item_id, ${userId}, 'met' || (row_number() over () % 60) || '@client' || (row_number() over () % 9) || '.example'
    from calendar.spans s where s.user_id = ${userId} and s.meeting`.execute(db);
}

import { randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Agent, request } from 'undici';
import { generateCalendar } from '#emulators/caldav/generate-calendar.ts';
import { applyChanges } from '#features/calendar/public.ts';
import type { Item } from '#kernel/event.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { type Bench, type BenchOptions, type BenchRow, interleave, median, ratio, timed } from './harness.ts';
import { type ServedProduct, serveProduct } from './serve-product.ts';
import { openThrowAwayDatabase, type ThrowAwayDatabase } from './throw-away-database.ts';

/** C1: a month of 2,000 events in 12 calendars, as the calendar asks for it, over HTTP. */
export const calendarMonthBench: Bench = {
  rows: ['C1'],
  async run(_wanted, options, print) {
    const database = await openThrowAwayDatabase();
    const product = await serveProduct(database);
    try {
      print(await measureMonth(product, database, options));
    } finally {
      await product.close();
      await database.close();
    }
  },
};

const calendarCount = 12;
const eventCount = 2_000;
const gateMs = 50;
const dayMs = 86_400_000;

async function measureMonth(
  product: ServedProduct,
  database: ThrowAwayDatabase,
  { quick }: BenchOptions,
): Promise<BenchRow> {
  const month = await fillMonth(product);
  await database.pool.query('vacuum analyze calendar.items, calendar.spans');
  // The least that can be done: no framework, no contract, one query, and its rows as they come.
  const bare = createServer((_message, response) => {
    database.pool
      .query({
        name: 'floor-month',
        text: `select s.item_id, s.calendar_id, s.rec_id, s.start_ms, s.end_ms, s.all_day, s.class, i.body
          from calendar.spans s join calendar.items i on i.id = s.item_id
          where s.user_id = $1 and s.start_ms < $3 and s.end_ms > $2 order by s.start_ms`,
        values: [product.userId, month.fromMs, month.toMs],
      })
      .then(
        ({ rows }) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows)),
        () => response.writeHead(500).end(),
      );
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const { port } = bare.address() as AddressInfo;
  const agent = new Agent({ connections: 1 });
  let bytes = 0;
  const ask = async (url: string) => {
    const answer = await request(url, { headers: { authorization: `Bearer ${product.token}` }, dispatcher: agent });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`a month answered ${answer.statusCode}: ${text.slice(0, 200)}`);
    return text;
  };
  const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  const url = `${product.address}/api/calendars/events?from=${iso(month.fromMs)}&to=${iso(month.toMs)}`;
  const { events } = JSON.parse(await ask(url)) as { events: unknown[] };
  const samples = await interleave(
    [
      { name: 'ours', run: () => timed(async () => (bytes = (await ask(url)).length)) },
      { name: 'floor', run: () => timed(() => ask(`http://127.0.0.1:${port}/`)) },
    ],
    quick ? 5 : 60,
    5,
  );
  await agent.close();
  await new Promise((resolve) => bare.close(resolve));
  const [ours, floor] = [median(samples.ours ?? []), median(samples.floor ?? [])];
  return {
    id: 'C1',
    what: `a month of ${events.length} events in ${calendarCount} calendars (GET /api/calendars/events); client and server in one process`,
    unit: 'ms',
    ours,
    floor,
    peers: {},
    gate: `<= ${gateMs} ms`,
    passed: ours <= gateMs && events.length >= eventCount,
    note: `${(bytes / 1_000).toFixed(0)} KB, ${ratio(samples, 'ours', 'floor').toFixed(2)}x the floor of bare node:http and one query`,
  };
}

/** Twelve calendars in four accounts with as many events a month as people with a full one have. */
async function fillMonth({ app, userId }: ServedProduct): Promise<{ fromMs: number; toMs: number }> {
  const fromMs = Math.ceil(app.clock.nowMs() / dayMs) * dayMs;
  const month = { fromMs, toMs: fromMs + 30 * dayMs };
  const fromDay = Temporal.Instant.fromEpochMilliseconds(fromMs).toString().slice(0, 10);
  let accountId = '';
  for (let n = 0; n < calendarCount; n += 1) {
    const calendarId = randomUUIDv7() as string as CalendarId;
    if (n % 3 === 0) accountId = randomUUIDv7();
    await sql`insert into connections.connections (id, user_id, provider, label, base_url, username, secret)
      values (${accountId}, ${userId}, 'caldav', 'home', 'https://dav.example.com/', ${accountId}, '')
      on conflict (id) do nothing`.execute(app.db);
    await sql`insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable)
      values (${calendarId}, ${accountId}, ${userId}, ${`/c${n}/`}, ${`Calendar ${n}`}, '#336699', true)`.execute(
      app.db,
    );
    // 144 objects of the generator are about 168 instances within thirty days
    const objects = generateCalendar({ count: 144, fromDay, days: 29, seed: n + 1, prefix: `c${n}` });
    const items = objects.map(({ name, uid, body }): Item => {
      const parsed = parseObject(body, { selfAddresses: [], tags: { verify: () => false } });
      return { ref: `/c${n}/${name}`, uid, version: '1', provenance: 'foreign', body: parsed.body };
    });
    const calendar = { calendarId, userId, calendarZone: 'America/New_York', ownerZone: 'America/New_York' };
    await inTransaction(app.db, (tx) => applyChanges(tx, calendar, { items, gone: [] }, app.clock.nowMs()));
  }
  return month;
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { fillCalendars } from './fill-calendars.ts';
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

async function measureMonth(
  product: ServedProduct,
  database: ThrowAwayDatabase,
  { quick }: BenchOptions,
): Promise<BenchRow> {
  // 144 objects of the generator are about 168 instances within thirty days
  const month = await fillCalendars(product, { calendars: calendarCount, objects: 144, days: 29 });
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

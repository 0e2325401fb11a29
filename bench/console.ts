import { sql } from 'kysely';
import { Agent, request } from 'undici';
import { refreshDocuments } from '#features/search/documents.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { fillCalendars } from './fill-calendars.ts';
import { type Bench, type BenchRow, interleave, median, timed } from './harness.ts';
import { type ServedProduct, serveProduct } from './serve-product.ts';
import { openThrowAwayDatabase } from './throw-away-database.ts';

/**
 * C2 to C4: the console and the search of somebody with 50,000 meetings, over HTTP, each beside the least that the
 * database can do for it: the one scan or index look-up without which nothing can be said.
 */
export const consoleBench: Bench = {
  rows: ['C2', 'C3', 'C4'],
  async run(wanted, { quick }, print) {
    const database = await openThrowAwayDatabase();
    const product = await serveProduct(database);
    const agent = new Agent({ connections: 1 });
    try {
      const instances = await fill(product, quick ? 60 : 1_190);
      await database.pool.query('vacuum analyze');
      const ask = async (path: string) => {
        const answer = await request(`${product.address}${path}`, {
          headers: { authorization: `Bearer ${product.token}` },
          dispatcher: agent,
        });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 200)}`);
        return text;
      };
      for (const question of questions) {
        if (!wanted.has(question.id)) continue;
        print(await measure(question, { ask, product, instances, rounds: quick ? 3 : 21 }));
      }
    } finally {
      await agent.close();
      await product.close();
      await database.close();
    }
  },
};

interface Question {
  id: string;
  what: string;
  gateMs: number;
  path: string;
  /** The same of other questions of the kind, told beside it. */
  others: Record<string, string>;
  floor(userId: string): ReturnType<typeof sql>;
}

const questions: Question[] = [
  {
    id: 'C2',
    what: 'the console opened: its first page and what each tab holds',
    gateMs: 100,
    path: '/meetings?scope=upcoming',
    others: { past: '/meetings?scope=past', 'by title': '/meetings?scope=upcoming&sort=title' },
    floor: (userId) => sql`select count(*) from calendar.spans where user_id = ${userId}`,
  },
  {
    id: 'C3',
    what: 'its mirrors: the first page, trouble first',
    gateMs: 100,
    path: '/meetings?scope=mirrors',
    others: {
      'by date': '/meetings?scope=mirrors&sort=date',
      'by title': '/meetings?scope=mirrors&sort=title',
      failed: '/meetings?scope=mirrors&status=failed',
    },
    floor: (userId) => sql`select count(*) from sync.mirrors where user_id = ${userId}`,
  },
  {
    id: 'C4',
    what: 'a word looked for in everything',
    gateMs: 100,
    path: '/api/search?q=budget',
    others: {
      'one letter': '/api/search?q=b',
      mistyped: '/api/search?q=budgte%20reveiw',
      nothing: '/api/search?q=zzzz',
    },
    floor: (userId) => sql`select count(*) from search.documents where user_id = ${userId} and text like '% budget%'`,
  },
];

interface Setting {
  ask(path: string): Promise<string>;
  product: ServedProduct;
  instances: number;
  rounds: number;
}

async function measure(question: Question, { ask, product, instances, rounds }: Setting): Promise<BenchRow> {
  const paths = Object.entries(question.others);
  const samples = await interleave(
    [
      { name: 'ours', run: () => timed(() => ask(question.path)) },
      { name: 'floor', run: () => timed(() => question.floor(product.userId).execute(product.app.db)) },
      ...paths.map(([name, path]) => ({ name, run: () => timed(() => ask(path)) })),
    ],
    rounds,
    2,
  );
  const ours = median(samples.ours ?? []);
  const slowest = Math.max(ours, ...paths.map(([name]) => median(samples[name] ?? [])));
  return {
    id: question.id,
    what: `${question.what}; ${instances} instances of meetings in 12 calendars`,
    unit: 'ms',
    ours,
    floor: median(samples.floor ?? []),
    peers: {},
    gate: `<= ${question.gateMs} ms, the others too`,
    passed: slowest <= question.gateMs,
    note: paths.map(([name]) => `${name} ${median(samples[name] ?? []).toFixed(0)} ms`).join(', '),
  };
}

/** Half behind, half ahead; each mirrored to the next calendar, one in a hundred in trouble. */
async function fill(product: ServedProduct, objects: number): Promise<number> {
  const { app, userId } = product;
  const { calendarIds } = await fillCalendars(product, { calendars: 12, objects, days: 170, fromDay: -85 });
  const next = new Map(calendarIds.map((id, at) => [id, calendarIds[(at + 1) % calendarIds.length] as CalendarId]));
  for (const [originId, targetId] of next) {
    await sql`
      insert into sync.mirrors (id, user_id, origin_calendar_id, origin_item_id, origin_uid, target_calendar_id,
        target_connection_id, identity_key, state, desired, desired_hash, applied_hash, near_ms, ref)
      select gen_random_uuid(), ${userId}, i.calendar_id, i.id, i.uid, c.id, c.connection_id, 'k' || i.id,
        case when i.ref like '%00.ics' then 'failed' else 'created' end, '{"core":{"title":"Busy"}}', 'h', 'h', 0,
        '/block/' || i.id
      from calendar.items i join connections.calendars c on c.id = ${targetId}
      where i.calendar_id = ${originId}`.execute(app.db);
  }
  const signal = new AbortController().signal;
  for (const id of calendarIds) await refreshDocuments(app, id, { all: true, signal });
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from calendar.spans`.execute(app.db);
  return rows[0]?.count ?? 0;
}

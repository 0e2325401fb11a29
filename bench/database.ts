import { randomUUIDv7 } from 'node:crypto';
import { busyTimeReading } from '#features/calendar/public.ts';
import { insertMirrors, type NewMirror } from '#features/sync/store/intents.ts';
import { storeOutcomes } from '#features/sync/store/mirrors.ts';
import type { CalendarId, ConnectionId, ItemId, MirrorId, UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { readAlone } from '#platform/reading.ts';
import {
  type Bench,
  type BenchOptions,
  type BenchRow,
  interleave,
  median,
  percentile,
  ratio,
  timed,
} from './harness.ts';
import { openThrowAwayDatabase, type ThrowAwayDatabase } from './throw-away-database.ts';

/** D1 and D2: busy time out of a million rows. D6: saving what was mirrored. */
export const databaseBench: Bench = {
  rows: ['D1', 'D2', 'D6'],
  async run(wanted, options, print) {
    const database = await openThrowAwayDatabase();
    try {
      if (wanted.has('D1') || wanted.has('D2')) await measureBusyTime(database, wanted, options, print);
      if (wanted.has('D6')) print(await measureSaving(database, options));
    } finally {
      await database.close();
    }
  },
};

const DAY_MS = 86_400_000;
const YEAR_START_MS = Temporal.Instant.from('2027-01-01T00:00:00Z').epochMilliseconds;
const SPANS_PER_USER = 100;

interface Question {
  row: 'D1' | 'D2';
  what: string;
  users: number;
  days: number;
  gateP99Ms: number;
}

const QUESTIONS: Question[] = [
  { row: 'D1', what: 'busy time of 1 user, 30 days', users: 1, days: 30, gateP99Ms: 2 },
  { row: 'D2', what: 'busy time of 20 users, 60 days', users: 20, days: 60, gateP99Ms: 5 },
];

async function measureBusyTime(
  database: ThrowAwayDatabase,
  wanted: ReadonlySet<string>,
  { quick }: BenchOptions,
  print: (row: BenchRow) => void,
): Promise<void> {
  const counts = quick ? [200, 1_000] : [100, 10_000];
  const medians = new Map<string, number[]>();
  for (const userCount of counts) {
    const users = await fillSpans(database, userCount);
    for (const question of QUESTIONS.filter(({ row }) => wanted.has(row))) {
      const { ours, floor, gist, rows } = await ask(database, users, question, quick ? 200 : 1_000);
      const known = medians.get(question.row) ?? [];
      medians.set(question.row, [...known, median(ours)]);
      if (userCount !== counts.at(-1)) continue;
      const growthOfP50 = median(ours) / known[0]!;
      print({
        id: question.row,
        what: `${question.what}, among ${userCount * SPANS_PER_USER} rows of ${userCount} users (${rows.toFixed(1)} rows an answer): p99`,
        unit: 'ms',
        ours: percentile(ours, 99),
        floor: percentile(floor, 99),
        peers: { 'GiST p99': percentile(gist, 99) },
        gate: `p99 <= ${question.gateP99Ms} ms`,
        passed: percentile(ours, 99) <= question.gateP99Ms,
        note: `p50: ours ${median(ours).toFixed(3)}, floor ${median(floor).toFixed(3)}, GiST ${median(gist).toFixed(3)}; p50 is ${growthOfP50.toFixed(2)}x that of ${counts[0]! * SPANS_PER_USER} rows`,
      });
    }
  }
}

/** Users with 100 spans each over a year, in the real table, and the same spans in a table with a GiST index. */
async function fillSpans({ pool }: ThrowAwayDatabase, userCount: number): Promise<UserId[]> {
  const client = await pool.connect();
  try {
    // Foreign keys are not the subject here: the rows stand without their users, calendars and items.
    await client.query('set session_replication_role = replica');
    await client.query('truncate calendar.spans, calendar.items cascade');
    await client.query('drop table if exists gist_spans');
    await client.query(
      'create temporary table bench_users as select gen_random_uuid() as id, n from generate_series(1, $1) n',
      [userCount],
    );
    await client.query('select setseed(0.5)');
    await client.query(
      `insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class)
       select id, id, id, k::text, at, at + 1800000 * (1 + floor(random() * 4))::bigint, false, 'busy'
       from bench_users, generate_series(1, $1) k,
         lateral (select $2::bigint + 900000 * floor(random() * 35040 + k * 0)::bigint as at) moment`,
      [SPANS_PER_USER, YEAR_START_MS],
    );
    await client.query('create extension if not exists btree_gist');
    await client.query(
      'create table gist_spans as select user_id, calendar_id, int8range(start_ms, end_ms) as during from calendar.spans',
    );
    await client.query('create index on gist_spans using gist (user_id, during)');
    const { rows } = await client.query<{ id: UserId }>('select id from bench_users order by n');
    await client.query('drop table bench_users');
    await client.query('set session_replication_role = default');
    await client.query('vacuum analyze calendar.spans, gist_spans');
    return rows.map(({ id }) => id);
  } finally {
    client.release();
  }
}

async function ask({ db, pool }: ThrowAwayDatabase, users: UserId[], question: Question, rounds: number) {
  let turn = 0;
  let rows = 0;
  // The three contenders of a round ask the same: which users, from which day.
  const subject = () => {
    const round = Math.floor(turn++ / 3);
    const first = (round * 7919) % users.length;
    const asked = Array.from({ length: question.users }, (_, index) => users[(first + index * 131) % users.length]!);
    const fromMs = YEAR_START_MS + ((round * 37) % (365 - question.days)) * DAY_MS;
    return { asked, fromMs, toMs: fromMs + question.days * DAY_MS };
  };
  const floorSql = {
    name: 'floor',
    text: `select user_id, start_ms, end_ms from calendar.spans where user_id = any($1::uuid[]) and end_ms - start_ms <= 93600000
           and start_ms > $2 and start_ms < $3 and end_ms > $4 and class = 'busy'`,
  };
  const gistSql = {
    name: 'gist',
    text: 'select user_id, lower(during), upper(during) from gist_spans where user_id = any($1::uuid[]) and during && int8range($2, $3)',
  };
  const answers: number[] = [];
  const samples = await interleave(
    [
      {
        name: 'ours',
        run() {
          const { asked, fromMs, toMs } = subject();
          return timed(async () => {
            const busy = await readAlone(db, busyTimeReading(asked, { fromMs, toMs }));
            rows = [...busy.values()].reduce((sum, spans) => sum + spans.length, 0);
            answers.push(rows);
          });
        },
      },
      {
        name: 'floor',
        run() {
          const { asked, fromMs, toMs } = subject();
          return timed(() => pool.query({ ...floorSql, values: [asked, fromMs - DAY_MS, toMs, fromMs] }));
        },
      },
      {
        name: 'gist',
        run() {
          const { asked, fromMs, toMs } = subject();
          return timed(() => pool.query({ ...gistSql, values: [asked, fromMs, toMs] }));
        },
      },
    ],
    rounds,
    50,
  );
  const mean = answers.reduce((sum, count) => sum + count, 0) / answers.length;
  if (mean === 0) throw new Error('every answer was empty: nothing was measured');
  return { ours: samples.ours!, floor: samples.floor!, gist: samples.gist!, rows: mean };
}

const MIRRORS = 1_000;
const BATCH = 50;

/** The engine's storage for 1,000 new mirrors: the intents of one planning batch, then outcomes as they come in. */
async function measureSaving(database: ThrowAwayDatabase, { quick }: BenchOptions): Promise<BenchRow> {
  const { db, pool } = database;
  const owner = await insertOwner(database);
  await pool.query(
    'create table floor_saved (name text primary key, ref text not null, version text not null, body jsonb not null)',
  );
  const clear = () => pool.query('truncate sync.mirrors, floor_saved cascade');
  const samples = await interleave(
    [
      {
        name: 'ours',
        async run() {
          await clear();
          const mirrors = newMirrors(owner);
          return timed(async () => {
            for (let at = 0; at < MIRRORS; at += 500) {
              await inTransaction(db, (tx) => insertMirrors(tx, mirrors.slice(at, at + 500)));
            }
            for (let at = 0; at < MIRRORS; at += BATCH) {
              const outcomes = mirrors.slice(at, at + BATCH).map((mirror) => ({
                id: mirror.id as MirrorId,
                kind: 'written' as const,
                generation: 1,
                hash: mirror.desiredHash,
                ref: `/calendars/alice/copy/${mirror.identityKey}.ics`,
                version: '"d41d8cd98f00b204e9800998ecf8427e"',
              }));
              await inTransaction(db, (tx) => storeOutcomes(tx, outcomes));
            }
          });
        },
      },
      {
        name: 'floor',
        async run() {
          await clear();
          const mirrors = newMirrors(owner);
          return timed(async () => {
            for (let at = 0; at < MIRRORS; at += BATCH) await saveFloor(database, mirrors.slice(at, at + BATCH));
          });
        },
      },
      {
        name: 'row by row',
        async run() {
          await clear();
          const mirrors = newMirrors(owner);
          return timed(async () => {
            for (const mirror of mirrors) await saveFloor(database, [mirror]);
          });
        },
      },
    ],
    quick ? 3 : 15,
    2,
  );
  const { rows } = await pool.query<{ state: string; n: string }>(
    'select state, count(*) as n from sync.mirrors group by 1',
  );
  const oursMs = median(samples.ours!);
  return {
    id: 'D6',
    what: `save ${MIRRORS} mirrored events with their mapping`,
    unit: 'ms',
    ours: oursMs,
    floor: median(samples.floor!),
    peers: { 'row by row': median(samples['row by row']!) },
    gate: '<= 60 ms',
    passed: oursMs <= 60,
    note: `ours ${ratio(samples, 'ours', 'floor').toFixed(2)}x the floor: it writes intents before and outcomes after the calls, the floor one row once${rows.length > 1 ? `; states ${JSON.stringify(rows)}` : ''}`,
  };
}

interface Owner {
  userId: UserId;
  connectionId: ConnectionId;
  calendarId: CalendarId;
}

async function insertOwner({ pool }: ThrowAwayDatabase): Promise<Owner> {
  const [userId, connectionId, calendarId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  await pool.query('insert into accounts.users (id, email) values ($1, $2)', [userId, `${userId}@example.com`]);
  await pool.query(
    `insert into connections.connections (id, user_id, provider, label, base_url, username, secret)
     values ($1, $2, 'caldav', 'bench', 'http://127.0.0.1', 'bench', '-')`,
    [connectionId, userId],
  );
  await pool.query(
    `insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable)
     values ($1, $2, $3, '/copy/', 'Copy', '#000000', true)`,
    [calendarId, connectionId, userId],
  );
  return { userId: userId as UserId, connectionId: connectionId as ConnectionId, calendarId: calendarId as CalendarId };
}

const block: NewMirror['desired'] = {
  kind: 'single',
  when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'America/New_York', duration: { seconds: 3600 } },
  core: { busy: 'busy', private: true, self: 'none', kind: 'default', title: 'Busy' },
};
const blockText = JSON.stringify(block);

function newMirrors({ userId, connectionId, calendarId }: Owner): NewMirror[] {
  const originCalendarId = randomUUIDv7() as CalendarId;
  return Array.from({ length: MIRRORS }, (_, index) => ({
    id: randomUUIDv7(),
    userId,
    originCalendarId,
    originItemId: randomUUIDv7() as ItemId,
    originUid: `event-${index}@example.com`,
    recId: '',
    targetCalendarId: calendarId,
    targetConnectionId: connectionId,
    identityKey: `k${String(index).padStart(40, '0')}`,
    desired: block,
    desiredChars: blockText.length,
    desiredHash: `h${index}`,
    nearMs: YEAR_START_MS + index * 60_000,
    waits: false,
  }));
}

async function saveFloor({ pool }: ThrowAwayDatabase, mirrors: NewMirror[]): Promise<void> {
  await pool.query('insert into floor_saved select * from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[])', [
    mirrors.map(({ id }) => id),
    mirrors.map(({ identityKey }) => `/calendars/alice/copy/${identityKey}.ics`),
    mirrors.map(() => '"d41d8cd98f00b204e9800998ecf8427e"'),
    mirrors.map(() => blockText),
  ]);
}

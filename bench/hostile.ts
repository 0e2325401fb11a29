import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch } from '#emulators/caldav/launch.ts';
import { connectionsContract } from '#features/connections/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import { openAccount, testPassword } from '../test/harness/open-account.ts';
import { killAll, spawnHoldfast } from '../test/harness/spawn-holdfast.ts';
import { type Bench, type BenchRow, percentile } from './harness.ts';
import { contacts, everySecond, files, nineADay, vevent, zeros } from './hostile-inputs.ts';
import { openThrowAwayDatabase, type ThrowAwayDatabase } from './throw-away-database.ts';

/**
 * What the worst input of its allowed size costs the process behind `npm start`: longest block of the event loop, CPU,
 * growth of its resident memory, rows in the busy index. H1: comparisons of a file. H2: files and bodies elsewhere. H3:
 * feeds. H4: CalDAV calendars. H5: another person's sign-in and week beside six of them.
 */
export const hostileBench: Bench = {
  rows: ['H1', 'H2', 'H3', 'H4', 'H5'],
  async run(wanted, { quick }, print) {
    const world = await openWorld();
    try {
      if (wanted.has('H1')) {
        for (const [name, text] of Object.entries(files)) {
          print(await measure(world, 'H1', `comparison, ${name}`, () => world.compare(text)));
        }
      }
      if (wanted.has('H2')) for (const row of await measureBodies(world)) print(row);
      const readings: [string, () => string[]][] = [
        ['300 events every second', () => bombs(300, everySecond)],
        ['3,000 events every second', () => bombs(quick ? 600 : 3_000, everySecond)],
        ['40 events with 4,700 instances each', () => bombs(40, nineADay)],
        ['19,999 single events', () => bombs(quick ? 1_000 : 19_999)],
      ];
      for (const [name, events] of readings) {
        if (wanted.has('H3')) print(await measure(world, 'H3', `feed, ${name}`, () => world.readFeed(events())));
      }
      for (const [name, events] of readings.slice(0, 3)) {
        if (wanted.has('H4')) print(await measure(world, 'H4', `CalDAV, ${name}`, () => world.readCaldav(events())));
      }
      if (wanted.has('H5')) for (const row of await measureBeside(world)) print(row);
    } finally {
      await world.close();
    }
  },
};

const bombs = (count: number, ...more: string[]) => Array.from({ length: count }, (_, n) => vevent(`e${n}@x`, ...more));

type World = Awaited<ReturnType<typeof openWorld>>;

const gates = { blockMs: 50, cpuMs: 500, growthMb: 64, rows: readingLimits.instances };
const gate = `<= ${gates.blockMs} ms block, ${gates.cpuMs} ms CPU, ${gates.growthMb} MB, ${gates.rows} rows`;

async function measure(world: World, id: string, what: string, work: () => Promise<string>): Promise<BenchRow> {
  await world.rest();
  const rowsBefore = await world.countRows();
  const idle = await world.probe();
  const end = await work();
  const { blockMs, cpuMs, growthMb } = await world.probe();
  const rows = (await world.countRows()) - rowsBefore;
  return {
    id,
    what,
    unit: 'ms longest block',
    ours: blockMs,
    floor: idle.blockMs,
    peers: {},
    gate,
    passed: blockMs <= gates.blockMs && cpuMs <= gates.cpuMs && growthMb <= gates.growthMb && rows <= gates.rows,
    note: `${cpuMs.toFixed(0)} ms CPU, ${growthMb.toFixed(0)} MB, ${rows} rows; ${end}; the floor is the process at rest`,
  };
}

async function measureBodies(world: World): Promise<BenchRow[]> {
  const bodies: [string, () => Promise<string>][] = [
    ['4 MB of [0,0,…] to /hooks/microsoft', () => world.post('/hooks/microsoft', zeros(4_000_000 - 2))],
    ['3.8 MB of [0,0,…] to a comparison', () => world.post('/api/book/overlay', zeros(3_800_000))],
    ['256 KB of [0,0,…] to sign-in', () => world.post('/auth/login', zeros(256_000))],
    ['20,000 vCards to a preview', () => world.post('/api/contacts/imports/preview', contacts, 'text/vcard')],
    [
      '2 MB of lines to a preview',
      () => world.post('/api/contacts/imports/preview', 'a,b\n'.repeat(500_000), 'text/csv'),
    ],
    ['2 MB that is no picture', () => world.post('/api/account/avatar', 'x'.repeat(2_000_000), 'image/png', 'PUT')],
  ];
  const rows: BenchRow[] = [];
  for (const [what, send] of bodies) rows.push(await measure(world, 'H2', what, send));
  return rows;
}

/** Six comparisons side by side, again and again, and beside them a feed and a calendar that are too much. */
async function measureBeside(world: World): Promise<BenchRow[]> {
  await world.rest();
  await world.probe();
  const text = files['9,900 events every second'] ?? '';
  const times: Record<'sign-in' | 'week', number[]> = { 'sign-in': [], week: [] };
  let going = true;
  const bombing = Promise.all([
    ...Array.from({ length: 6 }, async () => {
      while (going) await world.compare(text);
    }),
    world.readFeed(bombs(3_000, everySecond)),
    world.readCaldav(bombs(300, everySecond)),
  ]);
  for (const [what, ask] of [
    ['sign-in', () => world.signIn()],
    ['week', () => world.readWeek()],
  ] as const) {
    for (let n = 0; n < 50; n += 1) {
      const beganMs = performance.now();
      await ask();
      times[what].push(performance.now() - beganMs);
    }
  }
  going = false;
  await bombing;
  const { blockMs } = await world.probe();
  return Object.entries(times).map(([what, all]) => ({
    id: 'H5',
    what: `another person's ${what} beside six comparisons, a feed and a calendar`,
    unit: 'ms p99',
    ours: percentile(all, 99),
    floor: null,
    peers: {},
    gate: '<= 1,000 ms',
    passed: percentile(all, 99) <= 1_000,
    note: `median ${percentile(all, 50).toFixed(0)} ms; longest block ${blockMs.toFixed(0)} ms`,
  }));
}

async function openWorld() {
  const database = await openThrowAwayDatabase();
  const emulator = await launch();
  const feed = await publishFeeds();
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const server = await spawnHoldfast({
    entry: 'bench/hostile-product.ts',
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      CALDAV_ALLOW_PRIVATE: `${new URL(emulator.url).host},${feed.host}`,
    },
  });
  const probeUrl = /probe (\S+)/.exec(server.output())?.[1] ?? '';
  await openAccount(database, 'admin@example.org');
  const attacker = await openAccount(database, 'attacker@example.org');
  const other = await openAccount(database, 'other@example.org');
  const connections = createClient(connectionsContract, {
    fetch: ((path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init)) as typeof fetch,
    headers: () => ({ authorization: `Bearer ${attacker.token}` }),
  });
  let made = 0;

  const ask = async (path: string, init: RequestInit & { headers?: Record<string, string> }) => {
    const answer = await fetch(`${server.url}${path}`, init);
    await answer.arrayBuffer();
    return `answered ${answer.status}`;
  };
  const post = (path: string, body: string, type = 'application/json', method = 'POST') =>
    ask(path, { method, body, headers: { 'content-type': type, authorization: `Bearer ${attacker.token}` } });
  const waitForReading = async (accountId: string): Promise<string> => {
    for (;;) {
      const { accounts } = await connections.listAccounts();
      const account = accounts.find((one) => one.accountId === accountId);
      if (account !== undefined && account.status !== 'syncing') return account.message ?? account.status;
      await sleep(100);
    }
  };
  return {
    probe: async () => (await (await fetch(probeUrl)).json()) as { blockMs: number; cpuMs: number; growthMb: number },
    /** Forgets allowances, and lets what went before come to its end. */
    async rest() {
      await database.pool.query('delete from platform.limits');
      await sleep(2_000);
    },
    countRows: async () => countRows(database),
    async compare(text: string) {
      await database.pool.query('delete from platform.limits');
      const from = Math.floor(Date.now() / 60_000);
      return await post(`/api/book/overlay/file?from=${from}&days=62&zone=UTC`, text, 'text/calendar');
    },
    post,
    async readFeed(events: string[]) {
      const { account } = await connections.connectFeed({ body: { url: feed.publish(events) } });
      return await waitForReading(account.accountId);
    },
    async readCaldav(events: string[]) {
      made += 1;
      const user = `attacker${made}`;
      await emulator.seed({
        user,
        calendar: 'work',
        objects: events.map((event, n) => ({
          name: `e${n}.ics`,
          body: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bomb//EN\r\n${event}END:VCALENDAR\r\n`,
        })),
      });
      const { account } = await connections.connectCaldav({
        body: { profile: 'generic', url: emulator.url, username: user, password: 'secret' },
      });
      return await waitForReading(account.accountId);
    },
    signIn: () =>
      ask('/auth/login', {
        method: 'POST',
        body: JSON.stringify({ email: other.email, password: testPassword }),
        headers: { 'content-type': 'application/json' },
      }),
    readWeek() {
      const from = Temporal.Now.instant();
      const query = new URLSearchParams({ from: from.toString(), to: from.add({ hours: 168 }).toString() });
      return ask(`/api/calendars/events?${query.toString()}`, { headers: { authorization: `Bearer ${other.token}` } });
    },
    async close() {
      server.kill('SIGTERM');
      await server.exited;
      killAll();
      feed.close();
      await emulator.stop();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function countRows({ pool }: ThrowAwayDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from calendar.spans');
  return rows[0]?.count ?? 0;
}

async function publishFeeds() {
  const published: string[][] = [];
  const server = createServer((request, response) => {
    const events = published[Number(request.url?.slice(1))] ?? [];
    response.writeHead(200, { 'content-type': 'text/calendar', etag: '"1"' });
    response.end(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    publish(events: string[]) {
      published.push(events);
      return `http://${host}/${published.length - 1}`;
    },
    close: () => server.close(),
  };
}

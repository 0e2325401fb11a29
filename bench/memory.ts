import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch } from '#emulators/caldav/launch.ts';
import { connectionsContract } from '#features/connections/contract.ts';
import { syncContract } from '#features/sync/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { openAccount } from '../test/harness/open-account.ts';
import { killAll, spawnHoldfast } from '../test/harness/spawn-holdfast.ts';
import { type Bench, type BenchRow, median } from './harness.ts';
import { openThrowAwayDatabase } from './throw-away-database.ts';

/**
 * M10: what the process behind `npm start` (web and worker in one) holds while it reads ten calendars and mirrors them
 * into an eleventh. Resident memory, which counts the code and what V8 keeps for later too.
 */
export const memoryBench: Bench = {
  rows: ['M10'],
  async run(wanted, { quick }, print) {
    if (wanted.has('M10')) print(await measureMemory(quick ? 200 : 5_000));
  },
};

const CALENDARS = 10;
const IDLE_MB = 200;
/** Time until memory from the start or from a burst must be released. */
const REST_MS = 30_000;

async function measureMemory(perCalendar: number): Promise<BenchRow> {
  const total = CALENDARS * perCalendar;
  const database = await openThrowAwayDatabase();
  const emulator = await launch();
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  try {
    const server = await spawnHoldfast({
      entry: 'scripts/bootstrap.mjs',
      args: ['start'],
      env: {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
        CALDAV_ALLOW_PRIVATE: new URL(emulator.url).host,
      },
    });
    const pid = await childOf(server.pid);
    const { token } = await openAccount(database, 'bench@example.org');
    const client = clientAt(server.url, token);
    await sleep(REST_MS);
    const before = await rssOf(pid);

    const fromDay = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();
    for (let n = 0; n < CALENDARS; n += 1) {
      await emulator.seed({
        user: 'alice',
        calendar: `work-${n}`,
        generate: { count: perCalendar, fromDay, seed: n, prefix: `c${n}` },
      });
    }
    await emulator.seed({ user: 'bob', calendar: 'copy' });
    for (const username of ['alice', 'bob']) {
      await client
        .of(connectionsContract)
        .connectCaldav({ body: { profile: 'generic', url: emulator.url, username, password: 'secret' } });
    }
    const { calendars } = await client.of(connectionsContract).listIntegrationCalendars();
    await client.of(syncContract).createGroup({
      body: {
        name: 'All',
        enabled: true,
        rule: {},
        members: calendars.map(({ calendarId, name }) => ({
          calendarId,
          isSource: name !== 'copy',
          isTarget: name === 'copy',
        })),
        pairs: [],
      },
    });

    const startedMs = performance.now();
    const samples: { done: number; mb: number }[] = [];
    for (let done = 0; done < total; ) {
      await sleep(250);
      const { rows } = await database.pool.query<{ count: string }>(
        `select count(*) from sync.mirrors where state = 'created'`,
      );
      done = Number(rows[0]?.count);
      samples.push({ done, mb: await rssOf(pid) });
    }
    const tookS = (performance.now() - startedMs) / 1_000;
    const peak = Math.max(...samples.map(({ mb }) => mb));
    const between = (from: number, to: number) => {
      const some = samples.filter(({ done }) => done >= from * total && done <= to * total).map(({ mb }) => mb);
      return some.length === 0 ? Number.NaN : median(some);
    };
    const [early, late] = [between(0.1, 0.4), between(0.7, 1)];
    await sleep(REST_MS);
    const after = await rssOf(pid);
    server.kill('SIGTERM');
    await server.exited;
    return {
      id: 'M10',
      what: `memory of the process, idle after ${total} events of ${CALENDARS} calendars were mirrored`,
      unit: 'MB',
      ours: after,
      floor: null,
      peers: {},
      gate: `idle <= ${IDLE_MB} MB, flat while it works`,
      passed: before <= IDLE_MB && after <= IDLE_MB && late <= early * 1.1,
      note: `idle before ${before.toFixed(0)}; mirrored in ${tookS.toFixed(0)} s: working, median of the second to fourth tenth ${early.toFixed(0)}, of the last three ${late.toFixed(0)}, peak ${peak.toFixed(0)}`,
    };
  } finally {
    killAll();
    await emulator.stop();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Somebody's typed client over HTTP. */
function clientAt(origin: string, token: string) {
  const own = {
    fetch: ((path: string, init?: RequestInit) => fetch(`${origin}${path}`, init)) as typeof fetch,
    headers: () => ({ authorization: `Bearer ${token}` }),
  };
  return { of: <const C extends Parameters<typeof createClient>[0]>(contract: C) => createClient(contract, own) };
}

/** The bootstrap is a thin parent of the process that works. */
async function childOf(pid: number): Promise<number> {
  return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}

async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

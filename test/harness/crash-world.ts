import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog } from '#platform/log.ts';
import { type LaunchedEmulator, launch } from '../../src/emulators/caldav/launch.ts';
import { connectionsContract } from '../../src/features/connections/contract.ts';
import { meetingsContract } from '../../src/features/meetings/contract.ts';
import { syncContract } from '../../src/features/sync/contract.ts';
import { type Holdfast, killAll, spawnHoldfast } from './spawn-holdfast.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { signUpUser, type TestUser } from './test-client.ts';
import { waitFor } from './wait-for.ts';

/**
 * kill -9 at every provider call of a scripted scenario, before and after the call took effect, of the worker or of
 * Postgres: each run ends as the undisturbed one. The emulator parks the n-th call; the victim dies while it waits; then
 * the call is dropped, or applied with its answer lost.
 */

let dir: string;
let postgres: EmbeddedPostgres;
let emulator: LaunchedEmulator;
let server: TestApp;
let worker: Holdfast;
const encryptionKeys = `test:${randomBytes(32).toString('base64')}`;

export async function startCrashWorld(): Promise<void> {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-crash-'));
  const log = await createLog({ level: 'silent', format: 'json' });
  // writes of a killed process survive without fsync; only a power failure would lose them
  const settings = { fsync: 'off' };
  [postgres, emulator] = await Promise.all([startEmbeddedPostgres({ dir: join(dir, 'pg'), log, settings }), launch()]);
  server = await startTestApp({
    role: 'web',
    database: { url: postgres.url, close: () => Promise.resolve() },
    encryptionKeys,
    config: { caldavAllowPrivate: [new URL(emulator.url).host] },
  });
  worker = await startWorker();
}

export async function stopCrashWorld(): Promise<void> {
  killAll();
  await server.close();
  await postgres.close();
  await emulator.stop();
  await rm(dir, { recursive: true, force: true });
}

const startWorker = () =>
  spawnHoldfast({
    args: ['--role', 'worker'],
    env: {
      DATABASE_URL: postgres.url,
      ENCRYPTION_KEYS: encryptionKeys,
      DATA_DIR: dir,
      CALDAV_ALLOW_PRIVATE: new URL(emulator.url).host,
    },
  });

type Victim = 'worker' | 'postgres';

interface Crash {
  /** Position of the call, among all calls or those that write. */
  nth: number;
  of: 'calls' | 'writes';
  phase: 'before' | 'after';
  victim: Victim;
}

const today = Temporal.Now.plainDateISO('UTC');
const day = (offset: number) => today.add({ days: offset }).toString().replaceAll('-', '');

const whole = (body: string) =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Test//EN\n${body}\nEND:VCALENDAR\n`.replaceAll(/\n\s*/g, '\r\n');
const single = (uid: string, offset: number, more = '') =>
  whole(
    `BEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20260101T000000Z\nSUMMARY:${uid}\nDTSTART:${day(offset)}T100000Z\nDTEND:${day(offset)}T110000Z${more}\nEND:VEVENT`,
  );
const series = (exdate: string) =>
  whole(
    `BEGIN:VEVENT\nUID:series\nDTSTAMP:20260101T000000Z\nSUMMARY:S\nDTSTART:${day(1)}T120000Z\nDTEND:${day(1)}T123000Z\nRRULE:FREQ=WEEKLY;COUNT=8${exdate}\nEND:VEVENT`,
  );

let runs = 0;

interface Run {
  person: TestUser;
  left: string;
  right: string;
  accounts: string[];
}

/** The last run may have left Postgres still coming up. */
const signUp = (email: string): Promise<TestUser> =>
  waitFor('a database that takes a sign-up', () => signUpUser(server, email), { intervalMs: 250 });

/** Two fresh accounts of a fresh person, mirrored both ways; the worker sleeps until the scenario begins. */
async function prepare(): Promise<Run> {
  runs += 1;
  const [left, right] = [`c${runs}l`, `c${runs}r`];
  await emulator.seed([
    {
      user: left,
      calendar: 'work',
      objects: [
        { name: 'a.ics', body: single('a', 2) },
        { name: 's.ics', body: series('') },
        { name: 'free.ics', body: single('free', 3, '\nTRANSP:TRANSPARENT') },
        { name: 'gone.ics', body: single('gone', 4) },
      ],
    },
    { user: right, calendar: 'work', objects: [{ name: 'b.ics', body: single('b', 5) }] },
  ]);
  worker.kill('SIGSTOP');
  const person = await signUp(`crash${runs}@example.org`);
  const connections = person.as(connectionsContract);
  const accounts: string[] = [];
  for (const user of [left, right]) {
    const { account } = await connections.connectCaldav({
      body: { profile: 'generic', url: emulator.url, username: user, password: 'secret' },
    });
    accounts.push(account.accountId);
  }
  const { calendars } = await connections.listIntegrationCalendars();
  await person.as(syncContract).createGroup({
    body: {
      name: 'All',
      enabled: true,
      rule: {},
      members: calendars.map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true })),
      pairs: [],
    },
  });
  return { person, left, right, accounts };
}

/**
 * The scenario: first mirror; then move, cancel an instance, delete, add, and change a block as its user. That block is
 * of an event which stays as it is: each object is then written once, whichever side is read first, and every run has
 * as many writes as the undisturbed one.
 */
async function play(run: Run, expected: Expected | null): Promise<Expected> {
  worker.kill('SIGCONT');
  const first = await settle(run, expected?.first ?? null);
  const block = Object.entries(first.raw.left).find(([, body]) => body.includes('X-HOLDFAST-MIRROR'));
  if (block === undefined) throw new Error('the first mirror left no block');
  await emulator.act([
    { user: run.left, calendar: 'work', do: 'move', pick: 'a.ics', minutes: 45 },
    { user: run.left, calendar: 'work', do: 'put', name: 's.ics', body: series(`\nEXDATE:${day(8)}T120000Z`) },
    { user: run.left, calendar: 'work', do: 'delete', pick: 'gone.ics' },
    { user: run.right, calendar: 'work', do: 'put', name: 'new.ics', body: single('new', 6) },
    { user: run.left, calendar: 'work', do: 'retitle', pick: block[0], title: 'Mine now' },
  ]);
  const last = await settle(run, expected?.last ?? null);
  return { first: first.text, last: last.text };
}

interface Expected {
  first: string;
  last: string;
}

/** Asks for both sides to be read until they are as expected, or, without an expectation, until that changes nothing. */
async function settle(run: Run, expected: string | null) {
  const limits = { timeoutMs: 45_000, intervalMs: 100 };
  if (expected === null) {
    let before = '';
    const isFixed = async () => {
      await readBoth(run);
      await nothingWaits(run);
      const now = await snapshot(run);
      if (now.text === before) return now;
      before = now.text;
      return false;
    };
    return waitFor('a reading of both sides that changes nothing', isFixed, limits);
  }
  let askedMs = Number.NEGATIVE_INFINITY;
  const isExpected = async () => {
    if (performance.now() - askedMs > 1_500) {
      askedMs = performance.now();
      await readBoth(run);
    }
    const now = await snapshot(run);
    if (now.text === expected) return now;
    throw new Error(`${now.text}\n${worker.output().slice(-3_000)}`);
  };
  return waitFor(`both sides as in the undisturbed run:\n${expected}`, isExpected, limits);
}

/** Postgres may be away for a moment. */
async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
  return work().catch(() => null);
}

async function readBoth(run: Run): Promise<void> {
  for (const accountId of run.accounts) {
    await attempt(() => run.person.as(syncContract).syncAccount({ params: { accountId } }));
  }
}

/** Both calendars without what differs between any two runs: stamps, names of blocks, versions. */
async function snapshot(run: Run) {
  const { users } = await emulator.snapshot();
  const raw = { left: {} as Record<string, string>, right: {} as Record<string, string> };
  for (const [side, user] of [
    ['left', run.left],
    ['right', run.right],
  ] as const) {
    const objects = users[user]?.calendars.work?.objects ?? {};
    for (const [name, { body }] of Object.entries(objects)) raw[side][name] = body;
  }
  const plain = (side: Record<string, string>) =>
    Object.entries(side)
      .map(([name, body]) => {
        const own = body.includes('X-HOLDFAST-MIRROR');
        const lines = body
          .split('\r\n')
          .filter((line) => !/^(UID|DTSTAMP|LAST-MODIFIED|SEQUENCE|X-HOLDFAST)/.test(line));
        return `${own ? 'block' : name} ${lines.filter((line) => /^(SUMMARY|DTSTART|DTEND|RRULE|EXDATE)/.test(line)).join(' ')}`;
      })
      .sort()
      .join('\n');
  return { raw, text: `${plain(raw.left)}\n---\n${plain(raw.right)}` };
}

const pathOf = (run: Run) => `/calendars/c${run.left.slice(1, -1)}`;

/** Writes that the ledger still waits for, and jobs. */
async function countWaiting(run: Run): Promise<number> {
  const { counts } = await run.person.as(meetingsContract).listMeetings({ query: { scope: 'mirrors' } });
  return counts.pending + (await server.app.jobs.countPending());
}

async function nothingWaits(run: Run): Promise<void> {
  await expect
    .poll(async () => attempt(() => countWaiting(run)), {
      timeout: 45_000,
      interval: 100,
      message: 'mirrors and jobs that wait',
    })
    .toBe(0);
}

/** Calls the engine made on this run's calendars. */
async function calls(run: Run, from: number) {
  const ledger = await emulator.ledger(from);
  return ledger.filter((entry) => entry.path.startsWith(pathOf(run)));
}

async function killPostgres(): Promise<void> {
  const data = join(dir, 'pg', 'data');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const mine: number[] = [];
  for (const pid of pids) {
    if ((await readlink(`/proc/${pid}/cwd`).catch(() => '')) === data) mine.push(Number(pid));
  }
  const postmaster = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  for (const pid of [postmaster, ...mine.filter((one) => one !== postmaster)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone with its parent
    }
  }
}

/** One run with a death at the n-th call. True if that call came. */
async function crash({ nth, of, phase, victim }: Crash, expected: Expected): Promise<boolean> {
  const run = await prepare();
  const hold = await emulator.hold({ path: pathOf(run), nth, ...(of === 'writes' && { op: 'write' }) });
  let struck = false;
  const death = hold.parked().then(async () => {
    struck = true;
    if (victim === 'worker') {
      worker.kill('SIGKILL');
      await worker.exited;
    } else {
      await killPostgres();
    }
    await hold.release(phase === 'before' ? 'drop' : victim === 'worker' ? 'apply-and-reset' : 'answer');
    if (victim === 'worker') worker = await startWorker();
  });
  const played = play(run, expected);
  await played;
  await emulator.clearFaults();
  if (struck) await death;
  else death.catch(() => undefined);

  // both sides may look right before the ledger knows: what was written and not heard of is asked for again
  await nothingWaits(run);
  // the fixed point: what follows writes nothing more
  const done = (await emulator.ledger()).length;
  for (let pass = 0; pass < 2; pass += 1) {
    await readBoth(run);
    await nothingWaits(run);
  }
  expect(
    (await calls(run, done)).filter((entry) => ['PUT', 'DELETE'].includes(entry.method)),
    `${victim} ${phase} ${nth}`,
  ).toEqual([]);
  expect((await snapshot(run)).text, `${victim} ${phase} ${nth}`).toBe(expected.last);
  return struck;
}

/**
 * Kills one victim at every call, until a run ends before its n-th call. Writes are struck before and after they took
 * effect. Reads leave the server unchanged, so they are struck once. The worker dies before the answer, which it would
 * forget. Postgres dies after it, because the worker still has the answer. Returns the number of struck calls, and the
 * number of writes of the undisturbed run.
 */
export async function strikeEveryCall(victim: Victim): Promise<{ calls: number; again: number; writes: number }> {
  const run = await prepare();
  const from = (await emulator.ledger()).length;
  const expected = await play(run, null);
  const writes = (await calls(run, from)).filter((entry) => ['PUT', 'DELETE'].includes(entry.method)).length;
  expect(expected.last).toMatch(/block DTSTART.*SUMMARY:Busy/);

  const [phase, other] = victim === 'worker' ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const strikeAll = async (what: Omit<Crash, 'nth' | 'victim'>) => {
    let struck = 0;
    while (await crash({ ...what, nth: struck + 1, victim }, expected)) struck += 1;
    return struck;
  };
  return {
    calls: await strikeAll({ of: 'calls', phase }),
    again: await strikeAll({ of: 'writes', phase: other }),
    writes,
  };
}

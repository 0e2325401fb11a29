import type { LaunchedEmulator } from '#emulators/caldav/launch.ts';
import type { LedgerEntry } from '#emulators/kit/emulator.ts';
import { readDatabaseTime } from '#platform/db.ts';
import { expectKept, mirrorFaithfully, prepareFaithful } from './faithful-client.ts';
import { createMinimalClient, type MinimalClient, mirrorMinimally, type Target } from './minimal-client.ts';
import type { OurPair } from './our-engine.ts';
import type { SyncWorld } from './sync.ts';
import { createVdirsyncer, type Vdirsyncer } from './vdirsyncer.ts';

/** A calendar `work` full of events and another person's empty calendar `copy`, on one emulator. */
export interface Scenario {
  count: number;
  /** Puts the events there. */
  fill(): Promise<void>;
  source: Target & { calendar: string; path: string };
  target: Target & { calendar: string; path: string };
}

/** Resets the emulator and adds one such pair, still empty. */
export async function prepareEmpty(emulator: LaunchedEmulator, count: number): Promise<Scenario> {
  await emulator.reset();
  return addEmpty(emulator, count);
}

/** Resets the emulator and adds one such pair. */
export async function prepare(emulator: LaunchedEmulator, count: number): Promise<Scenario> {
  const scenario = await prepareEmpty(emulator, count);
  await scenario.fill();
  return scenario;
}

/** One more pair beside those that stand, of two people of its own. */
export async function addScenario(emulator: LaunchedEmulator, count: number): Promise<Scenario> {
  const scenario = await addEmpty(emulator, count);
  await scenario.fill();
  return scenario;
}

async function addEmpty(emulator: LaunchedEmulator, count: number): Promise<Scenario> {
  const { url } = emulator;
  const [alice, bob] = [`alice${count}`, `bob${count}`];
  // From tomorrow on: inside the window that a rule covers by default.
  const fromDay = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();
  await emulator.seed([
    { user: alice, calendar: 'work' },
    { user: bob, calendar: 'copy' },
  ]);
  return {
    count,
    source: { url, user: alice, password: 'secret', calendar: 'work', path: `/calendars/${alice}/work/` },
    target: { url, user: bob, password: 'secret', calendar: 'copy', path: `/calendars/${bob}/copy/` },
    fill: () => emulator.seed({ user: alice, calendar: 'work', generate: { count, fromDay } }),
  };
}

/** Mirrors a scenario step by step, nothing overlapping, for rows that measure what comes after. */
export async function mirrorBySteps({ engine }: SyncWorld, scenario: Scenario): Promise<OurPair> {
  const pair = await engine.connect(scenario.source, scenario.target);
  await Promise.all([pair.pullSource(), pair.pullTarget()]);
  await pair.mirror();
  return pair;
}

/**
 * The initial mirror as production does it: the jobs read, plan and write, each as soon as there is something for it.
 * The accounts are connected and at rest before the clock starts; it stops when no job has anything left to do.
 */
export async function runOurs(
  { engine, emulator }: SyncWorld,
  { source, fill }: Scenario,
  target: Target & { calendar: string },
): Promise<number> {
  await engine.work();
  const pair = await engine.connect(source, target);
  await engine.rest();
  await fill();
  await pair.forgetSource();
  await emulator.clearLedger();
  const started = await readDatabaseTime(engine.app.db);
  await pair.poke();
  const ms = (await engine.settle()) - Number(started.epochNanoseconds) / 1e6;
  const states = Object.keys(await pair.counts());
  if (states.join() !== 'created') throw new Error(`blocks are ${states.join()}: nothing to compare`);
  await pair.remove();
  return ms;
}

/** The minimal client on a scenario: what it costs to do the same with nothing of what we do. */
export interface Floor {
  source: MinimalClient;
  target: MinimalClient;
  /** Mirrors what changed since the token; with `save` it also remembers in PostgreSQL what it wrote. */
  run(token: string, save: boolean): Promise<{ ms: number; token: string; written: number }>;
  close(): void;
}

const WRITERS = 8;

export function openFloor({ database }: SyncWorld, scenario: Scenario): Floor {
  const source = createMinimalClient(scenario.source, 1);
  const target = createMinimalClient(scenario.target, WRITERS);
  return {
    source,
    target,
    async run(token, save) {
      const started = performance.now();
      const done = await mirrorMinimally({
        source,
        sourceCollection: scenario.source.path,
        target,
        targetCollection: scenario.target.path,
        writers: WRITERS,
        token,
        ...(save ? { pool: database.pool } : {}),
      });
      return { ms: performance.now() - started, ...done };
    },
    close() {
      source.close();
      target.close();
    },
  };
}

/** The floor of the invariants, once; both calendars as the floor has them. */
export async function runFaithfully({ database: { pool } }: SyncWorld, scenario: Scenario): Promise<number> {
  const source = createMinimalClient(scenario.source, 1);
  const target = createMinimalClient(scenario.target, WRITERS);
  await prepareFaithful(pool);
  const started = performance.now();
  await mirrorFaithfully({
    pool,
    source,
    sourceCollection: scenario.source.path,
    target,
    targetCollection: scenario.target.path,
    writers: WRITERS,
  });
  const ms = performance.now() - started;
  source.close();
  target.close();
  await expectKept(pool, scenario.count);
  return ms;
}

export function openVdirsyncer({ source, target }: Scenario): Promise<Vdirsyncer> {
  return createVdirsyncer({ ...source, collection: source.calendar }, { ...target, collection: target.calendar });
}

export function countOf(ledger: LedgerEntry[], ...operations: LedgerEntry['operation'][]): number {
  return ledger.filter(({ operation }) => operations.includes(operation)).length;
}

/** Refuses to give a time for work that was not done. */
export async function expectMirrored({ emulator }: SyncWorld, { target, count }: Scenario): Promise<void> {
  const snapshot = await emulator.snapshot();
  const found = Object.keys(snapshot.users[target.user]?.calendars.copy?.objects ?? {}).length;
  if (found !== count) throw new Error(`${found} of ${count} blocks stand: nothing to compare`);
}

import type { LedgerEntry } from '#emulators/caldav/emulator.ts';
import type { LaunchedEmulator } from '#emulators/caldav/launch.ts';
import { createMinimalClient, type MinimalClient, mirrorMinimally, type Target } from './minimal-client.ts';
import type { OurPair } from './our-engine.ts';
import type { SyncWorld } from './sync.ts';
import { createVdirsyncer, type Vdirsyncer } from './vdirsyncer.ts';

/** alice's calendar `work` full of events, bob's calendar `copy` empty, on one emulator. */
export interface Scenario {
  source: Target & { calendar: string };
  target: Target & { calendar: string };
}

export const SOURCE_PATH = '/calendars/alice/work/';
export const TARGET_PATH = '/calendars/bob/copy/';

export async function prepare(emulator: LaunchedEmulator, count: number): Promise<Scenario> {
  await emulator.reset();
  // From tomorrow on: inside the window that a rule covers by default.
  const fromDay = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();
  await emulator.seed([
    { user: 'alice', calendar: 'work', generate: { count, fromDay } },
    { user: 'bob', calendar: 'copy' },
  ]);
  return scenarioOf(emulator);
}

export function scenarioOf({ url }: LaunchedEmulator): Scenario {
  return {
    source: { url, user: 'alice', password: 'secret', calendar: 'work' },
    target: { url, user: 'bob', password: 'secret', calendar: 'copy' },
  };
}

/** The initial mirror by what we build. The calendars are connected before the clock starts. */
export async function runOurs({ engine }: SyncWorld, scenario: Scenario): Promise<{ pair: OurPair; ms: number }> {
  const pair = await engine.connect(scenario.source, scenario.target);
  const started = performance.now();
  await Promise.all([pair.pullSource(), pair.pullTarget()]);
  await pair.mirror();
  return { pair, ms: performance.now() - started };
}

export interface FloorRun {
  ms: number;
  token: string;
  written: number;
}

/** The same by the minimal client; with `save` it also remembers in PostgreSQL what it wrote. */
export async function runFloor(
  { database }: SyncWorld,
  writers: number,
  save: boolean,
  token = '',
  scenario?: { source: MinimalClient; target: MinimalClient },
  emulatorUrl?: string,
): Promise<FloorRun> {
  const clients = scenario ?? openClients(emulatorUrl ?? '', writers);
  const started = performance.now();
  const run = await mirrorMinimally({
    source: clients.source,
    sourceCollection: SOURCE_PATH,
    target: clients.target,
    targetCollection: TARGET_PATH,
    writers,
    token,
    ...(save ? { pool: database.pool } : {}),
  });
  const ms = performance.now() - started;
  if (!scenario) closeClients(clients);
  return { ms, ...run };
}

export function openClients(url: string, writers: number): { source: MinimalClient; target: MinimalClient } {
  return {
    source: createMinimalClient({ url, user: 'alice', password: 'secret' }, 1),
    target: createMinimalClient({ url, user: 'bob', password: 'secret' }, writers),
  };
}

export function closeClients({ source, target }: { source: MinimalClient; target: MinimalClient }): void {
  source.close();
  target.close();
}

export function openVdirsyncer({ source, target }: Scenario): Promise<Vdirsyncer> {
  return createVdirsyncer({ ...source, collection: source.calendar }, { ...target, collection: target.calendar });
}

export function countOf(ledger: LedgerEntry[], ...operations: LedgerEntry['operation'][]): number {
  return ledger.filter(({ operation }) => operations.includes(operation)).length;
}

/** Refuses to give a time for work that was not done. */
export async function expectMirrored({ emulator }: SyncWorld, count: number): Promise<void> {
  const snapshot = await emulator.snapshot();
  const found = Object.keys(snapshot.users.bob?.calendars.copy?.objects ?? {}).length;
  if (found !== count) throw new Error(`${found} of ${count} blocks stand: nothing to compare`);
}

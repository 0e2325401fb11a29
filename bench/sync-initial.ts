import { type Contender, interleave, median, ratio } from './harness.ts';
import {
  countOf,
  expectMirrored,
  openFloor,
  openVdirsyncer,
  prepare,
  prepareEmpty,
  runFaithfully,
  runOurs,
  type Scenario,
} from './scenario.ts';
import type { SyncWorld } from './sync.ts';
import { hasVdirsyncer } from './vdirsyncer.ts';

const FAR_MS = 50;

/** M1: a far provider, 50 ms per request. A client that waits for each answer before the next request loses. */
export async function measureFarMirror(world: SyncWorld): Promise<void> {
  const { emulator, options, print } = world;
  const count = options.quick ? 100 : 1_000;
  const rounds = options.quick ? 1 : 3;
  const start = async () => {
    const scenario = await prepare(emulator, count);
    await emulator.setLatency(FAR_MS);
    return scenario;
  };
  const startEmpty = async () => {
    const scenario = await prepareEmpty(emulator, count);
    const fill = async () => {
      await scenario.fill();
      await emulator.setLatency(FAR_MS);
    };
    return { ...scenario, fill };
  };
  const ours: Contender = {
    name: 'ours',
    async run() {
      const scenario = await startEmpty();
      const ms = await runOurs(world, scenario, scenario.target);
      await expectMirrored(world, scenario);
      return ms;
    },
  };
  const floor: Contender = {
    name: 'floor',
    async run() {
      return runFloorOnce(world, await start(), false);
    },
  };
  const samples = await interleave([ours, floor], rounds);
  // Fifty seconds a run and steady within one per cent: once is enough.
  const peer = hasVdirsyncer() ? await runVdirsyncer(world, start) : null;
  const times = ratio(samples, 'ours', 'floor');
  print({
    id: 'M1',
    what: `initial mirror of ${count} events, ${FAR_MS} ms per request`,
    unit: 's',
    ours: median(samples.ours!) / 1000,
    floor: median(samples.floor!) / 1000,
    peers: { vdirsyncer: peer === null ? null : peer / 1000 },
    gate: '<= 1.2x floor',
    passed: times <= 1.2,
    note: `${times.toFixed(2)}x floor${peer === null ? '' : `, ${(peer / median(samples.ours!)).toFixed(1)}x faster than vdirsyncer`}`,
  });
}

/** M2: a fast server; what counts is our own work. */
export async function measureFastMirror(world: SyncWorld): Promise<void> {
  const { emulator, options, print } = world;
  for (const count of options.quick ? [200] : [1_000, 5_000]) {
    const contenders: Contender[] = [
      {
        name: 'ours',
        async run() {
          const scenario = await prepareEmpty(emulator, count);
          const ms = await runOurs(world, scenario, scenario.target);
          await expectMirrored(world, scenario);
          return ms;
        },
      },
      {
        name: 'floor',
        async run() {
          return runFloorOnce(world, await prepare(emulator, count), true);
        },
      },
      {
        name: 'faithful',
        async run() {
          const scenario = await prepare(emulator, count);
          const ms = await runFaithfully(world, scenario);
          await expectMirrored(world, scenario);
          return ms;
        },
      },
    ];
    if (hasVdirsyncer()) {
      contenders.push({ name: 'vdirsyncer', run: () => runVdirsyncer(world, () => prepare(emulator, count)) });
    }
    const samples = await interleave(contenders, options.quick ? 1 : 5, 1);
    const times = ratio(samples, 'ours', 'floor');
    print({
      id: 'M2',
      what: `initial mirror of ${count} events, fast server`,
      unit: 's',
      ours: median(samples.ours!) / 1000,
      floor: median(samples.floor!) / 1000,
      peers: { vdirsyncer: samples.vdirsyncer ? median(samples.vdirsyncer) / 1000 : null },
      gate: '<= 2x floor (read + write + save)',
      passed: times <= 2,
      note: `${times.toFixed(2)}x floor, ${ratio(samples, 'ours', 'faithful').toFixed(2)}x the floor of the invariants, which takes ${(median(samples.faithful!) / 1000).toFixed(3)} s, ${ratio(samples, 'faithful', 'floor').toFixed(2)}x the floor${samples.vdirsyncer ? `; ${ratio(samples, 'vdirsyncer', 'ours').toFixed(1)}x faster than vdirsyncer` : ''}`,
    });
  }
}

/** M9: a series is one object on both sides. */
export async function measureSeriesRequests(world: SyncWorld): Promise<void> {
  const { emulator, options, print } = world;
  const count = options.quick ? 200 : 1_000;
  const scenario = await prepareEmpty(emulator, count);
  await runOurs(world, scenario, scenario.target);
  const ledger = await emulator.ledger();
  const writes = countOf(ledger, 'create', 'update', 'delete');
  await expectMirrored(world, scenario);
  const series = count / 10;
  const perOccurrence = count - series + series * 26 - series / 2;
  print({
    id: 'M9',
    what: `writes for ${count} events, ${series} of them weekly series of 26`,
    unit: 'requests',
    ours: writes,
    floor: count,
    peers: { 'a write per occurrence': perOccurrence },
    gate: 'one write per object',
    passed: writes === count,
    note: `${ledger.length} requests in all, reading included`,
  });
}

async function runFloorOnce(world: SyncWorld, scenario: Scenario, save: boolean): Promise<number> {
  const floor = openFloor(world, scenario);
  const { ms } = await floor.run('', save);
  floor.close();
  await expectMirrored(world, scenario);
  return ms;
}

async function runVdirsyncer(world: SyncWorld, start: () => Promise<Scenario>): Promise<number> {
  const scenario = await start();
  const vdirsyncer = await openVdirsyncer(scenario);
  try {
    const started = performance.now();
    await vdirsyncer.sync();
    const ms = performance.now() - started;
    await expectMirrored(world, scenario);
    return ms;
  } finally {
    vdirsyncer.close();
  }
}

import type { LaunchedEmulator } from '#emulators/caldav/launch.ts';
import {
  type Contender,
  cpuTimed,
  growth,
  interleave,
  median,
  percentile,
  ratio,
  type Samples,
  timed,
} from './harness.ts';
import type { OurPair } from './our-engine.ts';
import {
  addScenario,
  countOf,
  expectMirrored,
  type Floor,
  mirrorBySteps,
  openFloor,
  openVdirsyncer,
  prepare,
  type Scenario,
} from './scenario.ts';
import type { SyncWorld } from './sync.ts';
import { hasVdirsyncer } from './vdirsyncer.ts';

/** One size, mirrored and at rest. All sizes stand at once and take turns, so that a growth exponent sees one load. */
interface Settled {
  scenario: Scenario;
  pair: OurPair;
  floor: Floor;
  /** Where the floor has read to. */
  token: string;
}

async function settleAll(world: SyncWorld, sizes: readonly number[]): Promise<Settled[]> {
  await world.emulator.reset();
  const settled: Settled[] = [];
  for (const count of sizes) {
    const scenario = await addScenario(world.emulator, count);
    const pair = await mirrorBySteps(world, scenario);
    await expectMirrored(world, scenario);
    await settle(pair);
    const floor = openFloor(world, scenario);
    const { token } = await floor.source.list(scenario.source.path, '');
    settled.push({ scenario, pair, floor, token });
  }
  return settled;
}

/** Reads back what was just written, so that the next pass finds nothing to do. */
async function settle(pair: OurPair): Promise<void> {
  await pair.pullTarget();
  await pair.mirror();
}

const slopeOf = (sizes: readonly number[], samples: Samples) =>
  growth(sizes.map((count) => [count, median(samples[`ours ${count}`]!)] as const));

/** M5: nothing has changed. Both calendars are asked, as a pass does. */
export async function measureQuietPasses(world: SyncWorld): Promise<void> {
  const { emulator, options, print } = world;
  const sizes = options.quick ? [100, 400] : [1_000, 5_000];
  const peers = await timeVdirsyncer(world, sizes);
  const settled = await settleAll(world, sizes);
  const contenders: Contender[] = [];
  await Promise.all(settled.map(({ pair }) => pair.comeToRest()));
  for (const { scenario, pair, floor, token } of settled) {
    const target = (await floor.target.list(scenario.target.path, '')).token;
    contenders.push(
      {
        name: `ours ${scenario.count}`,
        async run() {
          await pair.handOut();
          return await timed(() => Promise.all([pair.pullSource(), pair.pullTarget()]));
        },
      },
      {
        name: `floor ${scenario.count}`,
        run: () =>
          timed(() =>
            Promise.all([
              floor.source.list(scenario.source.path, token),
              floor.target.list(scenario.target.path, target),
            ]),
          ),
      },
    );
  }
  const samples = await interleave(contenders, options.quick ? 5 : 60, 10);
  const slope = slopeOf(sizes, samples);
  for (const { scenario, pair, floor } of settled) {
    const { count } = scenario;
    const before = (await emulator.ledger()).length;
    const cpu: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      await pair.handOut();
      cpu.push(await cpuTimed(() => pair.pullSource()));
    }
    const requests = ((await emulator.ledger()).length - before) / 20;
    floor.close();
    const oursMs = median(samples[`ours ${count}`]!);
    print({
      id: 'M5',
      what: `a pass with nothing changed in two calendars of ${count}, fast server`,
      unit: 'ms',
      ours: oursMs,
      floor: median(samples[`floor ${count}`]!),
      peers: { vdirsyncer: peers.get(count) ?? null },
      gate: '<= 5 ms, growth <= 0.1',
      passed: oursMs <= 5 && slope <= 0.1,
      note: `${requests} request and ${median(cpu).toFixed(2)} ms of CPU a calendar; growth exponent ${slope.toFixed(2)}`,
    });
  }
}

const CHANGES = 10;

/** M6: ten events move, among many. */
export async function measureChanges(world: SyncWorld): Promise<void> {
  const { emulator, options, print } = world;
  const sizes = options.quick ? [100, 400] : [1_000, 5_000];
  const peers = await timeVdirsyncer(world, sizes, (scenario, round) => moveSome(emulator, scenario, round));
  const settled = await settleAll(world, sizes);
  let round = 0;
  const contenders = settled.flatMap((one): Contender[] => [
    {
      name: `ours ${one.scenario.count}`,
      async run() {
        round += 1;
        await moveSome(emulator, one.scenario, round);
        const before = (await emulator.ledger()).length;
        const ms = await timed(async () => {
          await one.pair.pullSource();
          await one.pair.mirror();
        });
        const written = countOf(await emulator.ledger(before), 'update', 'create');
        if (written !== CHANGES) throw new Error(`${written} writes for ${CHANGES} changes`);
        // Off the clock: the echo of these writes is read, and the floor is told that they are none of its changes.
        await settle(one.pair);
        one.token = (await one.floor.source.list(one.scenario.source.path, one.token)).token;
        return ms;
      },
    },
    {
      name: `floor ${one.scenario.count}`,
      async run() {
        round += 1;
        await moveSome(emulator, one.scenario, round);
        const { ms, token, written } = await one.floor.run(one.token, true);
        if (written !== CHANGES) throw new Error(`${written} writes for ${CHANGES} changes`);
        one.token = token;
        await one.pair.pullSource();
        await one.pair.mirror();
        await settle(one.pair);
        return ms;
      },
    },
  ]);
  // Warm on both sides: ten connections have their statements prepared, and what runs often is compiled.
  const samples = await interleave(contenders, options.quick ? 3 : 30, 10);
  const slope = slopeOf(sizes, samples);
  for (const { scenario, floor } of settled) {
    const { count } = scenario;
    floor.close();
    const oursMs = median(samples[`ours ${count}`]!);
    print({
      id: 'M6',
      what: `${CHANGES} changes among ${count}, fast server`,
      unit: 'ms',
      ours: oursMs,
      floor: median(samples[`floor ${count}`]!),
      peers: { vdirsyncer: peers.get(count) ?? null },
      gate: '<= 20 ms, growth <= 0.1',
      passed: oursMs <= 20 && slope <= 0.1,
      note: `${ratio(samples, `ours ${count}`, `floor ${count}`).toFixed(1)}x floor; growth exponent ${slope.toFixed(2)}`,
    });
  }
}

const FAR_MS = 50;

/** M7: from the poke until the far server has the block, through the jobs as they run in production. */
export async function measureLatency(world: SyncWorld): Promise<void> {
  const { emulator, engine, options, print } = world;
  const scenario = await prepare(emulator, 200);
  const pair = await mirrorBySteps(world, scenario);
  await settle(pair);
  const floor = openFloor(world, scenario);
  let { token } = await floor.source.list(scenario.source.path, '');
  await emulator.setLatency(FAR_MS);
  await engine.work();
  const samples: Samples = { ours: [], floor: [] };
  const rounds = options.quick ? 5 : 100;
  for (let round = 0; round < rounds; round += 1) {
    const before = (await emulator.ledger()).length;
    await emulator.act({ user: scenario.source.user, calendar: 'work', do: 'move', pick: round, minutes: 15 });
    const atMs = performance.timeOrigin + performance.now();
    await pair.poke();
    samples.ours!.push((await untilWritten(emulator, before)) - atMs);
    // The echo of the write is read by the jobs, off the clock.
    await engine.settle();
    const run = await floor.run(token, false);
    if (run.written !== 1) throw new Error(`${run.written} writes for one change`);
    samples.floor!.push(run.ms);
    token = run.token;
  }
  floor.close();
  await emulator.setLatency(0);
  const p99 = percentile(samples.ours!, 99);
  print({
    id: 'M7',
    what: `one change until its block stands, ${FAR_MS} ms per request, through the jobs: p99 of ${rounds}`,
    unit: 'ms',
    ours: p99,
    floor: percentile(samples.floor!, 99),
    peers: {},
    gate: 'p99 <= 400 ms',
    passed: p99 <= 400,
    note: `p50: ours ${median(samples.ours!).toFixed(0)} ms, floor ${median(samples.floor!).toFixed(0)} ms; three round trips are ${3 * FAR_MS} ms`,
  });
}

/** When the write reached the far server, epoch ms of this machine's one clock. */
async function untilWritten(emulator: LaunchedEmulator, since: number): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < 20_000) {
    const write = (await emulator.ledger(since)).find(({ operation }) => operation === 'update');
    if (write) return write.atMs;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the block was not written within 20 s');
}

async function moveSome(emulator: LaunchedEmulator, { source, count }: Scenario, round: number): Promise<void> {
  await emulator.act(
    Array.from({ length: CHANGES }, (_, index) => ({
      user: source.user,
      calendar: 'work',
      do: 'move' as const,
      pick: `event-${String((round * 13 + index * Math.floor(count / CHANGES)) % count).padStart(6, '0')}.ics`,
      minutes: 15,
    })),
  );
}

/** Medians of vdirsyncer's passes after its initial one, by size; `change` happens before each, off the clock. */
async function timeVdirsyncer(
  world: SyncWorld,
  sizes: readonly number[],
  change?: (scenario: Scenario, round: number) => Promise<void>,
): Promise<Map<number, number>> {
  const medians = new Map<number, number>();
  if (!hasVdirsyncer()) return medians;
  for (const count of sizes) {
    const scenario = await prepare(world.emulator, count);
    const vdirsyncer = await openVdirsyncer(scenario);
    try {
      await vdirsyncer.sync();
      const times: number[] = [];
      for (let round = 0; round < (world.options.quick ? 2 : 5); round += 1) {
        await change?.(scenario, round);
        times.push(await timed(() => vdirsyncer.sync()));
      }
      medians.set(count, median(times));
    } finally {
      vdirsyncer.close();
    }
  }
  return medians;
}

import type { LaunchedEmulator } from '#emulators/caldav/launch.ts';
import { cpuTimed, growth, interleave, median, percentile, ratio, timed } from './harness.ts';
import {
  closeClients,
  countOf,
  expectMirrored,
  openClients,
  openVdirsyncer,
  prepare,
  runFloor,
  runOurs,
  SOURCE_PATH,
  TARGET_PATH,
} from './scenario.ts';
import type { SyncWorld } from './sync.ts';
import { hasVdirsyncer } from './vdirsyncer.ts';

const WRITERS = 8;

/** M5: nothing has changed. Both calendars are asked, as a pass does. */
export async function measureQuietPasses(world: SyncWorld): Promise<void> {
  const { emulator, options, print } = world;
  const sizes = options.quick ? [100, 400] : [1_000, 5_000];
  const points: [number, number][] = [];
  for (const count of sizes) {
    const vdirsyncer = await settledVdirsyncer(world, count);
    const scenario = await prepare(emulator, count);
    const { pair } = await runOurs(world, scenario);
    await settle(pair);
    const clients = openClients(scenario.source.url, 1);
    const source = (await clients.source.list(SOURCE_PATH, '')).token;
    const target = (await clients.target.list(TARGET_PATH, '')).token;
    const before = (await emulator.ledger()).length;
    const quiet = async () => {
      await Promise.all([pair.pullSource(), pair.pullTarget()]);
    };
    const cpu: number[] = [];
    const samples = await interleave(
      [
        { name: 'ours', run: () => timed(quiet) },
        {
          name: 'floor',
          run: () =>
            timed(() =>
              Promise.all([clients.source.list(SOURCE_PATH, source), clients.target.list(TARGET_PATH, target)]),
            ),
        },
      ],
      options.quick ? 5 : 40,
      10,
    );
    const rounds = samples.ours!.length + 10;
    const requests = ((await emulator.ledger()).length - before) / rounds - 2;
    for (let round = 0; round < 20; round += 1) cpu.push(await cpuTimed(() => pair.pullSource()));
    closeClients(clients);
    const oursMs = median(samples.ours!);
    points.push([count, oursMs]);
    const slope = points.length > 1 ? growth(points) : null;
    const peer = vdirsyncer === null ? null : median(vdirsyncer);
    print({
      id: 'M5',
      what: `a pass with nothing changed in two calendars of ${count}, fast server`,
      unit: 'ms',
      ours: oursMs,
      floor: median(samples.floor!),
      peers: { vdirsyncer: peer },
      gate: slope === null ? '<= 5 ms' : '<= 5 ms, growth <= 0.1',
      passed: oursMs <= 5 && (slope === null || slope <= 0.1),
      note: `${requests} requests for both; ${median(cpu).toFixed(2)} ms of CPU a calendar${slope === null ? '' : `; growth exponent ${slope.toFixed(2)}`}`,
    });
  }
}

const CHANGES = 10;

/** M6: ten events move, among many. */
export async function measureChanges(world: SyncWorld): Promise<void> {
  const { emulator, options, print } = world;
  const points: [number, number][] = [];
  for (const count of options.quick ? [100, 400] : [1_000, 5_000]) {
    const vdirsyncer = await settledVdirsyncer(world, count, (round) => moveSome(emulator, count, round));
    const scenario = await prepare(emulator, count);
    const clients = openClients(scenario.source.url, WRITERS);
    const { pair } = await runOurs(world, scenario);
    await settle(pair);
    let { token } = await clients.source.list(SOURCE_PATH, '');
    let round = 0;
    const samples = await interleave(
      [
        {
          name: 'ours',
          async run() {
            round += 1;
            await moveSome(emulator, count, round);
            const before = (await emulator.ledger()).length;
            const ms = await timed(async () => {
              await pair.pullSource();
              await pair.mirror();
            });
            const written = countOf(await emulator.ledger(before), 'update', 'create');
            if (written !== CHANGES) throw new Error(`${written} writes for ${CHANGES} changes`);
            ({ token } = await clients.source.list(SOURCE_PATH, token));
            await settle(pair);
            return ms;
          },
        },
        {
          name: 'floor',
          async run() {
            round += 1;
            await moveSome(emulator, count, round);
            const run = await runFloor(world, WRITERS, true, token, clients);
            if (run.written !== CHANGES) throw new Error(`${run.written} writes for ${CHANGES} changes`);
            token = run.token;
            // Ours must not find these moves, nor the floor's objects, on its own clock.
            await pair.pullSource();
            await pair.mirror();
            await settle(pair);
            return run.ms;
          },
        },
      ],
      options.quick ? 3 : 15,
      2,
    );
    closeClients(clients);
    const oursMs = median(samples.ours!);
    points.push([count, oursMs]);
    const slope = points.length > 1 ? growth(points) : null;
    const peer = vdirsyncer === null ? null : median(vdirsyncer);
    print({
      id: 'M6',
      what: `${CHANGES} changes among ${count}, fast server`,
      unit: 'ms',
      ours: oursMs,
      floor: median(samples.floor!),
      peers: { vdirsyncer: peer },
      gate: slope === null ? '<= 20 ms' : '<= 20 ms, growth <= 0.1',
      passed: oursMs <= 20 && (slope === null || slope <= 0.1),
      note: `${ratio(samples, 'ours', 'floor').toFixed(1)}x floor${slope === null ? '' : `; growth exponent ${slope.toFixed(2)}`}`,
    });
  }
}

const FAR_MS = 50;

/** M7: from the poke until the far server has the block, through the jobs as they run in production. */
export async function measureLatency(world: SyncWorld): Promise<void> {
  const { emulator, engine, options, print } = world;
  const count = 200;
  const scenario = await prepare(emulator, count);
  const { pair } = await runOurs(world, scenario);
  await settle(pair);
  const clients = openClients(scenario.source.url, WRITERS);
  let { token } = await clients.source.list(SOURCE_PATH, '');
  await emulator.setLatency(FAR_MS);
  await engine.work();
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < (options.quick ? 5 : 60); round += 1) {
    const before = (await emulator.ledger()).length;
    await emulator.act({ user: 'alice', calendar: 'work', do: 'move', pick: round % count, minutes: 15 });
    const atMs = performance.timeOrigin + performance.now();
    await pair.poke();
    const writtenAtMs = await untilWritten(emulator, before);
    ours.push(writtenAtMs - atMs);
    // The echo of the write and the floor's own reading are settled before the next round.
    await engine.settle();
    floor.push((await runFloor(world, WRITERS, false, token, clients)).ms);
    ({ token } = await clients.source.list(SOURCE_PATH, token));
  }
  closeClients(clients);
  await emulator.setLatency(0);
  await expectMirrored(world, count + new Set(Array.from({ length: ours.length }, (_, round) => round % count)).size);
  const p99 = percentile(ours, 99);
  print({
    id: 'M7',
    what: `one change until its block stands, ${FAR_MS} ms per request, through the jobs: p99`,
    unit: 'ms',
    ours: p99,
    floor: percentile(floor, 99),
    peers: {},
    gate: 'p99 <= 400 ms',
    passed: p99 <= 400,
    note: `p50 ${median(ours).toFixed(0)} ms; three round trips are ${3 * FAR_MS} ms`,
  });
}

async function untilWritten(emulator: LaunchedEmulator, since: number): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < 20_000) {
    const write = (await emulator.ledger(since)).find(({ operation }) => operation === 'update');
    if (write) return write.atMs;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('the block was not written within 20 s');
}

/** Reads back what was just written, so that the next pass finds nothing to do. */
async function settle(pair: { pullSource(): Promise<void>; pullTarget(): Promise<void>; mirror(): Promise<void> }) {
  await pair.pullTarget();
  await pair.mirror();
}

async function moveSome(emulator: LaunchedEmulator, count: number, round: number): Promise<void> {
  await emulator.act(
    Array.from({ length: CHANGES }, (_, index) => ({
      user: 'alice',
      calendar: 'work',
      do: 'move' as const,
      pick: `event-${String((round * 13 + index * Math.floor(count / CHANGES)) % count).padStart(6, '0')}.ics`,
      minutes: 15,
    })),
  );
}

/** Times of vdirsyncer's passes after its initial one; `change` happens before each, off the clock. */
async function settledVdirsyncer(
  world: SyncWorld,
  count: number,
  change?: (round: number) => Promise<void>,
): Promise<number[] | null> {
  if (!hasVdirsyncer()) return null;
  const vdirsyncer = await openVdirsyncer(await prepare(world.emulator, count));
  const times: number[] = [];
  try {
    await vdirsyncer.sync();
    for (let round = 0; round < (world.options.quick ? 2 : 5); round += 1) {
      await change?.(round);
      times.push(await timed(() => vdirsyncer.sync()));
    }
  } finally {
    vdirsyncer.close();
  }
  return times;
}

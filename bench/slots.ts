import { listSlots } from '#kernel/slots/list-slots.ts';
import type { SlotQuestion } from '#kernel/slots/slot-question.ts';
import { type Bench, type BenchRow, type Contender, growth, interleave, median, ratio } from './harness.ts';
import { floorSlots } from './slots-floor.ts';
import { measureSlotCalls } from './slots-http.ts';

/** S1 to S3: the engine. S4: the same out of a database of a million spans, over HTTP. SG: how it grows. */
export const slotsBench: Bench = {
  rows: ['S1', 'S2', 'S3', 'SG', 'S4'],
  async run(wanted, options, print) {
    const rounds = options.quick ? 5 : 60;
    for (const scenario of scenarios) if (wanted.has(scenario.row)) print(await measure(scenario, rounds));
    if (wanted.has('SG')) for (const row of await measureGrowth(options.quick ? 3 : 30)) print(row);
    if (wanted.has('S4')) for (const row of await measureSlotCalls(options)) print(row);
  },
};

interface Scenario {
  row: string;
  what: string;
  hosts: number;
  days: number;
  shape: SlotQuestion['shape'];
  zones: readonly string[];
  gateTimes: number;
  /** As recorded in another run, on 2026-11-20, on a machine of this kind: nobody's figure of today. */
  calComMs: number;
  goalMs: number;
}

const one = ['America/New_York'];
const five = ['America/New_York', 'Europe/London', 'Europe/Paris', 'Asia/Dubai', 'America/Los_Angeles'];
const scenarios: readonly Scenario[] = [
  {
    row: 'S1',
    what: '1 host',
    hosts: 1,
    days: 30,
    shape: 'one',
    zones: one,
    gateTimes: 20,
    calComMs: 10.3,
    goalMs: 0.1,
  },
  {
    row: 'S2',
    what: 'round robin of 20 hosts',
    hosts: 20,
    days: 60,
    shape: 'round-robin',
    zones: one,
    gateTimes: 30,
    calComMs: 118,
    goalMs: 1.2,
  },
  {
    row: 'S2',
    what: 'round robin of 20 hosts in 5 zones',
    hosts: 20,
    days: 60,
    shape: 'round-robin',
    zones: five,
    gateTimes: 30,
    calComMs: 151,
    goalMs: 1.2,
  },
  {
    row: 'S3',
    what: '5 hosts together',
    hosts: 5,
    days: 60,
    shape: 'collective',
    zones: one,
    gateTimes: 30,
    calComMs: 27.7,
    goalMs: 0.18,
  },
];

/** So many different questions take turns that none is answered from what the processor remembers of the last one. */
const variety = 10;

async function measure(scenario: Scenario, rounds: number): Promise<BenchRow> {
  const { row, what, days, goalMs, gateTimes, calComMs } = scenario;
  const questions = Array.from({ length: variety }, (_, seed) => makeQuestion({ ...scenario, seed: seed + 1 }));
  for (const question of questions) {
    const [ours, floor] = [listSlots(question), floorSlots(question)];
    if (ours.length === 0 || ours.join() !== floor.join()) throw new Error(`${what}: not the slots of the floor`);
  }
  const samples = await interleave(
    [contender('ours', questions, listSlots), contender('floor', questions, floorSlots)],
    rounds,
    20,
  );
  const ours = median(samples.ours!);
  const slots = questions.reduce((sum, question) => sum + listSlots(question).length, 0) / variety;
  return {
    id: row,
    what: `slots of ${what}, ${days} days every 15 minutes, 5 busy a day (${slots.toFixed(0)} slots); the engine alone`,
    unit: 'ms',
    ours,
    floor: median(samples.floor!),
    peers: { "Cal.com's core (recorded 2026-11-20, not run)": calComMs },
    gate: `<= ${goalMs} ms, and ${gateTimes}x the recorded Cal.com`,
    passed: ours <= goalMs && ours * gateTimes <= calComMs,
    note: `${ratio(samples, 'ours', 'floor').toFixed(2)}x the floor; ${(calComMs / ours).toFixed(0)}x the recorded figure`,
  };
}

/** Milliseconds of one question, over all of them in turn. */
function contender(
  name: string,
  questions: readonly SlotQuestion[],
  list: (question: SlotQuestion) => number[],
): Contender {
  return {
    name,
    run() {
      const started = performance.now();
      let found = 0;
      for (const question of questions) found += list(question).length;
      if (found === 0) throw new Error('no slots');
      return (performance.now() - started) / questions.length;
    },
  };
}

interface Made {
  hosts: number;
  days: number;
  shape: SlotQuestion['shape'];
  zones: readonly string[];
  seed: number;
  busyPerDay?: number;
  stepMinutes?: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const firstDay = Temporal.PlainDate.from('2027-03-01');

/** Nine to five on working days, each day with meetings of three quarters of an hour at any quarter. */
function makeQuestion({ hosts, days, shape, zones, seed, busyPerDay = 5, stepMinutes = 15 }: Made): SlotQuestion {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const startMs = firstDay.toZonedDateTime('UTC').epochMilliseconds;
  return {
    range: { startMs, endMs: startMs + days * dayMs },
    nowMs: startMs,
    zone: zones[0]!,
    shape,
    durationMs: 30 * minuteMs,
    stepMs: stepMinutes * minuteMs,
    bufferBeforeMs: 0,
    bufferAfterMs: 0,
    noticeMs: 0,
    window: { startMs: 0, endMs: startMs + 1_000 * dayMs },
    limits: {},
    hosts: Array.from({ length: hosts }, (_, host) => {
      const spans = { open: [], busy: [] } as Record<'open' | 'busy', { startMs: number; endMs: number }[]>;
      for (let n = -1; n <= days; n += 1) {
        const day = firstDay.add({ days: n });
        if (day.dayOfWeek > 5) continue;
        const at = (hour: number) =>
          day.toZonedDateTime({ timeZone: zones[host % zones.length]!, plainTime: { hour } }).epochMilliseconds;
        spans.open.push({ startMs: at(9), endMs: at(17) });
        const lengthMs = busyPerDay > 8 ? 5 * minuteMs : 45 * minuteMs;
        for (let k = 0; k < busyPerDay; k += 1) {
          const busyMs = at(9) + Math.floor(random() * 32) * 15 * minuteMs;
          spans.busy.push({ startMs: busyMs, endMs: busyMs + lengthMs });
        }
      }
      spans.busy.sort((a, b) => a.startMs - b.startMs);
      return { id: `host-${host}`, ...spans, blocks: [] };
    }),
  };
}

interface Growth {
  what: string;
  sizes: readonly number[];
  most: number;
  made(size: number): Partial<Made>;
  /** Size as it counts: what is offered, where it is not what was asked. */
  sizeOf?(question: SlotQuestion): number;
}

const growths: readonly Growth[] = [
  { what: 'hosts', sizes: [20, 50, 100, 200], most: 1, made: (hosts) => ({ hosts, days: 60, shape: 'round-robin' }) },
  { what: 'days', sizes: [15, 30, 60, 120, 240], most: 1.05, made: (days) => ({ days }) },
  {
    what: 'slots offered',
    sizes: [60, 30, 15, 5],
    most: 1,
    made: (stepMinutes) => ({ stepMinutes, busyPerDay: 0 }),
    sizeOf: (question) => listSlots(question).length,
  },
  { what: 'busy blocks a day', sizes: [1, 4, 16, 64], most: 0.3, made: (busyPerDay) => ({ busyPerDay }) },
];

/** Slope of log cost against log size; sizes take turns, and each asks for as many hosts and days in all as the others. */
async function measureGrowth(rounds: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { what, sizes, most, made, sizeOf } of growths) {
    const largest = Math.max(...sizes);
    const asked = sizes.map((size) => {
      const count = what === 'hosts' || what === 'days' ? Math.max(1, Math.round(largest / size)) : variety;
      const questions = Array.from({ length: count }, (_, seed) =>
        makeQuestion({ hosts: 1, days: 60, shape: 'one', zones: one, seed: seed + 1, ...made(size) }),
      );
      return { size: sizeOf?.(questions[0]!) ?? size, questions };
    });
    const run = (list: (question: SlotQuestion) => number[]) =>
      interleave(
        asked.map(({ size, questions }) => contender(String(size), questions, list)),
        rounds,
        10,
      );
    const slope = (samples: Record<string, number[]>) =>
      growth(asked.map(({ size }) => [size, median(samples[String(size)]!)] as const));
    const ours = slope(await run(listSlots));
    rows.push({
      id: 'SG',
      what: `growth of slots against ${what} (${sizes[0]} to ${sizes.at(-1)}): slope of log cost`,
      unit: 'exponent',
      ours,
      floor: slope(await run(floorSlots)),
      peers: {},
      gate: `<= ${most}`,
      passed: ours <= most,
    });
  }
  return rows;
}

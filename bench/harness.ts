/**
 * Shared parts of the benches. Contenders take turns in one run, medians and per-round ratios are compared, and each
 * row knows its gate. A figure from another day or machine never enters a comparison.
 */

/** One thing measured: `run` does it once and gives its cost in the row's unit. */
export interface Contender {
  name: string;
  run(): Promise<number> | number;
}

export type Samples = Record<string, number[]>;

/**
 * Lets the contenders take turns for so many rounds, in rotated order, so that nobody always follows the same
 * neighbour; warm-up rounds are thrown away.
 */
export async function interleave(contenders: Contender[], rounds: number, warmUps = 0): Promise<Samples> {
  const samples: Samples = Object.fromEntries(contenders.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(turn + round + warmUps) % contenders.length]!;
      const cost = await contender.run();
      if (round >= 0) samples[contender.name]!.push(cost);
    }
  }
  return samples;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Milliseconds of this process's CPU, all threads, that `work` costs; waiting for others does not count. */
export async function cpuTimed(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** By linear interpolation between the two nearest ranks. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new Error('no samples');
  const sorted = values.toSorted((a, b) => a - b);
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(rank)]!;
  return below + (sorted[Math.ceil(rank)]! - below) * (rank - Math.floor(rank));
}

/** Median over the rounds of one contender's cost divided by another's in the same round. */
export function ratio(samples: Samples, of: string, to: string): number {
  const [numerators, denominators] = [samples[of]!, samples[to]!];
  return median(numerators.map((value, round) => value / denominators[round]!));
}

/** Growth exponent: the least-squares slope of log cost against log size. 0 is flat, 1 linear, 2 quadratic. */
export function growth(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length;
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/** One line of the table. */
export interface BenchRow {
  /** Id of the row, `M2`. */
  id: string;
  /** The measured work, with its size. */
  what: string;
  unit: string;
  ours: number | null;
  floor: number | null;
  peers: Record<string, number | null>;
  /** The bound that fails the build, in words, and whether it was kept; null = nothing to hold it against. */
  gate: string;
  passed: boolean | null;
  note?: string;
  /** The same figures as cells of the table of hostile input. */
  hostile?: string[];
}

export interface BenchOptions {
  /** Smaller sizes and fewer rounds: to see that a bench works, never for figures. */
  quick: boolean;
}

/** A file of benches: which rows it can print, and how. */
export interface Bench {
  rows: readonly string[];
  run(wanted: ReadonlySet<string>, options: BenchOptions, print: (row: BenchRow) => void): Promise<void>;
}

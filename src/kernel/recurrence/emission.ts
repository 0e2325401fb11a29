import { secondMs } from '#kernel/time/civil.ts';
import { maxLocalMs } from '#kernel/time/local.ts';

/** Collects instances, and stops the walk when it would take too long. */
export interface Emission {
  /** Local ms, ascending unless `unordered`. */
  list: number[];
  maxInstances: number;
  steps: number;
  maxSteps: number;
  /** The walk ended early: there may be more. */
  cut: boolean;
  unordered: boolean;
}

export function newEmission(maxInstances: number, maxSteps: number): Emission {
  return { list: [], maxInstances, steps: 0, maxSteps, cut: false, unordered: false };
}

export interface Walk {
  /** Appends every instance with fromMs <= local ms < toMs. */
  emit(fromMs: number, toMs: number, emission: Emission): void;
  /**
   * The n-th instance by arithmetic alone, where all periods are alike; else null. Counts from 1; Infinity when the
   * calendar ends before it.
   */
  nthByArithmetic(nth: number): number | null;
}

export function firstNotBefore(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Appends `baseMs + each of times` within the window; false when the walk is over. */
export function emitTimes(baseMs: number, times: number[], fromMs: number, toMs: number, emission: Emission): boolean {
  const list = emission.list;
  for (
    let i = baseMs + (times[0] ?? 0) >= fromMs ? 0 : firstNotBefore(times, fromMs - baseMs);
    i < times.length;
    i += 1
  ) {
    const atMs = baseMs + (times[i] as number);
    if (atMs >= toMs) return true;
    const last = list[list.length - 1];
    if (last !== undefined && atMs <= last) {
      if (atMs === last) continue;
      emission.unordered = true;
    }
    if (list.length >= emission.maxInstances || ++emission.steps > emission.maxSteps) {
      emission.cut = true;
      return false;
    }
    list.push(atMs);
  }
  return true;
}

export function spend(emission: Emission): boolean {
  emission.steps += 1;
  if (emission.steps <= emission.maxSteps) return true;
  emission.cut = true;
  return false;
}

/** After the last second of the year 9999: where every rule ends. */
export const endOfTimeMs = maxLocalMs + secondMs;

import { type Emission, emitTimes, endOfTimeMs, firstNotBefore, type Walk } from '#kernel/recurrence/emission.ts';

/** Each period looks like the last: DAILY and WEEKLY without limits, and what comes down to them. */
export class UniformWalk implements Walk {
  readonly #baseMs: number;
  readonly #periodMs: number;
  readonly #times: number[];
  readonly #floorMs: number;

  constructor(baseMs: number, periodMs: number, times: number[], floorMs: number) {
    this.#baseMs = baseMs;
    this.#periodMs = periodMs;
    this.#times = times;
    this.#floorMs = floorMs;
  }

  emit(windowFromMs: number, windowToMs: number, emission: Emission): void {
    const times = this.#times;
    const last = times[times.length - 1];
    if (last === undefined) return;
    const fromMs = Math.max(windowFromMs, this.#floorMs);
    const toMs = Math.min(windowToMs, endOfTimeMs);
    const first = Math.max(0, Math.ceil((fromMs - this.#baseMs - last) / this.#periodMs));
    const list = emission.list;
    if (times.length === 1) {
      for (let atMs = this.#baseMs + first * this.#periodMs + last; atMs < toMs; atMs += this.#periodMs) {
        if (list.length >= emission.maxInstances || ++emission.steps > emission.maxSteps) {
          emission.cut = true;
          return;
        }
        list.push(atMs);
      }
      return;
    }
    const firstTime = times[0] as number;
    // A 60th second may reach into the next period.
    const apart = last - firstTime < this.#periodMs;
    for (let baseMs = this.#baseMs + first * this.#periodMs; baseMs < toMs; baseMs += this.#periodMs) {
      const inside = apart && baseMs + firstTime >= fromMs && baseMs + last < toMs;
      if (
        inside &&
        list.length + times.length <= emission.maxInstances &&
        emission.steps + times.length <= emission.maxSteps
      ) {
        for (let i = 0; i < times.length; i += 1) list.push(baseMs + (times[i] as number));
        emission.steps += times.length;
      } else if (!emitTimes(baseMs, times, fromMs, toMs, emission)) return;
    }
  }

  nthByArithmetic(nth: number): number | null {
    const size = this.#times.length;
    if (size === 0) return null;
    const skipped = firstNotBefore(this.#times, this.#floorMs - this.#baseMs);
    const index = nth - 1 + skipped;
    const atMs = this.#baseMs + Math.floor(index / size) * this.#periodMs + (this.#times[index % size] as number);
    return atMs < endOfTimeMs ? atMs : Number.POSITIVE_INFINITY;
  }
}

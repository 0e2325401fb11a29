import type { GateClock } from '../../src/providers/rest/request-gate.ts';

/** Time that passes only when nothing else is left to do. */
export class SimulatedTime implements GateClock {
  #nowMs = 1_000;
  readonly #timers: { atMs: number; wake: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      this.#timers.push({ atMs: this.#nowMs + ms, wake: resolve });
    });
  }

  /** Runs until `done`: all due work happens, then time advances to the next timer, no further. */
  async until(done: Promise<unknown>): Promise<void> {
    let finished = false;
    const end = () => {
      finished = true;
    };
    done.then(end, end);
    for (let turns = 0; !finished; turns += 1) {
      if (turns > 200_000) throw new Error('no progress');
      await new Promise((resolve) => setImmediate(resolve));
      if (finished) return;
      this.#timers.sort((one, other) => one.atMs - other.atMs);
      const next = this.#timers[0];
      if (next === undefined) throw new Error('nothing will ever happen again');
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      while (this.#timers[0] !== undefined && this.#timers[0].atMs <= this.#nowMs) this.#timers.shift()?.wake();
    }
  }
}

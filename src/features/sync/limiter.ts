import { Waiters } from '#kernel/waiters.ts';

export interface LimiterOptions {
  /** The provider's own bound of concurrent requests. */
  maxConcurrency: number;
  /** Monotonic milliseconds: injected, so that its laws are tested without waiting. */
  nowMs(): number;
}

/**
 * Paces the writers of one account: as many calls at once as pay, never more than its provider allows. The provider's
 * quota is kept by the adapter (providers/rest/request-gate.ts), because it counts reads too.
 *
 * The limiter starts with two writers and doubles while throughput rises. Then it adds one at a time, and steps back
 * when only latency rises. Over a far provider (50 ms a request) it finds eight writers within some dozen calls. On a
 * server whose own CPU is the limit it stays at two, where more would only queue.
 */
export class AccountLimiter {
  readonly #max: number;
  readonly #nowMs: () => number;
  #limit: number;
  #active = 0;
  readonly #waiting = new Waiters();
  #doubling = true;
  #bestRate = 0;
  #bestLimit: number;
  #batchStartMs: number | null = null;
  #batchDone = 0;

  constructor(options: LimiterOptions) {
    this.#max = Math.max(1, options.maxConcurrency);
    this.#nowMs = () => options.nowMs();
    this.#limit = Math.min(2, this.#max);
    this.#bestLimit = this.#limit;
  }

  /** Writers at once that it will ever allow. */
  get maxConcurrency(): number {
    return this.#max;
  }

  /** Writers at once, as of now. */
  get concurrency(): number {
    return this.#limit;
  }

  /** Runs `work` when a writer is free. Rejects when `signal` aborts while waiting. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      this.#batchStartMs ??= this.#nowMs();
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    while (this.#active >= this.#limit) {
      await this.#waiting.wait(signal);
    }
    this.#active += 1;
  }

  #leave(): void {
    this.#active -= 1;
    this.#batchDone += 1;
    if (this.#batchDone >= this.#limit * 4) this.#adapt();
    if (this.#active === 0 && this.#waiting.count === 0) {
      // an idle account: the next burst is measured for itself
      this.#batchStartMs = null;
      this.#batchDone = 0;
    }
    for (let free = this.#limit - this.#active; free > 0; free -= 1) this.#waiting.wake();
  }

  #adapt(): void {
    const now = this.#nowMs();
    const elapsed = Math.max(0.001, now - (this.#batchStartMs ?? now));
    const rate = this.#batchDone / elapsed;
    this.#batchStartMs = now;
    this.#batchDone = 0;
    if (rate > this.#bestRate * (this.#doubling ? 1.15 : 1.02)) {
      this.#bestRate = rate;
      this.#bestLimit = this.#limit;
      this.#limit = Math.min(this.#max, this.#doubling ? this.#limit * 2 : this.#limit + 1);
    } else {
      // more writers did not carry more: back to what did, and look again from there, gently
      this.#doubling = false;
      this.#limit = this.#bestLimit;
      this.#bestRate = this.#bestRate * 0.95;
    }
  }
}

import { ProviderError } from '#kernel/errors.ts';
import { Waiters } from '#kernel/waiters.ts';
import { pacedCode } from '../port.ts';

/** The clock of pacing, injected so that its laws are tested without waiting. */
export interface GateClock {
  /** Monotonic milliseconds. */
  nowMs(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface GateOptions {
  /** The provider's own bound of concurrent requests. */
  maxConcurrency: number;
  /** At most `count` starts in any `windowMs`; absent where the provider names no quota. */
  quota?: { count: number; windowMs: number } | undefined;
  clock: GateClock;
}

/** A shorter wait is waited for; a longer one is told, so that nobody keeps a job alive for it and others go on. */
const patienceMs = 2_000;

const paced = (waitMs: number) =>
  new ProviderError(
    'rate-limited',
    pacedCode,
    "The provider is limiting requests. We'll continue when its limits allow.",
    {
      retryAfterMs: waitMs,
    },
  );

/**
 * The one door of an account's requests in this process, reads and writes alike: never more at once than its provider
 * allows, never more in any window than its quota, none before the provider wants to be asked again.
 */
export class RequestGate {
  readonly #max: number;
  readonly #quota: { count: number; windowMs: number } | undefined;
  readonly #clock: GateClock;
  #active = 0;
  readonly #waiting = new Waiters();
  #starts: number[] = [];
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: GateOptions) {
    this.#max = Math.max(1, options.maxConcurrency);
    this.#quota = options.quota;
    this.#clock = options.clock;
  }

  /** Holds requests for this long at the provider's request. */
  hold(ms: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, this.#clock.nowMs() + ms);
  }

  /**
   * Runs `work` when there is room. Rejects with the signal's reason when it aborts while waiting. `weight`: so many of
   * the quota, for one request that its provider counts as several.
   *
   * *Errors*: ProviderError `rate-limited` PACED with the time to wait, where that is more than a moment.
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal, weight = 1): Promise<T> {
    await this.#enter(signal);
    try {
      await this.#waitForHold(signal);
      for (let n = 0; n < weight; n += 1) await this.#waitForQuota(signal);
      return await work();
    } finally {
      this.#active -= 1;
      this.#waiting.wake();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    while (this.#active >= this.#max) {
      await this.#waiting.wait(signal);
    }
    this.#active += 1;
  }

  async #waitForHold(signal: AbortSignal): Promise<void> {
    for (;;) {
      const waitMs = this.#heldUntilMs - this.#clock.nowMs();
      if (waitMs <= 0) return;
      if (waitMs > patienceMs) throw paced(waitMs);
      await this.#clock.sleep(waitMs, signal);
    }
  }

  /** A sliding window, half-open: two starts `count` apart lie at least `windowMs` apart. */
  async #waitForQuota(signal: AbortSignal): Promise<void> {
    const quota = this.#quota;
    if (quota === undefined) return;
    for (;;) {
      const now = this.#clock.nowMs();
      this.#starts = this.#starts.filter((at) => now - at < quota.windowMs);
      const oldest = this.#starts[0];
      if (this.#starts.length < quota.count || oldest === undefined) {
        this.#starts.push(now);
        return;
      }
      const waitMs = oldest + quota.windowMs - now;
      if (waitMs > patienceMs) throw paced(waitMs);
      // at least 1 ms: a sleep that ends on the very edge must not become a loop without progress
      await this.#clock.sleep(Math.max(1, waitMs), signal);
    }
  }
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AccountLimiter, type LimiterClock } from './limiter.ts';

/** Time that passes only when nothing else is left to do. */
class SimulatedTime implements LimiterClock {
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

  /** Runs until `done`: everything that can happen now happens, then time goes on to the next timer, no further. */
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

const never = new AbortController().signal;

/** Sends `count` calls at once; `serve` is the provider. Answers with the starts and the most that ran at once. */
async function send(
  time: SimulatedTime,
  limiter: AccountLimiter,
  count: number,
  serve: (running: () => number) => Promise<void>,
): Promise<{ startsMs: number[]; most: number; concurrency: number[] }> {
  let running = 0;
  let most = 0;
  const startsMs: number[] = [];
  const concurrency: number[] = [];
  const all = Promise.all(
    Array.from({ length: count }, () =>
      limiter.run(async () => {
        running += 1;
        most = Math.max(most, running);
        startsMs.push(time.nowMs());
        concurrency.push(limiter.concurrency);
        try {
          await serve(() => running);
        } finally {
          running -= 1;
        }
      }, never),
    ),
  );
  await time.until(all);
  return { startsMs, most, concurrency };
}

describe('how many calls run at once', () => {
  test('over a far provider, whose answers take as long however many there are, eight within some dozen calls', async () => {
    const time = new SimulatedTime();
    const limiter = new AccountLimiter({ maxConcurrency: 8, clock: time });
    const { most, concurrency } = await send(time, limiter, 200, () => time.sleep(50, never));
    expect(most).toBe(8);
    expect(concurrency[0]).toBe(2);
    expect(concurrency.indexOf(8)).toBeLessThan(48);
    // and it stays there: no call of the second half ran with fewer than seven
    expect(Math.min(...concurrency.slice(100))).toBeGreaterThanOrEqual(7);
  });

  test('where more calls only wait for each other, two or three', async () => {
    const time = new SimulatedTime();
    const limiter = new AccountLimiter({ maxConcurrency: 8, clock: time });
    // one processor: each call takes 5 ms of it
    let freeMs = 0;
    const { concurrency } = await send(time, limiter, 400, () => {
      freeMs = Math.max(freeMs, time.nowMs()) + 5;
      return time.sleep(freeMs - time.nowMs(), never);
    });
    const settled = concurrency.slice(60);
    expect(settled.reduce((sum, at) => sum + at, 0) / settled.length).toBeLessThan(3.1);
    expect(Math.max(...settled)).toBeLessThanOrEqual(3);
  });

  test('never more than the provider allows, whatever happens to the calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.record({ ms: fc.integer({ min: 0, max: 40 }), fails: fc.boolean(), aborts: fc.nat(60) }), {
          minLength: 1,
          maxLength: 80,
        }),
        async (maxConcurrency, calls) => {
          const time = new SimulatedTime();
          const limiter = new AccountLimiter({ maxConcurrency, clock: time });
          let running = 0;
          let most = 0;
          const all = Promise.allSettled(
            calls.map(({ ms, fails, aborts }) => {
              const controller = new AbortController();
              if (aborts < 20) void time.sleep(aborts, never).then(() => controller.abort(new Error('aborted')));
              return limiter.run(async () => {
                running += 1;
                most = Math.max(most, running);
                await time.sleep(ms, never);
                running -= 1;
                if (fails) throw new Error('refused');
              }, controller.signal);
            }),
          );
          await time.until(all);
          expect(most).toBeLessThanOrEqual(maxConcurrency);
          expect(running).toBe(0);
          // whoever comes next is served: no slot was lost on the way
          await time.until(
            Promise.all(Array.from({ length: 20 }, () => limiter.run(() => time.sleep(1, never), never))),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a quota', () => {
  test('is not exceeded in any sliding window, and everything is sent as soon as it allows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 30 }),
        async (count, windowMs, calls, callMs) => {
          const time = new SimulatedTime();
          const limiter = new AccountLimiter({ maxConcurrency: 8, quota: { count, windowMs }, clock: time });
          const { startsMs } = await send(time, limiter, calls, () => time.sleep(callMs, never));
          expect(startsMs).toHaveLength(calls);
          for (let n = count; n < startsMs.length; n += 1) {
            expect((startsMs[n] as number) - (startsMs[n - count] as number)).toBeGreaterThanOrEqual(windowMs);
          }
          if (callMs === 0) {
            const windows = Math.ceil(calls / count) - 1;
            expect((startsMs.at(-1) as number) - (startsMs[0] as number)).toBe(windows * windowMs);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('does not stall when a wait ends exactly on the edge of its window, or a moment before it', async () => {
    for (const early of [0, 0.4]) {
      const time = new SimulatedTime();
      // a timer that wakes too soon, as Node's do
      const clock: LimiterClock = {
        nowMs: () => time.nowMs(),
        sleep: (ms, signal) => time.sleep(Math.max(0, ms - early), signal),
      };
      const limiter = new AccountLimiter({ maxConcurrency: 4, quota: { count: 600, windowMs: 60_000 }, clock });
      const { startsMs } = await send(time, limiter, 1_300, () => time.sleep(0, never));
      expect(startsMs).toHaveLength(1_300);
      expect((startsMs[600] as number) - (startsMs[0] as number)).toBeGreaterThanOrEqual(60_000);
      expect((startsMs[1_200] as number) - (startsMs[0] as number)).toBeLessThan(121_000);
    }
  });
});

describe('a call that is given up while it waits', () => {
  test('for a writer frees its place in the queue', async () => {
    const time = new SimulatedTime();
    const limiter = new AccountLimiter({ maxConcurrency: 1, clock: time });
    const first = limiter.run(() => time.sleep(100, never), never);
    const given = new AbortController();
    const second = limiter.run(() => Promise.reject(new Error('must not run')), given.signal);
    const third = limiter.run(() => time.sleep(1, never), never);
    given.abort(new Error('given up'));
    await expect(second).rejects.toThrow('given up');
    await time.until(Promise.all([first, third]));
    expect(time.nowMs()).toBe(1_101);
    await expect(limiter.run(() => Promise.resolve('ran'), given.signal)).resolves.toBe('ran'); // nobody waited
  });

  test('for the quota frees its writer', async () => {
    const time = new SimulatedTime();
    const limiter = new AccountLimiter({ maxConcurrency: 1, quota: { count: 1, windowMs: 1_000 }, clock: time });
    await time.until(limiter.run(() => time.sleep(1, never), never));
    const given = new AbortController();
    const second = limiter.run(() => Promise.reject(new Error('must not run')), given.signal);
    const third = limiter.run(() => time.sleep(1, never), never);
    await new Promise((resolve) => setImmediate(resolve));
    given.abort(new Error('given up'));
    await expect(second).rejects.toThrow('given up');
    await time.until(third);
    expect(time.nowMs()).toBe(2_001);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SimulatedTime } from '../../../test/harness/simulated-time.ts';
import { AccountLimiter } from './limiter.ts';

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

describe('concurrent provider calls', () => {
  test('a distant provider gets eight concurrent calls within its first 48 calls', async () => {
    const time = new SimulatedTime();
    const limiter = new AccountLimiter({ maxConcurrency: 8, nowMs: () => time.nowMs() });
    const { most, concurrency } = await send(time, limiter, 200, () => time.sleep(50, never));
    expect(most).toBe(8);
    expect(concurrency[0]).toBe(2);
    expect(concurrency.indexOf(8)).toBeLessThan(48);
    // and it stays there: no call of the second half ran with fewer than seven
    expect(Math.min(...concurrency.slice(100))).toBeGreaterThanOrEqual(7);
  });

  test('a provider that serves one call at a time gets at most three concurrent calls', async () => {
    const time = new SimulatedTime();
    const limiter = new AccountLimiter({ maxConcurrency: 8, nowMs: () => time.nowMs() });
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

  test('concurrent calls never exceed the limit of the provider, whatever happens to the calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.record({ ms: fc.integer({ min: 0, max: 40 }), fails: fc.boolean(), aborts: fc.nat(60) }), {
          minLength: 1,
          maxLength: 80,
        }),
        async (maxConcurrency, calls) => {
          const time = new SimulatedTime();
          const limiter = new AccountLimiter({ maxConcurrency, nowMs: () => time.nowMs() });
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
          // later callers are served, so no slot leaked
          await time.until(
            Promise.all(Array.from({ length: 20 }, () => limiter.run(() => time.sleep(1, never), never))),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('calls aborted while they wait', () => {
  test('an aborted call frees its place in the queue', async () => {
    const time = new SimulatedTime();
    const limiter = new AccountLimiter({ maxConcurrency: 1, nowMs: () => time.nowMs() });
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
});

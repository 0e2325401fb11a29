import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import { SimulatedTime } from '../../../test/harness/simulated-time.ts';
import { type GateClock, RequestGate } from './request-gate.ts';

const never = new AbortController().signal;

/** Sends `count` calls at once; `serve` is the provider. Answers with the starts and the most that ran at once. */
async function send(
  time: SimulatedTime,
  gate: RequestGate,
  count: number,
  serve: () => Promise<void>,
): Promise<{ startsMs: number[]; most: number }> {
  let running = 0;
  let most = 0;
  const startsMs: number[] = [];
  const once = () =>
    gate.run(async () => {
      running += 1;
      most = Math.max(most, running);
      startsMs.push(time.nowMs());
      try {
        await serve();
      } finally {
        running -= 1;
      }
    }, never);
  /** As a job does: told to come back later, it does, and keeps nobody's place meanwhile. */
  const patiently = async (): Promise<void> => {
    for (;;) {
      try {
        return await once();
      } catch (error) {
        if (!(error instanceof ProviderError) || error.code !== 'PACED') throw error;
        await time.sleep(error.retryAfterMs ?? 0, never);
      }
    }
  };
  const all = Promise.all(Array.from({ length: count }, patiently));
  await time.until(all);
  return { startsMs, most };
}

describe('quotas', () => {
  test('a quota is not exceeded in any sliding window, and calls are sent as soon as it allows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 30 }),
        async (count, windowMs, calls, callMs) => {
          const time = new SimulatedTime();
          const gate = new RequestGate({ maxConcurrency: 8, quota: { count, windowMs }, clock: time });
          const { startsMs, most } = await send(time, gate, calls, () => time.sleep(callMs, never));
          expect(startsMs).toHaveLength(calls);
          expect(most).toBeLessThanOrEqual(8);
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

  test('a request of several parts counts as several', async () => {
    const time = new SimulatedTime();
    const gate = new RequestGate({ maxConcurrency: 1, quota: { count: 10, windowMs: 1_000 }, clock: time });
    const startsMs: number[] = [];
    const note = () => Promise.resolve(void startsMs.push(time.nowMs()));
    const all = Promise.all([gate.run(note, never, 4), gate.run(note, never, 6), gate.run(note, never)]);
    await time.until(all);
    expect(startsMs.map((atMs) => atMs - (startsMs[0] ?? 0))).toEqual([0, 0, 1_000]);
  });

  test('a wait that ends at the edge of its window or a moment before it does not stall', async () => {
    for (const early of [0, 0.4]) {
      const time = new SimulatedTime();
      // a timer that wakes too soon, as Node's do
      const clock: GateClock = {
        nowMs: () => time.nowMs(),
        sleep: (ms, signal) => time.sleep(Math.max(0, ms - early), signal),
      };
      const gate = new RequestGate({ maxConcurrency: 4, quota: { count: 600, windowMs: 60_000 }, clock });
      const { startsMs } = await send(time, gate, 1_300, () => time.sleep(0, never));
      expect(startsMs).toHaveLength(1_300);
      expect((startsMs[600] as number) - (startsMs[0] as number)).toBeGreaterThanOrEqual(60_000);
      expect((startsMs[1_200] as number) - (startsMs[0] as number)).toBeLessThan(121_000);
    }
  });
});

describe('aborted calls', () => {
  test('a call aborted while it waits for the quota frees its place', async () => {
    const time = new SimulatedTime();
    const gate = new RequestGate({ maxConcurrency: 1, quota: { count: 1, windowMs: 1_000 }, clock: time });
    await time.until(gate.run(() => time.sleep(1, never), never));
    const given = new AbortController();
    const second = gate.run(() => Promise.reject(new Error('must not run')), given.signal);
    const third = gate.run(() => time.sleep(1, never), never);
    await new Promise((resolve) => setImmediate(resolve));
    given.abort(new Error('given up'));
    await expect(second).rejects.toThrow('given up');
    await time.until(third);
    expect(time.nowMs()).toBe(2_001);
  });
});

describe('paused providers', () => {
  test('a short pause delays calls, and a long one refuses them with the time to wait', async () => {
    const time = new SimulatedTime();
    const gate = new RequestGate({ maxConcurrency: 4, clock: time });
    gate.hold(1_500);
    const { startsMs } = await send(time, gate, 3, () => time.sleep(1, never));
    expect(startsMs).toEqual([2_500, 2_500, 2_500]);
    gate.hold(30_000);
    gate.hold(10_000);
    await expect(gate.run(() => Promise.reject(new Error('must not run')), never)).rejects.toMatchObject({
      kind: 'rate-limited',
      code: 'PACED',
      retryAfterMs: 30_000,
    });
  });
});

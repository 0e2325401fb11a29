import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs, restoring } from './backoff.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('retry delays begin near half a minute, double each time, and end near an hour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), random, (attempt, chance) => {
      const plain = Math.min(3_600_000, 30_000 * 2 ** (attempt - 1));
      const ms = backoffMs(attempt, chance);
      expect(ms).toBeGreaterThanOrEqual(plain * 0.8 - 1);
      expect(ms).toBeLessThanOrEqual(plain * 1.2 + 1);
      expect(Number.isInteger(ms)).toBe(true);
    }),
  );
  expect([1, 2, 3, 7, 8, 50].map((attempt) => backoffMs(attempt, 0.5))).toEqual([
    30_000, 60_000, 120_000, 1_920_000, 3_600_000, 3_600_000,
  ]);
});

test('a retry delay is never shorter than the provider asks for, nor than the usual delay', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), random, fc.nat(10_000_000), (attempt, chance, floorMs) => {
      expect(backoffMs(attempt, chance, floorMs)).toBeGreaterThanOrEqual(floorMs);
      expect(backoffMs(attempt, chance, floorMs)).toBeGreaterThanOrEqual(backoffMs(attempt, chance));
    }),
  );
});

test('a mirror that keeps being changed is restored at most five times an hour, and at least once a day', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3 * 86_400_000 }), { minLength: 5, maxLength: 60 }), (pauses) => {
      let state = { restored: 0, restoredAtMs: null as number | null };
      let nowMs = 0;
      const writtenMs: number[] = [];
      for (const pauseMs of pauses) {
        // some program changes the block a while after each write
        nowMs += pauseMs;
        const isForgotten = state.restoredAtMs === null || nowMs - state.restoredAtMs >= 2 * 86_400_000;
        const { times, notBeforeMs } = restoring(state, nowMs);
        if (isForgotten) expect({ times, notBeforeMs }).toEqual({ times: 1, notBeforeMs: null });
        expect((notBeforeMs ?? nowMs) - nowMs).toBeLessThanOrEqual(86_400_000);
        state = { restored: times, restoredAtMs: nowMs };
        nowMs = notBeforeMs ?? nowMs;
        writtenMs.push(nowMs);
      }
      const mostInAnHour = Math.max(
        ...writtenMs.map((atMs) => writtenMs.filter((one) => one > atMs - 3_600_000 && one <= atMs).length),
      );
      expect(mostInAnHour).toBeLessThanOrEqual(5);
    }),
  );
  const waits: (number | null)[] = [];
  let state = { restored: 0, restoredAtMs: null as number | null };
  for (let at = 0; at < 11; at += 1) {
    const { times, notBeforeMs } = restoring(state, 1_000);
    waits.push(notBeforeMs === null ? null : (notBeforeMs - 1_000) / 3_600_000);
    state = { restored: times, restoredAtMs: 1_000 };
  }
  expect(waits).toEqual([null, null, null, null, 1, 2, 4, 8, 16, 24, 24]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('the first wait is about half a minute, each next about twice as long, none over an hour and a fifth', () => {
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

test('what a provider asks for is waited out, and a provider that asks for too little waits longer each time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), random, fc.nat(10_000_000), (attempt, chance, floorMs) => {
      expect(backoffMs(attempt, chance, floorMs)).toBeGreaterThanOrEqual(floorMs);
      expect(backoffMs(attempt, chance, floorMs)).toBeGreaterThanOrEqual(backoffMs(attempt, chance));
    }),
  );
});

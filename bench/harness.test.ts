import { expect, it } from 'vitest';
import { growth, interleave, median, percentile, ratio } from './harness.ts';

it('lets contenders take turns in rotated order and throws the warm-up away', async () => {
  const order: string[] = [];
  const contender = (name: string, cost: number) => ({
    name,
    run: () => {
      order.push(name);
      return cost * order.length;
    },
  });
  const samples = await interleave([contender('a', 1), contender('b', 10)], 2, 1);
  expect(order.join('')).toBe('abbaab');
  expect(samples).toEqual({ a: [4, 5], b: [30, 60] });
});

it('compares costs of the same round, so that a slow round counts once', () => {
  expect(ratio({ a: [2, 20, 2], b: [1, 10, 1] }, 'a', 'b')).toBe(2);
});

it('interpolates percentiles and refuses to make them from nothing', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(percentile([10, 20, 30, 40, 50], 99)).toBeCloseTo(49.6);
  expect(() => median([])).toThrow('no samples');
});

it.each([
  ['flat', 0],
  ['linear', 1],
  ['quadratic', 2],
])('finds that %s cost grows with exponent %i', (_, exponent) => {
  const points = [10, 100, 1_000].map((size) => [size, 3 * size ** exponent] as const);
  expect(growth(points)).toBeCloseTo(exponent);
});

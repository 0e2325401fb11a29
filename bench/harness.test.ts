import { expect, it } from 'vitest';
import { growth, interleave, median, percentile, ratio } from './harness.ts';

it('benchmark contenders run in rotated order, and the warm-up is discarded', async () => {
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

it('a benchmark ratio compares costs of the same round', () => {
  expect(ratio({ a: [2, 20, 2], b: [1, 10, 1] }, 'a', 'b')).toBe(2);
});

it('percentiles are interpolated, and no samples are an error', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(percentile([10, 20, 30, 40, 50], 99)).toBeCloseTo(49.6);
  expect(() => median([])).toThrow('no samples');
});

it.each([
  ['flat', 0],
  ['linear', 1],
  ['quadratic', 2],
])('%s cost is measured to grow with exponent %i', (_, exponent) => {
  const points = [10, 100, 1_000].map((size) => [size, 3 * size ** exponent] as const);
  expect(growth(points)).toBeCloseTo(exponent);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, latencyEndsMs, percentileMs } from './latency.ts';

const durations = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 200 });
const sums = (list: readonly number[]) => {
  const counts = latencyEndsMs.map(() => 0);
  counts.push(0);
  for (const one of list) counts[bucketOf(one)] = (counts[bucketOf(one)] ?? 0) + 1;
  return counts;
};

test('a percentile of call counts lies in the bucket of the exact percentile', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 1), (list, share) => {
      const exact = list.toSorted((a, b) => a - b)[Math.ceil(list.length * share) - 1] as number;
      const told = percentileMs(sums(list), share) as number;
      expect(bucketOf(told)).toBe(bucketOf(exact));
    }),
  );
});

test('p50 is never above p95, and without calls there is no percentile', () => {
  fc.assert(
    fc.property(durations, (list) => {
      const counts = sums(list);
      expect(percentileMs(counts, 0.5)).toBeLessThanOrEqual(percentileMs(counts, 0.95) as number);
    }),
  );
  expect(percentileMs(sums([]), 0.5)).toBeNull();
});

test('a call longer than the last bucket counts as its upper end', () => {
  expect(percentileMs(sums([90_000]), 0.95)).toBe(30_000);
});

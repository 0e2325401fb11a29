import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInRollout } from './rollout.ts';

const percent = fc.integer({ min: 0, max: 100 });

test('a rollout includes nobody at 0 and everybody at 100, and a higher percentage excludes nobody', () => {
  fc.assert(
    fc.property(fc.string(), fc.uuid(), percent, percent, (flag, userId, one, other) => {
      expect(isInRollout(flag, userId, 0)).toBe(false);
      expect(isInRollout(flag, userId, 100)).toBe(true);
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      if (isInRollout(flag, userId, less)) expect(isInRollout(flag, userId, more)).toBe(true);
    }),
  );
});

test('a rollout includes about its percentage of users, and different users for another flag', () => {
  const people = Array.from({ length: 20_000 }, (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`);
  const share = (flag: string, pct: number) => people.filter((id) => isInRollout(flag, id, pct)).length / people.length;
  for (const pct of [5, 25, 50, 90]) expect(share('published-feeds', pct)).toBeCloseTo(pct / 100, 1);
  const both = people.filter((id) => isInRollout('one', id, 50) && isInRollout('other', id, 50)).length;
  expect(both / people.length).toBeGreaterThan(0.2);
  expect(both / people.length).toBeLessThan(0.3);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginTrial, extendTrial, longestTrialDays } from './rules.ts';

const dayMs = 86_400_000;

test('bad input 86: a repeatedly extended trial never exceeds a year', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 365 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 100 }),
      (days, waits) => {
        let nowMs = 1_800_000_000_000;
        let trial = beginTrial(days, nowMs);
        for (const wait of waits) {
          nowMs += wait * dayMs;
          const longer = extendTrial(trial, nowMs);
          if (longer === null) continue;
          expect(longer.endsMs).toBeGreaterThan(Math.max(trial.endsMs, nowMs));
          trial = longer;
        }
        expect(trial.endsMs - trial.startedMs).toBeLessThanOrEqual(longestTrialDays * dayMs);
      },
    ),
  );
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/harness/law-budget.ts';
import { type Candidate, calibrationOf, orderHosts } from './choose-host.ts';

const member = fc.record({ weight: fc.integer({ min: 1, max: 5 }), priority: fc.integer({ min: 1, max: 3 }) });
/** Free hosts of up to eight, booking by booking. */
const story = fc.record({
  members: fc.array(member, { minLength: 2, maxLength: 8 }),
  free: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 120 }),
});

const shareOf = ({ assigned, calibration, weight }: Candidate) => (assigned + calibration) / weight;
const poolOf = (members: readonly { weight: number; priority: number }[]): Candidate[] =>
  members.map((one, n) => ({ ...one, id: `host-${n}`, assigned: 0, calibration: 0, lastMs: null }));

function assign(pool: readonly Candidate[], isFree: (n: number) => boolean, atMs: number): number | null {
  const [chosen] = orderHosts(pool.filter((_, n) => isFree(n)));
  if (chosen === undefined) return null;
  chosen.assigned += 1;
  chosen.lastMs = atMs;
  return pool.indexOf(chosen);
}

describe('fairness of a pool', () => {
  /*
   * The bound: an assigned host had the smallest share of all free ones, so is at most one booking (1/weight) above
   * them. Since then the share grew only by bookings for which the other was not free. So at every moment
   *   share(i) - share(j) <= (1 + bookings of i since, while j was not free) / weight(i),
   * and where both were free for all bookings of i, 1 / weight(i).
   */
  it('hosts differ by at most one booking, plus the bookings for which the other was not free', () => {
    let compared = 0;
    fc.assert(
      fc.property(story, ({ members, free }) => {
        const pool = poolOf(members);
        // bookings given to i since j was last free beside it; null: they were never free together when i got one
        const alone = pool.map(() => pool.map((): number | null => null));
        for (const [atMs, mask] of free.entries()) {
          const isFree = (n: number) => (mask & (1 << n)) !== 0;
          const i = assign(pool, isFree, atMs);
          if (i === null) continue;
          for (const j of pool.keys()) {
            const row = alone[i] as (number | null)[];
            const before = row[j] ?? null;
            row[j] = isFree(j) ? 0 : before === null ? null : before + 1;
          }
          for (const [a, one] of pool.entries()) {
            for (const [b, other] of pool.entries()) {
              const extra = alone[a]?.[b] ?? null;
              if (a === b || extra === null) continue;
              compared += 1;
              expect(shareOf(one) - shareOf(other)).toBeLessThanOrEqual((1 + extra) / one.weight + 1e-9);
            }
          }
        }
      }),
      { numRuns: runs(300) },
    );
    expect(compared).toBeGreaterThan(runs(5_000));
  });

  it('hosts who are always free get bookings by weight, up to the number of hosts', () => {
    fc.assert(
      fc.property(fc.array(member, { minLength: 2, maxLength: 8 }), fc.integer({ min: 1, max: 200 }), (members, n) => {
        const pool = poolOf(members);
        for (let atMs = 0; atMs < n; atMs += 1) assign(pool, () => true, atMs);
        const weights = pool.reduce((sum, { weight }) => sum + weight, 0);
        for (const one of pool) expect(Math.abs(one.assigned - (n * one.weight) / weights)).toBeLessThan(pool.length);
      }),
    );
  });

  it('a new host starts near the middle of the pool and does not get every booking', () => {
    fc.assert(
      fc.property(story, member, ({ members, free }, late) => {
        const pool = poolOf(members);
        for (const [atMs, mask] of free.entries()) assign(pool, (n) => (mask & (1 << n)) !== 0, atMs);
        const calibration = calibrationOf(pool, late.weight);
        const newcomer = { ...late, id: 'new', assigned: 0, calibration, lastMs: null };
        const shares = pool.map(shareOf);
        expect(shareOf(newcomer)).toBeGreaterThanOrEqual(Math.min(...shares) - 1e-9);
        expect(shareOf(newcomer)).toBeLessThanOrEqual(Math.max(...shares) + 1e-9);
        // at the side of those in the middle: before them all are served who had less
        const behind = pool.filter((one) => shareOf(one) < shareOf(newcomer) - 1e-9).length;
        expect(behind).toBeLessThanOrEqual(pool.length / 2);
      }),
      { numRuns: runs(200) },
    );
  });

  it('the order of hosts does not depend on the order in which they are read', () => {
    fc.assert(
      fc.property(story, ({ members, free }) => {
        const pool = poolOf(members).map((one, n) => ({ ...one, assigned: (free[n] ?? 0) % 3 }));
        expect(orderHosts(pool.toReversed())).toEqual(orderHosts(pool));
      }),
    );
  });
});

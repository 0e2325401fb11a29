import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packRows } from './pack-rows.ts';

const anyBars = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 7 }))
    .map(([fromColumn, length]) => ({ fromColumn, toColumn: Math.min(7, fromColumn + length) })),
  { maxLength: 40 },
);

describe('packRows', () => {
  it('bars in one row never overlap', () => {
    fc.assert(
      fc.property(anyBars, (bars) => {
        const rows = packRows(bars);
        for (const [index, a] of bars.entries()) {
          for (let other = index + 1; other < bars.length; other += 1) {
            const b = bars[other]!;
            if (rows[index] === rows[other]) {
              expect(a.fromColumn < b.toColumn && b.fromColumn < a.toColumn).toBe(false);
            }
          }
        }
      }),
    );
  });

  it('bars use exactly as many rows as the fullest column has bars', () => {
    fc.assert(
      fc.property(anyBars, (bars) => {
        const heights = Array.from(
          { length: 7 },
          (_, column) => bars.filter((bar) => bar.fromColumn <= column && column < bar.toColumn).length,
        );
        expect(packRows(bars).reduce((most, row) => Math.max(most, row + 1), 0)).toBe(Math.max(...heights));
      }),
    );
  });
});

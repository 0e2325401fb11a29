import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeRails, minRailMinutes } from './merge-rails.ts';

const anyItems = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 300 }))
    .map(([startMinute, length]) => ({ startMinute, endMinute: Math.min(1440, startMinute + length) })),
  { maxLength: 40 },
);

describe('mergeRails', () => {
  it('rails hold every block once, are sorted and disjoint, and have the minimum height within the day', () => {
    fc.assert(
      fc.property(anyItems, (items) => {
        const rails = mergeRails(items);
        expect(rails.flatMap((rail) => rail.items)).toHaveLength(items.length);
        expect(new Set(rails.flatMap((rail) => rail.items))).toEqual(new Set(items));
        for (const [index, rail] of rails.entries()) {
          expect(rail.endMinute - rail.startMinute).toBeGreaterThanOrEqual(minRailMinutes);
          expect(rail.startMinute).toBeGreaterThanOrEqual(0);
          expect(rail.endMinute).toBeLessThanOrEqual(1440);
          const next = rails[index + 1];
          if (next) expect(next.startMinute).toBeGreaterThan(rail.endMinute);
          for (const item of rail.items) {
            expect(item.endMinute).toBeLessThanOrEqual(rail.endMinute);
            expect(item.startMinute).toBeGreaterThanOrEqual(Math.min(rail.startMinute, item.startMinute));
          }
        }
      }),
    );
  });

  it('blocks that follow each other are one run, and a gap parts two', () => {
    const copy = { startMinute: 540, endMinute: 600 };
    const next = { startMinute: 600, endMinute: 660 };
    const later = { startMinute: 661, endMinute: 700 };
    expect(mergeRails([copy, next, { ...copy }, later]).map((rail) => rail.items.length)).toEqual([3, 1]);
  });
});

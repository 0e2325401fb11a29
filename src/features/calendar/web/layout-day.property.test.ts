import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DayItem, drawnSpan, layoutDay } from './layout-day.ts';

interface NamedItem extends DayItem {
  name: number;
}

const options = { maxColumns: 3, minMinutes: 26 };

const anyDay: fc.Arbitrary<NamedItem[]> = fc
  .array(
    fc.record({
      start: fc.integer({ min: 0, max: 1439 }),
      // Zero-length events exist and must be seen; most meetings are short.
      length: fc.oneof(fc.constant(0), fc.integer({ min: 5, max: 120 }), fc.integer({ min: 1, max: 1440 })),
      yields: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map((list) =>
    list.map(({ start, length, yields }, name) => ({
      name,
      startMinute: start,
      endMinute: Math.min(1440, start + length),
      yields,
    })),
  );

const overlap = (a: { top: number; bottom: number }, b: { top: number; bottom: number }) =>
  a.top < b.bottom && b.top < a.bottom;

describe('layoutDay', () => {
  it('boxes of a day never overlap', () => {
    fc.assert(
      fc.property(anyDay, (items) => {
        const { placed } = layoutDay(items, options);
        for (const [index, a] of placed.entries()) {
          for (const b of placed.slice(index + 1)) {
            const sharesTime = overlap(drawnSpan(a.item, 26), drawnSpan(b.item, 26));
            const sharesColumn = a.column < b.column + b.span && b.column < a.column + a.span;
            expect(sharesTime && sharesColumn).toBe(false);
            // Columns of unlike width side by side would overlap all the same.
            if (sharesTime) expect([a.columns, a.gutter]).toEqual([b.columns, b.gutter]);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('every event of a day has one box or is named in one chip', () => {
    fc.assert(
      fc.property(anyDay, (items) => {
        const { placed, more } = layoutDay(items, options);
        const names = [
          ...placed.map(({ item }) => item.name),
          ...more.flatMap((chip) => chip.items.map((i) => i.name)),
        ];
        expect(names.toSorted((a, b) => a - b)).toEqual(items.map((item) => item.name));
      }),
      { numRuns: 500 },
    );
  });

  it('boxes stay within the allowed columns, and no event is hidden while a column is free', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 4 }), (items, maxColumns) => {
        const { placed, more } = layoutDay(items, { maxColumns, minMinutes: 26 });
        for (const { column, span, columns } of placed) {
          expect(span).toBeGreaterThanOrEqual(1);
          expect(column + span).toBeLessThanOrEqual(columns);
          expect(columns).toBeLessThanOrEqual(maxColumns);
        }
        for (const hidden of more.flatMap((chip) => chip.items)) {
          const { top } = drawnSpan(hidden, 26);
          const standing = placed.filter(({ item }) => {
            const box = drawnSpan(item, 26);
            return box.top <= top && top < box.bottom;
          });
          expect(standing).toHaveLength(maxColumns);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('chips of a day never overlap each other or a box', () => {
    fc.assert(
      fc.property(anyDay, (items) => {
        const { placed, more } = layoutDay(items, options);
        for (const [index, chip] of more.entries()) {
          const chipBox = { top: chip.startMinute, bottom: chip.startMinute + 26 };
          expect(chipBox.bottom).toBeLessThanOrEqual(1440);
          for (const other of more.slice(index + 1)) {
            expect(overlap(chipBox, { top: other.startMinute, bottom: other.startMinute + 26 })).toBe(false);
          }
          for (const { item, gutter } of placed) {
            if (overlap(chipBox, drawnSpan(item, 26))) expect(gutter).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('clusters of a day are disjoint and contain their boxes and chips', () => {
    fc.assert(
      fc.property(anyDay, (items) => {
        const { placed, more, clusters } = layoutDay(items, options);
        for (const [index, cluster] of clusters.entries()) {
          const next = clusters[index + 1];
          if (next) expect(next.startMinute).toBeGreaterThanOrEqual(cluster.endMinute);
        }
        for (const { item, cluster } of placed) {
          const box = drawnSpan(item, 26);
          expect(clusters[cluster]!.startMinute).toBeLessThanOrEqual(box.top);
          expect(clusters[cluster]!.endMinute).toBeGreaterThanOrEqual(box.bottom);
        }
        for (const chip of more) {
          expect(clusters[chip.cluster]!.startMinute).toBeLessThanOrEqual(chip.startMinute);
          expect(clusters[chip.cluster]!.endMinute).toBeGreaterThanOrEqual(chip.startMinute + 26);
        }
      }),
    );
  });

  it('the layout of a day does not depend on the order of its events', () => {
    fc.assert(
      fc.property(anyDay, (items) => {
        const boxes = (list: NamedItem[]) =>
          layoutDay(list, options)
            .placed.map(({ item, column, span }) => [item.startMinute, item.endMinute, column, span].join(' '))
            .toSorted();
        expect(boxes(items.toReversed())).toEqual(boxes(items));
      }),
    );
  });

  it('an event without overlap gets the whole width, and two overlapping events get half each', () => {
    const alone = layoutDay([{ startMinute: 60, endMinute: 120 }], options).placed;
    expect(alone).toMatchObject([{ column: 0, span: 1, columns: 1, gutter: false }]);
    const two = layoutDay(
      [
        { startMinute: 60, endMinute: 120 },
        { startMinute: 90, endMinute: 150 },
      ],
      options,
    ).placed;
    expect(two).toMatchObject([
      { column: 0, span: 1, columns: 2 },
      { column: 1, span: 1, columns: 2 },
    ]);
  });

  it('a box grows to the right where its neighbors have ended', () => {
    const items = [
      { startMinute: 0, endMinute: 180 },
      { startMinute: 0, endMinute: 60 },
      { startMinute: 0, endMinute: 60 },
      { startMinute: 90, endMinute: 150 },
    ];
    const last = layoutDay(items, options).placed.at(-1);
    expect(last).toMatchObject({ item: items[3], column: 1, span: 2, columns: 3 });
  });

  it('a mirror goes behind the chip before an original event does', () => {
    const at = { startMinute: 540, endMinute: 600 };
    const items = [{ ...at, yields: true }, at, at, at];
    const { placed, more } = layoutDay(items, options);
    expect(placed.map(({ item }) => item)).toEqual(items.slice(1));
    expect(more).toEqual([{ startMinute: 540, items: [items[0]], cluster: 0 }]);
  });
});

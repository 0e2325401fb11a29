import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitTitle } from './fit-title.ts';
import { chip, type DayBox, type DayItem, layoutDay } from './layout-day.ts';
import { createTextWidths } from './text-width.ts';

interface NamedItem extends DayItem {
  name: number;
  title: string;
}

const words = createTextWidths();
const anyTitle = fc.constantFrom(
  'Yoga',
  'Aurora daily',
  'One-to-one with Bogdan',
  '四半期レビュー',
  'Vendor security review',
);
const anyDay = (maxLength: number): fc.Arbitrary<NamedItem[]> =>
  fc
    .array(
      fc.record({
        // Most begin at a quarter of an hour, some do not; events without length exist.
        start: fc.oneof(
          fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
          fc.integer({ min: 0, max: 1439 }),
        ),
        length: fc.oneof(fc.constant(0), fc.integer({ min: 5, max: 120 }), fc.integer({ min: 1, max: 1440 })),
        isSoft: fc.boolean(),
        title: anyTitle,
      }),
      { maxLength },
    )
    .map((list) =>
      list.map(({ start, length, isSoft, title }, name) => ({
        name,
        title,
        isSoft,
        startMinute: start,
        endMinute: Math.min(1440, start + length),
      })),
    );

const anyGrid = fc.record({
  widthPx: fc.constantFrom(108, 118, 146, 181, 620),
  density: fc.constantFrom({ hourPx: 56, minHeightPx: 20 }, { hourPx: 40, minHeightPx: 17 }),
});

const layoutOf = (
  items: readonly NamedItem[],
  { widthPx, density }: typeof anyGrid extends fc.Arbitrary<infer G> ? G : never,
) => {
  const minWidthPx = widthPx > 480 ? 120 : widthPx < 120 ? 54 : 60;
  const titlePx = ({ title }: NamedItem) => words.of('title', title) + 12;
  const options = { widthPx, ...density, minWidthPx, maxBeside: widthPx > 480 ? 6 : 3, titlePx };
  return { ...layoutDay(items, options), minWidthPx, dayPx: 24 * density.hourPx };
};

const touches = (a: DayBox, b: DayBox) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** 4,000 days in all. */
const runs = { numRuns: 1_000 };

describe('layoutDay', () => {
  it('every event has one card, or is named by one chip', () => {
    fc.assert(
      fc.property(anyDay(40), anyGrid, (items, grid) => {
        const { placed, more } = layoutOf(items, grid);
        const names = [
          ...placed.map(({ item }) => item.name),
          ...more.flatMap((one) => one.items.map(({ name }) => name)),
        ];
        expect(names.toSorted((a, b) => a - b)).toEqual(items.map(({ name }) => name));
      }),
      runs,
    );
  });

  it('no card is under the least size, and nothing passes the edges of the day', () => {
    fc.assert(
      fc.property(anyDay(40), anyGrid, (items, grid) => {
        const { placed, more, minWidthPx, dayPx } = layoutOf(items, grid);
        for (const { left, right, top, bottom } of placed) {
          expect(right - left).toBeGreaterThanOrEqual(minWidthPx - 1e-6);
          expect(bottom - top).toBeGreaterThanOrEqual(grid.density.minHeightPx - 1e-6);
          expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
          expect(right).toBeLessThanOrEqual(grid.widthPx + 1e-6);
          expect(bottom).toBeLessThanOrEqual(dayPx + 1e-6);
        }
        for (const { top } of more) {
          expect(top).toBeGreaterThanOrEqual(0);
          expect(top + chip.height).toBeLessThanOrEqual(dayPx);
        }
      }),
      runs,
    );
  });

  it('no card covers the first 10 px of another, and no chip covers a chip', () => {
    fc.assert(
      fc.property(anyDay(40), anyGrid, (items, grid) => {
        const { placed, more } = layoutOf(items, grid);
        for (const [index, card] of placed.entries()) {
          const start = { ...card, right: card.left + 10 };
          expect(placed.slice(index + 1).filter((later) => touches(start, later))).toEqual([]);
        }
        for (const [index, { top }] of more.entries()) {
          for (const other of more.slice(index + 1)) expect(Math.abs(other.top - top)).toBeGreaterThanOrEqual(28);
        }
      }),
      runs,
    );
  });

  it('no line of words is under another card, and each line is whole', () => {
    fc.assert(
      fc.property(anyDay(40), anyGrid, (items, grid) => {
        const { placed, more } = layoutOf(items, grid);
        const chips = more.map(({ top }) => ({
          left: grid.widthPx - chip.width,
          right: grid.widthPx,
          top,
          bottom: top + chip.height,
        }));
        for (const [index, card] of placed.entries()) {
          const over = [...placed.slice(index + 1), ...chips].filter((later) => touches(card, later));
          const { title } = card.item;
          const text = fitTitle(card, over, {
            title,
            times: ['9 – 10 AM', '9 AM'],
            facts: ['Praxis Nord', 'Jonas Weber, Li Chen +2'],
            leadPx: 0,
            trailPx: 0,
            widths: words,
          });
          if (text.lines === 0) continue;
          const linePx = text.isSmall ? 13 : 14;
          const titleBottom = card.top + text.topPx + text.lines * linePx;
          const left = card.left + 8;
          const boxes = [{ left, right: left + text.widthPx, top: card.top + text.topPx, bottom: titleBottom }];
          if (text.time !== undefined && !text.isInLine) {
            const right = left + words.of('time', text.time);
            boxes.push({ left, right, top: titleBottom, bottom: titleBottom + 13 });
          }
          let at = text.time === undefined || text.isInLine ? titleBottom : titleBottom + 13;
          for (const { widthPx } of text.facts) {
            boxes.push({ left, right: left + widthPx, top: at, bottom: at + 13 });
            at += 13;
          }
          for (const box of boxes) {
            expect(over.filter((later) => touches(box, later))).toEqual([]);
            expect(box.bottom).toBeLessThanOrEqual(card.bottom + 1);
            expect(box.right).toBeLessThanOrEqual(card.right);
          }
        }
      }),
      runs,
    );
  });

  it('a later event steps in over an earlier one, and an event after both has the whole width', () => {
    const item = (startMinute: number, endMinute: number, name: number) => ({
      startMinute,
      endMinute,
      name,
      title: 'Yoga',
    });
    const items = [item(540, 630, 0), item(570, 615, 1), item(660, 720, 2)];
    const { placed } = layoutOf(items, { widthPx: 146, density: { hourPx: 56, minHeightPx: 20 } });
    expect(placed.map(({ left, right }) => [left, right])).toEqual([
      [0, 146],
      [31, 146],
      [0, 146],
    ]);
  });

  it('over an event of three hours or more the step is 12 px', () => {
    const items = [
      { startMinute: 540, endMinute: 720, name: 0, title: 'Workshop' },
      { startMinute: 600, endMinute: 660, name: 1, title: 'Call' },
    ];
    const { placed } = layoutOf(items, { widthPx: 146, density: { hourPx: 56, minHeightPx: 20 } });
    expect(placed[1]?.left).toBe(12);
  });

  it('a tentative event goes behind the chip before a firm one', () => {
    const at = { startMinute: 540, endMinute: 600, title: 'One-to-one with Bogdan' };
    const items = [0, 1, 2].map((name) => ({ ...at, name, isSoft: name === 0 }));
    const { placed, more } = layoutOf(items, { widthPx: 146, density: { hourPx: 56, minHeightPx: 20 } });
    expect(placed.map(({ item }) => item.name)).toEqual([1, 2]);
    expect(more.map((one) => one.items.map(({ name }) => name))).toEqual([[0]]);
  });

  it('place and guests stand below the time while a whole line has room, and nowhere else', () => {
    const card = { left: 0, right: 500, top: 0, bottom: 55 };
    const options = { title: 'Doctor', times: ['9 – 10 AM'], leadPx: 0, trailPx: 0, widths: words };
    const facts = ['Praxis Nord', 'Jonas Weber'];
    const linesOf = (bottom: number, over = [] as (typeof card)[]) =>
      fitTitle({ ...card, bottom }, over, { ...options, facts }).facts.map(({ text }) => text);
    expect(linesOf(55)).toEqual(facts);
    expect(linesOf(43)).toEqual(['Praxis Nord']);
    expect(linesOf(29)).toEqual([]);
    expect(linesOf(55, [{ left: 60, right: 500, top: 30, bottom: 55 }])).toEqual([]);
  });
});

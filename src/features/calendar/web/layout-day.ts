/** One box to place: minutes of one day, half-open. */
export interface DayItem {
  startMinute: number;
  endMinute: number;
  /** Drawn last among equals: a mirror gives way to what somebody wrote. */
  yields?: boolean;
}

/** Where an item stands: column `column` of `columns`, `span` wide. `gutter`: its cluster keeps room for "+N" chips. */
export interface PlacedItem<Item extends DayItem> {
  item: Item;
  column: number;
  span: number;
  columns: number;
  gutter: boolean;
  /** Index into `clusters`. */
  cluster: number;
}

/** The items that found no column, gathered where one chip can name them. */
export interface MoreChip<Item extends DayItem> {
  startMinute: number;
  items: Item[];
  /** Index into `clusters`. */
  cluster: number;
}

export interface DayLayout<Item extends DayItem> {
  /** In order of time, so that reading order is the day's order. */
  placed: PlacedItem<Item>[];
  more: MoreChip<Item>[];
  /** What each run of touching boxes covers, as drawn: whoever shares the column's width takes it from whole runs. */
  clusters: { startMinute: number; endMinute: number }[];
}

export interface DayLayoutOptions {
  /** Columns side by side before the rest goes behind a chip. */
  maxColumns: number;
  /** The least height a box or a chip is drawn with, in minutes; boxes are laid out as tall as they are drawn. */
  minMinutes: number;
}

const dayMinutes = 1440;

/** What the eye sees of an item: never shorter than `minMinutes`, never past the day's end (then it starts earlier). */
export function drawnSpan(item: DayItem, minMinutes: number): { top: number; bottom: number } {
  const bottom = Math.min(dayMinutes, Math.max(item.endMinute, item.startMinute + minMinutes));
  return { top: Math.max(0, Math.min(item.startMinute, bottom - minMinutes)), bottom };
}

/**
 * Places the items of one day: clusters of boxes that touch share columns, each box takes the first free column and
 * grows right over free ones, what finds none goes behind a "+N" chip.
 *
 * Holds (`layout-day.property.test.ts`): no two boxes overlap, no two chips overlap, every item is placed once or named
 * by exactly one chip, never more than `maxColumns` side by side.
 */
export function layoutDay<Item extends DayItem>(items: readonly Item[], options: DayLayoutOptions): DayLayout<Item> {
  const boxes = items.map((item) => ({ item, ...drawnSpan(item, options.minMinutes) }));
  boxes.sort(
    (a, b) =>
      a.top - b.top ||
      Number(a.item.yields ?? false) - Number(b.item.yields ?? false) ||
      b.bottom - a.bottom ||
      a.item.startMinute - b.item.startMinute ||
      b.item.endMinute - a.item.endMinute,
  );
  const layout: DayLayout<Item> = { placed: [], more: [], clusters: [] };
  let from = 0;
  while (from < boxes.length) {
    let clusterBottom = boxes[from]!.bottom;
    let to = from + 1;
    while (to < boxes.length && boxes[to]!.top < clusterBottom) {
      clusterBottom = Math.max(clusterBottom, boxes[to]!.bottom);
      to += 1;
    }
    layout.clusters.push({ startMinute: boxes[from]!.top, endMinute: clusterBottom });
    layoutCluster(boxes.slice(from, to), options, layout);
    from = to;
  }
  return layout;
}

interface Box<Item> {
  item: Item;
  top: number;
  bottom: number;
}

function layoutCluster<Item extends DayItem>(
  boxes: readonly Box<Item>[],
  { maxColumns, minMinutes }: DayLayoutOptions,
  layout: DayLayout<Item>,
): void {
  const cluster = layout.clusters.length - 1;
  const columns: Box<Item>[][] = [];
  const placed: { box: Box<Item>; column: number }[] = [];
  const hidden: Box<Item>[] = [];
  for (const box of boxes) {
    let column = columns.findIndex((boxesAbove) => boxesAbove[boxesAbove.length - 1]!.bottom <= box.top);
    if (column === -1 && columns.length < maxColumns) column = columns.push([]) - 1;
    if (column === -1) {
      hidden.push(box);
      continue;
    }
    columns[column]!.push(box);
    placed.push({ box, column });
  }
  for (const { box, column } of placed) {
    let span = 1;
    while (column + span < columns.length && !columns[column + span]!.some((other) => touches(box, other))) span += 1;
    layout.placed.push({ item: box.item, column, span, columns: columns.length, gutter: hidden.length > 0, cluster });
  }
  let chip: MoreChip<Item> | undefined;
  for (const box of hidden) {
    // A chip is as tall as the smallest box, so the next one must start below it.
    if (chip !== undefined && box.top < chip.startMinute + minMinutes) {
      chip.items.push(box.item);
    } else {
      chip = { startMinute: box.top, items: [box.item], cluster };
      layout.more.push(chip);
    }
  }
}

function touches(a: { top: number; bottom: number }, b: { top: number; bottom: number }): boolean {
  return a.top < b.bottom && b.top < a.bottom;
}

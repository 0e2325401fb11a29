/** One event's part of a day: minutes, half-open. */
export interface DayItem {
  startMinute: number;
  endMinute: number;
  /** Tentative, declined, free and mirrored: gives way to what is firm. */
  isSoft?: boolean;
}

/** A rectangle in the cards' area of a day, px. */
export interface DayBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface PlacedItem<Item extends DayItem> extends DayBox {
  item: Item;
}

/** The items without a card of their own, behind one "+N" chip at the end of the area. */
export interface MoreChip<Item extends DayItem> {
  /** The minute of the first of them. */
  startMinute: number;
  top: number;
  items: Item[];
}

export interface DayLayout<Item extends DayItem> {
  /** From the lowest to the topmost: by time, the longest first within a quarter of an hour. */
  placed: PlacedItem<Item>[];
  more: MoreChip<Item>[];
}

export interface DayLayoutOptions<Item extends DayItem> {
  /** Width of the cards' area, px. */
  widthPx: number;
  hourPx: number;
  /** The least height of a card, px. */
  minHeightPx: number;
  /** The least width of a card, px. */
  minWidthPx: number;
  /** Equal shares side by side before the rest goes behind a chip. */
  maxBeside: number;
  /** Width that the title of an item takes on one line of a card, px. */
  titlePx: (item: Item) => number;
}

export const chip = { width: 26, height: 13 };

/** Cards that begin this near to each other are one group; a later one begins below the first line of the title. */
const nearPx = 14;
/** So much of a card stays in sight at its start. */
const slimStep = 12;
/** Below this a card shows its title and its time. */
const readablePx = 34;
const linePx = 17;
const chipsApartPx = 28;

/**
 * Places the events of a day as a cascade: later cards lie over earlier ones, a step to the end.
 *
 * Holds (`layout-day.property.test.ts`): every event has one card or is named by one chip, no card is narrower than
 * `minWidthPx`, none covers the first 10 px of another, and nothing passes the edges of the day.
 */
export function layoutDay<Item extends DayItem>(
  items: readonly Item[],
  options: DayLayoutOptions<Item>,
): DayLayout<Item> {
  const { widthPx, hourPx, minHeightPx, minWidthPx, titlePx } = options;
  const dayPx = 24 * hourPx;
  const cards = items.map((item): PlacedItem<Item> => {
    const height = Math.max(minHeightPx, ((item.endMinute - item.startMinute) * hourPx) / 60 - 1);
    const top = Math.min((item.startMinute * hourPx) / 60, dayPx - height);
    return { item, top, bottom: top + height, left: 0, right: widthPx };
  });
  cards.sort((a, b) => a.top - b.top || softness(a) - softness(b) || b.bottom - a.bottom);

  const layout: DayLayout<Item> = { placed: [], more: [] };
  const hidden: { top: number; cards: PlacedItem<Item>[] }[] = [];
  let running: PlacedItem<Item>[] = [];
  for (let from = 0, to = 0; from < cards.length; from = to) {
    const { top } = cards[from]!;
    while (to < cards.length && cards[to]!.top < top + nearPx) to += 1;
    running = running.filter(({ bottom }) => bottom > top);
    const [left, right] = roomOver(running, top);
    const before = layout.placed.length;
    const rest = place(cards.slice(from, to), left, right);
    running.push(...layout.placed.slice(before));
    if (rest.length > 0) hidden.push({ top, cards: rest });
  }
  for (const group of hidden) addChip(group.top, group.cards);
  return layout;

  /** Where a group may stand that begins at `top` over running cards: a step in from the last, or left of them all. */
  function roomOver(running: readonly PlacedItem<Item>[], top: number): [left: number, right: number] {
    let anchor = running[0];
    if (anchor === undefined) return [0, widthPx];
    let first = anchor.left;
    for (const card of running) {
      if (card.left > anchor.left) anchor = card;
      first = Math.min(first, card.left);
    }
    const { item } = anchor;
    const above = top - anchor.top;
    let step = Math.max(widthPx / 5, widthPx >= 140 ? 31 : slimStep);
    const isTight = widthPx - anchor.left - step < minWidthPx && above >= readablePx;
    if (item.endMinute - item.startMinute >= 180 || isTight) step = slimStep;
    if (above < nearPx) step = Math.max(slimStep, Math.min(titlePx(item), (widthPx - anchor.left) / 2));
    const left = anchor.left + step;
    return first >= minWidthPx && first >= widthPx - left ? [0, first] : [left, widthPx];
  }

  /** Places a group that begins together; returns what finds no room. */
  function place(group: PlacedItem<Item>[], left: number, right: number, sharePx = minWidthPx): PlacedItem<Item>[] {
    const roomPx = right - left;
    const byEnd = group.toSorted((a, b) => b.bottom - a.bottom);
    const needs = byEnd.map(({ item }) => Math.max(minWidthPx, titlePx(item)));
    if (group.length <= options.maxBeside && (group.length === 1 || needs.reduce((a, b) => a + b) <= roomPx)) {
      if (roomPx < minWidthPx) return group;
      beside(byEnd, needs, left, right);
      return [];
    }
    const [longest, second] = byEnd;
    const shares = roomPx < minWidthPx ? 0 : Math.max(1, Math.floor(roomPx / sharePx));
    const count = Math.min(group.length, options.maxBeside, shares);
    // Over the longest, unless that hides as many as equal shares do.
    const over = Math.min(group.length - 1, options.maxBeside, Math.floor((roomPx - slimStep) / (minWidthPx * 1.1)));
    const isOver = over === group.length - 1 || over >= count;
    if (isOver && longest && second && longest.bottom - second.bottom >= linePx && roomPx - slimStep >= minWidthPx) {
      beside([longest], [roomPx], left, right);
      return place(
        group.filter((card) => card !== longest),
        left + slimStep,
        right,
        // Shares over a card are wider, or most of their titles would be cut.
        minWidthPx * 1.1,
      );
    }
    const firmFirst = group.toSorted((a, b) => softness(a) - softness(b));
    const shown = firmFirst.slice(0, count).sort((a, b) => b.bottom - a.bottom);
    beside(
      shown,
      shown.map(() => roomPx / count),
      left,
      right,
    );
    return firmFirst.slice(count);
  }

  /**
   * Places cards at the given widths, the longest first. A card continues under later ones, up to one that ends no
   * earlier.
   */
  function beside(cards: PlacedItem<Item>[], widths: number[], left: number, right: number): void {
    let at = left;
    for (const [index, card] of cards.entries()) {
      card.left = at;
      at += widths[index]!;
      const isCut = cards[index + 1]?.bottom === card.bottom;
      card.right = isCut ? at : right;
      layout.placed.push(card);
    }
  }

  /** In the first spot below the group's first line that hides no title. */
  function addChip(from: number, cards: readonly PlacedItem<Item>[]): void {
    let top = from + nearPx;
    for (const card of layout.placed.toSorted((a, b) => a.top - b.top)) {
      // A card of one or two lines is all title; others have two lines and the chip below them.
      const isAllTitle = card.bottom - card.top < readablePx;
      const titleEnd = isAllTitle ? card.bottom : Math.min(card.top + 28, card.bottom - chip.height);
      const isUnder = card.right > widthPx - chip.width && card.top < top + chip.height && top < titleEnd;
      if (isUnder) top = titleEnd;
    }
    top = Math.min(top, dayPx - chip.height);
    const items = cards.map(({ item }) => item);
    const near = layout.more.find((other) => Math.abs(other.top - top) < chipsApartPx);
    if (near === undefined) layout.more.push({ startMinute: items[0]!.startMinute, top, items });
    else near.items.push(...items);
  }
}

function softness({ item }: { item: DayItem }): number {
  return item.isSoft ? 1 : 0;
}

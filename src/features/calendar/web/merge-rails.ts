import { drawnSpan } from './layout-day.ts';

interface RailItem {
  startMinute: number;
  endMinute: number;
}

/** Blocks of one day that touch each other, as one piece of the rail at the column's edge. */
export interface Rail<Item extends RailItem> {
  startMinute: number;
  endMinute: number;
  items: Item[];
}

/**
 * Gathers what overlaps into one piece each. An event copied to three calendars is one slim block with a 3 on it, not
 * three boxes that push the event itself aside.
 *
 * Shape: pieces sorted, at least `minMinutes` high, none over another, all within the day.
 */
export function mergeRails<Item extends RailItem>(items: readonly Item[], minMinutes: number): Rail<Item>[] {
  const rails: Rail<Item>[] = [];
  let last: Rail<Item> | undefined;
  const boxes = items.map((item) => ({ item, ...drawnSpan(item, minMinutes) }));
  boxes.sort((a, b) => a.top - b.top || b.bottom - a.bottom);
  for (const { item, top, bottom } of boxes) {
    if (last !== undefined && top < last.endMinute) {
      last.items.push(item);
      last.endMinute = Math.max(last.endMinute, bottom);
    } else {
      last = { startMinute: top, endMinute: bottom, items: [item] };
      rails.push(last);
    }
  }
  return rails;
}

interface RailItem {
  startMinute: number;
  endMinute: number;
}

/** Blocks of one day that touch each other, as one piece of the edge at the end of its column. */
export interface Rail<Item extends RailItem> {
  startMinute: number;
  endMinute: number;
  items: Item[];
}

/** No piece is shorter than this. */
export const minRailMinutes = 15;

/**
 * Gathers blocks that overlap or follow each other into one run each.
 *
 * Shape: runs sorted, apart from each other, at least `minRailMinutes` long, within the day.
 */
export function mergeRails<Item extends RailItem>(items: readonly Item[]): Rail<Item>[] {
  const rails: Rail<Item>[] = [];
  for (const item of items.toSorted((a, b) => a.startMinute - b.startMinute)) {
    const endMinute = Math.min(1440, Math.max(item.endMinute, item.startMinute + minRailMinutes));
    const startMinute = Math.min(item.startMinute, endMinute - minRailMinutes);
    const last = rails.at(-1);
    if (last !== undefined && startMinute <= last.endMinute) {
      last.items.push(item);
      last.endMinute = Math.max(last.endMinute, endMinute);
    } else rails.push({ startMinute, endMinute, items: [item] });
  }
  return rails;
}

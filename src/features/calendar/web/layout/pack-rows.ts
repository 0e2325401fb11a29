/** A bar over whole columns, half-open: `fromColumn` up to but not including `toColumn`. */
export interface ColumnSpan {
  fromColumn: number;
  toColumn: number;
}

/**
 * Stacks bars into as few rows as can hold them without overlap: longest first among those that begin together, each
 * in the topmost row that is free. Greedy over sorted starts is optimal here: the rows needed are the most bars over
 * any one column.
 *
 * Shape: the row of each bar, in the order given.
 */
export function packRows(bars: readonly ColumnSpan[]): number[] {
  const order = bars.map((_, index) => index);
  order.sort((a, b) => {
    const [left, right] = [bars[a]!, bars[b]!];
    return left.fromColumn - right.fromColumn || right.toColumn - left.toColumn || a - b;
  });
  const rowEnds: number[] = [];
  const rows = new Array<number>(bars.length);
  for (const index of order) {
    const bar = bars[index]!;
    let row = rowEnds.findIndex((end) => end <= bar.fromColumn);
    if (row === -1) row = rowEnds.length;
    rowEnds[row] = bar.toColumn;
    rows[index] = row;
  }
  return rows;
}

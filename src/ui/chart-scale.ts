/** Whole steps of 1, 2 or 5 tens up to what holds the largest: `[0, 5, 10, 15]`. */
export function ticksUpTo(most: number): number[] {
  const rough = Math.max(most, 1) / 4;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((one) => one * ten >= rough) ?? 10) * ten);
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, n) => n * step);
}

/** A path through the known values; it stops where one is not known. */
export function pathThrough(points: readonly ({ x: number; y: number } | null)[]): string {
  let pen: 'M' | 'L' = 'M';
  let path = '';
  for (const point of points) {
    if (point !== null) path += `${pen}${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
    pen = point === null ? 'M' : 'L';
  }
  return path;
}

/** The starts that are nearest to a wanted one, in their order; of two equally near the earlier. */
export function nearestSlots(starts: readonly number[], wantedMs: number, count: number): number[] {
  return starts
    .toSorted((a, b) => Math.abs(a - wantedMs) - Math.abs(b - wantedMs) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}

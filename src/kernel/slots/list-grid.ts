import { dayMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Zone } from '#kernel/time/zones.ts';

interface Grid {
  zone: Zone;
  stepMs: number;
  /** Starts outside are left out. */
  range: Span;
}

/**
 * The starts of open hours: steps of the wall clock from the beginning of each open time, and from each midnight that it
 * runs over. Nothing that is busy moves them, so that more of it never makes a new one; nor does it matter where the
 * hours are cut, a day or more before the range. A start near the end of its open time need not fit.
 * *Shape*: takes a span list, gives sorted instants.
 */
export function listGrid(open: readonly Span[], grid: Grid): number[] {
  const starts: number[] = [];
  const { zone, range } = grid;
  for (const span of open) {
    if (span.endMs <= range.startMs) continue;
    if (span.startMs >= range.endMs) break;
    let fromMs = span.startMs;
    let wallMs = zone.toLocal(fromMs);
    while (fromMs < span.endMs && fromMs < range.endMs) {
      const midnightMs = (Math.floor(zone.toLocal(fromMs) / dayMs) + 1) * dayMs;
      const untilMs = Math.min(zone.toInstant(midnightMs), span.endMs);
      if (untilMs > range.startMs) pushSteps(starts, { startMs: fromMs, endMs: untilMs }, wallMs, grid);
      fromMs = untilMs;
      wallMs = Math.floor(zone.toLocal(fromMs) / dayMs) * dayMs;
    }
  }
  return starts;
}

/** Steps of part of one day, counted on its wall clock from `wallMs`. */
function pushSteps(starts: number[], part: Span, wallMs: number, grid: Grid): void {
  const { zone, stepMs, range } = grid;
  const offsetMs = zone.offsetAt(part.startMs);
  if (zone.offsetAt(part.endMs - 1) !== offsetMs) {
    const changeMs = findChange(zone, part);
    pushSteps(starts, { startMs: part.startMs, endMs: changeMs }, wallMs, grid);
    pushSteps(starts, { startMs: changeMs, endMs: part.endMs }, wallMs, grid);
    return;
  }
  const fromMs = Math.max(part.startMs, range.startMs);
  const endMs = Math.min(part.endMs, range.endMs);
  // Negative in an hour that comes twice: its second turn begins before the wall clock that is counted from.
  const beyondMs = (fromMs + offsetMs - wallMs) % stepMs;
  const firstMs = fromMs - beyondMs + (beyondMs > 0 ? stepMs : 0);
  for (let atMs = firstMs; atMs < endMs; atMs += stepMs) starts.push(atMs);
}

/** The instant within a day at which its clock changes. */
function findChange(zone: Zone, { startMs, endMs }: Span): number {
  const offsetMs = zone.offsetAt(startMs);
  let [before, after] = [startMs, endMs - 1];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offsetAt(middle) === offsetMs) before = middle;
    else after = middle;
  }
  return after;
}

import { minuteMs } from '#kernel/time/civil.ts';
import { overlaps, type Span } from '#kernel/time/intervals.ts';

/** As many as one link can hold. */
export const mostPicked = 100;

/** Adds the starts of a drawn range, one per length that fits. Past, busy and already picked ones are left out. */
export function pickTimes(
  picked: readonly number[],
  range: Span,
  { minutes, nowMs, busy }: { minutes: number; nowMs: number; busy: readonly Span[] },
): { picked: number[]; leftOut: number } {
  const lengthMs = minutes * minuteMs;
  const starts: number[] = [];
  let leftOut = 0;
  for (
    let startMs = range.startMs;
    startMs + lengthMs <= range.endMs || startMs === range.startMs;
    startMs += lengthMs
  ) {
    const span = { startMs, endMs: startMs + lengthMs };
    const isThere = picked.some((other) => overlaps(span, { startMs: other, endMs: other + lengthMs }));
    if (isThere) continue;
    if (startMs <= nowMs || busy.some((event) => overlaps(span, event))) leftOut += 1;
    else starts.push(startMs);
  }
  const all = [...picked, ...starts].sort((one, other) => one - other);
  return { picked: all.slice(0, mostPicked), leftOut: leftOut + Math.max(0, all.length - mostPicked) };
}

/** Returns the picked starts that still fit at a new length: no overlap with each other or with busy time. */
export function fitTimes(picked: readonly number[], minutes: number, busy: readonly Span[]): number[] {
  const fitting: number[] = [];
  for (const startMs of picked) {
    const span = { startMs, endMs: startMs + minutes * minuteMs };
    if ((fitting.at(-1) ?? Number.NEGATIVE_INFINITY) + minutes * minuteMs > startMs) continue;
    if (!busy.some((event) => overlaps(span, event))) fitting.push(startMs);
  }
  return fitting;
}

import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { normalizeSpans, type Span } from '#kernel/time/intervals.ts';

interface Range {
  fromMs: number;
  toMs: number;
}

/** More different times than anybody has in two months. */
const mostSpans = 5_000;

/** Returns the range of a comparison. *Units*: `from` in epoch minutes. */
export function comparedRange({ from, days }: { from: number; days: number }): Range {
  const fromMs = from * minuteMs;
  return { fromMs, toMs: fromMs + days * dayMs };
}

/** The busy time within a range, in order and apart. *Units*: epoch minutes. */
export function busyMinutes(spans: readonly Span[], range: Range): { from: number; to: number }[] {
  return normalizeSpans(spans.filter(({ startMs, endMs }) => endMs > range.fromMs && startMs < range.toMs))
    .slice(0, mostSpans)
    .map(({ startMs, endMs }) => ({
      from: Math.floor(Math.max(startMs, range.fromMs) / minuteMs),
      to: Math.ceil(Math.min(endMs, range.toMs) / minuteMs),
    }));
}

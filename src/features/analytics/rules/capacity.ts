import { hourMs } from '#kernel/time/civil.ts';
import { intersectSpans, normalizeSpans, type Span, splitSpans, subtractSpans } from '#kernel/time/intervals.ts';
import { tenth } from './figures.ts';

export interface Capacity {
  openMs: number;
  availableMs: number;
  bookedMs: number;
}

export const lengthOf = (spans: readonly Span[]) => spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);

/**
 * Time of one host in each part between neighboring bounds: open, open without what other events take, and booked inside
 * open hours, where bookings over each other count once. One walk, however many parts there are.
 * *Shape*: `bounds` ascending; `open` a span list; the others in any order.
 */
export function capacitiesOf(
  bounds: readonly number[],
  open: readonly Span[],
  { taken, booked }: { taken: readonly Span[]; booked: readonly Span[] },
): Capacity[] {
  const lengths = (spans: readonly Span[]) => splitSpans(spans, bounds).map(lengthOf);
  const [opens, available] = [lengths(open), lengths(subtractSpans(open, normalizeSpans(taken)))];
  const bookeds = lengths(intersectSpans(normalizeSpans(booked), open));
  return opens.map((openMs, n) => ({ openMs, availableMs: available[n] ?? 0, bookedMs: bookeds[n] ?? 0 }));
}

export function addCapacities(all: readonly Capacity[]): Capacity {
  return {
    openMs: all.reduce((sum, { openMs }) => sum + openMs, 0),
    availableMs: all.reduce((sum, { availableMs }) => sum + availableMs, 0),
    bookedMs: all.reduce((sum, { bookedMs }) => sum + bookedMs, 0),
  };
}

export const hoursOf = (ms: number) => tenth(ms / hourMs);

/** A whole percent at most 100; null where no time is available. */
export function utilizationOf({ availableMs, bookedMs }: Capacity): number | null {
  return availableMs === 0 ? null : Math.min(100, Math.round((100 * bookedMs) / availableMs));
}

import { hourMs } from '#kernel/time/civil.ts';
import { intersectSpans, normalizeSpans, type Span, subtractSpans } from '#kernel/time/intervals.ts';
import { tenth } from './figures.ts';

export interface Capacity {
  openMs: number;
  availableMs: number;
  bookedMs: number;
}

export const lengthOf = (spans: readonly Span[]) => spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);

/**
 * Time of one host: open, open without what other events take, and booked inside open hours, where bookings over each
 * other count once. *Shape*: `open` a span list; the others in any order.
 */
export function capacityOf(open: readonly Span[], taken: readonly Span[], booked: readonly Span[]): Capacity {
  return {
    openMs: lengthOf(open),
    availableMs: lengthOf(subtractSpans(open, normalizeSpans(taken))),
    bookedMs: lengthOf(intersectSpans(normalizeSpans(booked), open)),
  };
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

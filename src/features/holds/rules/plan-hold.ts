import { intersectSpans, overlaps, type Span, subtractSpans } from '#kernel/time/intervals.ts';

const minuteMs = 60_000;
/** New places begin at quarters of an hour. */
const stepMs = 15 * minuteMs;
/** What is shorter is no time to keep. */
export const shortestMs = 15 * minuteMs;

export interface HoldQuestion {
  /** Where its person put it. */
  home: Span;
  /** Where it stands; null once it gave way. */
  at: Span | null;
  /** Where it may be moved to. */
  range: Span;
  /** Open hours: a span list. A hold that was put outside of them is not bound by them. */
  open: readonly Span[];
  /** Bookings that are more important. */
  over: readonly Span[];
  /** All that takes time but for the hold itself, those bookings too: a span list. */
  taken: readonly Span[];
  nowMs: number;
}

/** What becomes of a hold. `gone`: there is no room for it. */
export type HoldPlan = { kind: 'stay' } | { kind: 'gone' } | { kind: 'moved' | 'shrunk' | 'returned'; at: Span };

/**
 * What becomes of a hold when things are as they are. It goes back to where it was put once that is free, and else stays
 * while nothing stands over it. Then it takes the next window of its length in its range that is free, or the nearest one
 * before; else the longest part of its own time that is left, else the longest in its range; else it gives way. Asked
 * again with what it answered, the answer is to stay.
 * *Units*: epoch ms.
 */
export function planHold({ home, at, range, open, over, taken, nowMs }: HoldQuestion): HoldPlan {
  const isHome = at !== null && isSame(at, home);
  if (!isHome && home.startMs >= nowMs && !taken.some((one) => overlaps(one, home)))
    return { kind: 'returned', at: home };
  if (at === null || at.endMs <= nowMs || !over.some((one) => overlaps(one, at))) return { kind: 'stay' };
  const fromMs = Math.ceil(nowMs / minuteMs) * minuteMs;
  const ahead: Span = { startMs: Math.max(range.startMs, fromMs), endMs: range.endMs };
  const bound = open.some((one) => overlaps(one, home));
  const allowed = ahead.startMs < ahead.endMs ? (bound ? intersectSpans([ahead], open) : [ahead]) : [];
  const free = subtractSpans(allowed, taken);
  const window = nextWindow(free, at.startMs, home.endMs - home.startMs);
  if (window !== null) return { kind: 'moved', at: window };
  const part =
    longest(subtractSpans([{ startMs: Math.max(home.startMs, fromMs), endMs: home.endMs }], taken)) ??
    longest(free.map(({ startMs, endMs }) => ({ startMs: quarterFrom(startMs), endMs })));
  return part === null ? { kind: 'gone' } : { kind: 'shrunk', at: part };
}

const isSame = (one: Span, other: Span) => one.startMs === other.startMs && one.endMs === other.endMs;
const quarterFrom = (ms: number) => Math.ceil(ms / stepMs) * stepMs;

/** The first window of a length from a moment on, else the last one before it. */
function nextWindow(free: readonly Span[], fromMs: number, lengthMs: number): Span | null {
  let before: number | null = null;
  for (const gap of free) {
    const last = Math.floor((gap.endMs - lengthMs) / stepMs) * stepMs;
    const next = quarterFrom(Math.max(gap.startMs, fromMs));
    if (next <= last) return { startMs: next, endMs: next + lengthMs };
    if (last >= gap.startMs) before = last;
  }
  return before === null ? null : { startMs: before, endMs: before + lengthMs };
}

/** The longest that is long enough; of two alike the earlier. */
function longest(parts: readonly Span[]): Span | null {
  let found: Span | null = null;
  for (const part of parts) {
    const lengthMs = part.endMs - part.startMs;
    if (lengthMs >= shortestMs && (found === null || lengthMs > found.endMs - found.startMs)) found = part;
  }
  return found;
}

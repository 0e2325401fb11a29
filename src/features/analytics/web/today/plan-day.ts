/** The part of an event that a day's plan needs; times are epoch milliseconds. */
export interface Timed {
  startMs: number;
  endMs: number;
}

/** Milliseconds that at least one of the spans takes within [from, to). */
export function unionMs(spans: readonly Timed[], from: number, to: number): number {
  return merged(spans, from, to).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

/** The open time of [from, to) that nothing takes, in order. */
export function freeSpans(open: readonly Timed[], taken: readonly Timed[], from: number, to: number): Timed[] {
  const busy = merged(taken, from, to);
  return merged(open, from, to).flatMap((span) => {
    const free: Timed[] = [];
    let at = span.startMs;
    for (const one of busy) {
      if (one.endMs <= at || one.startMs >= span.endMs) continue;
      if (one.startMs > at) free.push({ startMs: at, endMs: one.startMs });
      at = Math.max(at, one.endMs);
    }
    if (at < span.endMs) free.push({ startMs: at, endMs: span.endMs });
    return free;
  });
}

/** Events with the first of two lanes that is free at their start; a third event at once shares the second lane. */
export function inLanes<Event extends Timed>(events: readonly Event[]): { event: Event; lane: 0 | 1 }[] {
  let busyUntil = 0;
  return events
    .toSorted((one, other) => one.startMs - other.startMs)
    .map((event) => {
      if (event.startMs < busyUntil) return { event, lane: 1 };
      busyUntil = event.endMs;
      return { event, lane: 0 };
    });
}

function merged(spans: readonly Timed[], from: number, to: number): Timed[] {
  const parts: Timed[] = [];
  for (const { startMs, endMs } of spans.toSorted((one, other) => one.startMs - other.startMs)) {
    const [start, end] = [Math.max(startMs, from), Math.min(endMs, to)];
    const last = parts.at(-1);
    if (end <= start) continue;
    if (last && start <= last.endMs) last.endMs = Math.max(last.endMs, end);
    else parts.push({ startMs: start, endMs: end });
  }
  return parts;
}

/**
 * Half-open intervals `[startMs, endMs)` over epoch milliseconds. A *span list* is sorted, disjoint, without empty
 * spans and without touching neighbours: one time, one way to write it.
 */

export interface Span {
  startMs: number;
  endMs: number;
}

/**
 * Says whether two spans share a moment: the only overlap test of the product.
 * *Shape*: half-open, so spans that touch do not overlap, and an empty or negative span overlaps nothing.
 */
export function overlaps(a: Span, b: Span): boolean {
  return a.startMs < b.endMs && b.startMs < a.endMs && a.startMs < a.endMs && b.startMs < b.endMs;
}

/** Says whether the moment lies in the span. *Shape*: half-open, the end does not belong. */
export function containsMs(span: Span, atMs: number): boolean {
  return span.startMs <= atMs && atMs < span.endMs;
}

/** Says whether the whole inner span lies in one span of the list. *Shape*: `list` is a span list. */
export function contains(list: readonly Span[], inner: Span): boolean {
  if (inner.startMs >= inner.endMs) return false;
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as Span).endMs < inner.endMs) low = middle + 1;
    else high = middle;
  }
  const found = list[low];
  return found !== undefined && found.startMs <= inner.startMs && inner.endMs <= found.endMs;
}

/** Any spans, in any order, as a span list: sorted, merged where they overlap or touch, empty ones dropped. */
export function normalizeSpans(spans: readonly Span[]): Span[] {
  const sorted = spans.filter((span) => span.startMs < span.endMs).sort((a, b) => a.startMs - b.startMs);
  const list: Span[] = [];
  let last: Span | undefined;
  for (const span of sorted) {
    if (last !== undefined && span.startMs <= last.endMs) {
      if (span.endMs > last.endMs) last.endMs = span.endMs;
    } else {
      last = { startMs: span.startMs, endMs: span.endMs };
      list.push(last);
    }
  }
  return list;
}

/** Moments of either list. *Shape*: takes and gives span lists. */
export function unionSpans(a: readonly Span[], b: readonly Span[]): Span[] {
  return normalizeSpans([...a, ...b]);
}

/** Moments of both lists. *Shape*: takes and gives span lists. */
export function intersectSpans(a: readonly Span[], b: readonly Span[]): Span[] {
  const list: Span[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const left = a[i] as Span;
    const right = b[j] as Span;
    const startMs = Math.max(left.startMs, right.startMs);
    const endMs = Math.min(left.endMs, right.endMs);
    if (startMs < endMs) list.push({ startMs, endMs });
    if (left.endMs < right.endMs) i += 1;
    else j += 1;
  }
  return list;
}

/** Moments of `from` that are not in `taken`. *Shape*: takes and gives span lists. */
export function subtractSpans(from: readonly Span[], taken: readonly Span[]): Span[] {
  const list: Span[] = [];
  let j = 0;
  for (const span of from) {
    let startMs = span.startMs;
    while (j < taken.length && (taken[j] as Span).endMs <= startMs) j += 1;
    for (let k = j; k < taken.length; k += 1) {
      const hole = taken[k] as Span;
      if (hole.startMs >= span.endMs) break;
      if (hole.startMs > startMs) list.push({ startMs, endMs: hole.startMs });
      startMs = Math.max(startMs, hole.endMs);
    }
    if (startMs < span.endMs) list.push({ startMs, endMs: span.endMs });
  }
  return list;
}

/**
 * The parts of a span list between neighboring bounds, a span list for each, in one walk.
 * *Shape*: takes a span list and ascending bounds; gives one part fewer than bounds.
 */
export function splitSpans(list: readonly Span[], bounds: readonly number[]): Span[][] {
  let first = 0;
  return bounds.slice(1).map((toMs, n) => {
    const fromMs = bounds[n] as number;
    while (first < list.length && (list[first] as Span).endMs <= fromMs) first += 1;
    const part: Span[] = [];
    for (let at = first; at < list.length && (list[at] as Span).startMs < toMs; at += 1) {
      const { startMs, endMs } = list[at] as Span;
      if (fromMs < toMs) part.push({ startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, toMs) });
    }
    return part;
  });
}

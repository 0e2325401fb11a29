import { intersectSpans, overlaps, type Span, subtractSpans } from '#kernel/time/intervals.ts';

const dayMs = 86_400_000;
/** Free times begin at quarters of an hour: every zone of today is whole quarters from UTC. */
export const stepMs = 900_000;

export interface FreeQuestion {
  /** The time that somebody would like, which is taken. */
  wanted: Span;
  /** Where it may be instead. */
  range: Span;
  /** Busy spans. */
  busy: readonly Span[];
  /** Where it is rather: a span list. Not asked for something that lies outside of it itself. */
  preferred: readonly Span[];
  count: number;
}

/**
 * The nearest windows of the wanted length that are free, none over another: those within the preferred hours first,
 * then the others, each nearest first; of two equally near the later. *Units*: epoch ms. *Shape*: at most `count`.
 */
export function nearestFree({ wanted, range, busy, preferred, count }: FreeQuestion): Span[] {
  const lengthMs = wanted.endMs - wanted.startMs;
  if (lengthMs <= 0 || range.startMs >= range.endMs) return [];
  let free = subtractSpans([range], busy);
  const chosen: Span[] = [];
  const prefers = preferred.some((span) => overlaps(span, wanted));
  for (const within of prefers ? [preferred, null] : [null]) {
    while (chosen.length < count) {
      const window = nearestIn(within === null ? free : intersectSpans(free, within), wanted.startMs, lengthMs);
      if (window === null) break;
      chosen.push(window);
      free = subtractSpans(free, [window]);
    }
  }
  return chosen;
}

/** The window of a length in one of the gaps whose start is nearest. */
function nearestIn(gaps: readonly Span[], wantedMs: number, lengthMs: number): Span | null {
  let nearest: number | null = null;
  for (const gap of gaps) {
    const first = Math.ceil(gap.startMs / stepMs) * stepMs;
    const last = Math.floor((gap.endMs - lengthMs) / stepMs) * stepMs;
    if (first > last) continue;
    const rounded = Math.floor(wantedMs / stepMs + 0.5) * stepMs;
    const startMs = Math.min(Math.max(rounded, first), last);
    const [far, near] = [Math.abs(startMs - wantedMs), nearest === null ? Infinity : Math.abs(nearest - wantedMs)];
    if (far < near || (far === near && startMs > (nearest ?? startMs))) nearest = startMs;
  }
  return nearest === null ? null : { startMs: nearest, endMs: nearest + lengthMs };
}

/**
 * The same for whole days of a zone, some of which are a different number of hours long. Null where the wanted time is
 * none of whole days.
 */
export function nearestFreeDays(
  { wanted, range, busy, count }: Omit<FreeQuestion, 'preferred'>,
  zone: string,
): Span[] | null {
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const [first, last] = [at(wanted.startMs), at(wanted.endMs)];
  if (![first, last].every((time) => time.equals(time.startOfDay())) || wanted.startMs >= wanted.endMs) return null;
  const days = first.toPlainDate().until(last.toPlainDate()).days;
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds;
  const chosen: Span[] = [];
  const windowAt = (shift: number): Span => {
    const day = first.toPlainDate().add({ days: shift });
    return { startMs: midnight(day), endMs: midnight(day.add({ days })) };
  };
  const isOpen = (window: Span) =>
    range.startMs <= window.startMs &&
    window.endMs <= range.endMs &&
    ![...busy, ...chosen].some((taken) => overlaps(taken, window));
  const furthest = Math.ceil(Math.max(range.endMs - wanted.startMs, wanted.startMs - range.startMs) / dayMs);
  for (let shift = 1; shift <= furthest; shift += 1) {
    for (const window of [windowAt(shift), windowAt(-shift)]) {
      if (chosen.length < count && isOpen(window)) chosen.push(window);
    }
  }
  return chosen;
}

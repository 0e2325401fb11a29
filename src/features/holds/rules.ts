import * as z from 'zod/mini';
import { dayShape } from '#features/availability/rules/hours.ts';
import type { Core, Single } from '#kernel/event.ts';
import { intersectSpans, overlaps, type Span, subtractSpans } from '#kernel/time/intervals.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';

const minuteMs = 60_000;
/** New places begin at quarters of an hour. */
const stepMs = 15 * minuteMs;
/** A shorter hold is of no use. */
export const shortestMs = 15 * minuteMs;

/** Beyond this number, only the earliest holds are settled. */
export const mostHolds = 200;

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

/** The next state of a hold. `gone`: there is no room for it. */
export type HoldPlan = { kind: 'stay' } | { kind: 'gone' } | { kind: 'moved' | 'shrunk' | 'returned'; at: Span };

/**
 * The next state of a hold. It returns home once home is free, and stays while nothing more important overlaps it. Otherwise it
 * takes the next free window of its length in its range, or the nearest earlier one, then the longest free part of its own
 * time, then the longest in its range. Without any of these it gives way. The plan for the planned state is to stay.
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

interface HoldTimes {
  homeStartMs: number;
  homeEndMs: number;
  startMs: number | null;
  endMs: number | null;
}

/** The time that the user chose. */
export const homeOf = ({ homeStartMs, homeEndMs }: Pick<HoldTimes, 'homeStartMs' | 'homeEndMs'>): Span => ({
  startMs: homeStartMs,
  endMs: homeEndMs,
});

/** The current time, or null for a hold without one. */
export const placeOf = ({ startMs, endMs }: Pick<HoldTimes, 'startMs' | 'endMs'>): Span | null =>
  startMs === null || endMs === null ? null : { startMs, endMs };

const mostRangeDays = 92;

/**
 * Where a hold may be moved to when it is booked over: nowhere, within the day or the week (from Monday) that its person
 * put it in, or within some days, both included.
 */
export const rangeShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('day') }),
  z.strictObject({ kind: z.literal('week') }),
  z.strictObject({ kind: z.literal('days'), first: dayShape, last: dayShape }).check(
    z.refine(({ first, last }) => first <= last, {
      error: 'The last day must not be before the first.',
      path: ['last'],
    }),
    z.refine(({ first, last }) => Temporal.PlainDate.from(first).until(last).days < mostRangeDays, {
      error: `Use up to ${mostRangeDays} days.`,
      path: ['last'],
    }),
  ),
]);
export type AllowedRange = z.output<typeof rangeShape>;

/** The range as it is in a zone, whole days of its wall; without one, the place itself. *Units*: epoch ms. */
export function rangeOf(range: AllowedRange, home: Span, zone: string): Span {
  if (range.kind === 'none') return home;
  const dayOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  const [first, last] =
    range.kind === 'days'
      ? [Temporal.PlainDate.from(range.first), Temporal.PlainDate.from(range.last)]
      : [dayOf(home.startMs), dayOf(home.endMs - 1)];
  const isWeek = range.kind === 'week';
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds;
  return {
    startMs: midnight(isWeek ? first.subtract({ days: first.dayOfWeek - 1 }) : first),
    endMs: midnight(last.add({ days: isWeek ? 8 - last.dayOfWeek : 1 })),
  };
}

/** The event of a hold; whatever its person made of it in their calendar stays as it is, but for the time. */
export function holdEvent(title: string, at: Span, ownerZone: string, standing: Core | null): Single {
  const zone = loadZone(ownerZone) ?? loadZone('UTC');
  if (zone === null) throw new RangeError('There is no UTC.');
  return {
    kind: 'single',
    when: {
      kind: 'zoned',
      start: printLocalDateTime(zone.toLocal(at.startMs)),
      zone: zone.id,
      duration: { seconds: (at.endMs - at.startMs) / 1_000 },
    },
    core: { ...(standing ?? { busy: 'busy', private: false, self: 'none', kind: 'default' }), title },
  };
}
